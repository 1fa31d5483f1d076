// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingDatabase

/// The database as verbs use it: each verb is one transaction about one project, and its effects outside the database
/// happen after the commit.
package final class Store: Sendable {
    package let database: Database
    package let system: System
    private let liveLimits: Live<Limits>
    let ring: KeyRing
    let sharedClock: SharedClock
    /// Rings after each commit that owes mail; delivery listens.
    package let bell = Bell()

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
        in project: Project, _ body: @escaping @Sendable (borrowing Transaction) throws -> Answer
    ) async throws -> Answer {
        let now = system.now()
        do {
            return try await database.read { [self] connection in
                try body(Transaction(connection, of: self, in: project, at: now, isWriting: false))
            }
        } catch let reason as DatabaseUnavailable {
            throw Refusal.databaseUnavailable(reason)
        }
    }

    /// Runs one verb.
    ///
    /// A verb that throws leaves no trace, except for a ``CommittedRefusal``, which keeps the writes so far. A row that
    /// exists already throws its refusal (``Refusal/init(_:)``). Delivery hears of new mails, and the log of security
    /// events, once the commit is on disk. A commit whose outcome nobody knows is refused like a database that is away:
    /// a caller who tries again is told by the rows whether the verb took place.
    @discardableResult
    package func write<Answer: Sendable>(
        in project: Project, _ body: @escaping @Sendable (borrowing Transaction) throws -> Answer
    ) async throws -> Answer {
        let now = system.now()
        let result: Result<Answer, Refusal>
        let aftermath: Aftermath
        do {
            (result, aftermath) = try await database.write { [self] connection in
                let transaction = Transaction(connection, of: self, in: project, at: now, isWriting: true)
                do {
                    let answer = try body(transaction)
                    try transaction.flush()
                    return (.success(answer), transaction.aftermath)
                } catch let refusal as CommittedRefusal {
                    try transaction.flush()
                    return (.failure(refusal.refusal), transaction.aftermath)
                }
            }
        } catch let violation as UniqueViolation {
            throw Refusal(violation) ?? violation
        } catch let reason as DatabaseUnavailable {
            throw Refusal.databaseUnavailable(reason)
        }
        if aftermath.owesMail { bell.ring() }
        // Here, on the task of the request: the statements ran elsewhere, where nobody knows who asks.
        for event in aftermath.events {
            system.report(SecurityEvent(event.kind, project: project.id, subject: event.account))
        }
        return try result.get()
    }
}

/// A refusal that keeps the writes of the verb so far, such as a spent code.
struct CommittedRefusal: Error {
    let refusal: Refusal

    init(_ refusal: Refusal) {
        self.refusal = refusal
    }
}

extension Refusal {
    /// The refusal for a row that exists already; nil where that is our own fault.
    init?(_ violation: UniqueViolation) {
        switch violation.columns {
        case ["accounts.project", "accounts.email"]: self = .emailExists
        case ["accounts.project", "accounts.id"]: self = .duplicateLocalID
        case ["accounts.project", "accounts.phone_number"]: self = .phoneNumberExists
        case let columns where columns.contains("account_identities.raw_id"): self = .federatedIDExists
        default: return nil
        }
    }
}
