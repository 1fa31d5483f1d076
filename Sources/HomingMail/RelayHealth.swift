// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
package import HomingStore
package import Logging
import Synchronization

/// Whether the relay itself needs a pause: a fault of the relay does not count against the mails.
package final class RelayHealth: Sendable {
    private struct State {
        /// Outages in a row; sixteen mails that fail in the same second are one outage.
        var failures = 0
        /// The beginning of the last outage: mails that fail without a pause are an outage for each second.
        var lastOutage: Moment?
        var closedUntil: Moment?
    }

    private let state = Mutex(State())

    package init() {}

    /// The longest pause. A pause that ends later was begun while the clock was ahead, and is over.
    private static let longestPause: Int64 = 30

    package func isOpen(at now: Moment) -> Bool {
        state.withLock { state in
            guard let end = state.closedUntil else { return true }
            return end <= now || end > now.adding(seconds: Self.longestPause)
        }
    }

    /// Ends the pause, also when the operator asks for another try, which has a reason.
    package func succeeded() {
        state.withLock { $0 = State() }
    }

    /// Records an outage: no answer, or none in time. After three in a row the relay is paused, up to half a minute.
    ///
    /// - Returns: seconds until the mail is due again.
    package func failed(at now: Moment, reply: String, logger: Logger) -> Int64 {
        let (isNews, pause) = state.withLock { state -> (Bool, Int64) in
            let isSameOutage = state.lastOutage.map { (0..<1000).contains(now.milliseconds - $0.milliseconds) } ?? false
            if !isSameOutage {
                state.failures += 1
                state.lastOutage = now
            }
            guard state.failures >= 3 else { return (false, 10) }
            let pause = min(Self.longestPause, 10 * Int64(state.failures - 2))
            if !isSameOutage { state.closedUntil = now.adding(seconds: pause) }
            return (state.failures == 3 && !isSameOutage, pause)
        }
        if isNews {
            logger.error("the relay does not answer; mails wait in the outbox", metadata: ["reply": "\(reply)"])
        }
        return pause
    }

    /// Records that the relay refuses this server altogether: a wrong password, a sender that is not accepted.
    package func refused(at now: Moment, reply: String, logger: Logger) -> Int64 {
        let wasOpen = state.withLock { state in
            let wasOpen = state.closedUntil.map { $0 <= now } ?? true
            state.closedUntil = now.adding(seconds: Self.longestPause)
            return wasOpen
        }
        if wasOpen {
            logger.error(
                "the relay refuses this server; check HOMING_SMTP_URL. Mails wait in the outbox",
                metadata: ["reply": "\(reply)"])
        }
        return Self.longestPause
    }
}
