// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import CryptoExtras
internal import Foundation
internal import HomingCore
import HomingStore
import HomingWire

/// How an access token is asked for (RFC 6749): where, as whom, and with which secret. Printing a grant hides the
/// secret, so that no interpolation puts it into a log.
package struct OAuthGrant: Sendable, Equatable, CustomStringConvertible, CustomReflectable {
    /// The proof that is given for a token; the raw values are those of a URL's parameter `grant`.
    package enum Kind: String, Sendable, CaseIterable {
        /// A client's own secret (RFC 6749, section 4.4).
        case clientCredentials = "client"
        /// A refresh token that a person allowed once (section 6).
        case refreshToken = "refresh"
        /// An assertion that a service account's key signs (RFC 7523).
        case serviceAccount = "service-account"
    }

    private enum Secret: Sendable, Equatable {
        case client(String)
        case refreshToken(String, clientSecret: String?)
        case serviceAccount(email: String, key: String, keyID: String?)
    }

    package let tokenURL: String
    package let kind: Kind
    package let client: String?
    package let scope: String?
    /// The mailbox for which a service account asks.
    package let subject: String?
    /// A PEM file with the certificates to trust at the token URL instead of the system's.
    package let authorityFile: String?
    /// Whether a token URL in a private network is not asked.
    package var isPublicOnly = false
    private let secret: Secret

    package var description: String { "(\(kind.rawValue) at \(tokenURL))" }
    package var customMirror: Mirror { Mirror(self, children: [:]) }

    /// - Parameters:
    ///   - tokenURL: https, or http on this machine.
    ///   - secret: the client's secret; the refresh token, or the file that Google's tools keep one in
    ///     (`authorized_user`: `client_id`, `client_secret`, `refresh_token`); the service account's key file.
    package init(
        tokenURL: String, kind: Kind, client: String? = nil, scope: String? = nil, subject: String? = nil,
        secret: String?, authorityFile: String? = nil
    ) throws(OAuthGrantFault) {
        guard let url = try? WebURL(parsing: tokenURL), !url.hasFragment else {
            throw OAuthGrantFault(what: "has a token-url that is neither https nor http on this machine")
        }
        guard let secret, let text = Self.trimmed(secret) else {
            throw OAuthGrantFault(what: "has no secret to get an access token with")
        }
        let file = (try? JSON.parse(Array(text.utf8)))?.objectValue
        func member(_ name: String) -> String? { file?[name]?.stringValue.flatMap(Self.trimmed) }
        var client = client
        switch kind {
        case .clientCredentials: self.secret = .client(text)
        case .refreshToken where file != nil:
            guard let token = member("refresh_token") else {
                throw OAuthGrantFault(what: "has a secret in JSON without a refresh_token")
            }
            client = client ?? member("client_id")
            self.secret = .refreshToken(token, clientSecret: member("client_secret"))
        case .refreshToken: self.secret = .refreshToken(text, clientSecret: nil)
        case .serviceAccount:
            guard let email = member("client_email"), let key = file?["private_key"]?.stringValue,
                (try? _RSA.Signing.PrivateKey(pemRepresentation: key)) != nil
            else {
                throw OAuthGrantFault(
                    what: "has a secret that is no service account's key file (JSON with client_email, private_key)")
            }
            self.secret = .serviceAccount(email: email, key: key, keyID: member("private_key_id"))
        }
        guard kind == .serviceAccount || client?.isEmpty == false else {
            throw OAuthGrantFault(what: "has no client, whose token it is to ask for")
        }
        self.tokenURL = tokenURL
        self.kind = kind
        self.client = client
        self.scope = scope
        self.subject = subject
        self.authorityFile = authorityFile
    }

    /// The body of the request for a token, as a form.
    ///
    /// - Parameters:
    ///   - refreshToken: one that an earlier answer gave in place of the operator's.
    ///   - now: seconds since 1970.
    package func form(refreshToken newer: String? = nil, at now: Int64) throws -> String {
        var fields: [(name: String, value: String?)]
        switch secret {
        case .client(let secret):
            fields = [
                ("grant_type", "client_credentials"), ("client_id", client), ("client_secret", secret),
                ("scope", scope),
            ]
        case .refreshToken(let token, let clientSecret):
            fields = [
                ("grant_type", "refresh_token"), ("client_id", client), ("client_secret", clientSecret),
                ("refresh_token", newer ?? token), ("scope", scope),
            ]
        case .serviceAccount(let email, let key, let keyID):
            fields = [
                ("grant_type", "urn:ietf:params:oauth:grant-type:jwt-bearer"),
                ("assertion", try assertion(by: email, key, keyID, at: now)),
            ]
        }
        return fields.compactMap { field in field.value.map { "\(field.name)=\(percentEncoded($0))" } }
            .joined(separator: "&")
    }

    /// RFC 7523, section 3, signed with RS256; it lives for an hour, the longest that Google takes.
    private func assertion(by email: String, _ key: String, _ keyID: String?, at now: Int64) throws -> String {
        let header = JSON.object([("alg", "RS256"), ("typ", "JWT"), ("kid", keyID.map { .string($0) })])
        let claims = JSON.object([
            ("iss", .string(email)), ("sub", subject.map { .string($0) }), ("scope", scope.map { .string($0) }),
            ("aud", .string(tokenURL)), ("iat", .int(now)), ("exp", .int(now + 3_600)),
        ])
        let text = [header, claims].map { Base64URL.encode($0.write(pretty: false)) }.joined(separator: ".")
        let signature = try _RSA.Signing.PrivateKey(pemRepresentation: key)
            .signature(for: Data(text.utf8), padding: .insecurePKCS1v1_5)
        return text + "." + Base64URL.encode(Array(signature.rawRepresentation))
    }

    /// Files end in a line break, which no secret has; nil where nothing is left.
    private static func trimmed(_ text: String) -> String? {
        var bytes = Substring(text).utf8
        while let last = bytes.last, last <= 0x20 { bytes.removeLast() }
        return bytes.isEmpty ? nil : String(Substring(bytes))
    }
}

