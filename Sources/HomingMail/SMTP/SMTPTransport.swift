// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import CLibCurl
internal import Foundation
internal import HomingCore
import HomingStore
package import Logging
internal import Synchronization

/// Mail over SMTP by libcurl: up to `relay.connections` kept connections, each on a thread of its own that starts when
/// there is work and ends, with QUIT, after a while without work.
package final class SMTPTransport: MailTransport {
    private let liveRelay: Live<SMTPRelay>
    private let heloName: String
    private let timeout: Duration
    private let idleTimeout: Duration
    private let logger: Logger
    private let state = Mutex(State())
    /// Also in the state, but every connection asks at each of libcurl's steps, which must not take the lock.
    private let isEnding = Atomic(false)

    private struct State {
        var waiting: [SMTPJob] = []
        /// The most recently used line is last, and is taken first: connections that are not needed grow old and end.
        var idle: [SMTPLine] = []
        /// Lines that take mails, now or when their present mail is done.
        var lineCount = 0
        /// Lines whose threads have not ended: these lines and those that say goodbye.
        var threadCount = 0
        var isClosing = false
        /// The time when the transfers under way at shutdown are given up.
        var end: ContinuousClock.Instant?
        var whenAllEnded: [CheckedContinuation<Void, Never>] = []
    }

    /// - Parameters:
    ///   - heloName: the name of this server in EHLO, its own host name or an address in brackets.
    ///   - timeout: for one mail from the call to the relay's last reply; a caller's lease must be longer.
    ///   - idleTimeout: the time that a connection is kept without a mail; relays close theirs after a minute or more.
    package init(
        relay: SMTPRelay, heloName: String, timeout: Duration = .seconds(45), idleTimeout: Duration = .seconds(30),
        logger: Logger
    ) {
        liveRelay = Live(relay)
        self.heloName = heloName
        self.timeout = timeout
        self.idleTimeout = idleTimeout
        self.logger = logger
        tell(of: relay)
    }

    /// Hands mails to another relay from now on, or to the same one with other credentials. What is under way ends
    /// where it began.
    package func use(_ relay: SMTPRelay) {
        liveRelay.set(relay)
        tell(of: relay)
    }

    private func tell(of relay: SMTPRelay) {
        if relay.security == .opportunistic {
            logger.notice("mail to the relay is encrypted only if it offers TLS, and its certificate is not checked")
        }
    }

    private var relay: SMTPRelay { liveRelay.value }
    package var concurrency: Int { relay.connections }
    package var relayHost: String { relay.host }

    package func deliver(_ envelope: MailEnvelope) async -> DeliveryOutcome {
        guard EnvelopeAddress.isSafe(envelope.sender) else {
            return .permanent(reply: "not sent: the sender's address must not go on the wire")
        }
        guard EnvelopeAddress.isSafe(envelope.recipient) else {
            return .permanent(reply: "not sent: the recipient's address must not go on the wire")
        }
        let job = SMTPJob(envelope, deadline: .now + timeout)
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                job.await(by: continuation)
                submit(job)
            }
        } onCancel: {
            job.giveUp()
            let isWaiting = state.withLock { state in
                let position = state.waiting.firstIndex { $0 === job }
                return position.map { state.waiting.remove(at: $0) } != nil
            }
            if isWaiting { job.finish(Self.notBegun) }
        }
    }

    /// Takes no more mails, lets those under way end for as long as `grace`, gives up the rest and closes every
    /// connection. A mail that is given up before its message has gone comes back as `relayUnavailable`.
    package func shutdown(grace: Duration = .seconds(10)) async {
        let (waiting, idle) = state.withLock { state in
            defer {
                state.waiting = []
                state.idle = []
            }
            state.isClosing = true
            state.end = .now + grace
            return (state.waiting, state.idle)
        }
        isEnding.store(true, ordering: .releasing)
        for job in waiting { job.finish(Self.notBegun) }
        for line in idle { line.hand(nil) }
        await withCheckedContinuation { continuation in
            let isDone = state.withLock { state in
                if state.threadCount > 0 { state.whenAllEnded.append(continuation) }
                return state.threadCount == 0
            }
            if isDone { continuation.resume() }
        }
    }

    private static let notBegun = DeliveryOutcome.relayUnavailable("not begun: this server is stopping")

    private enum Placement { case handed(to: SMTPLine), queued, needsLine, refused }

    private func submit(_ job: SMTPJob) {
        let placement = state.withLock { state -> Placement in
            if state.isClosing || job.isGivenUp { return .refused }
            if let line = state.idle.popLast() { return .handed(to: line) }
            state.waiting.append(job)
            guard state.lineCount < relay.connections else { return .queued }
            state.lineCount += 1
            state.threadCount += 1
            return .needsLine
        }
        switch placement {
        case .handed(let line): line.hand(job)
        case .queued: break
        case .needsLine: startLine()
        case .refused: job.finish(Self.notBegun)
        }
    }
}

