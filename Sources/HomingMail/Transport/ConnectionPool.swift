// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import Foundation
internal import HomingCore
import HomingStore
internal import Logging
internal import Synchronization

/// Where the connections of a pool lead.
protocol MailDoor: Sendable, Equatable {
    /// The number of connections that may be open at once.
    var connections: Int { get }
    /// How an access token is asked for, where one is wanted.
    var grant: OAuthGrant? { get }

    /// Nil when libcurl has no memory or no TLS library that it can start.
    func connect() -> (any MailConnection)?
}

/// One kept connection, which blocks while it waits and belongs to one thread.
protocol MailConnection: AnyObject {
    /// Hands one mail over and waits for the answer, at most until the deadline.
    func deliver(
        _ envelope: MailEnvelope, token: String?, by deadline: ContinuousClock.Instant,
        isStopped: @escaping () -> Bool
    ) -> DeliveryResult

    func close()
}

/// Hands mails over by libcurl: up to `door.connections` kept connections, each on a thread of its own that starts when
/// there is work and ends, with a goodbye, after a while without work.
final class ConnectionPool<Door: MailDoor>: Sendable {
    typealias Job = DeliveryJob<Door>
    typealias Line = DeliveryLine<Door>

    private let destination: Live<Destination>
    private let fetch: OAuthTokens.Fetch?
    private let name: String
    private let timeout: Duration
    private let idleTimeout: Duration
    private let logger: Logger
    private let state = Mutex(State())
    /// Also in the state, but every connection asks at each of libcurl's steps, which must not take the lock.
    private let isEnding = Atomic(false)

    private struct Destination {
        let door: Door
        /// Where an access token is wanted.
        let tokens: OAuthTokens?

        init(_ door: Door, keeping tokens: OAuthTokens? = nil, fetch: OAuthTokens.Fetch?) {
            self.door = door
            let grant = door.grant
            self.tokens = tokens?.grant == grant ? tokens : grant.map { OAuthTokens($0, fetch: fetch) }
        }
    }

    private struct State {
        var waiting: [Job] = []
        /// The most recently used line is last, and is taken first: connections that are not needed grow old and end.
        var idle: [Line] = []
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
    ///   - name: of its threads.
    ///   - timeout: for one mail from the call to the last answer; a caller's lease must be longer.
    ///   - idleTimeout: the time that a connection is kept without a mail.
    ///   - fetch: how access tokens are fetched: by libcurl, unless a test says otherwise.
    init(
        to door: Door, name: String, timeout: Duration, idleTimeout: Duration, fetch: OAuthTokens.Fetch? = nil,
        logger: Logger
    ) {
        self.fetch = fetch
        destination = Live(Destination(door, fetch: fetch))
        self.name = name
        self.timeout = timeout
        self.idleTimeout = idleTimeout
        self.logger = logger
    }

    var door: Door { destination.value.door }

    /// Hands mails to another door from now on. What is under way ends where it began.
    func use(_ door: Door) {
        destination.set(Destination(door, keeping: destination.value.tokens, fetch: fetch))
        // Fewer connections may be allowed now; those in use end with their mails.
        let surplus = state.withLock { state in
            let count = min(state.idle.count, max(0, state.lineCount - door.connections))
            defer { state.idle.removeFirst(count) }
            state.lineCount -= count
            return Array(state.idle.prefix(count))
        }
        for line in surplus { line.hand(nil) }
    }

    func deliver(_ envelope: MailEnvelope) async -> DeliveryOutcome {
        let deadline = ContinuousClock.now + timeout
        let destination = destination.value
        guard let tokens = destination.tokens else { return await hand(Job(envelope, deadline: deadline)).outcome }
        do throws(OAuthFault) {
            let token = try await tokens.token()
            let login = Job.Login(door: destination.door, token: token)
            let first = await hand(Job(envelope, login: login, deadline: deadline))
            guard let refused = first.refusedToken else { return first.outcome }
            tokens.refused(refused)
            let next = try await tokens.token()
            guard !next.utf8.elementsEqual(refused.utf8) else { return first.outcome }
            let newLogin = Job.Login(door: destination.door, token: next)
            return await hand(Job(envelope, login: newLogin, deadline: deadline)).outcome
        } catch {
            return error.outcome
        }
    }

    private func hand(_ job: Job) async -> DeliveryResult {
        await withTaskCancellationHandler {
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
    func shutdown(grace: Duration) async {
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

    private static var notBegun: DeliveryResult {
        DeliveryResult(outcome: .relayUnavailable("not begun: this server is stopping"))
    }

    private enum Placement { case handed(to: Line), queued, needsLine, refused }

    private func submit(_ job: Job) {
        let placement = state.withLock { state -> Placement in
            if state.isClosing || job.isGivenUp { return .refused }
            if let line = state.idle.popLast() { return .handed(to: line) }
            state.waiting.append(job)
            guard state.lineCount < door.connections else { return .queued }
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

extension ConnectionPool {
    private func startLine() {
        let thread = Thread { self.run(Line()) }
        thread.name = name
        thread.stackSize = 512 * 1_024
        thread.start()
    }

    private func run(_ line: Line) {
        Self.ignoreBrokenPipes()
        ThreadPriority.letters.take()
        var connected = door
        var connection = connected.connect()
        while let job = nextJob(for: line) {
            let door = door
            if door != connected {
                connection?.close()
                connected = door
                connection = door.connect()
            }
            job.finish(result(of: job, over: connection, to: door))
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

    private func result(of job: Job, over connection: (any MailConnection)?, to door: Door) -> DeliveryResult {
        func notBegun(_ reason: String) -> DeliveryResult { .init(outcome: .relayUnavailable(reason)) }
        guard let connection else { return notBegun("libcurl does not start") }
        guard !job.isGivenUp, job.deadline > .now else {
            return notBegun("not begun: no connection to the relay became free in time")
        }
        // A token goes to the door that it was bought for; none is here for a door that has just been set.
        guard job.login.map({ $0.door == door }) ?? (door.grant == nil) else {
            return notBegun("not begun: another relay was set")
        }
        let result = connection.deliver(job.envelope, token: job.login?.token, by: job.deadline) {
            job.isGivenUp || self.isPastEnd
        }
        logger.debug("relay answered", metadata: ["outcome": "\(result.outcome)"])
        guard self.door == door else {
            return DeliveryResult(outcome: result.outcome.ofFormerDoor, refusedToken: result.refusedToken)
        }
        return result
    }

    private var isPastEnd: Bool {
        guard isEnding.load(ordering: .acquiring) else { return false }
        return state.withLock { state in state.end.map { $0 < .now } ?? false }
    }

    private enum Next { case job(Job), end, wait }

    /// Waits for the next mail; nil when the line should end. Such a line counts no more, so that a mail that comes
    /// during its goodbye gets a new line.
    private func nextJob(for line: Line) -> Job? {
        let next = state.withLock { state -> Next in
            if state.lineCount > door.connections {
                state.lineCount -= 1
                return .end
            }
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
