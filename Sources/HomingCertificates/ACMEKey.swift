// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import Crypto
internal import Foundation
package import HomingWire

/// The key of an account at a certificate authority, and what it signs (RFC 8555 section 6.2, RFC 7515): a JWS in
/// flattened JSON, by ES256.
package struct ACMEKey: Sendable {
    private let key: P256.Signing.PrivateKey

    /// - Parameter pem: a private key on P-256.
    package init(pem: String) throws {
        key = try P256.Signing.PrivateKey(pemRepresentation: pem)
    }

    /// A new private key, PEM.
    package static func newPEM() -> String { P256.Signing.PrivateKey().pemRepresentation }

    private var point: [UInt8] { Array(key.publicKey.rawRepresentation) }
    private var x: String { Base64URL.encode(point.prefix(32)) }
    private var y: String { Base64URL.encode(point.suffix(32)) }

    /// The public half (RFC 7517), its members in the order of RFC 7638.
    private var jwk: JSON { ["crv": "P-256", "kty": "EC", "x": .string(x), "y": .string(y)] }

    /// RFC 7638.
    var thumbprint: String {
        Base64URL.encode(SHA256.hash(data: Data(jwk.write(pretty: false))))
    }

    /// The answer to a challenge (RFC 8555 section 8.1).
    package func authorization(of token: String) -> String { "\(token).\(thumbprint)" }

    /// A signed request.
    ///
    /// - Parameters:
    ///   - payload: nil to read what is at the URL (POST-as-GET, RFC 8555 section 6.3).
    ///   - account: the account's URL; nil for the request that makes or finds it, which carries the public key.
    package func signed(_ payload: JSON?, url: String, nonce: String, account: String?) throws -> [UInt8] {
        let head: JSON = .object([
            ("alg", "ES256"), ("nonce", .string(nonce)), ("url", .string(url)),
            account.map { ("kid", .string($0)) } ?? ("jwk", jwk),
        ])
        let protected = Base64URL.encode(head.write(pretty: false))
        let body = payload.map { Base64URL.encode($0.write(pretty: false)) } ?? ""
        let signature = try key.signature(for: Data("\(protected).\(body)".utf8))
        let message: JSON = [
            "protected": .string(protected), "payload": .string(body),
            "signature": .string(Base64URL.encode(signature.rawRepresentation)),
        ]
        return message.write(pretty: false)
    }
}
