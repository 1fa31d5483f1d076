// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingProjects
import HomingStore
import HomingWire

extension IdentityToolkit {
    /// `accounts:update` of a client app: applies a code, or changes the account behind the ID token. With an ID token
    /// a code is ignored, as in production.
    static func update(_ context: ProjectContext) async throws -> JSON {
        let fields = context.fields
        let hasToken = try fields.string("idToken") != nil
        let code = try fields.text("oobCode")
        guard hasToken || code != nil else { throw Refusal.unsupportedParameters }
        if try fields.value("customAttributes") != nil { throw Refusal.insufficientPermission("") }
        if !hasToken, let code { return try await apply(code, context) }
        let person = try await SignedInContext(context).person
        if try fields.value("disableUser") != nil {
            throw Refusal.operationNotAllowed("Only the operator disables accounts.")
        }
        var change = try commonChange(fields)
        if let text = try fields.string("email"), !text.isEmpty {
            change.email = .set(try fields.address("email"))
            try await allowSignUp(context)
        }
        if let password = try fields.string("password") {
            guard context.project.settings.allowsEmail else { throw Refusal.noPasswords }
            change.password = .set(password)
        }
        let (account, tokens) = try await context.homing.accounts.change(
            person, change, language: context.language, from: context.caller, on: context.device)
        let newEmail = try fields.string("email") == nil ? nil : account.email
        return answer(account, newEmail: newEmail, tokens: tokens)
    }

    private static func apply(_ code: String, _ context: ProjectContext) async throws -> JSON {
        let (applied, account) = try await context.homing.actionCodes.apply(
            code, proof: try proof(context.fields), in: context.project, orElse: context.language, on: context.device)
        return answer(account, newEmail: applied.kind == .verifyAndChangeEmail ? account.email : nil, tokens: nil)
    }

    /// `accounts:update` of the operator's back end, by `localId`.
    static func update(_ context: AdminProjectContext) async throws -> JSON {
        let fields = context.fields
        guard let id = try fields.string("localId").map({ AccountID($0) }), !id.text.isEmpty else {
            throw Refusal.missingLocalID
        }
        let accounts = context.homing.accounts
        if let claims = try fields.string("customAttributes") { try CustomClaims.check(claims) }
        let change: AccountChange
        do {
            change = try privilegedUpdate(fields)
        } catch {
            // Production looks first whether there is such an account.
            guard try await accounts.find(id: id, in: context.project) != nil else { throw Refusal.userNotFound }
            throw error
        }
        let account = try await accounts.change(id, change, in: context.project, by: context.backEnd.author)
        return answer(account, newEmail: change.email == nil ? nil : account.email, tokens: nil)
    }

    private static func privilegedUpdate(_ fields: Fields) throws -> AccountChange {
        var change = try commonChange(fields)
        if try fields.string("email") != nil {
            change.email = .set(try fields.address("email"))
        }
        if let password = try fields.string("password") {
            guard !password.isEmpty else { throw Refusal.missingPassword }
            change.password = .set(password)
        }
        try privilegedChange(fields, into: &change)
        return change
    }

    /// The changes that a person and the operator may both make.
    static func commonChange(_ fields: Fields) throws -> AccountChange {
        var change = AccountChange()
        if let name = try displayName(fields) { change.displayName = .set(name) }
        if let url = try fields.string("photoUrl") {
            // Bytes, because it is in every ID token.
            guard url.utf8.count <= 2048 else {
                throw Refusal.invalidProfileAttribute("photoUrl has at most 2048 bytes")
            }
            change.photoURL = .set(url)
        }
        for (index, attribute) in try fields.strings("deleteAttribute").enumerated() {
            // The numbers of Google's discovery document.
            switch attribute {
            case "EMAIL", "1": change.email = .clear
            case "DISPLAY_NAME", "2": change.displayName = .clear
            case "PHOTO_URL", "4": change.photoURL = .clear
            case "PASSWORD", "5": change.password = .clear
            // No account has other providers, or data of theirs.
            case "PROVIDER", "3", "RAW_USER_INFO", "6": break
            default:
                throw Refusal.invalidEnum(
                    member: "delete_attribute[\(index)]", type: "UserAttributeName", given: .string(attribute))
            }
        }
        for provider in try fields.strings("deleteProvider") {
            switch provider {
            case "password":
                change.email = .clear
                change.password = .clear
            case "phone": change.phoneNumber = .clear
            default: change.endedProviders.append(provider)
            }
        }
        return change
    }

    static func displayName(_ fields: Fields) throws(Refusal) -> String? {
        guard let name = try fields.string("displayName") else { return nil }
        guard name.unicodeScalars.count <= 256 else {
            throw .invalidProfileAttribute("displayName has at most 256 characters")
        }
        return name
    }

    /// Reads the changes that only the operator may make.
    static func privilegedChange(_ fields: Fields, into change: inout AccountChange) throws {
        change.isEmailVerified = try fields.bool("emailVerified")
        change.isDisabled = try fields.bool("disableUser") ?? fields.bool("disabled")
        change.validSince = try fields.seconds("validSince")
        change.createdAt = try fields.moment("createdAt")
        change.lastLoginAt = try fields.moment("lastLoginAt")
        if let claims = try fields.string("customAttributes") {
            try CustomClaims.check(claims)
            change.customAttributes = .set(claims)
        }
        if let phone = try fields.text("phoneNumber") { change.phoneNumber = .set(try PhoneNumber.parse(phone)) }
        let link = "linkProviderUserInfo"
        if let entry = try fields.value(link) {
            guard let members = entry.objectValue else { throw Refusal.invalidType(member: link, "object") }
            let identity = fields.reading(members, of: link)
            guard try identity.text("providerId") != nil else { throw Refusal.missingProviderID }
            guard try identity.text("rawId") != nil else { throw Refusal.missingRawID }
            change.newIdentity = try AccountIdentity(members)
        }
        // No factors, or an empty list, removes all factors, and there are none.
        if let factors = try fields.object("mfa")?.value("enrollments"), factors.arrayValue?.isEmpty != true {
            throw Refusal.operationNotAllowed(NotOffered.secondFactors.rawValue)
        }
    }

    private static func answer(_ account: Account, newEmail: EmailAddress?, tokens: Tokens?) -> JSON {
        .object(
            [
                ("kind", kind("SetAccountInfoResponse")), ("localId", .string(account.id.text)),
                ("email", account.email.map { .string($0.text) }),
                ("displayName", account.displayName.map { .string($0) }),
                ("photoUrl", account.photoURL.map { .string($0) }),
                ("emailVerified", account.email.map { _ in .bool(account.isEmailVerified) }),
                ("newEmail", newEmail.map { .string($0.text) }),
                ("passwordHash", account.passwordHash.map { _ in AccountRecord.redacted }),
                ("providerUserInfo", AccountRecord.providers(account)),
            ] + tokenMembers(tokens))
    }
}
