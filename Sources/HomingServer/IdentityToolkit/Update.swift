// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingWire

extension IdentityToolkit {
    /// `accounts:update` of a client app: applies a code, or changes the account behind the ID token. With an ID token a
    /// code is ignored, as in production.
    static func update(_ context: ProjectContext) async throws -> JSON {
        let fields = context.fields
        if try fields.value("customAttributes") != nil { throw Refusal.insufficientPermission("") }
        if try fields.string("idToken") == nil {
            guard let code = try fields.string("oobCode"), !code.isEmpty else { throw Refusal.unsupportedParameters }
            return try await apply(code, context)
        }
        let person = try await SignedInContext(context).person
        if try fields.value("disableUser") != nil { throw Refusal.operationNotAllowed }
        var change = try commonChange(fields)
        if let text = try fields.string("email"), !text.isEmpty {
            change.email = .set(try fields.address("email"))
            try await allowSignUp(context)
        }
        if let password = try fields.string("password") {
            guard context.project.settings.allowsEmail else { throw Refusal.operationNotAllowed }
            change.password = .set(password)
        }
        let (account, tokens) = try await context.homing.accounts.change(
            person, change, language: context.language, from: context.bucket)
        let newEmail = try fields.string("email") == nil ? nil : account.email
        return answer(account, newEmail: newEmail, tokens: tokens)
    }

    private static func apply(_ code: String, _ context: ProjectContext) async throws -> JSON {
        let (applied, account) = try await context.homing.actionCodes.apply(
            code, in: context.project, language: context.language)
        return answer(account, newEmail: applied.kind == .verifyAndChangeEmail ? account.email : nil, tokens: nil)
    }

    /// The same of the operator's back end, by `localId`.
    static func update(_ context: AdminContext) async throws -> JSON {
        let fields = context.fields
        guard let id = try fields.string("localId"), !id.isEmpty else { throw Refusal.missingLocalID }
        var change = try commonChange(fields)
        if try fields.string("email") != nil {
            change.email = .set(try fields.address("email", missing: .invalidEmail))
        }
        if let password = try fields.string("password") { change.password = .set(password) }
        try privilegedChange(fields, into: &change)
        let account = try await context.homing.accounts.change(id, change, in: context.project)
        return answer(account, newEmail: nil, tokens: nil)
    }

    /// What a person and the operator may both change.
    static func commonChange(_ fields: Fields) throws -> AccountChange {
        var change = AccountChange()
        if let name = try fields.string("displayName") {
            guard name.utf8.count <= 256 else { throw Refusal.invalidArgument("displayName has at most 256 bytes") }
            change.displayName = .set(name)
        }
        if let url = try fields.string("photoUrl") {
            guard url.utf8.count <= 2048 else { throw Refusal.invalidArgument("photoUrl has at most 2048 bytes") }
            change.photoURL = .set(url)
        }
        for attribute in try fields.strings("deleteAttribute") {
            switch attribute {
            case "EMAIL", "1": change.email = .clear
            case "DISPLAY_NAME", "2": change.displayName = .clear
            case "PASSWORD", "4": change.password = .clear
            case "PHOTO_URL", "5": change.photoURL = .clear
            default: break
            }
        }
        if try fields.strings("deleteProvider").contains("password") {
            change.email = .clear
            change.password = .clear
        }
        return change
    }

    /// What only the operator may set.
    static func privilegedChange(_ fields: Fields, into change: inout AccountChange) throws {
        change.isEmailVerified = try fields.bool("emailVerified")
        change.isDisabled = try fields.bool("disableUser") ?? fields.bool("disabled")
        change.validSince = try fields.integer("validSince")
        change.createdAt = try fields.integer("createdAt").map { Moment(milliseconds: $0) }
        change.lastLoginAt = try fields.integer("lastLoginAt").map { Moment(milliseconds: $0) }
        if let claims = try fields.string("customAttributes") {
            try CustomClaims.check(claims)
            change.customAttributes = .set(claims)
        }
        if let phone = try fields.string("phoneNumber"), !phone.isEmpty { throw Refusal.operationNotAllowed }
    }

    private static func answer(_ account: Account, newEmail: EmailAddress?, tokens: Tokens?) -> JSON {
        .object(
            [
                ("kind", kind("SetAccountInfoResponse")), ("localId", .string(account.id)),
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
