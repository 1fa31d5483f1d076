// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingCurl
package import HomingMail
import HomingOperations
internal import HomingStore
internal import HomingWire

/// The checks of one run of `homing doctor`.
package struct Doctor: Sendable {
    package let examination: Examination
    package let fetcher: WebFetcher
    package let names: any NameService
    /// Nil when the relay is not known here.
    package let relay: MailRelay?
    /// The sender of mails, as the relay gets it; nil when the sender is not known.
    package let sender: String?
    /// The domain in people's mail programs, and that of the envelope, to which mails come back; nil when it is no
    /// domain of the internet.
    package let mailDomain: String?
    package let bounceDomain: String?
    package let selectors: [String]
    /// Whether the back-end listener takes `Bearer owner`.
    package let isOwnerAllowed: Bool
    /// Seconds since 1970.
    package let now: Int64

    package init(
        examination: Examination, fetcher: WebFetcher, names: any NameService, relay: MailRelay?, sender: String?,
        mailDomain: String?, bounceDomain: String?, selectors: [String], isOwnerAllowed: Bool = false, now: Int64
    ) {
        self.examination = examination
        self.fetcher = fetcher
        self.names = names
        self.relay = relay
        self.sender = sender
        self.mailDomain = mailDomain
        self.bounceDomain = bounceDomain
        self.selectors = selectors
        self.isOwnerAllowed = isOwnerAllowed
        self.now = now
    }

    /// Checks that run together, one after the other; several visits run at once.
    private struct Visit: Sendable {
        let name: String
        let area: Finding.Area
        let look: @Sendable () async -> [Finding]
    }

    private static let visitsAtOnce = 8

    /// The findings that need no request.
    package func findingsOffline() -> [Finding] {
        publicURLCheck.settingFindings() + (relaySetting + mailSetting).about(.mail) + ownerSetting + forwarders
            + examination.certificates.flatMap { RenewalCheck(certificate: $0, now: now).findings() }
            + examination.projects.flatMap { AppsCheck(project: $0).findings() }
            + examination.projects.flatMap { LinkWebhookCheck(project: $0).findings() }.about(.links)
            + examination.projects.flatMap { DeadLinksCheck(project: $0).findings() }.about(.links)
            + senderDomainChecks.flatMap { $0.settingFindings() }.about(.mail)
    }

    /// - Parameter progress: gets the number of visits, the number that have ended, and the name of the last one.
    package func findings(progress: @Sendable (Int, Int, String) -> Void = { _, _, _ in }) async -> [Finding] {
        let visits = visits
        var findings = [[Finding]](repeating: [], count: visits.count)
        await withTaskGroup(of: (Int, [Finding]).self) { group in
            var next = 0
            var ended = 0
            func begin() {
                guard next < visits.count else { return }
                let index = next
                next += 1
                group.addTask { (index, await visits[index].look().about(visits[index].area)) }
            }
            for _ in 0..<Self.visitsAtOnce { begin() }
            for await (index, found) in group {
                findings[index] = found
                ended += 1
                progress(visits.count, ended, visits[index].name)
                begin()
            }
        }
        return findings.flatMap { $0 } + findingsOffline()
    }

    private var visits: [Visit] {
        var visits = examination.hosts.map { host in
            Visit(name: host.authority, area: .linkDomains) { await look(at: host) }
        }
        visits.append(Visit(name: examination.publicURL, area: .server) { await lookAtPublicURL() })
        if case .smtp(let relay) = relay {
            visits.append(Visit(name: "the relay", area: .mail) { await look(at: relay) })
        }
        if case .provider(let url, let provider) = relay, provider.inquiry != nil {
            visits.append(Visit(name: provider.name, area: .mail) { await look(at: url, of: provider) })
        }
        var domains: [String] = []
        for way in [serversWay] + examination.projects.flatMap(ways) {
            guard let domain = way.domain, !domains.contains(where: { ASCII.areEqual($0, domain) }) else { continue }
            domains.append(domain)
            visits.append(Visit(name: domain, area: .mail) { await look(atMailDomain: domain, of: way) })
        }
        visits += senderDomainChecks.map { check in
            Visit(name: check.look.domain, area: .mail) { await check.findings(by: names) }
        }
        return visits
    }

    /// Whom mails come from, and through what they leave.
    private struct MailWay: Sendable {
        /// Nil where it is no domain of the internet, or nothing leaves.
        let domain: String?
        /// Nil for a relay.
        let provider: MailProvider?
    }

    private var serversWay: MailWay {
        let provider: MailProvider? = if case .provider(_, let provider) = relay { provider } else { nil }
        return MailWay(domain: relay == .noMail ? nil : mailDomain, provider: provider)
    }

    /// The project's own one or the server's, then those of its tenants.
    private func ways(of project: Examination.Project) -> [MailWay] {
        let own = project.ownMail.map { MailWay(domain: $0.domain ?? mailDomain, provider: MailProvider.of($0.url)) }
        let hasOwn = project.ownMail.contains { $0.owner == project.id.scope }
        return hasOwn ? own : [serversWay] + own
    }

    private var senderDomainChecks: [SenderDomainCheck] {
        examination.projects.flatMap { project in
            let ways = ways(of: project)
            return project.senderDomains.map { look in
                let way = ways.first { $0.domain.map { ASCII.areEqual($0, look.domain) } ?? false } ?? ways.first
                return SenderDomainCheck(
                    look: look, project: project.id, mailDomain: way?.domain, rewriter: way?.provider?.rewriter)
            }
        }
    }

    private var publicURLCheck: PublicURLCheck {
        PublicURLCheck(publicURL: examination.publicURL, linkHosts: examination.hosts.map(\.authority))
    }
}

