// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingListener

#if TLS

    internal import Crypto
    internal import NIOCore
    package import NIOSSL
    internal import Synchronization

    /// The certificates of a listener with several names, chosen by the name that the client asks for (SNI, RFC 6066
    /// section 3): that of the operator's files for the names it has, else the one that was obtained for the name. Who
    /// asks for another name or for none is shown the files' certificate, else that of the public URL.
    package final class ObtainedCertificates: ShownCertificates {
        private let certificates: Certificates
        private let ownName: String
        private let files: TLSCertificate?
        private let parsed = Mutex<[String: (generation: Int, shown: NIOSSLContextConfigurationOverride)]>([:])

        /// There is no certificate to show yet, so the handshake ends.
        private struct NoneYet: Error {}

        /// - Parameters:
        ///   - ownName: the host of the public URL.
        ///   - files: the operator's own certificate, which goes before.
        package init(_ certificates: Certificates, ownName: String, beside files: TLSCertificate?) {
            self.certificates = certificates
            self.ownName = ownName
            self.files = files
        }

        package func configuration(protocols: [String]) throws -> TLSConfiguration {
            try Self.configuration(protocols: protocols) { [self] host in try shown(to: host) }
        }

        /// For connections that validate a name: nothing but the answer to the challenge.
        package var validation: HandshakeValidation? {
            get throws {
                HandshakeValidation(
                    protocolName: ChallengeCertificate.protocolName, configuration: try validationConfiguration())
            }
        }

        private func validationConfiguration() throws -> TLSConfiguration {
            var configuration = try Self.configuration(protocols: [ChallengeCertificate.protocolName]) { _ in
                throw NoneYet()
            }
            configuration.sslContextCallback = { [certificates] values, promise in
                // The row may have been written by another node, a moment ago.
                promise.completeWithTask {
                    guard let name = values.serverHostname?.lowercased(),
                        let answer = try await certificates.answer(toName: name)
                    else { throw NoneYet() }
                    return try ChallengeCertificate(name: name, keyAuthorization: answer).shown
                }
            }
            return configuration
        }

        private static func configuration(
            protocols: [String],
            choosing choice: @escaping @Sendable (String?) throws -> NIOSSLContextConfigurationOverride
        ) throws -> TLSConfiguration {
            // A context wants a key from the beginning; each handshake replaces it.
            let standIn = try NIOSSLPrivateKey(
                bytes: Array(P256.Signing.PrivateKey().pemRepresentation.utf8), format: .pem)
            var configuration = TLSConfiguration.makeServerConfiguration(
                certificateChain: [], privateKey: .privateKey(standIn))
            configuration.takeNothingOld()
            configuration.applicationProtocols = protocols
            configuration.sslContextCallback = { values, promise in
                promise.completeWith(Result { try choice(values.serverHostname) })
            }
            return configuration
        }

        private func shown(to host: String?) throws -> NIOSSLContextConfigurationOverride {
            let host = host?.lowercased()
            if let files {
                guard let host, !files.names.contains(where: { CertificatePlan.covers($0, host) }) else {
                    return files.shown
                }
                return try obtained(for: host) ?? files.shown
            }
            guard let shown = try host.flatMap(obtained) ?? obtained(for: ownName) else { throw NoneYet() }
            return shown
        }

        private func obtained(for host: String) throws -> NIOSSLContextConfigurationOverride? {
            guard let (certificate, generation) = certificates.held(for: host) else { return nil }
            if let known = parsed.withLock({ $0[host] }), known.generation == generation { return known.shown }
            var shown = NIOSSLContextConfigurationOverride()
            shown.certificateChain = try NIOSSLCertificate.fromPEMBytes(Array(certificate.chain.utf8)).map {
                .certificate($0)
            }
            shown.privateKey = .privateKey(try NIOSSLPrivateKey(bytes: Array(certificate.key.utf8), format: .pem))
            parsed.withLock { [shown] parsed in
                parsed = parsed.filter { $0.value.generation == generation }
                parsed[host] = (generation, shown)
            }
            return shown
        }
    }

#else

    /// The certificates by ACME in a build without TLS, which has none.
    package struct ObtainedCertificates: ShownCertificates {
        package init(_ certificates: Certificates, ownName: String, beside files: TLSCertificate?) {}
    }

#endif
