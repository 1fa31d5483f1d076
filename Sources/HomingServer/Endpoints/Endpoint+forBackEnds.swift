// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HTTPTypes
import HomingCore
import HomingPasswords
import HomingProjects
import HomingStore
import HomingWire
import Hummingbird
import HummingbirdCore

/// The operations of back ends on the accounts of a project or a tenant, by an admin key.
extension Endpoint {
    private static let tenant = Member.text("tenantId", "The tenant that the request is about.")
    private static let project = Member.text(
        "targetProjectId", "The project, in version 3, whose paths name none.")
    private static let kind = Member.text("kind", "The name of the answer's type.")

    private static func operation(
        _ name: String, _ method: GoogleMethod, forTenants: Bool = true, _ meaning: String,
        bodyLimit: Int = Routes.bodyLimit, _ members: [Member], and more: [Member] = [], answers: [Member],
        _ run: @escaping @Sendable (AdminProjectContext) async throws -> JSON
    ) -> Endpoint {
        let common: [Member] = [tenant, project, .flag("returnSecureToken", "Taken and not heeded.")]
        return Endpoint(
            name, method, behind: identityToolkit, forTenants: forTenants, meaning, bodyLimit: bodyLimit,
            request: Shape(nil, members + more + common), reply: .json(Shape(nil, answers)),
            .project { context, _ in
                try context.checkIsOpen()
                try IdentityToolkit.checkCommonMembers(context.fields)
                return try await run(context)
            })
    }

    static let forBackEnds: [Endpoint] = [
        operation(
            "create", .createAccount, "Makes an account; or gives the account behind an ID token an address.",
            [
                .text("idToken", "The ID token of an account that gets the address and the password."),
                .anything("mfaInfo", "Second factors, which are not offered: an empty list is taken."),
            ], and: [Member].profile + [Member].privileged,
            answers: [
                kind, .text("localId", "The account's id."), .text("email", "Its address, or nothing."),
                .text("displayName", "Its name."),
            ], IdentityToolkit.create),
        operation(
            "sendOobCode", .projectSendOobCode, "Makes an action link, and mails it or answers it.",
            [
                .choice(
                    "requestType", of: ["PASSWORD_RESET", "VERIFY_EMAIL", "EMAIL_SIGNIN", "VERIFY_AND_CHANGE_EMAIL"],
                    "What the link does."),
                .text("email", "The address."),
                .text("idToken", "The person's ID token, where an email verifies or changes."),
                .text("newEmail", "The address to change to."),
                .flag("returnOobLink", "Whether the link is answered, and nothing mailed."),
            ], and: .actionCodeSettings + .challenge,
            answers: [
                kind, .text("email", "The address."), .text("oobCode", "The code, where the link is answered."),
                .text("oobLink", "The link."),
                .text("pressNumber", "Two digits for your mail, where the project's page asks for them."),
            ] + .boundRequest, IdentityToolkit.sendOobCode),
        operation(
            "lookup", .projectLookup, "Tells the accounts that have one of the ids, addresses or numbers.",
            [
                .texts("localId", "Ids, at most 100."), .texts("email", "Addresses, at most 100."),
                .texts("phoneNumber", "Numbers in the form of E.164, at most 100."),
                .objects(
                    "federatedUserId",
                    [.text("providerId", "The other provider."), .text("rawId", "The person's id with it.")],
                    "Ids with other providers, at most 100."),
                .texts("initialEmail", "Refused: accounts are not found by their first address."),
            ],
            answers: [kind, .objects("users", .account, "The accounts; absent where there is none.")],
            IdentityToolkit.lookup),
        operation(
            "update", .projectUpdate, "Changes an account.", [], and: [Member].profile + [Member].privileged,
            answers: [kind] + changed, IdentityToolkit.update),
        operation(
            "delete", .projectDelete, "Deletes an account.", [.text("localId", "The account's id.")], answers: [kind],
            IdentityToolkit.delete),
        operation(
            "batchCreate", .batchCreate, "Takes accounts of another system, with the hashes of their passwords.",
            bodyLimit: Routes.batchLimit,
            [
                .objects("users", imported, "The accounts, at most 1,000."),
                .flag("allowOverwrite", "Whether accounts that are here are brought up to date."),
                .flag("sanityCheck", "Whether addresses and providers' ids that stand twice are refused."),
            ], and: hashes,
            answers: [kind, .objects("error", .batchError, "The accounts that were not taken.")],
            IdentityToolkit.batchCreate),
        operation(
            "batchDelete", .batchDelete, "Deletes accounts.",
            [
                .texts("localIds", "Ids, at most 1,000."),
                .flag("force", "Whether accounts are deleted that are not disabled."),
            ],
            answers: [.objects("errors", .batchError, "The accounts that are still there.")],
            IdentityToolkit.batchDelete),
        Endpoint(
            "batchGet", .batchGet, behind: identityToolkit, forTenants: true, "Lists accounts by their ids.",
            query: [
                .int64("maxResults", "How many, 20 where it is missing, at most 1,000."),
                .text("nextPageToken", "`nextPageToken` of the page before."), tenant,
            ],
            reply: .json(page),
            .project { context, query in
                try context.checkIsOpen()
                return try await IdentityToolkit.batchGet(
                    context, maxResults: query.first("maxResults", or: "max_results"),
                    after: query.first("nextPageToken", or: "next_page_token"))
            }),
        operation(
            "batchGet", .downloadAccount, forTenants: false, "Lists accounts by their ids.",
            [
                .int64("maxResults", "How many, 20 where it is missing, at most 1,000."),
                .text("nextPageToken", "`nextPageToken` of the page before."),
            ], answers: page.members, IdentityToolkit.batchGet),
        operation(
            "query", .query, "Finds accounts by one condition, or all, in an order; or counts them.", condition,
            answers: found, IdentityToolkit.query),
        operation(
            "query", .queryAccounts, forTenants: false, "The same as `accounts:query`.", condition, answers: found,
            IdentityToolkit.query),
        operation(
            "createSessionCookie", .createSessionCookie, "Makes a cookie of the operator's own site from an ID token.",
            [
                .text("idToken", "The ID token."),
                .int64(
                    "validDuration",
                    "Seconds that the cookie lasts, from 300 to 1,209,600; two weeks where it is missing."),
            ], answers: [.text("sessionCookie", "The cookie.")], IdentityToolkit.createSessionCookie),
        Endpoint(
            "projectConfig", .get, [], inVersion3: "getProjectConfig", "Tells what an app may know of its project.",
            methods: [.getProjects],
            query: [
                project, .text("projectNumber", "The project's number, in the place of its id."),
            ], reply: .json(Shape(nil, projectConfig)),
            .response { request, call, parts in
                let homing = parts.homing
                let query = request.uri.queryParameters
                var members = JSON.Object()
                if let id = query.get("targetProjectId") { members["targetProjectId"] = .string(String(id)) }
                if let number = query.get("projectNumber"),
                    let project = homing.projects.all().first(where: { $0.number.utf8.elementsEqual(number.utf8) })
                {
                    members["targetProjectId"] = .string(project.projectID.text)
                }
                let context = try AdminProjectContext(
                    inVersion3: request, call, fields: Fields(members), homing: homing)
                return Answer.json(IdentityToolkit.projectConfig(of: context.project))
            }),
    ]

