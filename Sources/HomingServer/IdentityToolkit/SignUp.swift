// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingProjects
import HomingStore
import HomingWire

extension IdentityToolkit {
    /// `accounts:signUp` of a client app: an anonymous account, an account with address and password, or the upgrade of
    /// the account behind the ID token.
    static func signUp(_ context: ProjectContext) async throws -> JSON {
        let fields = context.fields
        if try fields.string("localId") != nil { throw Refusal.unexpectedParameter("User ID") }
        let hasToken = try fields.text("idToken") != nil
        guard try hasToken || fields.text("email") != nil || fields.text("password") != nil else {
            return try await signUpAnonymously(context)
        }
        guard try fields.text("email") != nil else { throw Refusal.missingEmail }
        guard let password = try fields.text("password") else { throw Refusal.missingPassword }
        guard context.project.settings.allowsEmail else { throw Refusal.noPasswords }
        let address = try fields.address("email")
        if hasToken { return try await link(address, password, context) }
        try await allowSignUp(context)
        let name = try displayName(fields)
        let (account, tokens) = try await context.homing.accounts.signUp(
            address, password: password, displayName: name, language: context.language, from: context.caller,
            in: context.project)
        return answer(account, tokens)
    }

    private static func signUpAnonymously(_ context: ProjectContext) async throws -> JSON {
        try context.homing.accounts.checkAnonymous(in: context.project)
        // An address that is empty is none, but one was meant.
        guard try context.fields.string("email") == nil else { throw Refusal.invalidEmail }
        try await allowSignUp(context)
        let (account, tokens) = try await context.homing.accounts.signUpAnonymously(in: context.project)
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
            person, change, isLink: true, language: context.language, from: context.caller, on: context.device)
        return answer(account, tokens)
    }

    static func allowSignUp(_ context: ProjectContext) async throws {
        let homing = context.homing
        try await homing.blockLimits.take(
            "sign-up from \(context.caller)", project: context.project.projectID,
            limit: context.project.settings.signUpsPerHour(at: homing.system.now()) ?? homing.limits.signUpPerIPHour)
    }

    /// - Parameter email: what is answered as the address; production tells a back end also that there is none.
    private static func answer(_ account: Account, _ tokens: Tokens?, email: String? = nil) -> JSON {
        .object(
            [
                ("kind", kind("SignupNewUserResponse")), ("localId", .string(account.id.text)),
                ("email", (email ?? account.email?.text).map { .string($0) }),
                ("displayName", account.displayName.map { .string($0) }),
            ] + tokenMembers(tokens))
    }

    /// `projects/{project}/accounts`: makes an account for the operator's back end, without a session; with an ID
    /// token, it gives that account an address and a password.
    static func create(_ context: AdminProjectContext) async throws -> JSON {
        let fields = context.fields
        let accounts = context.homing.accounts
        let id = try fields.string("localId").map { AccountID($0) }
        let account: Account
        if let token = try fields.text("idToken") {
            guard id == nil else { throw Refusal.unexpectedParameter("User ID") }
            let change = try created(fields)
            let person = try await context.homing.sessions.signedIn(idToken: token, in: context.project)
            account = try await accounts.change(
                person.account.id, change, in: context.project, by: context.backEnd.author)
        } else {
            let change: AccountChange
            do {
                change = try created(fields)
            } catch {
                // Production looks first whether the id is free.
                if let id, try await accounts.find(id: id, in: context.project) != nil {
                    throw Refusal.duplicateLocalID
                }
                throw error
            }
            account = try await accounts.create(
                change, id: id, in: context.project, by: context.backEnd.author)
        }
        return answer(account, nil, email: account.email?.text ?? "")
    }

    private static func created(_ fields: Fields) throws -> AccountChange {
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
            change.password = .set(password)
        }
        return change
    }
}
