// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HTTPTypes
import HomingCore
import HomingStore
import HomingWire

/// The operations of apps: Identity Toolkit and its token service, by a project's API key.
extension Endpoint {
    /// The prefix of Google's host, and none.
    static let identityToolkit = [OwnPath.identityToolkit, ""]

    private static let tenant = Member.text("tenantId", "The tenant that the request is about.")
    private static let refused = Member.text(
        "targetProjectId", "The project, which an app may not name: its key does.")
    private static let kind = Member.text("kind", "The name of the answer's type.")

    private static let localID = Member.text("localId", "The account's id.")
    private static let email = Member.text("email", "The account's address.")

    private static func operation(
        _ name: String, _ method: GoogleMethod, _ meaning: String, limits: [Limit] = [], _ members: [Member],
        and more: [Member] = [], answers: [Member], signsIn: Bool = false,
        _ run: @escaping @Sendable (ProjectContext) async throws -> JSON
    ) -> Endpoint {
        Endpoint(
            name, method, behind: identityToolkit, meaning, limits: limits,
            request: Shape(nil, members + more + common),
            reply: .json(Shape(nil, [kind] + answers + (signsIn ? [Member].tokens : []))), .app(run))
    }

    private static func ofPerson(
        _ name: String, _ method: GoogleMethod, _ meaning: String, answers: [Member],
        _ run: @escaping @Sendable (ProjectContext, SignedIn) async throws -> JSON
    ) -> Endpoint {
        let token = Member.text("idToken", "The ID token of the person, of a living session.")
        return Endpoint(
            name, method, behind: identityToolkit, meaning, request: Shape(nil, [token] + common),
            reply: .json(Shape(nil, [kind] + answers)), .signedIn(run))
    }

    private static func reading(
        _ name: String, _ method: GoogleMethod, _ meaning: String, _ query: [Member] = [], answers: [Member],
        _ run: @escaping @Sendable (ProjectContext) async throws -> JSON
    ) -> Endpoint {
        Endpoint(
            name, method, behind: identityToolkit, meaning, query: Shape(nil, query + [tenant, refused]),
            reply: .json(Shape(nil, answers)), .app(run))
    }

    /// One that Firebase has not, in the form of its own.
    private static func ours(
        _ name: String, _ meaning: String, limits: [Limit] = [], _ members: [Member], answers: [Member], _ run: Run
    ) -> Endpoint {
        Endpoint(
            name, .post, identityToolkit.map { "\($0)/v1/accounts:\(name)" }, inVersion3: name, meaning, limits: limits,
            request: Shape(nil, members + common), reply: .json(Shape(nil, answers)), run)
    }

    private static let verifier = Member.text(
        "codeVerifier", "Of a client that has asked with `codeChallenge`: what the challenge is the SHA-256 of.")

    /// What every operation heeds, or takes.
    private static let common = [
        tenant, refused,
        .flag("returnSecureToken", "Taken and not heeded: whoever signs in gets tokens."),
    ]