    private static let page = Shape(
        nil,
        [
            kind, .objects("users", .account, "The accounts; absent where there is none."),
            .text("nextPageToken", "For the next page; every full page has one."),
        ])

    private static let condition: [Member] = [
        .objects(
            "expression",
            [
                .text("email", "An address."), .text("phoneNumber", "A number in the form of E.164."),
                .text("userId", "An id."),
            ], "Conditions, of which the first counts, by its first member."),
        .flag("returnUserInfo", "Whether accounts are answered, which is so where it is missing, or their number."),
        .int64("limit", "How many, at most 500."), .int64("offset", "How many to leave out before them."),
        .choice(
            "sortBy", of: ["USER_ID", "NAME", "CREATED_AT", "LAST_LOGIN_AT", "USER_EMAIL"], "The order."),
        .choice("order", of: ["ASC", "DESC"], "Its direction."),
    ]

    private static let found: [Member] = [
        .text("recordsCount", "How many accounts there are, or are answered."),
        .objects("userInfo", .account, "The accounts; absent where there is none."),
    ]

    /// An account as `firebase auth:export` writes it (``ImportedAccount``).
    private static let imported = Shape(
        "ImportedAccount",
        [
            .text("localId", "The account's id; required."), .text("email", "The address."),
            .flag("emailVerified", "Whether somebody has proven to read the address's mail."),
            .text("passwordHash", "The hash of the password, in base64."), .text("salt", "Its salt, in base64."),
        ] + .texts { !$0.mayPermit } + [
            .int64("createdAt", "Milliseconds since 1970."), .int64("lastLoginAt", "Milliseconds since 1970."),
            .int64("lastSignedInAt", "The same, as `firebase auth:export` writes it."),
            .text("hashConfig", "Which parameters made the hash, of an account that Homing has exported."),
            .text("rawPassword", "Not offered: such an account is not taken."),
            .flag("disabled", "Whether the person is kept out."),
        ] + .texts(where: \.mayPermit) + [
            .objects("providerUserInfo", .provider, "The ids with other providers."),
            .flag("emailLinkSignin", "Whether a mailed link has ever signed in."),
            .flag("customAuth", "Whether a custom token has ever signed in."),
            .text("initialEmail", "The first address that the account had."),
            .text("tenantId", "The tenant that the account is in, which is that of the request."),
            .anything("mfaInfo", "Second factors: such an account is not taken."),
        ])

    /// How the hashes of a batch were made.
    private static let hashes: [Member] = [
        .text(
            "hashAlgorithm",
            "The algorithm: `SCRYPT`, `STANDARD_SCRYPT`, `BCRYPT`, `ARGON2`, `PBKDF2_SHA256` and others."),
        .text("signerKey", "The key, in base64."), .text("saltSeparator", "What stands behind the salt, in base64."),
        .int64("rounds", "How often the hash is made again."), .int64("memoryCost", "The memory of scrypt."),
        .int64("cpuMemCost", "The same, of `STANDARD_SCRYPT`."), .int64("blockSize", "The block size of scrypt."),
        .int64("parallelization", "The parallelization of scrypt."),
        .choice("passwordHashOrder", of: ["SALT_AND_PASSWORD", "PASSWORD_AND_SALT"], "What comes first."),
        .object(
            "argon2Parameters",
            Shape(
                "Argon2Parameters",
                [
                    .choice("hashType", of: ["ARGON2_D", "ARGON2_ID", "ARGON2_I"], "The kind of Argon2."),
                    .int64("hashLengthBytes", "The hash's length."), .int64("memoryCostKib", "The memory."),
                    .int64("iterations", "The passes."), .int64("parallelism", "The lanes."),
                    .choice("version", of: ["VERSION_10", "VERSION_13"], "The version of Argon2."),
                    .text("associatedData", "The associated data, in base64."),
                ]), "Of hashes in bytes that Argon2 made."),
    ]
}