// MARK: - On a line's own thread

extension SMTPTransport {
    private func startLine() {
        let thread = Thread { self.run(SMTPLine()) }
        thread.name = "smtp"
        thread.stackSize = 512 * 1_024
        thread.start()
    }

    private func run(_ line: SMTPLine) {
        Self.ignoreBrokenPipes()
        ThreadPriority.letters.take()
        var connected = relay
        var connection = SMTPConnection(to: connected, heloName: heloName)
        while let job = nextJob(for: line) {
            let relay = relay
            if relay != connected {
                connection?.close()
                connected = relay
                connection = SMTPConnection(to: relay, heloName: heloName)
            }
            job.finish(outcome(of: job, over: connection))
        }
        connection?.close()
        let waiters = state.withLock { state in
            state.threadCount -= 1
            guard state.threadCount == 0 else { return [CheckedContinuation<Void, Never>]() }
            defer { state.whenAllEnded = [] }
            return state.whenAllEnded
        }
        for waiter in waiters { waiter.resume() }
    }

    private func outcome(of job: SMTPJob, over connection: SMTPConnection?) -> DeliveryOutcome {
        guard let connection else { return .relayUnavailable("libcurl does not start") }
        guard !job.isGivenUp, job.deadline > .now else {
            return .relayUnavailable("not begun: no connection to the relay became free in time")
        }
        let outcome = connection.deliver(job.envelope, by: job.deadline) { job.isGivenUp || self.isPastEnd }
        logger.debug("relay answered", metadata: ["outcome": "\(outcome)"])
        return outcome
    }

    private var isPastEnd: Bool {
        guard isEnding.load(ordering: .acquiring) else { return false }
        return state.withLock { state in state.end.map { $0 < .now } ?? false }
    }

    /// Waits for the next mail; nil when the line should end. Such a line counts no more, so that a mail that comes
    /// during its goodbye gets a new line.
    private func nextJob(for line: SMTPLine) -> SMTPJob? {
        enum Next { case job(SMTPJob), end, wait }
        let next = state.withLock { state -> Next in
            if !state.waiting.isEmpty { return .job(state.waiting.removeFirst()) }
            if state.isClosing {
                state.lineCount -= 1
                return .end
            }
            state.idle.append(line)
            return .wait
        }
        switch next {
        case .job(let job): return job
        case .end: return nil
        case .wait: break
        }
        if !line.waits(atMost: idleTimeout) {
            let isStillIdle = state.withLock { state in
                guard let position = state.idle.firstIndex(where: { $0 === line }) else { return false }
                state.idle.remove(at: position)
                state.lineCount -= 1
                return true
            }
            if isStillIdle { return nil }
            line.waits()
        }
        return line.take()
    }

    /// With CURLOPT_NOSIGNAL libcurl leaves SIGPIPE to us; a TLS library may write without MSG_NOSIGNAL.
    private static func ignoreBrokenPipes() {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }
}
