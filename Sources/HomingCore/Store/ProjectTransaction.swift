// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingDatabase

/// One verb's ``Transaction`` on the rows of one project. Each subject that has rows of its own adds them here, as
/// `accounts` and `codes`.
package struct ProjectTransaction: ~Copyable {
    let work: ProjectWork

    var project: Project { work.project }
    var now: Moment { work.now }

    /// The transaction for what works on projects of any kind.
    var base: Transaction { Transaction(work: work) }

    /// Keeps an entry of the audit log with the verb about this project, if an operator asked for it
    /// (``Transaction/note(_:of:in:before:after:)``).
    func note(_ action: String, of subject: String, before: String? = nil, after: String? = nil) {
        work.note(action, of: project.named(subject), in: project.projectID, before: before, after: after)
    }

    /// Reports an event about an account to the security log after the commit.
    func report(_ kind: SecurityEvent.Kind, account: AccountID?) {
        work.aftermath.events.append((kind, project.scope, account?.text))
    }

    /// Runs a statement before the next one whose rows are needed.
    func later(_ statement: SQL) { work.later(statement) }

    @discardableResult
    func run(_ statement: SQL) throws -> [Row] { try work.run(statement) }

    @discardableResult
    func run(_ statements: [SQL]) throws -> [[Row]] { try work.run(statements) }

    /// Takes the project's row until the end, for a verb whose writes depend on how many rows of a kind there are, or
    /// on which: two of these in one project run one after the other.
    func takeProject() throws {
        try run("SELECT 1 FROM projects WHERE id = \(project.projectID) \(lock: work.lock)")
    }
}

/// The state that the parts of a ``ProjectTransaction`` share.
final class ProjectWork: Work {
    let project: Project

    init(
        _ connection: borrowing Connection, of store: Store, in project: Project, by authority: Authority,
        at now: Moment, isWriting: Bool
    ) {
        self.project = project
        super.init(connection, of: store, by: authority, at: now, isWriting: isWriting)
    }
}