/// The reason why a URL says no way to an access token; it never repeats a secret.
package struct OAuthGrantFault: Error, Sendable, Equatable {
    /// Completes "the address …": `has no client`.
    package let what: String
}

// MARK: - In a URL

extension OAuthGrant {
    package static let googleTokenURL = "https://oauth2.googleapis.com/token"

    /// Nil for a tenant that is neither an id nor a domain.
    package static func microsoftTokenURL(tenant: String) -> String? {
        let isPlain = tenant.utf8.allSatisfy { ASCII.isLetterOrDigit($0) || $0 == 0x2d || $0 == 0x2e }
        guard isPlain, tenant.utf8.contains(where: ASCII.isLetterOrDigit) else { return nil }
        return "https://login.microsoftonline.com/\(tenant)/oauth2/v2.0/token"
    }

    /// Whose tokens, by the value of the parameter `oauth`: the grants that may be asked for there, the usual one
    /// first, and what a token for SMTP is for.
    private static let scopes: [String: [(kind: Kind, scope: String?)]] = [
        "microsoft": [
            (.clientCredentials, "https://outlook.office365.com/.default"),
            (.refreshToken, "https://outlook.office.com/SMTP.Send offline_access"),
        ],
        "google": [(.serviceAccount, "https://mail.google.com/"), (.refreshToken, nil)],
        "custom": [(.clientCredentials, nil), (.refreshToken, nil), (.serviceAccount, nil)],
    ]

    /// Takes what says how a token for SMTP is asked for out of a URL's parameters: `oauth`, `tenant`, `client`,
    /// `token-url`, `scope`, `grant`. Those of another `oauth` stay, and so they are refused as unknown.
    ///
    /// - Parameter authorityFile: the URL's `ca`, which holds for a `token-url` too.
    /// - Returns: nil where there is no `oauth`.
    static func take(
        from parameters: inout [String: String], for mailbox: String?, secret: String?, authorityFile: String?
    ) throws(OAuthGrantFault) -> OAuthGrant? {
        guard let name = parameters.removeValue(forKey: "oauth") else { return nil }
        guard let offered = scopes[name] else {
            throw OAuthGrantFault(what: "has an oauth that is none of microsoft, google, custom")
        }
        guard let mailbox else { throw OAuthGrantFault(what: "has oauth, but no user, which is the mailbox") }
        let named = parameters.removeValue(forKey: "grant")
        guard let (kind, scope) = named == nil ? offered.first : offered.first(where: { $0.kind.rawValue == named })
        else {
            let names = offered.map(\.kind.rawValue).joined(separator: ", ")
            throw OAuthGrantFault(what: "has a grant that \(name) does not know, which is one of \(names)")
        }
        let isCustom = name == "custom"
        let tokenURL: String?
        switch name {
        case "microsoft": tokenURL = parameters.removeValue(forKey: "tenant").flatMap(microsoftTokenURL)
        case "google": tokenURL = googleTokenURL
        default: tokenURL = parameters.removeValue(forKey: "token-url")
        }
        guard let tokenURL else {
            throw OAuthGrantFault(what: isCustom ? "has no token-url" : "has no tenant, or one that is no id or domain")
        }
        return try OAuthGrant(
            tokenURL: tokenURL, kind: kind, client: parameters.removeValue(forKey: "client"),
            scope: isCustom ? parameters.removeValue(forKey: "scope") : scope, subject: mailbox, secret: secret,
            authorityFile: isCustom ? authorityFile : nil)
    }
}
