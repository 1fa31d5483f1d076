// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import CryptoExtras
import Foundation
import Synchronization

#if TLS
    import SwiftASN1
    import X509
#endif

/// The public half of a signing key as a certificate, for verifiers that read keys only so.
///
/// It is signed by the key itself and without an end (RFC 5280 section 4.1.2.5): the list of keys says which ones are
/// good. Every node makes the same one.
final class KeyCertificate: Sendable {
    private let privateKey: String
    private let id: String
    private let madeAt: Moment
    private let made = Mutex<String?>(nil)

    /// - Parameter privateKey: an RSA key in PEM.
    init(privateKey: String, id: String, madeAt: Moment) {
        self.privateKey = privateKey
        self.id = id
        self.madeAt = madeAt
    }

    /// The certificate in PEM; nil in a program that was built without certificates.
    ///
    /// It is made when it is first asked for: most servers are never asked, and no start should wait for a signature.
    func pem() throws -> String? {
        try made.withLock { made in
            if made == nil { made = try make() }
            return made
        }
    }

    private func make() throws -> String? {
        #if TLS
            let key = try _RSA.Signing.PrivateKey(pemRepresentation: privateKey)
            let name = try DistinguishedName { CommonName("Homing token signing key") }
            let certificate = try Certificate(
                version: .v3, serialNumber: .init(bytes: Array(id.utf8.prefix(16))),
                publicKey: .init(key.publicKey), notValidBefore: Date(timeIntervalSince1970: Double(madeAt.seconds)),
                // 9999-12-31 23:59:59
                notValidAfter: Date(timeIntervalSince1970: 253_402_300_799),
                issuer: name, subject: name, signatureAlgorithm: .sha256WithRSAEncryption,
                extensions: Certificate.Extensions {
                    Critical(BasicConstraints.notCertificateAuthority)
                    Critical(KeyUsage(digitalSignature: true))
                },
                issuerPrivateKey: .init(key))
            return try certificate.serializeAsPEM().pemString + "\n"
        #else
            return nil
        #endif
    }
}
