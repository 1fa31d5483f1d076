// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import Foundation
package import HomingConsole
package import HomingCore
package import HomingCurl
internal import HomingMail
package import HomingOperations
import HomingProjects
import HomingShortLinks
internal import HomingStore

extension Doctor {
    /// A doctor with the relay and the sender of a server's settings.
    package init(
        _ examination: Examination, _ settings: Settings, fetcher: WebFetcher, names: any NameService,
        selectors: [String]
    ) {
        var examination = examination
        // What is left from earlier says nothing where certificates are no longer obtained.
        if settings.acme == nil { examination.certificates = [] }
        // Since then one may have been named.
        examination.untrustedForwarders.removeAll { text in
            IPAddress(parsing: text).map { peer in settings.trustedProxies.contains { $0.contains(peer) } } ?? true
        }
        self.init(
            examination: examination, fetcher: fetcher, names: names, relay: settings.relay,
            sender: settings.mailBounces?.description ?? settings.mailSender?.address,
            mailDomain: Self.domain(of: settings.mailSender?.address),
            bounceDomain: Self.domain(of: settings.mailBounces?.description), selectors: selectors,
            isOwnerAllowed: settings.isOwnerAllowed, now: Int64(Date().timeIntervalSince1970))
    }

    /// The same checks for a page of the console.
    package static func inConsole(of homing: Homing, _ settings: Settings) -> ConsoleExamination {
        ConsoleExamination(
            run: { project, tell in
                let doctor = Doctor(
                    try await Examination(of: homing, project: project), settings,
                    fetcher: WebFetcher(authorityFile: nil, resolutions: []), names: NameServer.system, selectors: [])
                let findings = await doctor.findings { total, ended, last in
                    tell(.looked(at: last, done: ended, of: total))
                }
                for finding in findings { tell(.found(finding.shown)) }
            },
            certificates: { project in
                guard settings.acme != nil else { return [] }
                return try await Examination.certificates(of: try homing.projects.existing(project), homing).flatMap {
                    certificate in
                    RenewalCheck(certificate: certificate, now: homing.system.now().seconds).findings().map(\.shown)
                }
            }
        ) { source, project in
            try await LetterProbe(homing).findings(of: source, project: project).map(\.shown)
        }
    }

    /// What `homing mail domain check` asks the DNS, for a page of the console.
    package static let senderDomainLookUp: SenderDomainLookUp = { await $0.records(by: NameServer.system) }

    /// Nil for a host without a dot, such as localhost, which is unknown outside.
    static func domain(of address: String?) -> String? {
        let domain = address?.split(separator: "@").last.map(String.init)
        return domain.flatMap { $0.utf8.contains(UInt8(ascii: ".")) ? $0 : nil }
    }
}

extension Finding {
    /// As the console shows it.
    fileprivate var shown: ConsoleExamination.Finding {
        ConsoleExamination.Finding(level.shown, about: area.shown, subject, seen: seen, advice: advice)
    }
}

extension Finding.Level {
    fileprivate var shown: ConsoleExamination.Level {
        switch self {
        case .ok: .ok
        case .warning: .warning
        case .problem: .problem
        }
    }
}

extension Finding.Area {
    fileprivate var shown: ConsoleExamination.Area {
        switch self {
        case .apps: .apps
        case .linkDomains: .linkDomains
        case .links: .links
        case .mail: .mail
        case .server: .server
        }
    }
}
