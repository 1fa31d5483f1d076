// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import HomingCore
internal import HomingListener
import HomingStore

#if TLS
    internal import Crypto
    internal import Foundation
    internal import SwiftASN1
    internal import X509
#endif

/// Certificates as an authority takes requests for them (PKCS #10, RFC 2986) and hands them out (PEM, RFC 8555 section
/// 9.1).
package enum CertificateForm {
    /// What was handed out is not what was ordered.
    package struct Unusable: Error, CustomStringConvertible {
        package let description: String

        init(_ description: String) { self.description = description }
    }

    #if TLS
        /// A request for a certificate of one name.
        ///
        /// - Parameter key: a private key on P-256, PEM.
        /// - Returns: DER.
        package static func request(for name: String, key: String) throws -> [UInt8] {
            let key = Certificate.PrivateKey(try P256.Signing.PrivateKey(pemRepresentation: key))
            let extensions = try Certificate.Extensions { SubjectAlternativeNames([.dnsName(name)]) }
            let request = try CertificateSigningRequest(
                version: .v1, subject: DistinguishedName(), privateKey: key,
                attributes: .init([.init(ExtensionRequest(extensions: extensions))]),
                signatureAlgorithm: .ecdsaWithSHA256)
            var serializer = DER.Serializer()
            try serializer.serialize(request)
            return serializer.serializedBytes
        }

        /// Reads a chain, and checks that its first certificate is for this name and this key.
        ///
        /// - Throws: ``Unusable``, whatever is wrong with the chain: it does not become better by asking for it again.
        package static func issued(_ chain: String, for name: String, key: String) throws -> IssuedCertificate {
            let documents: [PEMDocument]
            let certificates: [Certificate]
            do {
                documents = try PEMDocument.parseMultiple(pemString: chain)
                certificates = try documents.map { try Certificate(pemDocument: $0) }
            } catch {
                throw Unusable("the authority handed out a certificate that cannot be read")
            }
            guard let leaf = certificates.first else { throw Unusable("the authority handed out no certificate") }
            guard leaf.hostNames.contains(where: { CertificatePlan.covers($0, name) }) else {
                throw Unusable("the authority handed out a certificate for another name")
            }
            let ours = Certificate.PublicKey(try P256.Signing.PrivateKey(pemRepresentation: key).publicKey)
            guard leaf.publicKey == ours else {
                throw Unusable("the authority handed out a certificate for another key")
            }
            return IssuedCertificate(
                chain: documents.map(\.pemString).joined(separator: "\n") + "\n", key: key,
                issuer: issuer(of: leaf), beginsAt: moment(leaf.notValidBefore), endsAt: moment(leaf.notValidAfter))
        }

        /// The names of the first certificate in a PEM file; none where it cannot be read.
        package static func names(inFile path: String) -> [String] {
            guard let text = try? String(contentsOfFile: path, encoding: .utf8),
                let first = try? PEMDocument.parseMultiple(pemString: text).first(where: {
                    $0.discriminator == Certificate.defaultPEMDiscriminator
                }),
                let certificate = try? Certificate(pemDocument: first)
            else { return [] }
            return certificate.hostNames
        }

        /// The organisation and the name of who has signed.
        private static func issuer(of certificate: Certificate) -> String {
            "\(certificate.issuer)"
        }

        private static func moment(_ date: Date) -> Moment { Moment(seconds: Int64(date.timeIntervalSince1970)) }
    #else
        package static func names(inFile path: String) -> [String] { [] }

        package static func request(for name: String, key: String) throws -> [UInt8] { throw TLSCertificate.Missing() }

        package static func issued(_ chain: String, for name: String, key: String) throws -> IssuedCertificate {
            throw TLSCertificate.Missing()
        }
    #endif
}
