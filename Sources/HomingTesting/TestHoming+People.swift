// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingCore
package import HomingProjects
package import HomingStore

extension TestHoming {
    /// A password that satisfies every policy of the tests.
    package static let password = "Correct horse 7 battery"

    /// Makes an account with a password, signed up by a person.
    @discardableResult
    package func signUp(
        _ address: String, password: String = TestHoming.password, in project: Project? = nil
    ) async throws -> (account: Account, tokens: Tokens) {
        let project = try project ?? shop
        let (account, tokens) = try await core.accounts.signUp(
            try EmailAddress(parsing: address), password: password, displayName: nil, from: "192.0.2.1", in: project)
        return (account, tokens)
    }

    /// Makes an account as the operator does, without a known password; fast, because nothing is hashed.
    @discardableResult
    package func account(
        _ address: String, isVerified: Bool = false, in project: Project? = nil
    ) async throws -> Account {
        var wanted = AccountChange()
        wanted.email = .set(try EmailAddress(parsing: address))
        wanted.isEmailVerified = isVerified
        return try await core.accounts.create(wanted, id: nil, in: try project ?? shop)
    }

    package func signIn(
        _ address: String, password: String = TestHoming.password, from caller: String = "192.0.2.1"
    ) async throws -> (account: Account, tokens: Tokens) {
        let (account, tokens) = try await core.accounts.signIn(
            try EmailAddress(parsing: address), password: password, from: caller, in: try shop)
        return (account, tokens)
    }

    /// The session behind an ID token, with its account.
    package func person(_ tokens: Tokens) async throws -> SignedIn {
        try await core.sessions.signedIn(idToken: tokens.idToken, in: try shop)
    }

    /// The account that has an address now.
    package func found(_ address: String) async throws -> Account? {
        try await core.accounts.find(try EmailAddress(parsing: address), in: try shop)
    }

    /// A code of a kind for the operator's back end, without a mail.
    package func code(
        _ kind: ActionCodeKind, for address: String, newAddress: String? = nil,
        settings: ActionCodeSettings = ActionCodeSettings(), in project: Project? = nil
    ) async throws -> String {
        let issued = try await core.actionCodes.request(
            ActionCodes.Request(
                project: try project ?? shop, kind: kind, subject: .address(try EmailAddress(parsing: address)),
                newAddress: try newAddress.map { try EmailAddress(parsing: $0) }, settings: settings, language: "en",
                isMailed: false, isAdmin: true))
        guard let code = issued.code else { throw Refusal.emailNotFound }
        return code
    }

    /// Requests a mail, as a client does.
    package func mail(
        _ kind: ActionCodeKind, to address: String, newAddress: String? = nil, language: String = "en"
    ) async throws {
        _ = try await core.actionCodes.request(
            ActionCodes.Request(
                project: try shop, kind: kind, subject: .address(try EmailAddress(parsing: address)),
                newAddress: try newAddress.map { try EmailAddress(parsing: $0) }, settings: ActionCodeSettings(),
                language: language))
    }
}

/// What a test sets up on nobody's authority, so that the audit log has no entry of it.
extension Accounts {
    @discardableResult
    package func create(_ wanted: AccountChange, id: AccountID?, in project: Project) async throws -> Account {
        try await create(wanted, id: id, in: project, by: .server)
    }

    @discardableResult
    package func change(_ id: AccountID, _ wanted: AccountChange, in project: Project) async throws -> Account {
        try await change(id, wanted, in: project, by: .server)
    }

    package func delete(_ id: AccountID, in project: Project) async throws {
        try await delete(id, in: project, by: .server)
    }

    @discardableResult
    package func take(
        _ accounts: [ImportedAccount], in project: Project, updating: Bool = false
    ) async throws -> [Imported] {
        try await take(accounts, in: project, updating: updating, by: .server)
    }
}
