// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingDatabase
import HomingLinkRules
import HomingMail
import HomingProjects
import HomingShortLinks
import HomingStore
import HomingTesting
import Testing

/// Every statement of the daily work finds its rows by an index, and by all the columns that it can.
@Suite struct QueryPlanTests {
    /// Lists that an operator reads and the start reads; they may go through a whole table.
    private static let mayBeScanned = [
        // Those that stand in the statement.
        "erased",
        // As many accounts as a page of the console's list may read.
        "part",
        // The rows that a claim has just found.
        "waiting", "due", "oldest", "operators", "audit_log", "admin_keys",
        "projects", "api_keys", "authorized_domains", "apps", "link_domains", "key_state", "signing_keys",
        "template_versions", "project_texts", "brands", "sender_domain_keys", "mail_transports",
        // A row for each project that is told of clicks; in the claims of turns it is called w.
        "link_webhooks", "w",
        // What waits to be told, of which there is a bounded number.
        "link_events",
        // As many as there are kinds of imported hashes.
        "password_schemes",
        // For development: empty where mails go to a relay.
        "mailbox",
        // Rows that were found before, of which there is a bounded number.
        "counted",
    ]

    /// Statements that run once at a start, and statements of the test alone.
    private static let others = [
        "UPDATE outbox SET lease = NULL, next_at = CASE",
        "SELECT COUNT(*) FROM outbox",
    ]

    /// Read by the project alone: the mails to somebody that still wait, which are few.
    private static let mayGoThroughProject = [
        // What waits to be told, of which there is a bounded number.
        "link_events", "link_webhooks",
        "outbox_listed", "outbox_turns", "audit_log_projects", "password_schemes",
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
                    linkDomains: [TestHoming.linkDomain], language: nil)
                let backEnd = try ServiceAccountFile(
                    try await homing.accounts.serviceAccounts.create(named: nil, in: homing.shop, by: .command))
                if isFilled { try await homing.fill(2000) }
                StatementRecorder.forget(world.databasePath)
                try await homing.doDailyWork()
                let token = try await homing.accounts.serviceAccounts.accessToken(
                    for: backEnd.assertion(at: homing.core.system.now()), audiences: [])
                #expect(try await homing.accounts.serviceAccounts.rights(of: token.text)?.projects == ["shop"])
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

