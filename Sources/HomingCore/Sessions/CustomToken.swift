// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingProjects
import HomingStore
import HomingWire

/// A custom token: the word of the operator's back end that this is the person with an id
/// (https://firebase.google.com/docs/auth/admin/create-custom-tokens).
struct CustomToken {
    static let audience =
        "https://identitytoolkit.googleapis.com/google.identity.identitytoolkit.v1.IdentityToolkit"

    private let token: ServiceAccountToken
    /// The service account that it says it is of.
    var issuer: String { token.issuer }
    private var payload: JSON.Object { token.payload }

    /// - Throws: ``Refusal/invalidCustomToken(_:)``.
    init(parsing text: String) throws(Refusal) {
        do {
            token = try ServiceAccountToken(parsing: text, audiences: [Self.audience])
        } catch {
            throw Refusal(error)
        }
        guard payload["sub"]?.stringValue == issuer else {
            throw .invalidCustomToken("iss and sub are the service account's client_email.")
        }
    }

    /// Whether the token is for a tenant, or for none.
    func isFor(_ tenant: Tenant?) -> Bool {
        switch payload["tenant_id"] {
        case nil, .null?: tenant == nil
        case .string(let id)?: tenant?.id == TenantID(id)
        default: false
        }
    }

    /// Whom the token names, and the claims for the session as JSON text.
    ///
    /// - Parameter accounts: the service accounts of the project with this issuer.
    /// - Throws: ``Refusal/credentialMismatch`` where there is none; ``Refusal/invalidCustomToken(_:)``.
    func verified(by accounts: [ServiceAccount], at now: Moment) throws -> (uid: AccountID, claims: String?) {
        do {
            _ = try token.signer(among: accounts, at: now)
        } catch let fault as ServiceAccountToken.Fault {
            throw Refusal(fault)
        }
        guard let uid = (payload["uid"]?.stringValue).map({ AccountID($0) }), uid.isWellFormed else {
            throw Refusal.invalidCustomToken("uid is a text of 1 to 128 bytes, without control characters.")
        }
        return (uid, try Self.claims(payload["claims"]))
    }

    private static func claims(_ value: JSON?) throws(Refusal) -> String? {
        guard let value, value != .null else { return nil }
        guard value.objectValue != nil else { throw .invalidCustomToken("claims is an object.") }
        let text = String(decoding: value.write(pretty: false), as: UTF8.self)
        try CustomClaims.check(text)
        return text
    }
}

extension Refusal {
    fileprivate init(_ fault: ServiceAccountToken.Fault) {
        self =
            switch fault {
            case .invalid(let sentence): .invalidCustomToken(sentence)
            case .unknownSigner: .credentialMismatch
            case .forged: .invalidCustomToken("The signature is not the service account's.")
            }
    }
}

extension Account {
    fileprivate mutating func signedIn(byCustomTokenAt now: Moment) {
        usesCustomTokens = true
        signedIn(at: now)
    }
}

extension Accounts {
    /// Signs the person in whom a custom token names: makes the account where there is none.
    package func signIn(
        customToken text: String, in project: Project
    ) async throws -> (account: Account, tokens: Tokens, isNew: Bool) {
        let token = try CustomToken(parsing: text)
        let (id, claims) = try token.verified(
            by: try await serviceAccounts.signers(token.issuer, of: project.projectID), at: store.system.now())
        guard token.isFor(project.tenant) else { throw Refusal.tenantIDMismatch }
        do {
            return try await signIn(id, claims: claims, in: project)
        } catch Refusal.duplicateLocalID {
            // Another first sign-in was quicker.
            return try await signIn(id, claims: claims, in: project)
        }
    }

    private func signIn(
        _ id: AccountID, claims: String?, in project: Project
    ) async throws -> (account: Account, tokens: Tokens, isNew: Bool) {
        let (account, session, isNew) = try await store.write(in: project) { tx in
            let found = try tx.accounts.find(id)
            guard found?.isDisabled != true else { throw Refusal.userDisabled }
            let now = tx.now
            let account: Account
            if let found {
                account = tx.accounts.change(found) { $0.signedIn(byCustomTokenAt: now) }
            } else {
                account = tx.accounts.add(id: id) { $0.signedIn(byCustomTokenAt: now) }
            }
            return (account, try tx.sessions.open(for: account, provider: "custom", claims: claims), found == nil)
        }
        return (account, try await sessions.tokens(for: account, session, in: project), isNew)
    }
}
