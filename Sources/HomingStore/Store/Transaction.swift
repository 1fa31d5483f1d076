// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingDatabase

/// One verb's transaction, at one time. It cannot be copied, so it cannot leave the closure that it was lent to.
///
/// Statements whose rows nobody needs wait for the next one whose rows are needed, or for the end, and go with it: an
/// engine behind a network is asked as seldom as possible.
package struct Transaction: ~Copyable {
    package let work: Work

    package init(work: Work) { self.work = work }

    package var now: Moment { work.now }

    /// Keeps an entry of the audit log with the verb, if an operator asked for it.
    ///
    /// - Parameters:
    ///   - action: the thing and what happened to it, such as `domain.add`.
    ///   - subject: what was changed: a setting's name, a domain, an address.
    ///   - project: nil for what belongs to no project.
    package func note(
        _ action: String, of subject: String, in project: ProjectID? = nil, before: String? = nil, after: String? = nil
    ) {
        work.note(action, of: subject, in: project, before: before, after: after)
    }

    /// Reports an event to the security log after the commit.
    package func report(_ kind: SecurityEvent.Kind, project: Scope? = nil, subject: String?) {
        work.aftermath.events.append((kind, project, subject))
    }

    /// Runs a statement before the next one whose rows are needed.
    package func later(_ statement: SQL) { work.later(statement) }

    @discardableResult
    package func run(_ statement: SQL) throws -> [Row] { try work.run(statement) }

    @discardableResult
    package func run(_ statements: [SQL]) throws -> [[Row]] { try work.run(statements) }

    /// From here on the verb runs on the authority of somebody whom it has only now come to know, by a password or a
    /// link.
    package func authorize(_ authority: Authority) { work.authorize(authority) }
}

/// The effects of a verb once the commit is on disk.
struct Aftermath: Sendable {
    var owesMail = false
    /// Events of the security log, with what each is about.
    var events: [(kind: SecurityEvent.Kind, project: Scope?, subject: String?)] = []
    var codes: [CodeChange] = []
    /// Ends of bound requests.
    var boundRequests: [BoundRequestCounts.Event] = []
}

/// The state that the parts of a ``Transaction`` share.
package final class Work {
    package let store: Store
    package private(set) var authority: Authority
    package let now: Moment
    var aftermath = Aftermath()
    /// A verb that reads an account takes its row, so that two verbs on one account run one after the other.
    package let lock: SQL.RowLock?
    private let connection: Connection
    private var waiting: [SQL] = []

    init(
        _ connection: borrowing Connection, of store: Store, by authority: Authority, at now: Moment, isWriting: Bool
    ) {
        lock = isWriting ? .forUpdate : nil
        self.connection = connection.lent()
        self.store = store
        self.authority = authority
        self.now = now
    }

    /// Runs a statement before the next one whose answer is needed.
    package func later(_ statement: SQL) {
        waiting.append(statement)
    }

    func authorize(_ authority: Authority) {
        self.authority = authority
    }

    package func note(_ action: String, of subject: String, in project: ProjectID?, before: String?, after: String?) {
        guard authority.isOperator else { return }
        later(
            AuditLog.entry(
                action, of: subject, in: project, before: before, after: after, by: authority, at: now,
                id: AuditLog.newID(store.system)))
    }

    /// Delivery is to hear of a mail after the commit.
    package func oweMail() { aftermath.owesMail = true }

    /// Whoever waits for a code is to hear of its new state after the commit.
    package func tell(_ change: CodeChange) { aftermath.codes.append(change) }

    /// A bound request has come to its end, which counts after the commit.
    package func count(_ kind: ActionCodeKind, _ outcome: String) {
        aftermath.boundRequests.append(BoundRequestCounts.Event(kind: kind, outcome: outcome))
    }

    /// Names a row that only this verb writes: it tells whether the verb's commit took place when nobody answers. The
    /// last one named counts.
    package func witness(_ query: SQL) {
        connection.witness(query)
    }

    func finish() throws {
        try connection.finish(waiting)
        waiting.removeAll()
    }

    package func run(_ statement: SQL) throws -> [Row] {
        guard !waiting.isEmpty else { return try connection.run(statement) }
        return try run([statement])[0]
    }

    /// The rows of each statement, without those of statements that waited.
    package func run(_ statements: [SQL]) throws -> [[Row]] {
        let waited = waiting.count
        let answers = try connection.run(waiting + statements)
        waiting.removeAll(keepingCapacity: true)
        return Array(answers[waited...])
    }
}