// MARK: - Visits

extension Doctor {
    private func look(at host: Examination.Host) async -> [Finding] {
        var (findings, isTrusted, isThere) = await certificate(of: host.baseURL, host.authority)
        guard isThere else { return findings }
        for check in AssociationFileCheck.all(for: host.expected, subject: host.authority) {
            let answer = await fetcher.fetch(host.baseURL + check.path, isVerifying: isTrusted)
            findings += check.findings(answer)
        }
        for link in host.links {
            for device in DoctorDevice.allCases {
                findings += await follow(link, as: device, from: host, isTrusted: isTrusted)
            }
        }
        return findings
    }

    private func follow(
        _ link: Examination.Link, as device: DoctorDevice, from host: Examination.Host, isTrusted: Bool
    ) async -> [Finding] {
        let check = LinkCheck(link, as: device, subject: host.authority, openPage: publicURLCheck.openURL)
        var answer = await fetcher.follow(link.url, as: device, isVerifying: isTrusted)
        // Another check judges the certificate of the public URL.
        if let next = check.next(after: answer) {
            answer = await fetcher.follow(next, as: device, isVerifying: false)
        }
        return check.findings(answer)
    }

    private func lookAtPublicURL() async -> [Finding] {
        let check = publicURLCheck
        var (findings, isTrusted, isThere) = await certificate(of: check.publicURL, check.subject)
        guard isThere else { return findings }
        findings += check.healthFindings(await fetcher.fetch(check.healthURL, isVerifying: isTrusted))
        findings += check.actionFindings(await fetcher.fetch(check.actionURL, isVerifying: isTrusted))
        findings += check.openFindings(await fetcher.fetch(check.openURL, isVerifying: isTrusted))
        return findings
    }

    private func certificate(
        of baseURL: String, _ subject: String
    ) async -> (findings: [Finding], isTrusted: Bool, isThere: Bool) {
        guard baseURL.utf8.starts(with: "https://".utf8) else { return ([], true, true) }
        let look = await fetcher.certificate(of: baseURL)
        let findings = look.findings(subject, now: now)
        if case .noTLS = look.fault { return (findings, false, false) }
        return (findings, look.fault == nil, true)
    }

    private func look(at relay: SMTPRelay) async -> [Finding] {
        let look = await RelayProbe(relay: relay, heloName: publicURLCheck.heloName, sender: sender).look()
        return RelayCheck(relay: relay).findings(look, now: now)
    }

    private func look(at url: MailURL, of provider: MailProvider) async -> [Finding] {
        let facts = await ProviderInquiry(url, provider, domain: mailDomain).facts()
        return ProviderCheck(url: url, provider: provider).findings(facts)
    }

