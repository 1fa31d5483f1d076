// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingCore
package import Logging
import Synchronization

/// Whether the relay itself is to be left alone for a while: a fault of the relay is not held against the mails.
package final class RelayHealth: Sendable {
    private struct State {
        /// Outages in a row; sixteen mails that fail in the same second are one.
        var failures = 0
        /// When the last of them began: mails that fail without a pause are an outage for each second.
        var lastOutage: Moment?
        var closedUntil: Moment?
    }

    private let state = Mutex(State())

    package init() {}

    /// The longest pause. One that ends later was begun while the clock was ahead, and is over.
    private static let longestPause: Int64 = 30

    package func isOpen(at now: Moment) -> Bool {
        state.withLock { state in
            guard let end = state.closedUntil else { return true }
            return end <= now || end > now.adding(seconds: Self.longestPause)
        }
    }

    /// Also when the operator asks for a mail to be tried again: whoever asks has reason to.
    package func succeeded() {
        state.withLock { $0 = State() }
    }

    /// Nobody answered, or not in time. After three in a row the relay is paused, for up to half a minute.
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

    /// The relay does not take us at all: a wrong password, a sender it will not have.
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
