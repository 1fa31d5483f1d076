// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingDatabase

/// The database as verbs use it: each verb is one transaction, most about one project, and its effects outside the
/// database happen after the commit.
package final class Store: Sendable {
    package let database: Database
    package let system: System
    private let liveLimits: Live<Limits>
    package let ring: KeyRing
    package let sharedClock: SharedClock
    /// Rings after each commit that owes mail; delivery listens.
    package let bell = Bell()
    /// Whether the server has a way for mails; false on one for links only.
    package let sendsMail = Live(true)
    /// Hears of each commit in this process that has changed what somebody may wait for; it must be quick.
    package let hearsOfCodes = Live<(@Sendable (CodeChange) -> Void)?>(nil)

    package let boundRequests = BoundRequestCounts()

    package init(database: Database, system: System, limits: Limits, ring: KeyRing) {
        self.database = database
        self.system = system
        sharedClock = SharedClock(system)
        liveLimits = Live(limits)
        self.ring = ring
    }

    package var limits: Limits { liveLimits.value }

    /// Puts other limits in force, for whoever asks from now on.
    package func use(_ limits: Limits) {
        liveLimits.set(limits)
    }

    /// Reads one consistent state. A body that writes fails, because the connection is for reading only.
    package func read<Answer: Sendable>(
        _ body: @escaping @Sendable (borrowing Transaction) throws -> Answer
    ) async throws -> Answer {
        let now = system.now()
        do {
            return try await database.read { [self] connection in
                try body(Transaction(work: Work(connection, of: self, by: .server, at: now, isWriting: false)))
            }
        } catch let reason as DatabaseUnavailable {
            throw Refusal.databaseUnavailable(reason)
        }
    }

    /// Runs one verb.
    ///
    /// A verb that throws leaves no trace, except for a ``CommittedRefusal``, which keeps the writes so far. Delivery
    /// hears of new mails, and the log of security events, once the commit is on disk. A commit whose outcome nobody
    /// knows is refused like a database that is away: a caller who tries again is told by the rows whether the verb
    /// took place.
    ///
    /// - Parameter authority: the operator who asks for it, whose entries in the audit log the verb writes; else the
    ///   app's own user, or the server by itself.
    @discardableResult
    package func write<Answer: Sendable>(
        by authority: Authority = .server, _ body: @escaping @Sendable (borrowing Transaction) throws -> Answer
    ) async throws -> Answer {
        let now = system.now()
        let result: Result<Answer, Refusal>
        let aftermath: Aftermath
        do {
            (result, aftermath) = try await database.write { [self] connection in
                let work = Work(connection, of: self, by: authority, at: now, isWriting: true)
                do {
                    let answer = try body(Transaction(work: work))
                    try work.finish()
                    return (.success(answer), work.aftermath)
                } catch let refusal as CommittedRefusal {
                    try work.finish()
                    return (.failure(refusal.refusal), work.aftermath)
                }
            }
        } catch let reason as DatabaseUnavailable {
            throw Refusal.databaseUnavailable(reason)
        }
        if aftermath.owesMail { bell.ring() }
        if !aftermath.codes.isEmpty, let hear = hearsOfCodes.value { aftermath.codes.forEach(hear) }
        aftermath.boundRequests.forEach(boundRequests.count)
        // Here, on the task of the request: the statements ran elsewhere, where nobody knows who asks.
        for event in aftermath.events {
            system.report(SecurityEvent(event.kind, project: event.project, subject: event.subject))
        }
        return try result.get()
    }
}

/// A refusal that keeps the writes of the verb so far, such as a spent code.
package struct CommittedRefusal: Error {
    let refusal: Refusal

    package init(_ refusal: Refusal) {
        self.refusal = refusal
    }
}

extension Refusal {
    /// Whether nobody knows if the verb took place: what it has written may be there.
    package var isCommitUnknown: Bool { self == .databaseUnavailable(.commitUnknown) }

    /// The reason where it is the database that does not answer now.
    package var databaseReason: DatabaseUnavailable? {
        cause as? DatabaseUnavailable
    }
}
