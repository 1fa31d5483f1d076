// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingCore
package import Logging
internal import ServiceLifecycle

/// Writes the counts of links and mails every few seconds, so that a crash loses less than ten; a stop loses nothing,
/// because Homing writes the rest when it closes.
package struct Counting: Service {
    let links: LinkCounts
    let mails: MailCounts
    let logger: Logger

    package init(links: LinkCounts, mails: MailCounts, logger: Logger) {
        self.links = links
        self.mails = mails
        self.logger = logger
    }

    package func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                try? await Task.sleep(for: .seconds(8))
                await flush("clicks") { try await links.flush() }
                await flush("counts of mails") { try await mails.flush() }
            }
        }
    }

    private func flush(_ what: String, _ write: () async throws -> Void) async {
        do {
            try await write()
        } catch {
            logger.error(
                "\(what) could not be written; they are kept and tried again",
                metadata: ["error": "\(RefusalLine.text(of: error))"])
        }
    }
}