    private func look(atMailDomain domain: String, of way: MailWay) async -> [Finding] {
        var findings = await MailDomainCheck(domain: domain, names: names).findings()
        // What bounces comes back to one place, whoever sends.
        let isServers = mailDomain.map { ASCII.areEqual($0, domain) } ?? false
        if let bounceDomain, bounceDomain != domain, isServers {
            findings += await MailDomainCheck(domain: bounceDomain, names: names).findings()
        }
        // A sender policy is asked for with the envelope's domain (RFC 7208, section 2.4), which a provider writes
        // itself: then the sender's own needs none.
        let ownsReturnPath = way.provider == nil
        let spf = await SPFCheck(domain: bounceDomain ?? domain, names: names).findings()
            .filter { ownsReturnPath || $0.code != "SPF_MISSING" }
        // Where keys of our own sign, their selectors are known.
        let own = senderDomainChecks.filter { $0.rewriter == nil && ASCII.areEqual($0.look.domain, domain) }
        var dkim: [Finding] = []
        if own.isEmpty || !selectors.isEmpty {
            dkim = await DKIMCheck(domain: domain, selectors: selectors, names: names).findings()
        }
        findings += (isServers || bounceDomain == nil ? spf : []) + dkim
        let policy = await DMARCCheck(domain: domain, names: names).findings()
        findings += policy
        guard !policy.contains(where: { $0.code == "DMARC_UNKNOWN" }) else { return findings }
        findings += await AlignmentCheck(
            domain: domain, bounceDomain: ownsReturnPath ? bounceDomain ?? domain : nil,
            isSignedHere: own.contains { $0.look.records.contains(where: \.isInUse) }, names: names
        ).findings(spf: spf, dkim: dkim)
        return await findings + BIMICheck(domain: domain, names: names).findings()
    }

    private var relaySetting: [Finding] {
        switch relay {
        case .smtp: []
        case .provider(let url, let provider):
            [.ok("PROVIDER_SET", "\(url)", "emails leave through \(provider.name), over HTTPS")]
        case .incomplete(let reason):
            [
                .warning(
                    "RELAY_UNKNOWN", "mail", reason,
                    "Run homing doctor as the server's user, with its environment and its homing.yaml.")
            ]
        case nil:
            [
                .warning(
                    "RELAY_UNKNOWN", "mail", "HOMING_MAIL_URL is not set here",
                    "Run homing doctor with the environment or the homing.yaml of the server.")
            ]
        case .noMail:
            [
                .warning(
                    "MAIL_IS_OFF", "mail",
                    "this server sends no email (mail.url: none): it refuses what it would have to mail",
                    "Set HOMING_MAIL_URL to a relay or a provider before an app asks for emails.")
            ]
        case .mailbox:
            [
                .warning(
                    "RELAY_IS_MAILBOX", "mail", "emails are kept in the database and sent to nobody",
                    "Set HOMING_MAIL_URL to a relay or a provider before you depend on emails.")
            ]
        }
    }

    private var mailSetting: [Finding] {
        guard mailDomain == nil, relay != .noMail else { return [] }
        return [
            .warning(
                "MAIL_FROM_IS_LOCAL", "mail", "emails come from an address that nobody can answer",
                "Set HOMING_MAIL_FROM to an address of your own domain.")
        ]
    }

    private var forwarders: [Finding] {
        examination.untrustedForwarders.map { peer in
            .warning(
                "PROXY_NOT_TRUSTED", "trustedProxies",
                "\(peer) sends X-Forwarded-For and is no trusted proxy, so that all who come by it count as one client",
                "If it is your proxy, name it: HOMING_TRUSTED_PROXIES=\(peer). If not, there is nothing to do: what it "
                    + "says is not believed.")
        }
    }

    private var ownerSetting: [Finding] {
        guard isOwnerAllowed else { return [] }
        return [
            .warning(
                "ADMIN_OWNER_ALLOWED", "admin listener",
                "it takes Bearer owner, as an emulator does (admin.owner: allow): whoever reaches it may do everything",
                "Set HOMING_ADMIN_OWNER to refuse and give back ends a service account's file (docs/admin-sdks.md) or keys of "
                    + "their own (homing admin-key create); else keep the listener on this machine or in a private network. "
                    + "Never verify tokens with an Admin SDK in a process that has FIREBASE_AUTH_EMULATOR_HOST set: it "
                    + "believes what nobody has signed (docs/verifying.md)."
            )
        ]
    }
}
