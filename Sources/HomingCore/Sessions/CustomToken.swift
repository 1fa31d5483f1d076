// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import CryptoExtras
import Foundation
import HomingWire

/// A custom token: the word of the operator's back end that this is the person with an id
/// (https://firebase.google.com/docs/auth/admin/create-custom-tokens).
struct CustomToken {
    static let audience =
        "https://identitytoolkit.googleapis.com/google.identity.identitytoolkit.v1.IdentityToolkit"

    /// The service account that it says it is of.
    let issuer: String
    private let message: String
    private let keyID: String?
    private let payload: JSON.Object
    private let signature: [UInt8]

    /// - Throws: ``Refusal/invalidCustomToken(_:)``.
    init(parsing text: String) throws(Refusal) {
        guard let parts = TokenParts(text), let header = Self.object(parts.header),
            let payload = Self.object(parts.payload), let signature = Base64URL.decode(parts.signature)
        else { throw .invalidCustomToken("Invalid assertion format. 3 dot separated segments required.") }
        // RFC 7515 section 4.1.11: critical extensions demand more than we implement.
        guard header["alg"]?.stringValue == "RS256", header["crit"] == nil else {
            throw .invalidCustomToken("The token must be signed with RS256, and name no critical extensions.")
        }
        guard payload["aud"]?.stringValue == Self.audience else {
            throw .invalidCustomToken("The audience of a custom token is \(Self.audience).")
        }
        message = parts.message
        issuer = payload["iss"]?.stringValue ?? ""
        guard payload["sub"]?.stringValue == issuer else {
            throw .invalidCustomToken("iss and sub are the service account's client_email.")
        }
        keyID = header["kid"]?.stringValue
        self.payload = payload
        self.signature = signature
    }

    /// Whether the token is for a tenant, or for none.
    func isFor(_ tenant: Tenant?) -> Bool {
        switch payload["tenant_id"] {
        case nil, .null?: tenant == nil
        case .string(let id)?: tenant.map { $0.id.utf8.elementsEqual(id.utf8) } ?? false
        default: false
        }
    }

    /// Whom the token names, and the claims for the session as JSON text.
    ///
    /// - Parameter accounts: the service accounts of the project with this issuer.
    /// - Throws: ``Refusal/credentialMismatch`` where there is none; ``Refusal/invalidCustomToken(_:)``.
    func verified(by accounts: [ServiceAccount], at now: Moment) throws -> (uid: String, claims: String?) {
        let signers = accounts.filter { account in keyID.map { $0.utf8.elementsEqual(account.id.utf8) } ?? true }
        guard !signers.isEmpty else { throw Refusal.credentialMismatch }
        let message = Data(message.utf8)
        let isSigned = try signers.contains { account in
            try _RSA.Signing.PublicKey(pemRepresentation: account.publicKey).isValidSignature(
                _RSA.Signing.RSASignature(rawRepresentation: signature), for: message, padding: .insecurePKCS1v1_5)
        }
        guard isSigned else { throw Refusal.invalidCustomToken("The signature is not the service account's.") }
        try Self.check(payload, at: now)
        guard let uid = payload["uid"]?.stringValue, Account.isID(uid) else {
            throw Refusal.invalidCustomToken("uid is a text of 1 to 128 bytes, without control characters.")
        }
        return (uid, try Self.claims(payload["claims"]))
    }

    /// A token lives for an hour at most; clocks may differ by a minute.
    private static func check(_ payload: JSON.Object, at now: Moment) throws(Refusal) {
        guard let issuedAt = payload["iat"]?.integerValue, let expiresAt = payload["exp"]?.integerValue,
            Moment.representable.contains(issuedAt), (issuedAt...issuedAt + 3600).contains(expiresAt)
        else { throw .invalidCustomToken("iat and exp are seconds, and at most an hour apart.") }
        guard issuedAt <= now.seconds + 60 else { throw .invalidCustomToken("The token is from the future.") }
        guard now.seconds < expiresAt else { throw .invalidCustomToken("The token has expired.") }
    }

    private static func claims(_ value: JSON?) throws(Refusal) -> String? {
        guard let value, value != .null else { return nil }
        guard value.objectValue != nil else { throw .invalidCustomToken("claims is an object.") }
        let text = String(decoding: value.write(pretty: false), as: UTF8.self)
        try CustomClaims.check(text)
        return text
    }

    private static func object(_ part: Substring) -> JSON.Object? {
        Base64URL.decode(part).flatMap { try? JSON.parse($0).objectValue }
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
            by: try await serviceAccounts.signers(token.issuer, in: project), at: store.system.now())
        guard token.isFor(project.tenant) else { throw Refusal.tenantIDMismatch }
        do {
            return try await signIn(id, claims: claims, in: project)
        } catch Refusal.duplicateLocalID {
            // Another first sign-in was quicker.
            return try await signIn(id, claims: claims, in: project)
        }
    }

    private func signIn(
        _ id: String, claims: String?, in project: Project
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
