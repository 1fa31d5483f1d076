// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import Crypto
internal import Foundation
internal import NIOSSL

extension ScriptedRelay {
    /// A self-signed certificate, made anew for each test.
    package struct Certificate: Sendable {
        private let der: [UInt8]
        private let key: P256.Signing.PrivateKey

        /// - Parameters:
        ///   - host: the name for which the certificate is valid.
        ///   - address: the IPv4 address for which the certificate is valid.
        package init(host: String = "localhost", address: [UInt8] = [127, 0, 0, 1]) throws {
            key = P256.Signing.PrivateKey()
            let names = DER.sequence(DER.element(0x82, host.utf8), DER.element(0x87, address))
            let body = Self.body(publicKey: Array(key.publicKey.derRepresentation), names: names)
            let signature = try key.signature(for: body).derRepresentation
            der = DER.sequence(body, Self.ecdsaWithSHA256, DER.element(0x03, [0] + signature))
        }

        /// Writes the certificate to a file of its own, for `?ca=`, while the body runs.
        package func withFile<Result>(_ body: (_ path: String) async throws -> Result) async throws -> Result {
            let path = NSTemporaryDirectory() + "homing-\(UUID().uuidString).pem"
            let encoded = Array(Data(der).base64EncodedData())
            let lines = stride(from: 0, to: encoded.count, by: 64)
                .map { String(decoding: encoded[$0..<min($0 + 64, encoded.count)], as: UTF8.self) }
                .joined(separator: "\n")
            let pem = "-----BEGIN CERTIFICATE-----\n\(lines)\n-----END CERTIFICATE-----\n"
            try pem.write(toFile: path, atomically: true, encoding: .utf8)
            defer { try? FileManager.default.removeItem(atPath: path) }
            return try await body(path)
        }

        func serverContext() throws -> NIOSSLContext {
            try NIOSSLContext(
                configuration: .makeServerConfiguration(
                    certificateChain: [.certificate(try NIOSSLCertificate(bytes: der, format: .der))],
                    privateKey: .privateKey(
                        try NIOSSLPrivateKey(bytes: Array(key.derRepresentation), format: .der))))
        }

        /// The signed part (RFC 5280, section 4.1): version 3, one name as issuer and subject, the whole 21st century.
        private static func body(publicKey: [UInt8], names: [UInt8]) -> [UInt8] {
            let commonName = DER.sequence(DER.element(0x06, [0x55, 0x04, 0x03]), DER.element(0x0c, "relay.test".utf8))
            let name = DER.sequence(DER.element(0x31, commonName))
            let validity = DER.sequence(
                DER.element(0x18, "20000101000000Z".utf8), DER.element(0x18, "20991231235959Z".utf8))
            return DER.sequence(
                DER.element(0xa0, DER.element(0x02, [2])),
                DER.element(0x02, [1] + (0..<8).map { _ in UInt8.random(in: 0...255) }),
                ecdsaWithSHA256, name, validity, name, publicKey,
                DER.element(0xa3, DER.sequence(isAuthority, alternativeNames(names))))
        }

        private static let ecdsaWithSHA256 = DER.sequence(
            DER.element(0x06, [0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02]))

        private static let isAuthority = DER.sequence(
            DER.element(0x06, [0x55, 0x1d, 0x13]), DER.element(0x01, [0xff]),
            DER.element(0x04, DER.sequence(DER.element(0x01, [0xff]))))

        private static func alternativeNames(_ names: [UInt8]) -> [UInt8] {
            DER.sequence(DER.element(0x06, [0x55, 0x1d, 0x11]), DER.element(0x04, names))
        }
    }

    /// Just enough of ITU-T X.690 to write a certificate.
    private enum DER {
        static func element(_ tag: UInt8, _ content: some Collection<UInt8>) -> [UInt8] {
            let count = content.count
            let length: [UInt8] =
                switch count {
                case ..<0x80: [UInt8(count)]
                case ..<0x100: [0x81, UInt8(count)]
                default: [0x82, UInt8(count >> 8), UInt8(count & 0xff)]
                }
            return [tag] + length + content
        }

        static func sequence(_ elements: [UInt8]...) -> [UInt8] { element(0x30, elements.flatMap { $0 }) }
    }
}
