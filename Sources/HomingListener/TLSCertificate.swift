// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

#if TLS

    package import Logging
    internal import NIOCertificateReloading
    package import NIOSSL
    internal import ServiceLifecycle
    internal import Synchronization
    package import X509

    /// The certificate that both listeners show, read again when its files change.
    ///
    /// Files that cannot be used leave the last good pair in use; the log reports each new reason once.
    package struct TLSCertificate: Service, ShownCertificates {
        /// Whether this build has TLS.
        package static let isAvailable = true

        private let reloader: TimedCertificateReloader
        private let report: ReloadReport

        /// Reads the files for the first time.
        ///
        /// - Parameter interval: how often the files are looked at.
        /// - Throws: when the files are missing, no PEM, or no pair.
        package init(files: TLSFiles, every interval: Duration = .seconds(15), logger: Logger) throws {
            let report = ReloadReport(files: files, logger: logger)
            let configuration = TimedCertificateReloader.Configuration(
                refreshInterval: interval,
                certificateSource: .init(location: .file(path: files.certificate), format: .pem),
                privateKeySource: .init(location: .file(path: files.key), format: .pem)
            ) { configuration in
                configuration.onCertificateLoaded = { difference in
                    let chain = difference.currentX509CertificateChain
                    report.loaded(
                        names: chain.first?.hostNames ?? [],
                        isNew: difference.previousX509CertificateChain != chain)
                }
                configuration.onCertificateLoadFailed = { report.failed("\($0.error)") }
            }
            reloader = try TimedCertificateReloader.makeReloaderValidatingSources(configuration: configuration)
            self.report = report
            report.begin()
        }

        /// The names of the certificate, in lower case.
        package var names: [String] { report.names }

        /// The newest good pair.
        package var shown: NIOSSLContextConfigurationOverride { reloader.sslContextConfigurationOverride }

        package func run() async throws {
            try await reloader.run()
        }

        /// Reads the files again if they have changed.
        package func reload() throws {
            try reloader.reload()
        }

        /// With the newest good pair at each handshake.
        package func configuration(protocols: [String]) throws -> TLSConfiguration {
            var configuration = try TLSConfiguration.makeServerConfiguration(certificateReloader: reloader)
            configuration.takeNothingOld()
            configuration.applicationProtocols = protocols
            return configuration
        }
    }

    extension TLSConfiguration {
        /// TLS 1.2 and newer (RFC 8996), and of 1.2 what encrypts and authenticates in one (RFC 9325 section 4.2).
        package mutating func takeNothingOld() {
            minimumTLSVersion = .tlsv12
            cipherSuites = ["AES128-GCM-SHA256", "AES256-GCM-SHA384", "CHACHA20-POLY1305"]
                .flatMap { ["ECDHE-ECDSA-\($0)", "ECDHE-RSA-\($0)"] }.joined(separator: ":")
        }
    }

    extension Certificate {
        /// The hosts that the certificate stands for, in lower case.
        package var hostNames: [String] {
            let names = (try? extensions.subjectAlternativeNames) ?? nil
            return names?.compactMap { if case .dnsName(let name) = $0 { name.lowercased() } else { nil } } ?? []
        }
    }

    /// Logs each change once.
    private final class ReloadReport: Sendable {
        private let files: TLSFiles
        private let logger: Logger
        private let reported = Mutex<String?>(nil)
        private let loadedNames = Mutex<[String]>([])
        /// The first reading reports by throwing.
        private let hasBegun = Mutex(false)

        init(files: TLSFiles, logger: Logger) {
            self.files = files
            self.logger = logger
        }

        func begin() {
            hasBegun.withLock { $0 = true }
        }

        var names: [String] { loadedNames.withLock { $0 } }

        func loaded(names: [String], isNew: Bool) {
            reported.withLock { $0 = nil }
            loadedNames.withLock { $0 = names }
            if isNew { logger.info("TLS certificate loaded", metadata: ["certificate": "\(files.certificate)"]) }
        }

        func failed(_ reason: String) {
            let isNews = reported.withLock { reported in
                defer { reported = reason }
                return reported.map { !$0.utf8.elementsEqual(reason.utf8) } ?? true
            }
            guard isNews, hasBegun.withLock({ $0 }) else { return }
            logger.error(
                "TLS certificate not loaded; the one before, if any, stays in use",
                metadata: ["certificate": "\(files.certificate)", "key": "\(files.key)", "reason": "\(reason)"]
            )
        }
    }

#else

    package import Logging
    internal import ServiceLifecycle

    /// The certificate in a build without TLS, which has none.
    package struct TLSCertificate: Service, ShownCertificates {
        /// Whether this build has TLS.
        package static let isAvailable = false

        package struct Missing: Error, CustomStringConvertible {
            package let description =
                "this build has no TLS, because it was made for trying things; scripts/build makes one that has"

            package init() {}
        }

        package init(files: TLSFiles, logger: Logger) throws { throw Missing() }

        package var names: [String] { [] }

        package func run() async throws {}
    }

#endif