    static let forApps: [Endpoint] = [
        operation(
            "sendOobCode", .sendOobCode,
            "Mails a link that resets a password, verifies or changes an address, or signs in.",
            limits: [
                \.mailPerAddressMinute, \.mailPerAddressHour, \.mailPerIPHour, \.mailPerProjectHour,
            ],
            [
                .choice(
                    "requestType", of: ["PASSWORD_RESET", "VERIFY_EMAIL", "EMAIL_SIGNIN", "VERIFY_AND_CHANGE_EMAIL"],
                    "What the link does."),
                .text("email", "The address, of a reset or a sign-in."),
                .text("idToken", "The person's ID token, of a verification or a change."),
                .text("newEmail", "The address to change to."),
                .flag("returnOobLink", "Refused to apps: only a back end is told the link."),
            ], and: .actionCodeSettings + .challenge,
            answers: [.text("email", "The address that is mailed.")] + .boundRequest, IdentityToolkit.sendOobCode),
        operation(
            "resetPassword", .resetPassword,
            "Says what a code is for; sets a new password by a code, or by the old password.",
            limits: [\.signInFailuresPerAccountHour],
            [
                .text("oobCode", "The code of a mailed link."), .text("newPassword", "The new password."),
                .text("email", "The address, with the old password."), .text("oldPassword", "The old password."),
                verifier,
            ],
            answers: [
                .text("email", "The address that the code was mailed to; none of a sign-in."),
                .text("newEmail", "The address that the code changes to."),
                .text("requestType", "What the code is for."),
            ], IdentityToolkit.resetPassword),
        operation(
            "update", .update, "Applies a code, or changes the account behind the ID token.",
            limits: [\.signUpPerIPHour],
            [
                .text("idToken", "The person's ID token."),
                .text("oobCode", "The code of a mailed link; not heeded beside an ID token."), verifier,
                .anything("customAttributes", "Refused to apps."), .anything("disableUser", "Refused to apps."),
            ], and: .profile, answers: changed, signsIn: true, IdentityToolkit.update),
        operation(
            "signUp", .signUp,
            "Makes an account, with an address or anonymous; or gives the account behind the ID token an address.",
            limits: [\.signUpPerIPHour],
            [
                .text("idToken", "The ID token of an account without an address."), .text("email", "The address."),
                .text("password", "The password."), .text("displayName", "The name."),
                .text("localId", "Refused to apps."),
            ],
            answers: [localID, email, .text("displayName", "The account's name.")], signsIn: true,
            IdentityToolkit.signUp),
        operation(
            "signInWithPassword", .signInWithPassword, "Signs in.", limits: [\.signInFailuresPerAccountHour],
            [.text("email", "The address."), .text("password", "The password.")],
            answers: [
                localID, email, .text("displayName", "The account's name, or nothing."),
                .flag("registered", "Always true."), .text("profilePicture", "The URL of the account's picture."),
                .text("photoUrl", "The same, in version 3."),
            ], signsIn: true, IdentityToolkit.signInWithPassword),
        operation(
            "signInWithEmailLink", .signInWithEmailLink, "Signs in by the code of a mailed link.",
            [
                .text("email", "The address that the link was mailed to."), .text("oobCode", "The code of the link."),
                .text("idToken", "The ID token of an account that gets the address."), verifier,
            ],
            answers: [localID, email, .flag("isNewUser", "Whether the account was made now.")], signsIn: true,
            IdentityToolkit.signInWithEmailLink),
        ours(
            "awaitOobCode",
            "Waits for what becomes of a request that was made with `codeChallenge`; or finishes it by its mail's digits.",
            limits: [\.wrongTypedCodesPerAddressHour],
            [
                .text("requestId", "The request, as `sendOobCode` has answered it."),
                .text("codeVerifier", "What the request's `codeChallenge` is the SHA-256 of."),
                .text("typedCode", "The eight digits that stand in the email, as they were typed."),
                .anything(
                    "wait",
                    "The seconds after which the answer is `PENDING`: 25, unless fewer are wanted; 0 is at once."),
            ],
            answers: [
                .choice(
                    "state", of: ["PENDING", "APPROVED", "DONE", "DECLINED", "EXPIRED"],
                    "What has become of it. `APPROVED` comes once."),
                .choice(
                    "by", of: ["here", "elsewhere", "typed", "declined", "numbers"],
                    "How it has ended, where it is `DONE` or `DECLINED`."),
                .text("oobCode", "The code, of another request than a sign-in's whose code was typed."),
                localID, email, .flag("isNewUser", "Whether the account was made now."),
            ] + .tokens, .app(IdentityToolkit.awaitOobCode)),
        ours(
            "pendingAction",
            "Tells once what a person was about to do whose mailed link was opened and never used, within a day.",
            [.text("idToken", "The ID token of the person, of a living session.")],
            answers: [
                .text("mode", "What the link was for, as in its `mode`. Nothing where nothing is pending."),
                .text("continueUrl", "Where the person was to go on."),
            ], .signedIn { context, person in try await IdentityToolkit.pendingAction(context, person) }),
        ofPerson(
            "lookup", .lookup, "Tells a person's own account.",
            answers: [.objects("users", .account, "The account, one.")]
        ) { context, person in IdentityToolkit.lookup(context, person) },
        ofPerson(
            "delete", .delete, "Deletes a person's own account, after a sign-in of the last five minutes.", answers: []
        ) { context, person in try await IdentityToolkit.delete(context, person) },
        operation(
            "createAuthUri", .createAuthURI, "Tells how an address signs in, where the project does not hide it.",
            [
                .text("identifier", "The address."),
                .text("continueUri", "A URL of the app, which is checked and not used."),
                .text("sessionId", "Given back; one is made where it is missing."),
                .text("providerId", "`password`; others are not offered."),
            ],
            answers: [
                .text("sessionId", "For the next request."), .flag("registered", "Whether there is an account."),
                .texts("allProviders", "`password`, where the address can sign in."),
                .texts("signinMethods", "`password`, `emailLink`."),
            ], IdentityToolkit.createAuthUri),
        operation(
            "signInWithCustomToken", .signInWithCustomToken, "Signs in whom the operator's back end names.",
            [.text("token", "A token that a service account of this server has signed.")],
            answers: [.flag("isNewUser", "Whether the account was made now.")], signsIn: true,
            IdentityToolkit.signInWithCustomToken),
        reading(
            "projectConfig", .getProjects, "Tells what an app may know of its project.", answers: projectConfig,
            IdentityToolkit.projectConfig),
        reading(
            "passwordPolicy", .getPasswordPolicy, "Tells the rules for passwords.",
            answers: [
                .object(
                    "customStrengthOptions",
                    [
                        .integer("minPasswordLength", "The fewest characters."),
                        .integer("maxPasswordLength", "The most characters."),
                        .flag("containsLowercaseCharacter", "Whether a password needs one."),
                        .flag("containsUppercaseCharacter", "Whether a password needs one."),
                        .flag("containsNumericCharacter", "Whether a password needs a digit."),
                        .flag("containsNonAlphanumericCharacter", "Whether a password needs a symbol."),
                    ], "The rules."),
                .integer("schemaVersion", "1."),
                .texts("allowedNonAlphanumericCharacters", "What is a symbol."),
                .text("enforcementState", "`ENFORCE` or `OFF`."),
                .flag("forceUpgradeOnSignin", "Whether who signs in has to change a password that breaks the rules."),
            ], IdentityToolkit.passwordPolicy),
        reading(
            "recaptchaConfig", .getRecaptchaConfig, "Says that no call needs a reCAPTCHA.",
            [
                .text("clientType", "The kind of the client, such as `CLIENT_TYPE_WEB`; required."),
                .text("version", "The version of reCAPTCHA, such as `RECAPTCHA_ENTERPRISE`; required."),
            ],
            answers: [
                .text("recaptchaKey", "A name that SDKs read."),
                .objects(
                    "recaptchaEnforcementState",
                    [.text("provider", "The way to sign in."), .text("enforcementState", "`OFF`.")],
                    "By way to sign in."),
            ], IdentityToolkit.recaptchaConfig),
        Endpoint(
            "token", .token, behind: [OwnPath.secureToken, ""], "Answers a fresh ID token for a refresh token.",
            request: [
                .text("grantType", "`refresh_token`."), .text("grant_type", "The same."),
                .text("refreshToken", "The refresh token."), .text("refresh_token", "The same."), tenant, refused,
                .flag("returnSecureToken", "Taken and not heeded."),
            ], form: .too,
            reply: .json([
                .text("access_token", "The ID token."), .text("id_token", "The same."),
                .text("expires_in", "Seconds that it lasts."), .text("token_type", "`Bearer`."),
                .text("refresh_token", "For the next one."), .text("user_id", "The account's id."),
                .text("project_id", "The project's number."),
            ]), .appResponse(Routes.token)),
    ]

    /// What is told of a changed account.
    static let changed: [Member] =
        [
            localID, email, .text("displayName", "The account's name."), .text("photoUrl", "The URL of its picture."),
            .flag("emailVerified", "Whether its address is verified."),
            .text("newEmail", "The address that it has now."),
            .text("passwordHash", "`REDACTED` in base64, where there is a password."),
            .objects("providerUserInfo", .provider, "The ways to sign in, and the ids at other providers."),
        ]

    static let projectConfig: [Member] = [
        .text("projectId", "The project's number."), .text("apiKey", "An API key of the project."),
        .flag("allowPasswordUser", "Whether passwords and mailed links are on."),
        .flag("enableAnonymousUser", "Whether anonymous accounts are."),
        .texts("authorizedDomains", "Where continue URLs and links may lead."),
        .text("dynamicLinksDomain", "The link domain, where there is one."), .flag("useEmailSending", "Always true."),
    ]
}
