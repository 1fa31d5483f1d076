// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingStore
import Synchronization

/// How many events of providers came in, and what became of them, since this process began.
package final class MailEventCounts: Sendable {
    private struct Key: Hashable {
        let provider: String
        let outcome: MailEvent.Outcome
    }

    private let counted = Mutex<[Key: Int]>([:])
    private let saidAt = Mutex<Moment?>(nil)

    package init() {}

    /// - Parameter provider: the scheme of its `mail.url`.
    package func count(_ outcome: MailEvent.Outcome, of provider: String, by number: Int = 1) {
        guard number > 0 else { return }
        counted.withLock { $0[Key(provider: provider, outcome: outcome), default: 0] += number }
    }

    /// In a fixed order.
    package var counts: [(provider: String, outcome: MailEvent.Outcome, count: Int)] {
        counted.withLock { $0 }
            .map { (provider: $0.key.provider, outcome: $0.key.outcome, count: $0.value) }
            .sorted { ($0.provider, $0.outcome.rawValue) < ($1.provider, $1.outcome.rawValue) }
    }

    /// Whether the log may have a line about what was not taken; once a minute.
    package func maySay(at now: Moment) -> Bool {
        saidAt.withLock { saidAt in
            if let saidAt, abs(now.milliseconds - saidAt.milliseconds) < 60_000 { return false }
            saidAt = now
            return true
        }
    }
}
