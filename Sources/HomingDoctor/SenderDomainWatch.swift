// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingCore
import HomingMail
import HomingOperations
import HomingProjects
import HomingShortLinks
import HomingStore
package import Logging
import ServiceLifecycle

/// Looks by itself for the records of sender domains: every quarter of an hour for those of new keys, which sign from
/// when they are seen, and once a day for all. One node does it for all.
package struct SenderDomainWatch: Service {
    private static let seconds: Int64 = 900
    private static let day: Int64 = 86_400
    /// Records that are looked for in one round, beside the daily one.
    private static let recordsAtOnce = 40
    /// Name servers that do not answer so often in a row are asked again in the next round.
    private static let silenceAtMost = 5

    let homing: Homing
    let names: any NameService
    let logger: Logger

    package init(homing: Homing, names: any NameService, logger: Logger) {
        self.homing = homing
        self.names = names
        self.logger = logger
    }

    package func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                do {
                    if try await homing.nodes.isTurn(for: "sender domains", everySeconds: Self.seconds - 30) {
                        try await look()
                    }
                } catch {
                    logger.error(
                        "the records of sender domains could not be looked up; it is tried again in a quarter of an hour",
                        metadata: ["error": "\(RefusalLine.text(of: error))"])
                }
                try? await Task.sleep(for: .seconds(Self.seconds))
            }
        }
    }

    private struct Wanted {
        let project: ProjectID
        let domain: String
        let look: SenderDomainLook
        let record: SenderDomainRecord
    }

    /// One round.
    package func look() async throws {
        try await homing.projects.forgetReplacedSenderDomainKeys()
        let now = homing.system.now()
        let projects = homing.projects.all().filter { !$0.senderDomainKeys.isEmpty }
        guard !projects.isEmpty else { return }
        let isDaily = try await DailyTurn(store: homing.store, name: "sender_domains").isTime()
        // A key whose record nobody has published for days is looked for with all others.
        let fresh = Set(
            projects.flatMap(\.senderDomainKeys)
                .filter { $0.signsSince == nil && now < $0.createdAt.adding(seconds: 3 * Self.day) }.map(\.label))
        let wanted = projects.flatMap { project in
            project.senderDomains.flatMap { domain in
                let look = SenderDomainLook(domain, of: project, at: now)
                return look.records.filter { record in
                    guard let selector = record.selector, record.state != .obsolete else { return false }
                    return isDaily || fresh.contains(SenderDomainKey.label(domain, selector))
                }.map { Wanted(project: project.projectID, domain: domain, look: look, record: $0) }
            }
        }
        // In another order each time, so that what does not fit into a round comes with another one.
        var silence = 0
        for wanted in wanted.shuffled().prefix(isDaily ? wanted.count : Self.recordsAtOnce) {
            guard !Task.isCancelled, silence < Self.silenceAtMost else { return }
            let found = await wanted.look.key(wanted.record, by: names)
            silence = found.state == .unknown ? silence + 1 : 0
            try await take(found, of: wanted)
        }
    }

    private func take(_ found: SenderDomainRecord, of wanted: Wanted) async throws {
        var metadata: Logger.Metadata = ["project": "\(wanted.project)", "record": "\(found.name)"]
        switch (wanted.record.state, found.state) {
        case (.waiting, .published):
            let isNews = try await homing.projects.useSenderDomainKeys(
                [found.selector].compactMap(\.self), of: wanted.domain, in: wanted.project, by: .server)
            if isNews { logger.info("emails are signed with a key whose record was seen", metadata: metadata) }
        case (.published, .missing), (.published, .different):
            metadata["state"] = "\(found.state.rawValue)"
            if !found.note.isEmpty { metadata["note"] = "\(found.note)" }
            logger.warning(
                "the record of a key that signs emails is not in the DNS; receivers may refuse the emails",
                metadata: metadata)
        default: break
        }
    }
}
