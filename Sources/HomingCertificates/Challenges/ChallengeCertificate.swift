// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

#if TLS

    internal import Crypto
    internal import Foundation
    internal import NIOSSL
    internal import SwiftASN1
    internal import X509

    /// The certificate that proves a name to an authority over TLS alone (`tls-alpn-01`, RFC 8737 section 3): signed by
    /// itself, for this name, with the digest of the challenge's answer in an extension.
    struct ChallengeCertificate {
        static let protocolName = "acme-tls/1"
        private static let identifier: ASN1ObjectIdentifier = [1, 3, 6, 1, 5, 5, 7, 1, 31]

        private let certificate: Certificate
        private let key: P256.Signing.PrivateKey

        init(name: String, keyAuthorization: String) throws {
            key = P256.Signing.PrivateKey()
            let subject = try DistinguishedName { CommonName("ACME challenge") }
            let now = Date()
            certificate = try Certificate(
                version: .v3, serialNumber: Certificate.SerialNumber(), publicKey: .init(key.publicKey),
                notValidBefore: now.addingTimeInterval(-3600), notValidAfter: now.addingTimeInterval(3600),
                issuer: subject, subject: subject, signatureAlgorithm: .ecdsaWithSHA256,
                extensions: Certificate.Extensions {
                    SubjectAlternativeNames([.dnsName(name)])
                    Certificate.Extension(
                        oid: Self.identifier, critical: true, value: Self.content(keyAuthorization)[...])
                },
                issuerPrivateKey: .init(key))
        }

        var shown: NIOSSLContextConfigurationOverride {
            get throws {
                var serializer = DER.Serializer()
                try serializer.serialize(certificate)
                var shown = NIOSSLContextConfigurationOverride()
                shown.certificateChain = [
                    .certificate(try NIOSSLCertificate(bytes: serializer.serializedBytes, format: .der))
                ]
                shown.privateKey = .privateKey(
                    try NIOSSLPrivateKey(bytes: Array(key.pemRepresentation.utf8), format: .pem))
                return shown
            }
        }

        /// Whether a server has shown the certificate that this challenge asks for.
        static func answers(_ keyAuthorization: String, der: [UInt8]) -> Bool {
            guard let certificate = try? Certificate(derEncoded: der) else { return false }
            return certificate.extensions[oid: identifier].map { Array($0.value) == content(keyAuthorization) } ?? false
        }

        /// An OCTET STRING of the digest's 32 bytes, in DER.
        private static func content(_ keyAuthorization: String) -> [UInt8] {
            [0x04, 0x20] + SHA256.hash(data: Data(keyAuthorization.utf8))
        }
    }

#endif
