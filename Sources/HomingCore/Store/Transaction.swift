// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingDatabase

/// One verb's transaction: the rows of one project, at one time. It cannot be copied, so it cannot leave the closure
/// that it was lent to.
///
/// Statements whose rows nobody needs wait for the next one whose rows are needed, or for the end, and go with it: an
/// engine behind a network is asked as seldom as possible.
package struct Transaction: ~Copyable {
    let work: Work

    init(
        _ connection: borrowing Connection, of store: Store, in project: Project, at now: Moment, isWriting: Bool
    ) {
        work = Work(connection.lent(), store, project, now, isWriting: isWriting)
    }

    var project: Project { work.project }
    var now: Moment { work.now }
    var accounts: AccountRows { AccountRows(work: work) }
    var codes: CodeRows { CodeRows(work: work) }
    var sessions: SessionRows { SessionRows(work: work) }
    var counters: CounterRows { CounterRows(work: work) }

    /// Reports an event to the security log after the commit.
    func report(_ kind: SecurityEvent.Kind, account: String?) {
        work.aftermath.events.append((kind, account))
    }

    /// Keeps an entry of the audit log with the verb, about this project.
    func note(
        _ action: String, of subject: String, before: String? = nil, after: String? = nil, by author: Author
    ) {
        let audit = AuditLog(database: work.store.database, system: work.store.system)
        work.later(
            audit.entry(
                action, of: project.named(subject), in: project.projectID, before: before, after: after, by: author))
    }

    func run(_ statements: [SQL]) throws -> [[Row]] { try work.run(statements) }

    /// Takes the project's row until the end, for a verb whose writes depend on how many rows of a kind there are, or on
    /// which: two of these in one project run one after the other.
    func takeProject() throws {
        _ = try work.run("SELECT 1 FROM projects WHERE id = \(project.projectID) \(lock: work.lock)")
    }

    /// Sends the statements that still wait.
    func flush() throws {
        try work.finish()
    }

    var aftermath: Aftermath { work.aftermath }
}

/// The effects of a verb once the commit is on disk.
struct Aftermath: Sendable {
    var owesMail = false
    /// Events of the security log, with the account that each is about.
    var events: [(kind: SecurityEvent.Kind, account: String?)] = []
}

/// The state that the parts of a ``Transaction`` share.
final class Work {
    let store: Store
    let project: Project
    let now: Moment
    var aftermath = Aftermath()
    /// A verb that reads an account takes its row, so that two verbs on one account run one after the other.
    let lock: SQL.RowLock?
    private let connection: Connection
    private var waiting: [SQL] = []

    fileprivate init(
        _ connection: consuming Connection, _ store: Store, _ project: Project, _ now: Moment, isWriting: Bool
    ) {
        lock = isWriting ? .forUpdate : nil
        self.connection = connection
        self.store = store
        self.project = project
        self.now = now
    }

    /// Runs a statement before the next one whose answer is needed.
    func later(_ statement: SQL) {
        waiting.append(statement)
    }

    /// Names a row that only this verb writes: it tells whether the verb's commit took place when nobody answers. The
    /// last one named counts.
    func witness(_ query: SQL) {
        connection.witness(query)
    }

    func finish() throws {
        try connection.finish(waiting)
        waiting.removeAll()
    }

    func run(_ statement: SQL) throws -> [Row] {
        guard !waiting.isEmpty else { return try connection.run(statement) }
        return try run([statement])[0]
    }

    /// The rows of each statement, without those of statements that waited.
    func run(_ statements: [SQL]) throws -> [[Row]] {
        let waited = waiting.count
        let answers = try connection.run(waiting + statements)
        waiting.removeAll(keepingCapacity: true)
        return Array(answers[waited...])
    }
}
