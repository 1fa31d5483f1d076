// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingDatabase
import HomingMail
import HomingTesting
import Testing

/// Every statement of the daily work finds its rows by an index, and by all the columns that it can.
@Suite struct QueryPlanTests {
    /// Lists that an operator reads and the start reads; they may go through a whole table.
    private static let mayBeScanned = [
        // The rows that a claim's recursion has just made.
        "waiting",
        "projects", "api_keys", "authorized_domains", "apps", "link_domains", "key_state", "signing_keys",
    ]

    /// Statements that run once at a start, and statements of the test alone.
    private static let others = [
        "UPDATE outbox SET lease = NULL, next_at = ? WHERE state = 0 AND lease IS NOT NULL",
        "SELECT COUNT(*) FROM outbox",
    ]

    private struct Plan {
        let statement: String
        let steps: [String]
    }

    /// Does the daily work of people and delivery, and answers the plans of all its statements.
    private func plans(isFilled: Bool) async throws -> [Plan] {
        try await withWorld { world in
            StatementRecorder.watch(world.databasePath)
            return try await world.withHoming(limits: .safe) { homing in
                _ = try await homing.projects.create(
                    id: "shop", name: nil, apiKey: TestHoming.apiKey, authorizedDomains: ["shop.example"],
                    linkDomains: [],
                    language: nil)
                if isFilled { try await fill(homing) }
                StatementRecorder.forget(world.databasePath)
                try await work(homing)
                var plans: [Plan] = []
                for statement in StatementRecorder.statements(on: world.databasePath)
                where ["SELECT", "INSERT", "UPDATE", "DELETE", "WITH"].contains(where: { statement.hasPrefix($0) })
                    && !Self.others.contains(where: { statement.hasPrefix($0) })
                {
                    let steps = try await homing.rows(SQL(stringLiteral: "EXPLAIN QUERY PLAN " + statement))
                    plans.append(Plan(statement: statement, steps: try steps.map(Self.detail)))
                }
                return plans
            }
        }
    }

    private static func detail(of step: Row) throws -> String {
        var step = step
        for _ in ["id", "parent", "unused"] { _ = try step.int() }
        return try step.text()
    }

