// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingCertificates
package import HomingCore
package import HomingListener
package import Logging

extension CertificateKeeper {
    /// Nil unless the operator has agreed to the authority's terms.
    ///
    /// - Parameter files: the operator's own certificate, which goes before.
    package init?(
        _ homing: Homing, _ settings: Settings, certificates: Certificates, files: TLSCertificate?, logger: Logger
    ) {
        guard let acme = settings.acme else { return nil }
        let covered: @Sendable () -> [String]
        if let files {
            covered = { files.names }
        } else {
            // A command beside several nodes.
            let names = settings.tls.map { CertificateForm.names(inFile: $0.certificate) } ?? []
            covered = { names }
        }
        self.init(
            keys: homing.keys, nodes: homing.nodes, projects: homing.projects, certificates: certificates,
            client: ACMEClient(
                directory: acme.directory, authorityFile: acme.authorityFile, agent: Version.agent),
            email: acme.email, hasPlainListener: settings.redirectListen != nil,
            ownName: PublicURL(parsing: homing.publicURL)?.host, covered: covered, line: { RefusalLine.text(of: $0) },
            logger: logger)
    }
}
