// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingCore
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
        var pause: Pause?
        /// The wait that the relay asked for.
        var wait: Pause?
        /// How the refusal begins that an operator has been told: a reply's end may name the dialogue.
        var toldRefusal: [UInt8]?
        /// When the first mail failed after the last one that did not.
        var firstFailure: Moment?
        /// What keeps all mails back. It stays while an operator has another try: only a mail that goes ends it.
        var away: MailState.Away?
        var hasAnswered = false
        /// Whether there is nothing that could be asked.
        var isClosed = false

        mutating func stays(away fault: MailState.Fault, _ reply: String, at now: Moment) {
            away = MailState.Away(since: firstFailure ?? now, fault, reply: reply)
        }
    }

    /// A time without mails. One that would be longer was begun while the clock was ahead, and is over.
    private struct Pause {
        let end: Moment
        let seconds: Int64
        /// Why.
        let reply: String

        init(from now: Moment, seconds: Int64, reply: String) {
            end = now.adding(seconds: seconds)
            self.seconds = seconds
            self.reply = reply
        }

        func lasts(at now: Moment) -> Bool { end > now && end <= now.adding(seconds: seconds) }
    }

    private let state = Mutex(State())
    private let name: @Sendable () -> String
    private let remedy: String
    private let fallsBack: Bool

    private var meanwhile: String {
        fallsBack ? "the server's own takes over" : "emails wait in the outbox"
    }

    private var meanwhileCapitalised: String { "\(meanwhile.prefix(1).uppercased())\(meanwhile.dropFirst())" }

    /// - Parameters:
    ///   - name: who takes the mails, for sentences.
    ///   - remedy: what to look at where this server is refused.
    ///   - fallsBack: whether mails leave by another way while this one is paused.
    package init(
        of name: @escaping @Sendable () -> String = { "the relay" }, remedy: String = "check mail.url",
        fallsBack: Bool = false
    ) {
        self.fallsBack = fallsBack
        self.name = name
        self.remedy = remedy
    }

    /// The longest pause that nobody asked for.
    private static let longestPause: Int64 = 30
    /// The longest wait that a relay may ask for.
    private static let longestWait: Int64 = 3_600

    package func isOpen(at now: Moment) -> Bool {
        state.withLock { state in
            !state.isClosed && !(state.pause?.lasts(at: now) ?? false) && !(state.wait?.lasts(at: now) ?? false)
        }
    }

    /// The seconds for which the relay asked to wait, where that is not over: then not even mails that have been
    /// claimed already are handed over.
    package func secondsToWait(at now: Moment) -> Int64? {
        state.withLock { state in
            guard let wait = state.wait, wait.lasts(at: now) else { return nil }
            return max(1, (wait.end.milliseconds - now.milliseconds + 999) / 1_000)
        }
    }

    /// Whether the relay has taken or judged a mail.
    package var hasAnswered: Bool { state.withLock { $0.hasAnswered } }

    /// Since when and why no mail goes; nil while nothing is known to be wrong. A wait that is no longer than our own
    /// pauses is the relay's pace.
    package func away(at now: Moment) -> MailState.Away? {
        state.withLock { state in
            if let away = state.away { return away }
            guard let wait = state.wait, wait.lasts(at: now), wait.seconds > Self.longestPause else { return nil }
            return MailState.Away(
                since: wait.end.adding(seconds: -wait.seconds), .asksToWait(until: wait.end), reply: wait.reply)
        }
    }

    /// Ends the pause. A wait that the relay asked for goes on: mails that were under way may still be taken.
    package func succeeded() {
        state.withLock { $0 = State(wait: $0.wait, hasAnswered: true) }
    }

    /// Records that there is nothing to ask: what is set makes no transport, and no other try will.
    package func close(at now: Moment, reason: String, logger: Logger) {
        state.withLock { state in
            state.isClosed = true
            state.stays(away: .refuses, reason, at: now)
        }
        logger.error("\(name()) cannot be used; \(remedy). \(meanwhileCapitalised)", metadata: ["reason": "\(reason)"])
    }

    /// Ends pause and wait, when the operator asks for another try, which has a reason.
    package func open() {
        state.withLock { state in
            state = State(
                firstFailure: state.firstFailure, away: state.away, hasAnswered: state.hasAnswered,
                isClosed: state.isClosed)
        }
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
            state.firstFailure = state.firstFailure ?? now
            if state.failures >= 3 || state.away != nil { state.stays(away: .silent, reply, at: now) }
            guard state.failures >= 3 else { return (false, 10) }
            let pause = min(Self.longestPause, 10 * Int64(state.failures - 2))
            if !isSameOutage { state.pause = Pause(from: now, seconds: pause, reply: reply) }
            return (state.failures == 3 && !isSameOutage, pause)
        }
        if isNews {
            logger.error("\(name()) does not answer; \(meanwhile)", metadata: ["reply": "\(reply)"])
        }
        return pause
    }

    /// Records that the relay refuses this server altogether: a wrong password, a sender that is not accepted. An
    /// operator is told once, until a mail goes again or the reason is another.
    package func refused(at now: Moment, reply: String, logger: Logger) -> Int64 {
        let start = Array(reply.utf8.prefix(32))
        let isNews = state.withLock { state in
            defer { state.toldRefusal = start }
            state.pause = Pause(from: now, seconds: Self.longestPause, reply: reply)
            state.firstFailure = state.firstFailure ?? now
            state.stays(away: .refuses, reply, at: now)
            return state.toldRefusal != start
        }
        if isNews {
            logger.error(
                "\(name()) refuses this server; \(remedy). \(meanwhileCapitalised)",
                metadata: ["reply": "\(reply)"])
        }
        return Self.longestPause
    }

    /// Records that the relay asks to be left alone for so many seconds, of which an hour at most is given.
    package func asked(toWait seconds: Int64, at now: Moment, reply: String, logger: Logger) -> Int64 {
        let seconds = min(max(1, seconds), Self.longestWait)
        let isNews = state.withLock { state in
            let isNews = !(state.wait?.lasts(at: now) ?? false)
            let wait = Pause(from: now, seconds: seconds, reply: reply)
            // The longest of several counts: mails that were under way come back one after the other.
            if isNews || state.wait.map({ $0.end < wait.end }) ?? true { state.wait = wait }
            return isNews
        }
        if isNews {
            logger.notice(
                "\(name()) asks to wait; \(meanwhile)",
                metadata: ["seconds": "\(seconds)", "reply": "\(reply)"])
        }
        return seconds
    }
}