    /// A change of address is among the steps that make a recovery code.
    private func work(_ homing: TestHoming) async throws {
        let tokens = try await homing.signUp(TestHoming.ann).tokens
        _ = try await homing.signIn(TestHoming.ann)
        _ = try await homing.person(tokens)
        _ = try await homing.sessions.refresh(tokens.refreshToken, in: try homing.shop)
        try await homing.blockLimits.take("mail from 192.0.2.1", project: "shop", limit: 100)
        for kind in ActionCodeKind.allCases where kind != .verifyAndChangeEmail {
            let code = try await homing.liveCode(kind)
            _ = try await homing.actionCodes.inspect(code, in: try homing.shop)
            _ = try await homing.actionCodes.remember(code, in: try homing.shop)
            try await homing.redeem(code, kind)
        }
        try await homing.mail(.passwordReset, to: TestHoming.ann)
        try await homing.mail(.passwordReset, to: "nobody@home.example")
        homing.transport.answer(.temporary(reply: "451 later"))
        try await homing.deliver()
        _ = try await homing.outbox.nextDue()
        let bounced = try await homing.outbox.enqueueTest(
            to: try EmailAddress(parsing: TestHoming.ann), in: homing.shop)
        let gone = Bounce(action: .failed, status: Bounce.Status(parsing: "5.1.1"), diagnostic: "")
        _ = try await homing.suppressions.take([gone], about: bounced)
        _ = try await homing.suppressions.count()
        try await homing.suppressions.lift(try EmailAddress(parsing: TestHoming.ann), in: homing.shop)
        _ = try await homing.outbox.list(project: "shop")
        let found = try #require(try await homing.found(TestHoming.ann))
        _ = try await homing.accounts.find(ids: [found.id], addresses: [], in: try homing.shop)
        try await homing.accounts.delete(found.id, in: try homing.shop)
        let link = try await homing.adminSessions.newLink(to: .mailbox)
        _ = try await homing.adminSessions.page(ofLink: link)
        let browser = try #require(try await homing.adminSessions.redeem(link)).session
        try await homing.adminSessions.end(try #require(try await homing.adminSessions.find(browser)))
        try await Sweep(homing.core).run()
    }

    /// Two thousand accounts of one project with a code, a mail and a session each, and statistics about them.
    private func fill(_ homing: TestHoming) async throws {
        let now = homing.clock.now
        try await homing.database.write { connection in
            for number in 0..<2000 {
                let id = "account\(number)"
                let address = "user\(number)@home.example"
                let time = now.adding(seconds: Int64(-number))
                let bytes = withUnsafeBytes(of: UInt64(number).bigEndian) { Array($0) }
                try connection.run([
                    """
                    INSERT INTO accounts (project, id, email, email_verified, email_link, valid_since, created_at, disabled)
                    VALUES ('shop', \(id), \(address), 1, 0, 0, \(now), 0)
                    """,
                    """
                    INSERT INTO codes (project, id, kind, state, address, account, created_at, expires_at)
                    VALUES ('shop', \(bytes), \(number % 5 + 1), 0, \(address), \(id), \(now), \(now.adding(seconds: 3600)))
                    """,
                    """
                    INSERT INTO outbox (project, id, kind, state, recipient, code, key_version, facts, created_at, expires_at,
                        next_at, attempts, ended_at)
                    VALUES ('shop', \(id), 'VERIFY_EMAIL', 1, \(address), \(bytes), 1, '{}', \(time), \(time), \(time), 1, \(time))
                    """,
                    """
                    INSERT INTO sessions (project, id, account, provider, auth_time, created_at)
                    VALUES ('shop', \(bytes), \(id), 'password', \(now), \(now))
                    """,
                    """
                    INSERT INTO limits (project, subject, started_at, n, expires_at)
                    VALUES ('shop', \(address), \(now), 1, \(now.adding(seconds: 3600)))
                    """,
                    """
                    INSERT INTO suppressions (project, address, reason, mail, bounces, created_at, expires_at)
                    VALUES ('shop', \(address), '5.1.1', \(id), 1, \(now), \(now.adding(seconds: 3600)))
                    """,
                    """
                    INSERT INTO admin_sessions (digest, page, created_at, redeemed_at, expires_at)
                    VALUES (\(bytes), 'mailbox', \(now), \(now), \(now.adding(seconds: 3600)))
                    """,
                ])
            }
            try connection.run("ANALYZE")
        }
    }

    @Test(.enabled(if: !PostgresServer.isWanted), arguments: [false, true])
    func `no statement goes through a whole table or through a whole project`(isFilled: Bool) async throws {
        let plans = try await plans(isFilled: isFilled)
        #expect(plans.count >= 35)
        for plan in plans {
            for step in plan.steps {
                let words = step.split(separator: " ")
                if words.first == "SCAN", words.count > 1, !Self.mayBeScanned.contains(String(words[1])) {
                    Issue.record("\(step)\n\(plan.statement)")
                }
                if step.hasSuffix("(project=?)"), !step.contains("outbox_listed") {
                    Issue.record("\(step)\n\(plan.statement)")
                }
            }
        }
    }

    /// The beginning of a statement, and the step that finds its rows.
    private static let expected: [(statement: String, step: String)] = [
        (
            "FROM accounts WHERE project = ? AND id = ?",
            "SEARCH accounts USING INDEX sqlite_autoindex_accounts_1 (project=? AND id=?)"
        ),
        (
            "FROM accounts WHERE project = ? AND email = ?",
            "SEARCH accounts USING INDEX accounts_address (project=? AND email=?)"
        ),
        (
            "UPDATE accounts SET email = ?, ",
            "SEARCH accounts USING INDEX sqlite_autoindex_accounts_1 (project=? AND id=?)"
        ),
        ("UPDATE codes SET state = 1", "SEARCH codes USING INDEX sqlite_autoindex_codes_1 (project=? AND id=?)"),
        (
            "WHERE project = ? AND address = ? AND kind = ?",
            "SEARCH codes USING INDEX codes_address (project=? AND address=? AND kind=?)"
        ),
        (
            "WHERE project = ? AND account = ? AND kind = ?",
            "SEARCH codes USING INDEX codes_account (project=? AND account=? AND kind=?)"
        ),
        (
            "auth_time, ended_at FROM sessions",
            "SEARCH sessions USING INDEX sqlite_autoindex_sessions_1 (project=? AND id=?)"
        ),
        ("UPDATE sessions SET ended_at", "SEARCH sessions USING INDEX sessions_account (project=? AND account=?)"),
        ("SELECT next_at FROM outbox", "SEARCH outbox USING COVERING INDEX outbox_due (state=?)"),
        ("UPDATE outbox SET lease = ?", "SEARCH o USING INDEX outbox_turns (project=? AND next_at<?)"),
        ("WITH RECURSIVE waiting", "SEARCH o USING INDEX outbox_turns (project=? AND next_at<?)"),
        ("AND project > ? UNION ALL", "SEARCH outbox USING INDEX outbox_turns (project>?)"),
        ("AND project <= ? UNION ALL", "SEARCH outbox USING INDEX outbox_turns (project<?)"),
        (
            "AND project > waiting.project AND project > ?",
            "SEARCH outbox USING INDEX outbox_turns (project>?)"
        ),
        ("ended_at = ?, lease = NULL", "SEARCH outbox USING INDEX sqlite_autoindex_outbox_1 (project=? AND id=?)"),
        (
            "LEFT JOIN suppressions s",
            "SEARCH s USING INDEX sqlite_autoindex_suppressions_1 (project=? AND address=?) LEFT-JOIN"
        ),
        (
            "UPDATE outbox SET bounced_at",
            "SEARCH outbox USING INDEX sqlite_autoindex_outbox_1 (project=? AND id=?)"
        ),
        (
            "FROM suppressions WHERE project = ? AND address = ?",
            "SEARCH suppressions USING INDEX sqlite_autoindex_suppressions_1 (project=? AND address=?)"
        ),
        (
            "DELETE FROM suppressions WHERE (project, address) IN",
            "SEARCH suppressions USING INDEX suppressions_expiry (expires_at<?)"
        ),
        (
            "UPDATE limits SET n = n - 1",
            "SEARCH limits USING INDEX sqlite_autoindex_limits_1 (project=? AND subject=?)"
        ),
        ("DELETE FROM limits WHERE (project, subject) IN", "SEARCH limits USING INDEX limits_expiry (expires_at<?)"),
        (
            "UPDATE admin_sessions SET digest",
            "SEARCH admin_sessions USING INDEX sqlite_autoindex_admin_sessions_1 (digest=?)"
        ),
        (
            "SELECT 1 FROM admin_sessions",
            "SEARCH admin_sessions USING INDEX sqlite_autoindex_admin_sessions_1 (digest=?)"
        ),
        (
            "DELETE FROM admin_sessions WHERE digest IN",
            "SEARCH admin_sessions USING INDEX admin_sessions_expiry (expires_at<?)"
        ),
        (
            "DELETE FROM outbox WHERE project",
            "SEARCH outbox USING INDEX sqlite_autoindex_outbox_1 (project=? AND id=?)"
        ),
    ]

    @Test(.enabled(if: !PostgresServer.isWanted), arguments: [false, true])
    func `the statements of the hot paths are searched by these indexes and columns`(isFilled: Bool) async throws {
        let plans = try await plans(isFilled: isFilled)
        for (statement, step) in Self.expected {
            let found = plans.filter { plan in
                plan.statement.split(whereSeparator: \.isWhitespace).joined(separator: " ").contains(statement)
            }
            #expect(!found.isEmpty, "no statement has \(statement)")
            for plan in found { #expect(plan.steps.contains(step), "\(plan.steps)\n\(plan.statement)") }
        }
    }
}
