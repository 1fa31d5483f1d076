// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
import HomingProjects
import HomingStore
import HomingWire
import JWTKit

/// The claims of an ID token as production writes them, and one of our own: `session` in
/// `firebase`.
struct IDTokenClaims: JWTPayload {
    var issuer: String
    var audience: ProjectID
    var subject: AccountID
    var issuedAt: Int64
    var expiresAt: Int64
    var authTime: Int64
    var email: String?
    var isEmailVerified: Bool?
    var name: String?
    var picture: String?
    var phoneNumber: String?
    /// The ids with other providers.
    var identities: [(provider: String, id: String)] = []
    var provider: String
    /// The session of the token, so that an ended session ends its tokens at once and not by the second.
    var session: String
    var customClaims: [(String, JSON)] = []
    /// The id of the tenant that the account is in.
    var tenant: TenantID?

    /// What is said of an account whether it has it or not: no custom claim may say it instead.
    private static let facts: Set<String> = ["email", "email_verified", "phone_number", "provider_id", "user_id"]

    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
        init(_ name: String) { stringValue = name }
    }

    init(account: Account, session: Session, project: Project, issuers: TokenIssuers, now: Moment) {
        issuer = issuers.ofIDTokens
        audience = project.projectID
        tenant = project.tenant?.id
        subject = account.id
        issuedAt = now.seconds
        expiresAt = now.seconds + 3600
        authTime = session.authTime.seconds
        email = account.email?.text
        isEmailVerified = account.email.map { _ in account.isEmailVerified }
        name = account.displayName
        picture = account.photoURL
        phoneNumber = account.phoneNumber
        identities = account.identities.map { ($0.provider, $0.id) }
        provider = session.provider
        self.session = Base64URL.encode(session.id)
        // Those of the session are the later ones.
        for text in [account.customAttributes, session.claims] {
            guard let text, let object = try? JSON.parse(Array(text.utf8)).objectValue else { continue }
            customClaims += object.members.filter { !Self.facts.contains($0.key) }.map { ($0.key, $0.value) }
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        for (name, value) in customClaims { try container.encode(EncodableJSON(value), forKey: Key(name)) }
        if let name { try container.encode(name, forKey: Key("name")) }
        if let picture { try container.encode(picture, forKey: Key("picture")) }
        if provider == "anonymous" { try container.encode("anonymous", forKey: Key("provider_id")) }
        try container.encode(issuer, forKey: Key("iss"))
        try container.encode(audience, forKey: Key("aud"))
        try container.encode(authTime, forKey: Key("auth_time"))
        try container.encode(subject, forKey: Key("user_id"))
        try container.encode(subject, forKey: Key("sub"))
        try container.encode(issuedAt, forKey: Key("iat"))
        try container.encode(expiresAt, forKey: Key("exp"))
        if let email { try container.encode(email, forKey: Key("email")) }
        if let isEmailVerified { try container.encode(isEmailVerified, forKey: Key("email_verified")) }
        if let phoneNumber { try container.encode(phoneNumber, forKey: Key("phone_number")) }
        var firebase = container.nestedContainer(keyedBy: Key.self, forKey: Key("firebase"))
        var identities = firebase.nestedContainer(keyedBy: Key.self, forKey: Key("identities"))
        if let email { try identities.encode([email], forKey: Key("email")) }
        if let phoneNumber { try identities.encode([phoneNumber], forKey: Key("phone")) }
        for (name, id) in self.identities { try identities.encode([id], forKey: Key(name)) }
        try firebase.encode(provider, forKey: Key("sign_in_provider"))
        try firebase.encode(session, forKey: Key("session"))
        if let tenant { try firebase.encode(tenant, forKey: Key("tenant")) }
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        issuer = try container.decode(String.self, forKey: Key("iss"))
        audience = try container.decode(ProjectID.self, forKey: Key("aud"))
        subject = try container.decode(AccountID.self, forKey: Key("sub"))
        issuedAt = try container.decode(Int64.self, forKey: Key("iat"))
        expiresAt = try container.decode(Int64.self, forKey: Key("exp"))
        authTime = try container.decode(Int64.self, forKey: Key("auth_time"))
        let firebase = try container.nestedContainer(keyedBy: Key.self, forKey: Key("firebase"))
        provider = try firebase.decode(String.self, forKey: Key("sign_in_provider"))
        session = try firebase.decode(String.self, forKey: Key("session"))
        tenant = try firebase.decodeIfPresent(TenantID.self, forKey: Key("tenant"))
    }

    /// Issuer, audience and times are checked by ``Sessions`` against the project and the injected clock.
    func verify(using algorithm: some JWTAlgorithm) throws {}
}

/// A parsed JSON value as an Encodable one, for custom claims.
private struct EncodableJSON: Encodable {
    private let value: JSON

    init(_ value: JSON) { self.value = value }

    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(_ name: String) { stringValue = name }
        init?(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    func encode(to encoder: any Encoder) throws {
        if case .object(let object) = value {
            var members = encoder.container(keyedBy: Key.self)
            for member in object.members { try members.encode(EncodableJSON(member.value), forKey: Key(member.key)) }
            return
        }
        var container = encoder.singleValueContainer()
        switch value {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .int(let value): try container.encode(value)
        case .double(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .array(let values): try container.encode(values.map(EncodableJSON.init))
        case .object: break
        }
    }
}
