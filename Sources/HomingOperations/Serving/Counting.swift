// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingCore
package import HomingShortLinks
internal import HomingStore
package import Logging
internal import ServiceLifecycle

/// Writes the counts of links twice a second, so that a crash loses no more than the clicks of the last half second, and
/// those of mails every eight seconds; a stop loses nothing, because Homing writes the rest when it closes.
package struct Counting: Service {
    private static let pause = Duration.milliseconds(500)
    /// So many pauses lie between two writes of the counts of mails.
    private static let pausesOfMails = 16

    let links: Links
    let mails: MailCounts
    let logger: Logger

    package init(links: Links, mails: MailCounts, logger: Logger) {
        self.links = links
        self.mails = mails
        self.logger = logger
    }

    package func run() async throws {
        await cancelWhenGracefulShutdown {
            var failing: Set<String> = []
            var dropping: Set<Scope> = []
            var pauses = 0
            while !Task.isCancelled {
                try? await Task.sleep(for: Self.pause)
                pauses += 1
                await flush("clicks", &failing) { try await links.counts.flush() }
                await flush("events for webhooks", &failing) { tell(try await links.events.flush(), &dropping) }
                guard pauses % Self.pausesOfMails == 0 else { continue }
                await flush("counts of emails", &failing) { try await mails.flush() }
            }
        }
    }

    /// Says once that events are dropped, until none are.
    private func tell(_ dropped: [Scope: Int64], _ dropping: inout Set<Scope>) {
        for (project, count) in dropped where !dropping.contains(project) {
            logger.warning(
                "events of links are dropped: too many wait for their webhook",
                metadata: ["project": "\(project)", "events": "\(count)"])
        }
        dropping = Set(dropped.keys)
    }

    /// Says once that something cannot be written, and once that it can again.
    private func flush(_ what: String, _ failing: inout Set<String>, _ write: () async throws -> Void) async {
        do {
            try await write()
            if failing.remove(what) != nil { logger.notice("\(what) are written again") }
        } catch {
            guard failing.insert(what).inserted else { return }
            logger.error(
                "\(what) could not be written; they are kept and tried again",
                metadata: ["error": "\(RefusalLine.text(of: error))"])
        }
    }
}
