// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingWire

extension IdentityToolkit {
    /// `accounts:signUp` of a client app: an anonymous account, an account with address and password, or the upgrade of
    /// the account behind the ID token.
    static func signUp(_ context: ProjectContext) async throws -> JSON {
        let fields = context.fields
        if try fields.string("localId") != nil { throw Refusal.unexpectedParameter("User ID") }
        let hasToken = try fields.text("idToken") != nil
        guard try hasToken || fields.string("email") != nil || fields.string("password") != nil else {
            try await allowSignUp(context)
            let (account, tokens) = try await context.homing.accounts.signUpAnonymously(in: context.project)
            return answer(account, tokens)
        }
        let address = try fields.address("email")
        guard let password = try fields.text("password") else { throw Refusal.missingPassword }
        guard context.project.settings.allowsEmail else { throw Refusal.noPasswords }
        if hasToken { return try await link(address, password, context) }
        try await allowSignUp(context)
        let name = try displayName(fields)
        let (account, tokens) = try await context.homing.accounts.signUp(
            address, password: password, displayName: name, from: context.caller, in: context.project)
        return answer(account, tokens)
    }

    private static func link(
        _ address: EmailAddress, _ password: String, _ context: ProjectContext
    ) async throws -> JSON {
        let person = try await SignedInContext(context).person
        // Like a sign-up, this change reveals whether an address is taken, and counts as one.
        try await allowSignUp(context)
        var change = AccountChange()
        change.email = .set(address)
        change.password = .set(password)
        let (account, tokens) = try await context.homing.accounts.change(
            person, change, language: context.language, from: context.caller, on: context.device)
        return answer(account, tokens)
    }

    static func allowSignUp(_ context: ProjectContext) async throws {
        let homing = context.homing
        try await homing.blockLimits.take(
            "sign-up from \(context.caller)", project: context.project.projectID,
            limit: context.project.settings.signUpsPerHour(at: homing.system.now()) ?? homing.limits.signUpPerIPHour)
    }

    private static func answer(_ account: Account, _ tokens: Tokens?) -> JSON {
        .object(
            [
                ("kind", kind("SignupNewUserResponse")), ("localId", .string(account.id)),
                ("email", account.email.map { .string($0.text) }),
                ("displayName", account.displayName.map { .string($0) }),
            ] + tokenMembers(tokens))
    }

    /// `projects/{project}/accounts`: makes an account for the operator's back end, without a session.
    static func create(_ context: AdminProjectContext) async throws -> JSON {
        let fields = context.fields
        var change = try commonChange(fields)
        try privilegedChange(fields, into: &change)
        if let factors = try fields.value("mfaInfo"), factors.arrayValue?.isEmpty != true {
            throw Refusal.operationNotAllowed(NotOffered.secondFactors.rawValue)
        }
        if try fields.string("email") != nil {
            change.email = .set(try fields.address("email"))
        }
        if let password = try fields.string("password") {
            guard !password.isEmpty else { throw Refusal.missingPassword }
            guard password.unicodeScalars.count >= 6 else {
                throw Refusal.weakPassword(.short)
            }
            change.password = .set(password)
        }
        let account = try await context.homing.accounts.create(
            change, id: try fields.string("localId"), in: context.project)
        return answer(account, nil)
    }
}