    @Test(.enabled(if: !PostgresServer.isWanted), arguments: [false, true])
    func `no statement goes through a whole table or through a whole project`(isFilled: Bool) async throws {
        let plans = try await plans(isFilled: isFilled)
        #expect(plans.count >= 35)
        for plan in plans {
            for step in plan.steps {
                let words = step.split(separator: " ")
                // A statement goes through its own rows.
                guard !step.contains(" CONSTANT ROW") else { continue }
                if words.first == "SCAN", words.count > 1, !Self.mayBeScanned.contains(String(words[1])) {
                    Issue.record("\(step)\n\(plan.statement)")
                }
                if step.hasSuffix("(project=?)"), !Self.mayGoThroughProject.contains(where: step.contains) {
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
            "AND digest = ? AND kind = ?", "SEARCH codes USING INDEX codes_digest (project=? AND digest=? AND kind=?)"
        ),
        ("UPDATE codes SET digest = NULL", "SEARCH codes USING INDEX codes_digest (project=? AND digest=?)"),
        (
            "UPDATE codes SET number_tries", "SEARCH codes USING INDEX sqlite_autoindex_codes_1 (project=? AND id=?)"
        ),
        (
            "UPDATE codes SET typed_tries", "SEARCH codes USING INDEX sqlite_autoindex_codes_1 (project=? AND id=?)"
        ),
        ("FROM limits l WHERE", "SEARCH l USING INDEX sqlite_autoindex_limits_1 (project=? AND subject=?)"),
        (
            "auth_time, claims, ended_at FROM sessions",
            "SEARCH sessions USING INDEX sqlite_autoindex_sessions_1 (project=? AND id=?)"
        ),
        (
            "FROM accounts WHERE project = ? AND phone_number = ?",
            "SEARCH accounts USING INDEX accounts_phone (project=? AND phone_number=?)"
        ),
        (
            "SELECT account FROM account_identities",
            "SEARCH account_identities USING INDEX sqlite_autoindex_account_identities_1 "
                + "(project=? AND provider=? AND raw_id=?)"
        ),
        (
            "DELETE FROM account_identities",
            "SEARCH account_identities USING INDEX account_identities_account (project=? AND account=?)"
        ),
        (
            "AND email = ? AND revoked_at IS NULL",
            "SEARCH service_accounts USING INDEX service_accounts_email (project=? AND email=?)"
        ),
        (
            "FROM service_accounts WHERE project = ? AND id = ? AND revoked_at IS NULL",
            "SEARCH service_accounts USING INDEX sqlite_autoindex_service_accounts_1 (project=? AND id=?)"
        ),
        (
            "SELECT COUNT(*) FROM accounts WHERE",
            "SEARCH accounts USING INDEX accounts_schemes (project=? AND <expr>=?)"
        ),
        (
            "UPDATE accounts SET password_hash = NULL",
            "SEARCH accounts USING INDEX accounts_schemes (project=? AND <expr>=?)"
        ),
        (
            "DELETE FROM password_schemes WHERE created_at",
            "SEARCH accounts USING INDEX accounts_schemes (project=? AND <expr>=?)"
        ),
        (
            "FROM accounts WHERE project = ? AND coalesce(email",
            "SEARCH accounts USING INDEX accounts_anonymous (project=? AND (created_at,id)>(?,?) AND created_at<?)"
        ),
        ("UPDATE sessions SET ended_at", "SEARCH sessions USING INDEX sessions_account (project=? AND account=?)"),
        ("SELECT next_at FROM outbox", "SEARCH outbox USING COVERING INDEX outbox_due (state=?)"),
        ("UPDATE outbox SET lease = ?", "SEARCH o USING INDEX outbox_turns (project=? AND next_at<?)"),
        (
            "SELECT 1 FROM outbox o WHERE o.project = waiting.project",
            "SEARCH o USING INDEX outbox_turns (project=? AND next_at<?)"
        ),
        // The first one of each project, whenever it is due.
        (
            "SELECT o.next_at FROM outbox o WHERE o.project = waiting.project",
            "SEARCH o USING INDEX outbox_turns (project=?)"
        ),
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
            "UPDATE outbox SET delivered_at",
            "SEARCH outbox USING INDEX sqlite_autoindex_outbox_1 (project=? AND id=?)"
        ),
        (
            "AND recipient = ? AND ended_at IS NOT NULL ORDER",
            "SEARCH outbox USING INDEX outbox_history (project=? AND recipient=?)"
        ),
        (
            "UPDATE outbox SET opened_at",
            "SEARCH outbox USING INDEX sqlite_autoindex_outbox_1 (project=? AND id=?)"
        ),
        (
            "FROM mail_counts WHERE",
            "SEARCH mail_counts USING INDEX sqlite_autoindex_mail_counts_1 (project=? AND day>?)"
        ),
        (
            "FROM suppressions WHERE project = ? AND address = ?",
            "SEARCH suppressions USING INDEX sqlite_autoindex_suppressions_1 (project=? AND address=?)"
        ),
        (
            "DELETE FROM suppressions WHERE expires_at",
            "SEARCH suppressions USING INDEX suppressions_expiry (expires_at<?)"
        ),
        (
            "UPDATE limits SET n = n - 1",
            "SEARCH limits USING INDEX sqlite_autoindex_limits_1 (project=? AND subject=?)"
        ),
        ("DELETE FROM limits WHERE expires_at", "SEARCH limits USING INDEX limits_expiry (expires_at<?)"),
        (
            "UPDATE admin_sessions SET digest",
            "SEARCH admin_sessions USING INDEX sqlite_autoindex_admin_sessions_1 (digest=?)"
        ),
        (
            "FROM admin_sessions s LEFT JOIN operators",
            "SEARCH s USING INDEX sqlite_autoindex_admin_sessions_1 (digest=?)"
        ),
        (
            "DELETE FROM admin_sessions WHERE digest IN",
            "SEARCH admin_sessions USING INDEX admin_sessions_expiry (expires_at<?)"
        ),
        (
            "SELECT 1 FROM accounts WHERE project = ? AND id >= ''",
            "SEARCH accounts USING COVERING INDEX sqlite_autoindex_accounts_1 (project=? AND id>?)"
        ),
        (
            "SELECT 1 FROM links WHERE project = ? AND created_at >= ?",
            "SEARCH links USING COVERING INDEX links_made (project=? AND created_at>?)"
        ),
        (
            "o.ended_at IS NULL AND o.recipient IS NOT NULL ORDER BY o.next_at",
            "SEARCH o USING INDEX outbox_turns (project=?)"
        ),
        (
            "SELECT id FROM outbox WHERE project = ? AND id < ?",
            "SEARCH outbox USING COVERING INDEX sqlite_autoindex_outbox_1 (project=? AND id<?)"
        ),
        (
            "o.id >= ? AND o.id < ? AND o.state + 0 = ?",
            "SEARCH o USING INDEX sqlite_autoindex_outbox_1 (project=? AND id>? AND id<?)"
        ),
        (
            "email >= ? AND email < ? ORDER BY email",
            "SEARCH accounts USING INDEX accounts_address (project=? AND email>? AND email<?)"
        ),
        (
            "id >= ? AND id < ? AND (email IS NULL",
            "SEARCH accounts USING INDEX sqlite_autoindex_accounts_1 (project=? AND id>? AND id<?)"
        ),
        // Two lower bounds would look the same here, and go through all rows from the first one on.
        (
            "AND email > ? AND email < ? ORDER BY email",
            "SEARCH accounts USING INDEX accounts_address (project=? AND email>? AND email<?)"
        ),
        (
            "SELECT COUNT(*) FROM (SELECT 1 FROM accounts",
            "SEARCH accounts USING COVERING INDEX sqlite_autoindex_accounts_1 (project=? AND id>?)"
        ),
        (
            "AND id > ? ORDER BY id LIMIT ?) AS part WHERE 1 = 1 AND disabled = ?",
            "SEARCH accounts USING INDEX sqlite_autoindex_accounts_1 (project=? AND id>?)"
        ),
        (
            "AND email >= ? ORDER BY email LIMIT ?) AS part WHERE disabled = ?",
            "SEARCH accounts USING INDEX accounts_address (project=? AND email>?)"
        ),
        (
            "AND email >= ? ORDER BY email LIMIT 1 OFFSET",
            "SEARCH accounts USING COVERING INDEX accounts_address (project=? AND email>?)"
        ),
        (
            "AND id >= ? ORDER BY id LIMIT 1 OFFSET",
            "SEARCH accounts USING COVERING INDEX sqlite_autoindex_accounts_1 (project=? AND id>?)"
        ),
        (
            "FROM audit_log WHERE project = ? AND subject = ? ORDER BY",
            "SEARCH audit_log USING INDEX audit_log_subjects (project=? AND subject=?)"
        ),
        (
            "AND id >= ? ORDER BY id LIMIT ?",
            "SEARCH accounts USING INDEX sqlite_autoindex_accounts_1 (project=? AND id>?)"
        ),
        (
            "provider, created_at FROM sessions",
            "SEARCH sessions USING INDEX sessions_account (project=? AND account=?)"
        ),
        (
            "o.recipient = ? AND o.ended_at IS NOT NULL",
            "SEARCH o USING INDEX outbox_history (project=? AND recipient=?)"
        ),
        (
            "ORDER BY lower(l.name), l.domain, l.suffix",
            "SEARCH l USING INDEX links_titled (project=? AND <expr>>? AND <expr><?)"
        ),
        (
            "l.suffix >= ? AND l.suffix < ? ORDER BY l.suffix",
            "SEARCH l USING INDEX sqlite_autoindex_links_1 (project=? AND domain=? AND suffix>? AND suffix<?)"
        ),
        (
            "ORDER BY l.target_key, l.domain, l.suffix",
            "SEARCH l USING INDEX links_target (project=? AND (target_key,domain,suffix)>(?,?,?) AND target_key<?)"
        ),
        (
            "FROM link_tags t WHERE",
            "SEARCH t USING COVERING INDEX sqlite_autoindex_link_tags_1 (project=? AND tag=? AND (domain,suffix)>(?,?))"
        ),
        (
            "coalesce(l.name, '') <> '' AND (l.created_at, l.domain, l.suffix) < (",
            "SEARCH l USING INDEX links_listed (project=? AND created_at>? AND (created_at,domain,suffix)<(?,?,?))"
        ),
        (
            "l.project = ? AND (l.created_at, l.domain, l.suffix) < (",
            "SEARCH l USING INDEX links_made (project=? AND created_at>? AND (created_at,domain,suffix)<(?,?,?))"
        ),
        (
            "l.project = ? AND (l.domain, l.suffix) > (",
            "SEARCH l USING INDEX sqlite_autoindex_links_1 (project=? AND (domain,suffix)>(?,?))"
        ),
        (
            "ORDER BY c.clicks DESC, c.domain DESC, c.suffix DESC",
            "SEARCH c USING INDEX link_totals (project=? AND clicks>? AND (clicks,domain,suffix)<(?,?,?))"
        ),
        (
            "FROM links WHERE target_key IS NULL",
            "SEARCH links USING INDEX links_unkeyed ((project,domain,suffix)>(?,?,?))"
        ),
        (
            "UPDATE links SET query",
            "SEARCH links USING INDEX sqlite_autoindex_links_1 (project=? AND domain=? AND suffix=?)"
        ),
        (
            "SELECT suffix FROM links WHERE project = ? AND domain = ? AND folded = ?",
            "SEARCH links USING INDEX links_folded (project=? AND domain=? AND folded=?)"
        ),
        (
            "FROM links WHERE changed_at IS NOT NULL AND changed_at",
            "SEARCH links USING INDEX links_changed (changed_at>?)"
        ),
        (
            "FROM link_versions WHERE project = ? AND domain = ? AND suffix = ? AND version = ?",
            "SEARCH link_versions USING INDEX sqlite_autoindex_link_versions_1 (project=? AND domain=? AND suffix=? AND version=?)"
        ),
        (
            "SELECT day, platform, clicks",
            "SEARCH link_counts USING INDEX sqlite_autoindex_link_counts_1 (project=? AND domain=? AND suffix=? AND day>?)"
        ),
        (
            "SELECT referrer, campaign FROM link_sources",
            "SEARCH link_sources USING COVERING INDEX sqlite_autoindex_link_sources_1 "
                + "(project=? AND domain=? AND suffix=? AND day=?)"
        ),
        (
            "SELECT clicks FROM link_counts",
            "SEARCH link_counts USING INDEX sqlite_autoindex_link_counts_1 "
                + "(project=? AND domain=? AND suffix=? AND day=? AND platform=?)"
        ),
        (
            "SELECT c.day, c.platform",
            "SEARCH t USING COVERING INDEX sqlite_autoindex_link_tags_1 (project=? AND tag=?)"
        ),
        (
            "SELECT c.day, c.platform",
            "SEARCH c USING INDEX sqlite_autoindex_link_counts_1 (project=? AND domain=? AND suffix=? AND day>?)"
        ),
        (
            "FROM link_events WHERE project = ? ORDER BY attempts",
            "SEARCH link_events USING INDEX link_events_turn (project=?)"
        ),
        (
            "FROM admin_keys WHERE id = ?", "SEARCH admin_keys USING INDEX sqlite_autoindex_admin_keys_1 (id=?)"
        ),
        ("UPDATE codes SET handed_at", "SEARCH codes USING INDEX sqlite_autoindex_codes_1 (project=? AND id=?)"),
        ("UPDATE codes SET handed_at", "SEARCH c USING INDEX codes_address (project=? AND address=?)"),
        (
            "FROM codes WHERE challenge IS NOT NULL AND ended_at",
            "SEARCH codes USING INDEX codes_ended (ended_at>?)"
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
