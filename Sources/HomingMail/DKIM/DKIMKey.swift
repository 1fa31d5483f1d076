// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import Crypto
internal import CryptoExtras
internal import Foundation

/// A private key with which a sender domain's mails are signed, and the place of its public half in the DNS
/// (RFC 6376, section 3.6.2.1).
package struct DKIMKey: Sendable {
    /// How a key signs; the raw values stand in signatures (`a=`) and in the database.
    package enum Algorithm: String, Sendable, CaseIterable {
        case rsa = "rsa-sha256"
        /// Few receivers know it (RFC 8463): it stands beside an RSA signature, never alone.
        case ed25519 = "ed25519-sha256"

        /// As `k=` of the record names it.
        var keyType: String {
            switch self {
            case .rsa: "rsa"
            case .ed25519: "ed25519"
            }
        }
    }

    package struct Unreadable: Error {}

    private enum Secret: Sendable {
        case rsa(_RSA.Signing.PrivateKey)
        case ed25519(Curve25519.Signing.PrivateKey)
    }

    package let domain: String
    package let selector: String
    private let secret: Secret

    /// Makes a new key: RSA of 2048 bits, which is the least to sign with (RFC 8301, section 3.2), or Ed25519.
    package init(new algorithm: Algorithm, domain: String, selector: String) throws {
        self.domain = domain
        self.selector = selector
        secret =
            switch algorithm {
            case .rsa: .rsa(try _RSA.Signing.PrivateKey(keySize: .bits2048))
            case .ed25519: .ed25519(Curve25519.Signing.PrivateKey())
            }
    }

    /// - Parameter stored: ``stored`` of the key.
    /// - Throws: ``Unreadable``.
    package init(stored: [UInt8], _ algorithm: Algorithm, domain: String, selector: String) throws(Unreadable) {
        self.domain = domain
        self.selector = selector
        do {
            secret =
                switch algorithm {
                case .rsa: .rsa(try _RSA.Signing.PrivateKey(derRepresentation: stored))
                case .ed25519: .ed25519(try Curve25519.Signing.PrivateKey(rawRepresentation: stored))
                }
        } catch {
            throw Unreadable()
        }
    }

    /// The private key, to be encrypted before it is kept.
    package var stored: [UInt8] {
        switch secret {
        case .rsa(let key): Array(key.derRepresentation)
        case .ed25519(let key): Array(key.rawRepresentation)
        }
    }

    package var algorithm: Algorithm {
        switch secret {
        case .rsa: .rsa
        case .ed25519: .ed25519
        }
    }

    /// The public key as `p=` has it: of RSA the SubjectPublicKeyInfo, of Ed25519 the 32 bytes themselves.
    package var publicKey: String {
        switch secret {
        case .rsa(let key): key.publicKey.derRepresentation.base64EncodedString()
        case .ed25519(let key): key.publicKey.rawRepresentation.base64EncodedString()
        }
    }

    /// The name of the TXT record.
    package static func recordName(_ selector: String, _ domain: String) -> String {
        "\(selector)._domainkey.\(domain)"
    }

    /// The text of the TXT record.
    package static func record(_ algorithm: Algorithm, publicKey: String) -> String {
        "v=DKIM1; k=\(algorithm.keyType); p=\(publicKey)"
    }

    /// The signature of a text, in base64.
    package func signature(of text: [UInt8]) throws -> String {
        let digest = SHA256.hash(data: text)
        switch secret {
        case .rsa(let key):
            return try key.signature(for: digest, padding: .insecurePKCS1v1_5).rawRepresentation.base64EncodedString()
        case .ed25519(let key):
            return try key.signature(for: Array(digest)).base64EncodedString()
        }
    }
}
