// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import CryptoExtras
internal import Foundation
import HomingCore
package import HomingStore
package import HomingWire

/// The key file of a service account, in the hands of a back end that signs with it.
package struct ServiceAccountFile {
    package let id: String
    package let email: String
    package let tokenURL: String
    private let key: _RSA.Signing.PrivateKey

    package init(_ file: JSON) throws {
        func text(_ name: String) -> String { file.objectValue?[name]?.stringValue ?? "" }
        id = text("private_key_id")
        email = text("client_email")
        tokenURL = text("token_uri")
        key = try _RSA.Signing.PrivateKey(pemRepresentation: text("private_key"))
    }

    /// A new account's file, as Google's console gives it.
    package static func made(for email: String) throws -> JSON {
        let key = try _RSA.Signing.PrivateKey(keySize: .bits2048)
        return [
            "type": "service_account", "private_key_id": "key-1", "private_key": .string(key.pkcs8PEMRepresentation),
            "client_email": .string(email), "token_uri": "https://oauth2.googleapis.com/token",
        ]
    }

    /// The claims of a JWT that this file's key has signed with RS256; nil for any other.
    package func claims(of token: String) -> JSON.Object? {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let signature = Base64URL.decode(parts[2]),
            key.publicKey.isValidSignature(
                _RSA.Signing.RSASignature(rawRepresentation: Data(signature)),
                for: Data("\(parts[0]).\(parts[1])".utf8), padding: .insecurePKCS1v1_5)
        else { return nil }
        return Base64URL.decode(parts[1]).flatMap { try? JSON.parse($0) }?.objectValue
    }

    /// What Google's libraries sign for an access token.
    package func assertion(at now: Moment) throws -> String {
        try signed([
            "iss": .string(email), "aud": "https://oauth2.googleapis.com/token", "iat": .int(now.seconds),
            "exp": .int(now.seconds + 3600),
        ])
    }

    /// A JWT whose signature is this file's, with whatever claims.
    package func signed(_ claims: JSON, algorithm: String = "RS256", naming id: String? = nil) throws -> String {
        let header = JSON.object([("alg", .string(algorithm)), ("typ", "JWT"), ("kid", .string(id ?? self.id))])
        let text = [header, claims].map { Base64URL.encode($0.write(pretty: false)) }.joined(separator: ".")
        let signature = try key.signature(for: Data(text.utf8), padding: .insecurePKCS1v1_5)
        return text + "." + Base64URL.encode(Array(signature.rawRepresentation))
    }
}
