// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingDatabase
import HomingLinkRules
package import HomingProjects
package import HomingStore
import Synchronization

/// The mails to deliver: written with the code in one transaction, claimed with a lease, struck out when the relay has
/// them.
package final class Outbox: Sendable {
    /// Seconds that a claim lasts; longer than the longest dialogue with a relay.
    package static let leaseSeconds: Int64 = 60
    /// Seconds after a temporary failure until the next try; the last one repeats until the code dies.
    package static let delays: [Int64] = [10, 60, 180, 360, 720]

    let store: Store
    package let mailCounts: MailCounts
    /// Whether an address without an account is shown as such, with `mailbox:`.
    private let showsVoidAddresses: Bool
    let retryIsAsked = Mutex(false)
    private let claimed = Atomic(0)
    private let turns = Turns()
    /// How many mails are taken up and recorded at a time.
    package let batch = BatchSize()
    private let settlements: Settlements
    private let crowd = Mutex(Crowd())
    /// How long mails took at the relay.
    package let relayTimes = Histogram()
    /// How long mails took from the request to the relay's acceptance, of those that it took at the first try.
    package let handoverTimes = Histogram()
    private let settled = Mutex<[Outcome: Int]>([:])
    private let describeMail = Live<(@Sendable () -> [MailState])?>(nil)
    /// How many wait for what becomes of a mail.
    let waiting = Atomic(0)

    /// The mails that this process has claimed and not settled yet.
    package var inHand: Int { claimed.load(ordering: .relaxed) }

    package init(store: Store, showsVoidAddresses: Bool) {
        self.store = store
        mailCounts = MailCounts(store: store)
        self.showsVoidAddresses = showsVoidAddresses
        settlements = Settlements(store: store, batch: batch)
    }

    /// Whether mail works, as this process has seen it: through the server's own transport, where it has one, and
    /// through those of projects and tenants, by their owners.
    package var mailStates: [MailState] { describeMail.value?() ?? [] }

    /// Whether mail works through the server's own transport; nil where it has none.
    package var mailState: MailState? { mailStates.first { $0.owner == nil } }

    /// Whether a project's or tenant's mail works; nil where none of it leaves this process, or not yet.
    package func mailState(of project: Project) -> MailState? {
        let states = mailStates
        let own = project.ownTransport.flatMap { own in states.first { $0.owner == own.owner } }
        let servers = states.first { $0.owner == nil }
        // A mailbox keeps the mails of all.
        return own ?? (project.ownTransport == nil || servers?.host == nil ? servers : nil)
    }

    /// Has delivery, which knows, describe whether mail works.
    package func describesMail(_ describe: @escaping @Sendable () -> [MailState]) { describeMail.set(describe) }

    /// Counts the time that a mail took at the relay.
    package func relayTook(_ duration: Duration) { relayTimes.observe(duration) }

    /// What became of a mail that was taken up.
    package struct Outcome: Hashable, Sendable {
        package let kind: MailKind
        package let name: String
    }

    /// How often each outcome was settled by this process, in a fixed order.
    package var outcomes: [(Outcome, Int)] {
        settled.withLock { $0 }.sorted { ($0.key.kind.rawValue, $0.key.name) < ($1.key.kind.rawValue, $1.key.name) }
            .map { ($0.key, $0.value) }
    }

    /// A mail's row as the operator sees it, which never has a code.
    package struct Entry: Sendable {
        package let id: String
        package let project: Scope
        package let recipient: String
        package let kind: String
        package let state: State
        package let attempts: Int
        package let lastReply: String?
        /// What came back after the relay had taken the mail, or why it waits elsewhere.
        package let bounce: String?
        package let bouncedAt: Moment?
        /// When the provider said that the other server has taken it, that the other server lets it wait, and that
        /// somebody called it spam.
        package let deliveredAt: Moment?
        package let deferredAt: Moment?
        package let complainedAt: Moment?
        package let createdAt: Moment
        package let nextAt: Moment?
        package let endedAt: Moment?
        /// The last time an operator asked for another try.
        package let retriedAt: Moment?
        /// When a person was first shown the page of the link, the code was used, and Continue was first followed.
        package let openedAt: Moment?
        package let appliedAt: Moment?
        package let returnedAt: Moment?
        /// The tag of the language that the mail was asked for in; the project's where nobody asked.
        package let language: String
        /// The settings name the link's apps, some of which may not be registered.
        package let settings: ActionCodeSettings
        /// Nil where the code is not bound to the client that asked for it.
        package let bound: Bound?

        /// Who asked for a code that only the asking client can use, and how that came to its end.
        package struct Bound: Sendable {
            package let asked: AskedFrom?
            package let endedBy: ActionCode.EndedBy?
        }
    }

    /// A mail is queued exactly as long as its row has no `ended_at`.
    package enum State: Int64, Sendable, Bindable {
        case queued = 0
        case sent = 1
        case failed = 2
        case expired = 3

        package var name: String {
            switch self {
            case .queued: "queued"
            case .sent: "sent"
            case .failed: "failed"
            case .expired: "expired"
            }
        }
    }

    func voidAddress(_ address: EmailAddress) -> String? {
        showsVoidAddresses ? address.text : nil
    }

    // MARK: Delivery

    /// The time by which mails are due and claimed, on all nodes.
    package func now() -> Moment { store.sharedClock.now() }

    /// Rings when a mail is written or due earlier than before; delivery listens.
    package var bell: Bell { store.bell }

    /// Asks for the mails that wait for a relay that was away, which may be another one now.
    package func tryAgain() {
        retryIsAsked.withLock { $0 = true }
        bell.ring()
    }

    /// Whether the operator has asked for another try of a mail since the last call.
    package func takeRetryRequest() -> Bool {
        retryIsAsked.withLock { asked in
            defer { asked = false }
            return asked
        }
    }

    /// Frees all leases. SQLite needs this at a start, when nobody else can hold one. Those mails were next, and are
    /// again.
    package func freeLeases() async throws {
        guard store.database.dialect.hasOneProcess else { return }
        let now = self.now()
        try await store.write { tx in
            tx.later(
                """
                UPDATE outbox SET lease = NULL, next_at = CASE WHEN created_at < \(now) THEN created_at ELSE \(now) END
                WHERE state = \(constant: State.queued) AND lease IS NOT NULL
                """)
        }
    }

    /// The greatest number of seconds for which a delay, pause or lease puts a mail off: a mail that is due later was
    /// put off while the clock was ahead.
    private static let mostSecondsPutOff: Int64 = 1800

    /// Makes mails due that a clock which was ahead has put off.
    package func takeBackFromTheFuture() async throws {
        let now = self.now()
        let limit = now.adding(seconds: Self.mostSecondsPutOff)
        let isAny = try await store.read { tx in
            try !tx.run(
                "SELECT 1 FROM outbox WHERE state = \(constant: State.queued) AND next_at > \(limit) LIMIT 1"
            ).isEmpty
        }
        guard isAny else { return }
        try await store.write { tx in
            tx.later(
                "UPDATE outbox SET lease = NULL, next_at = \(now) WHERE state = \(constant: State.queued) AND next_at > \(limit)"
            )
        }
        bell.ring()
    }

    /// Whether requests have crowded the database since the last call, so that a claim should let them pass.
    package func isCrowded() -> Bool { crowd.withLock { $0.isThere(by: store.database.counts) } }

    /// Takes up to `limit` mails that are due, of all projects in turn: each gets an equal share, and what one leaves
    /// goes to those that have more. A claim that is not settled within the lease is due again.
    ///
    /// - Parameters:
    ///   - scopes: those whose mails are taken; nil for all that have mails due.
    ///   - turns: of those who share a transport; the server's unless given.
    ///   - unreadable: hears of a mail that this program cannot read, as a newer one may have written it. Nothing
    ///     becomes of it here: when the lease ends, a program that can read it may take it.
    package func claim(
        limit: Int, of scopes: [Scope]? = nil, in turns: Turns? = nil,
        unreadable: (_ id: String, _ reason: any Error) -> Void = { _, _ in }
    ) async throws -> [OutboxMail] {
        let turns = turns ?? self.turns
        let (now, due) = (store.system.now(), self.now())
        let claim = Claim(
            now: due, lease: store.system.randomName(length: 16), until: due.adding(seconds: Self.leaseSeconds))
        let last = turns.lastServed.withLock { $0 }
        let clears = turns.hadDead.load(ordering: .relaxed)
        let chosen = scopes.map { Array(turns.inOrder($0).prefix(limit)) }
        let (rows, newLast) = try await store.write { tx in
            var projects =
                try chosen
                ?? tx.run([
                    claim.projects(beyond: last, limit: limit), claim.projects(upTo: last, limit: limit),
                ]).joined().prefix(limit).map {
                    var row = $0
                    return try row.id() as Scope
                }
            let newLast = projects.last ?? last
            if clears, !projects.isEmpty { _ = try tx.run(projects.map { claim.clear($0, at: now) }) }
            var left = limit
            while !projects.isEmpty, left > 0 {
                let share = max(1, left / projects.count)
                let turns = projects.prefix(left)
                let counts = try tx.run(turns.map { claim.take(share, of: $0) }).map(\.count)
                left -= counts.reduce(0, +)
                projects = zip(turns, counts).filter { $0.1 == share }.map(\.0)
            }
            return (try tx.run(claim.taken), newLast)
        }
        // Read here and not in the transaction: no other write waits for it.
        var mails: [OutboxMail] = []
        for row in rows {
            do {
                mails.append(try OutboxMail(row, at: now, lease: claim.lease))
            } catch {
                unreadable(try OutboxMail.id(of: row), error)
            }
        }
        // Where the database is gone by now, the mails are claimed all the same.
        mails = (try? await suppressErased(mails, at: now)) ?? mails
        turns.lastServed.withLock { $0 = newLast }
        claimed.add(mails.count, ordering: .relaxed)
        turns.hadDead.store(mails.contains { !$0.isCodeLive }, ordering: .relaxed)
        for mail in mails where mail.isFirstClaim { mailCounts.count(.accepted, of: mail) }
        return mails
    }

    /// Finds the suppressions of addresses that were erased and are somebody's again.
    private func suppressErased(_ mails: [OutboxMail], at now: Moment) async throws -> [OutboxMail] {
        var names: [Int: [String]] = [:]
        for (place, mail) in mails.enumerated() where mail.canBeSuppressed {
            names[place] = mail.recipient.map { Erasure.names(of: $0, in: mail.project, store.ring) }
        }
        guard !names.isEmpty else { return mails }
        let lookUps = Dictionary(grouping: names.keys, by: { mails[$0].project }).map { project, places in
            Suppressions.reasons(of: places.flatMap { names[$0] ?? [] }, in: project, at: now)
        }
        // A name tells the project, too.
        var reasons: [String: String] = [:]
        for row in try await store.read({ try $0.run(lookUps) }).joined() {
            var row = row
            let name = try row.text()
            reasons[name] = try row.text()
        }
        guard !reasons.isEmpty else { return mails }
        var mails = mails
        for (place, names) in names {
            mails[place].suppression = names.lazy.compactMap { reasons[$0] }.first
        }
        return mails
    }

    /// The time when the next mail is due; nil when the outbox is empty.
    package func nextDue() async throws -> Moment? {
        try await store.read { tx in
            try tx.run(
                """
                SELECT next_at FROM outbox WHERE state = \(constant: State.queued) ORDER BY next_at LIMIT 1
                """
            ).firstInt().map { Moment(milliseconds: $0) }
        }
    }

    /// The outcome of a claimed mail.
    package enum Settlement: Sendable {
        case sent(reply: String)
        case failed(reply: String)
        /// Nobody was asked: mails to this address have come back.
        case suppressed(reason: String)
        case expired(Expiry)
        /// A void row, which goes to nobody.
        case dropped
        case retry(reply: String)
        /// The relay or this node is at fault, not the mail: no attempt is counted. One that is put off for no time was
        /// not begun, and goes before those that were asked for after it.
        case postponed(reply: String, seconds: Int64)

        /// Why a mail is never sent.
        package enum Expiry: Sendable {
            case codeDied
            case projectGone
        }

        package var name: String {
            switch self {
            case .sent: "sent"
            case .failed: "failed"
            case .suppressed: "suppressed"
            case .expired: "expired"
            case .dropped: "void"
            case .retry: "retry"
            case .postponed: "postponed"
            }
        }

        /// Whether the mail goes on waiting.
        var putsOff: Bool {
            switch self {
            case .retry, .postponed: true
            case .sent, .failed, .suppressed, .expired, .dropped: false
            }
        }

        /// The step that ends the mail's delivery; nil where the mail goes on waiting, or goes to nobody.
        var end: MailCounts.Step? {
            switch self {
            case .sent: .sent
            case .failed, .suppressed: .failed
            case .expired: .expired
            case .dropped, .retry, .postponed: nil
            }
        }
    }

    /// Keeps the outcome of a claimed mail.
    ///
    /// While the database is away this waits, up to half the lease: a mail whose outcome is lost is sent twice, and
    /// until the lease ends nobody else can claim the mail.
    package func settle(_ mail: OutboxMail, _ settlement: Settlement) async throws {
        defer { claimed.subtract(1, ordering: .relaxed) }
        let end = ContinuousClock.now + .seconds(Self.leaseSeconds / 2)
        while true {
            do {
                return try await keep(settlement, of: mail)
            } catch let error as Refusal where error.databaseReason != nil {
                guard .now < end, !Task.isCancelled else { throw error }
                try await Task.sleep(for: .seconds(1))
            }
        }
    }

    private func keep(_ settlement: Settlement, of mail: OutboxMail) async throws {
        settled.withLock { $0[Outcome(kind: mail.kind, name: settlement.name), default: 0] += 1 }
        let now = store.system.now()
        let jitter = Int64(store.system.randomBytes(1)[0])
        let isKept = try await settlements.keep(
            Self.statement(mail, settlement, at: now, dueFrom: store.sharedClock(now), jitter: jitter))
        // A mail whose lease ended under way is settled twice; the first time counts.
        if isKept, let end = settlement.end { mailCounts.count(end, of: mail) }
        if isKept, case .sent = settlement, mail.attempts == 0, !mail.isRetried {
            // Another node's clock may be ahead.
            handoverTimes.observe(.milliseconds(max(0, now.milliseconds - mail.createdAt.milliseconds)))
        }
        // It is due before the end of its lease, which is all that delivery may have read.
        if settlement.putsOff { bell.ring() }
    }

    private static func statement(
        _ mail: OutboxMail, _ settlement: Settlement, at now: Moment, dueFrom due: Moment, jitter: Int64
    ) -> SQL {
        // A sum is in no index. By `state` alone PostgreSQL, while its statistics are from before a crowd of mails,
        // would read the whole queue in `outbox_due` instead of one mail by its key.
        let isQueued: SQL = "state + 0 = \(constant: State.queued)"
        func end(_ state: State, _ reply: String?, isAttempt: Bool = true) -> SQL {
            guard !mail.facts.isErased else {
                return """
                    DELETE FROM outbox
                    WHERE project = \(mail.project) AND id = \(mail.id) AND \(sql: isQueued) RETURNING 1
                    """
            }
            return """
                UPDATE outbox SET state = \(state), ended_at = \(now), lease = NULL, last_reply = \(reply),
                    attempts = \(mail.attempts + (isAttempt ? 1 : 0))
                WHERE project = \(mail.project) AND id = \(mail.id) AND \(sql: isQueued) RETURNING 1
                """
        }
        func postpone(_ reply: String, seconds: Int64, attempts: Int) -> SQL {
            // Another node may have the mail by now, when this one was slow. Adds up to a fifth, so that a crowd of
            // retries does not come back as a crowd.
            let next =
                seconds == 0
                ? min(due, mail.createdAt)
                : Moment(milliseconds: due.milliseconds + seconds * 1000 + seconds * 1000 * jitter / 1280)
            return """
                UPDATE outbox SET next_at = \(next), lease = NULL, last_reply = \(reply), attempts = \(attempts)
                WHERE project = \(mail.project) AND id = \(mail.id) AND \(sql: isQueued) AND lease = \(mail.lease)
                """
        }
        switch settlement {
        case .sent(let reply):
            // A relay's bounce may come back before its own answer is kept: the mail stays failed, and says both.
            return mail.facts.isErased
                ? end(.sent, reply)
                : """
                UPDATE outbox SET state = CASE WHEN \(sql: isQueued) THEN \(constant: State.sent) ELSE state END,
                    ended_at = \(now), lease = NULL, last_reply = \(reply), attempts = \(mail.attempts + 1)
                WHERE project = \(mail.project) AND id = \(mail.id)
                    AND (\(sql: isQueued) OR (bounced_at IS NOT NULL AND last_reply IS NULL)) RETURNING 1
                """
        case .failed(let reply): return end(.failed, reply)
        case .suppressed(let reason): return end(.failed, "suppressed: \(reason)", isAttempt: false)
        case .expired: return end(.expired, nil, isAttempt: false)
        case .dropped: return "DELETE FROM outbox WHERE project = \(mail.project) AND id = \(mail.id)"
        case .retry(let reply):
            let delay = delays[min(mail.attempts, delays.count - 1)]
            return postpone(reply, seconds: delay, attempts: mail.attempts + 1)
        case .postponed(let reply, let seconds): return postpone(reply, seconds: seconds, attempts: mail.attempts)
        }
    }
}

extension MailKind {
    /// The kinds that this program can write, for `kind IN`. A row of another kind, which a newer program left, waits
    /// for a program that knows the kind.
    static let known: SQL = allCases.dropFirst().reduce("\(allCases[0])") { "\(sql: $0), \($1)" }
}
