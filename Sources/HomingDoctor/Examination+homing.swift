// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import HomingCertificates
package import HomingCore
import HomingLinkRules
internal import HomingMail
internal import HomingOperations
import HomingProjects
import HomingShortLinks
package import HomingStore
internal import HomingWire

extension Examination {
    /// - Parameter project: nil for all projects.
    /// - Throws: ``Refusal`` when there is no such project.
    package init(of homing: Homing, project id: ProjectID?) async throws {
        let projects = try id.map { [try homing.projects.existing($0)] } ?? homing.projects.all()
        var hosts: [Host] = []
        // Google has switched its domains off, so they need no check.
        for (project, domain) in projects.flatMap({ project in project.linkDomains.map { (project, $0) } })
        where !domain.isGoogles {
            let link = try await Link(on: domain, of: project, among: homing.links, at: homing.projects)
            if let known = hosts.firstIndex(where: { $0.authority == domain.authority }) {
                hosts[known].links += [link].compactMap(\.self)
                continue
            }
            // The file of a host names the apps of every project on the host, whichever project the operator named.
            let files = homing.projects.associations(host: domain.authority)
            hosts.append(
                Host(
                    authority: domain.authority,
                    baseURL: String(domain.baseURL.dropLast(domain.prefix.count)),
                    expected: ExpectedFiles(
                        apple: files.map { String(decoding: $0.apple.bytes, as: UTF8.self) },
                        android: files.map { String(decoding: $0.android.bytes, as: UTF8.self) }),
                    links: [link].compactMap(\.self)))
        }
        let now = homing.system.now()
        var examined: [Project] = []
        for project in projects {
            var strangers: Set<String> = []
            var ownMail: [OwnMail] = []
            for part in [project] + homing.projects.tenants(of: project) {
                let mails = try await homing.outbox.newest(in: part, limit: 200)
                strangers.formUnion(mails.flatMap { $0.settings.unregisteredApps(in: project) })
                // A tenant without one has its project's.
                guard let own = part.ownTransport, own.owner == part.scope else { continue }
                let sender = own.sender.flatMap { SenderAddress(parsing: $0) }
                ownMail.append(OwnMail(owner: own.owner, url: own.url, domain: Doctor.domain(of: sender?.address)))
            }
            var one =
                Project(
                    id: project.projectID, apps: project.apps, linkDomains: project.linkDomains.map(\.text),
                    unregisteredApps: strangers.sorted(),
                    senderDomains: project.senderDomains.map { SenderDomainLook($0, of: project, at: now) })
            one.ownMail = ownMail
            if let webhook = project.linkWebhook, let state = try await homing.links.events.state(of: project.scope) {
                one.linkWebhook = LinkWebhook(
                    url: webhook.shownURL, failingSince: state.failingSince?.printed, problem: state.problem,
                    waiting: state.waiting, dropped: state.dropped)
            }
            one.deadLinks = try await homing.links.dead(in: project, at: homing.projects)
            examined.append(one)
        }
        self.init(publicURL: homing.publicURL, hosts: hosts, projects: examined)
        untrustedForwarders = homing.forwarders.addresses.map { "\($0)" }
        certificates = try await Certificates(homing).states().map { Certificate($0) }
    }

    /// The certificates of the hosts of a project's links and of the public URL, where they are obtained by ACME.
    static func certificates(of project: HomingProjects.Project, _ homing: Homing) async throws -> [Certificate] {
        let ownHost = PublicURLCheck(publicURL: homing.publicURL, linkHosts: []).host
        let hosts = project.linkDomains.map(\.host.text) + [ownHost]
        return try await Certificates(homing).states(of: hosts.map { ASCII.lowercased($0) }).map { Certificate($0) }
    }
}

extension Examination.Certificate {
    fileprivate init(_ state: CertificateState) {
        self.init(
            name: state.name, isThere: state.isThere, failures: state.failures, problem: state.problem,
            endsAt: state.endsAt?.seconds, nextTry: state.failures > 0 ? state.nextAt.printed : nil)
    }
}
