// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingDatabase
import HomingLinkRules
package import HomingStore

/// One verb's ``Transaction`` on the rows of one project. Each subject that has rows of its own adds them here, as
/// `accounts` and `codes`.
package struct ProjectTransaction: ~Copyable {
    package let work: ProjectWork

    package var project: Project { work.project }
    package var now: Moment { work.now }

    /// The transaction for what works on projects of any kind.
    package var base: Transaction { Transaction(work: work.base) }

    package init(work: ProjectWork) {
        self.work = work
    }

    /// Keeps an entry of the audit log with the verb about this project, if an operator asked for it
    /// (``Transaction/note(_:of:in:before:after:)``).
    package func note(_ action: String, of subject: String, before: String? = nil, after: String? = nil) {
        work.base.note(action, of: project.named(subject), in: project.projectID, before: before, after: after)
    }

    /// Reports an event about an account to the security log after the commit.
    package func report(_ kind: SecurityEvent.Kind, account: AccountID?) {
        base.report(kind, project: project.scope, subject: account?.text)
    }

    /// Runs a statement before the next one whose rows are needed.
    package func later(_ statement: SQL) { work.later(statement) }

    @discardableResult
    package func run(_ statement: SQL) throws -> [Row] { try work.run(statement) }

    @discardableResult
    package func run(_ statements: [SQL]) throws -> [[Row]] { try work.run(statements) }

    /// Takes the project's row until the end, for a verb whose writes depend on how many rows of a kind there are, or
    /// on which: two of these in one project run one after the other.
    package func takeProject() throws {
        try run("SELECT 1 FROM projects WHERE id = \(project.projectID) \(lock: work.lock)")
    }
}

extension Transaction {
    /// Keeps an entry about what rows are kept under. What happens in a tenant stands in the log of its project, as
    /// ``Project/named(_:)`` has it, and what is the console's (``Project/console``) belongs to none.
    package func note(
        _ action: String, of subject: String, in scope: Scope, before: String? = nil, after: String? = nil
    ) {
        let subject = scope.tenant.map { "\($0)/\(subject)" } ?? subject
        note(
            action, of: subject, in: scope == Project.console.scope ? nil : scope.project, before: before, after: after)
    }
}

/// What the parts of a ``ProjectTransaction`` share: its project, and the work of its ``Transaction``.
package struct ProjectWork {
    package let project: Project
    package let base: Work

    package var store: Store { base.store }
    package var now: Moment { base.now }
    package var lock: SQL.RowLock? { base.lock }

    package func later(_ statement: SQL) { base.later(statement) }
    package func run(_ statement: SQL) throws -> [Row] { try base.run(statement) }
    package func run(_ statements: [SQL]) throws -> [[Row]] { try base.run(statements) }
    package func witness(_ query: SQL) { base.witness(query) }
}

extension Store {
    /// Reads one consistent state (``read(_:)``).
    package func read<Answer: Sendable>(
        in project: Project, _ body: @escaping @Sendable (borrowing ProjectTransaction) throws -> Answer
    ) async throws -> Answer {
        try await read { try body(ProjectTransaction(work: ProjectWork(project: project, base: $0.work))) }
    }

    /// Runs one verb (``write(by:_:)``). A row that exists already throws its refusal (``Refusal/init(_:)``).
    @discardableResult
    package func write<Answer: Sendable>(
        in project: Project, by authority: Authority = .server,
        _ body: @escaping @Sendable (borrowing ProjectTransaction) throws -> Answer
    ) async throws -> Answer {
        do {
            return try await write(by: authority) {
                try body(ProjectTransaction(work: ProjectWork(project: project, base: $0.work)))
            }
        } catch let violation as UniqueViolation {
            throw Refusal(violation) ?? violation
        }
    }
}

extension Refusal {
    /// The refusal for a row that exists already; nil where that is our own fault.
    fileprivate init?(_ violation: UniqueViolation) {
        switch violation.columns {
        case ["accounts.project", "accounts.email"]: self = .emailExists
        case ["accounts.project", "accounts.id"]: self = .duplicateLocalID
        case ["accounts.project", "accounts.phone_number"]: self = .phoneNumberExists
        case let columns where columns.contains("account_identities.raw_id"): self = .federatedIDExists
        default: return nil
        }
    }
}
