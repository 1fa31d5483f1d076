// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// A relay's address, in the form of `HOMING_SMTP_URL`: `smtp://[user:pass@]host[:port]` or `smtps://…`, with
/// `?connections=1…64`, `ca=FILE` and `tls=required`. The port is 25 for `smtp`, 465 for `smtps`, unless given. With
/// `oauth=…` the user is the mailbox, and an access token takes the place of the password (``OAuthGrant``).
package struct SMTPRelay: Sendable, Equatable {
    /// The protection of the connection.
    package enum Security: Sendable, Equatable {
        /// No TLS: a relay on this machine that asks for no credentials.
        case none
        /// TLS where the relay offers it, with any certificate: protects mails from listeners, not from interveners.
        case opportunistic
        /// TLS with a certificate that is valid for the host, or no delivery at all.
        case verified
    }

    /// The credentials for the relay. Printing them hides them, so that no interpolation puts them into a log.
    package struct Credentials: Sendable, Equatable, CustomStringConvertible, CustomReflectable {
        package let user: String
        package let password: String

        package var description: String { "(hidden)" }
        package var customMirror: Mirror { Mirror(self, children: [:]) }
    }

    /// The way to sign in with an access token (RFC 7628 and its older relative).
    package struct TokenLogin: Sendable, Equatable {
        /// The raw values are those of the URL's parameter `mechanism`.
        package enum Mechanism: String, Sendable, CaseIterable {
            case xoauth2, oauthbearer

            /// Its name on the wire.
            package var name: String { rawValue.uppercased() }
        }

        /// The mailbox.
        package let user: String
        package let mechanism: Mechanism
        package let grant: OAuthGrant
    }

    /// A host name, an IPv4 address, or an IPv6 address in brackets.
    package var host: String
    package var port: Int
    /// TLS from the first byte (`smtps`), rather than by STARTTLS.
    package var speaksTLSAtOnce: Bool
    package var credentials: Credentials?
    /// In place of a password.
    package var tokenLogin: TokenLogin?
    package var security: Security
    /// The number of connections that may be open at once.
    package var connections: Int
    /// A PEM file with the certificates to trust instead of the system's.
    package var authorityFile: String?
    /// Whether no connection is made to an address of a private network, for the relay of a project.
    package private(set) var isPublicOnly = false

    package static let defaultConnections = 16

    /// - Parameter secret: the secret that stands outside of the URL; one in both places is refused.
    package init(parsing text: String, secret: String? = nil) throws(SMTPRelayFault) {
        var parts = try SMTPRelayURL(text)
        speaksTLSAtOnce = parts.scheme == "smtps"
        host = parts.host
        port = parts.port ?? (speaksTLSAtOnce ? 465 : 25)
        connections = try parts.takeConnections() ?? Self.defaultConnections
        authorityFile = try parts.takeAuthorityFile()
        let isRequired = try parts.takeTLSRequirement()
        try parts.add(secret)
        tokenLogin = try parts.takeTokenLogin(authorityFile: authorityFile)
        credentials = tokenLogin == nil ? try parts.credentials() : nil
        try parts.refuseTheRest()
        if credentials != nil || tokenLogin != nil || isRequired {
            security = .verified
        } else {
            security = Self.isLoopback(host) && !speaksTLSAtOnce ? .none : .opportunistic
        }
    }

    /// The same relay, reached over the internet alone.
    package var publicOnly: SMTPRelay {
        var relay = self
        relay.isPublicOnly = true
        if let login = tokenLogin {
            var grant = login.grant
            grant.isPublicOnly = true
            relay.tokenLogin = TokenLogin(user: login.user, mechanism: login.mechanism, grant: grant)
        }
        return relay
    }

    /// Names and addresses that never leave this machine (RFC 6761, section 6.3; RFC 1122, section 3.2.1.3).
    private static func isLoopback(_ host: String) -> Bool {
        let bytes = host.lowercased().utf8
        if bytes.elementsEqual("localhost".utf8) || bytes.elementsEqual("[::1]".utf8) { return true }
        let numbers = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return numbers.count == 4 && numbers[0].elementsEqual("127".utf8)
            && numbers.allSatisfy { UInt8(String(Substring($0))) != nil }
    }
}

/// The reason why a relay's address is refused. The sentence names the accepted form and never repeats the address,
/// which may hold a password.
package struct SMTPRelayFault: Error, Sendable, Equatable, CustomStringConvertible {
    /// One sentence for the operator.
    package let sentence: String

    package var description: String { sentence }
}
