// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
import HomingCore
import HomingDatabase
import HomingProjects
import HomingShortLinks
import HomingStore
import HomingTesting
import Testing

/// Every statement of the daily work finds its rows by an index on PostgreSQL too, and by all the columns that it can.
///
/// The statements are those that the connection has prepared, and their plans are the generic ones, which serve
/// whatever the values are.
@Suite(.serialized) struct QueryPlanTests {
    /// Lists that an operator reads and the start reads; they may go through a whole table.
    private static let mayBeScanned: Set<String> = [
        "projects", "api_keys", "authorized_domains", "apps", "link_domains", "key_state", "signing_keys",
        "template_versions", "project_texts", "brands", "sender_domain_keys", "mail_transports", "schema_versions",
        "operators",
        "audit_log", "admin_keys",
        // As many as there are kinds of imported hashes.
        "password_schemes",
        // For development: empty where mails go to a relay.
        "mailbox",
        // A row for each project that is told of clicks; what waits to be told, of which there is a bounded number.
        "link_webhooks", "link_events",
    ]

    /// Read by the project alone: the mails to somebody that still wait, which are few.
    private static let mayGoThroughProject = [
        "outbox_turns ", "audit_log_projects ", "password_schemes_pkey ",
        // What waits to be told, of which there is a bounded number.
        "link_webhooks_pkey ", "link_events_",
    ]

    /// Statements of the test alone, and of a start.
    private static let others = ["SELECT COUNT(*) FROM outbox", "SELECT name, statement", "SELECT 1 FROM pg_tables"]

    private struct Plan {
        let statement: String
        let lines: [String]

        var description: String { lines.joined(separator: "\n") + "\n" + statement }

        /// The tables that are read from the first row to the last.
        ///
        /// A round of the sweep finds its thousand rows by an index; then it may delete them in one pass through a
        /// table that has not many more.
        var scans: [String] {
            let endings = ["RETURNING 1", "RETURNING project, mail, state, ended_at", "RETURNING project, n"]
            let isSweep = statement.hasPrefix("DELETE") && endings.contains { statement.hasSuffix($0) }
            return lines.filter { !isSweep || $0.split(separator: " ").count > 5 }
                .compactMap { $0.word(behind: "Seq Scan on ") }
        }

        /// The indexes that are searched, each with its condition.
        var searches: [String] {
            var index = ""
            return lines.compactMap { line in
                for mark in ["Scan using ", "Scan Backward using ", "Bitmap Index Scan on "] {
                    index = line.word(behind: mark) ?? index
                }
                return line.range(of: "Index Cond: ").map { "\(index) \(line[$0.upperBound...])" }
            }
        }
    }

    /// Does the daily work, and answers the plans of all its statements.
    private func plans(isFilled: Bool) async throws -> [Plan] {
        try await withWorld(isOnPostgres: true) { world in
            try await #require(world.withOneConnection).withHoming(limits: .safe) { homing in
                _ = try await homing.projects.create(
                    id: "shop", name: nil, apiKey: TestHoming.apiKey, authorizedDomains: ["shop.example"],
                    linkDomains: [TestHoming.linkDomain], language: nil)
                if isFilled { try await homing.fill(20_000) }
                try await homing.doDailyWork()
                try await homing.rows("SET plan_cache_mode = force_generic_plan")
                // On a table without rows the planner reads all of it, index or not.
                if !isFilled { try await homing.rows("SET enable_seqscan = off") }
                try await homing.rows("DISCARD PLANS")
                return try await explained(homing)
            }
        }
    }

    /// Whoever makes or deletes a project goes through all of it.
    private static func isOfWholeProject(_ statement: String) -> Bool {
        statement.hasPrefix("DELETE") && statement.hasSuffix(" WHERE project = $1")
    }

    private func explained(_ homing: TestHoming) async throws -> [Plan] {
        let prepared = try await homing.rows(
            "SELECT name, statement, COALESCE(array_length(parameter_types, 1), 0) FROM pg_prepared_statements")
        var plans: [Plan] = []
        for var row in prepared {
            let (name, statement, count) = (try row.text(), try row.text(), Int(try row.int()))
            let text = statement.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            guard ["SELECT", "INSERT", "UPDATE", "DELETE", "WITH"].contains(where: { text.hasPrefix($0) }),
                !Self.others.contains(where: { text.hasPrefix($0) }), !Self.isOfWholeProject(text)
            else { continue }
            let values = count == 0 ? "" : "(\([String](repeating: "NULL", count: count).joined(separator: ", ")))"
            let lines = try await homing.rows(SQL(stringLiteral: "EXPLAIN (COSTS OFF) EXECUTE \(name)\(values)"))
            plans.append(
                Plan(
                    statement: text,
                    lines: try lines.map { line in
                        var line = line
                        return try line.text()
                    }))
        }
        return plans
    }

    @Test func `an index can serve every statement`() async throws {
        let plans = try await plans(isFilled: false)
        #expect(plans.count >= 40)
        for plan in plans {
            for table in plan.scans where !Self.mayBeScanned.contains(table) {
                Issue.record("\(table) is read whole\n\(plan.description)")
            }
        }
    }

    @Test func `no statement goes through a whole table or through a whole project`() async throws {
        for plan in try await plans(isFilled: true) {
            for table in plan.scans where !Self.mayBeScanned.contains(table) {
                Issue.record("\(table) is read whole\n\(plan.description)")
            }
            for search in plan.searches
            where search.contains(" (project = ") && !search.contains(" AND ")
                && !Self.mayGoThroughProject.contains(where: search.hasPrefix)
            {
                Issue.record("\(search)\n\(plan.description)")
            }
        }
    }

    /// A part of a statement, the index that finds its rows, and the columns that this is searched by.
    private static let expected: [(statement: String, index: String, columns: [String])] = [
        ("FROM accounts WHERE project = $1 AND id = $2", "accounts_pkey", ["project", "id"]),
        ("FROM accounts WHERE project = $1 AND email = $2", "accounts_address", ["project", "email"]),
        ("UPDATE accounts SET email = ", "accounts_pkey", ["project", "id"]),
        ("UPDATE codes SET state = 1", "codes_pkey", ["project", "id"]),
        ("auth_time, claims, ended_at FROM sessions", "sessions_pkey", ["project", "id"]),
        ("UPDATE sessions SET ended_at", "sessions_account", ["project", "account"]),
        ("SELECT next_at FROM outbox", "outbox_due", ["state"]),
        ("UPDATE outbox SET lease = $1", "outbox_turns", ["project", "next_at"]),
        ("FROM suppressions WHERE project = $1 AND address = $2", "suppressions_pkey", ["project", "address"]),
        // Whatever the statistics say of the queue.
        ("UPDATE outbox SET state = $1, ended_at", "outbox_pkey", ["project", "id"]),
        ("UPDATE codes SET handed_at", "outbox_pkey", ["project", "id"]),
        ("UPDATE outbox SET next_at = $1, lease = NULL", "outbox_pkey", ["project", "id"]),
        ("DELETE FROM outbox WHERE project = $1", "outbox_pkey", ["project", "id"]),
        ("AND address = $3 AND kind = $4 AND state = 0 OR", "codes_address", ["project", "address", "kind"]),
        ("AND digest = $6 AND kind = $7 AND state = 4", "codes_digest", ["project", "digest", "kind"]),
        ("AND account = $3 AND kind = $4 AND state IN", "codes_account", ["project", "account", "kind"]),
        ("FROM codes WHERE challenge IS NOT NULL AND ended_at > $1", "codes_ended", ["ended_at"]),
        ("UPDATE limits SET n = n - 1", "limits_pkey", ["project", "subject"]),
        ("SELECT query, details, deleted_at, version FROM links", "links_pkey", ["project", "domain", "suffix"]),
        ("FROM link_counts WHERE", "link_counts_pkey", ["project", "domain", "suffix", "day"]),
        ("FROM admin_sessions s LEFT JOIN operators", "admin_sessions_pkey", ["digest"]),
        ("AND email >= $2 AND email < $3 ORDER BY email", "accounts_address", ["project", "email"]),
        ("AND email > $2 AND email < $3 ORDER BY email", "accounts_address", ["project", "email"]),
        ("AND id >= $2 AND id < $3 AND (email IS NULL", "accounts_pkey", ["project", "id"]),
        ("SELECT COUNT(*) FROM (SELECT 1 FROM accounts", "accounts_pkey", ["project", "id"]),
        (
            "AND email >= $2 ORDER BY email LIMIT $3) AS part WHERE disabled = $4", "accounts_address",
            ["project", "email"]
        ),
        ("AND email >= $2 ORDER BY email LIMIT 1 OFFSET", "accounts_address", ["project", "email"]),
        ("SELECT provider, created_at FROM sessions", "sessions_account", ["project", "account"]),
        ("AND o.recipient = $2 AND o.ended_at IS NOT NULL", "outbox_history", ["project", "recipient"]),
        ("ORDER BY lower(l.name), l.domain, l.suffix", "links_titled", ["project", "lower(name)"]),
        ("ORDER BY l.suffix LIMIT", "links_pkey", ["project", "domain", "suffix"]),
        ("ORDER BY l.target_key, l.domain, l.suffix", "links_target", ["project", "target_key"]),
        ("FROM link_tags t WHERE", "link_tags_pkey", ["project", "tag"]),
        ("ORDER BY c.clicks DESC, c.domain DESC", "link_totals", ["project", "clicks"]),
        (
            "coalesce(l.name, '') <> '' AND (l.created_at, l.domain, l.suffix) < (", "links_listed",
            ["project", "created_at"]
        ),
        ("UPDATE links SET query", "links_pkey", ["project", "domain", "suffix"]),
        ("FROM links WHERE changed_at IS NOT NULL AND changed_at", "links_changed", ["changed_at"]),
        ("SELECT content FROM link_versions", "link_versions_pkey", ["project", "domain", "suffix", "version"]),
        ("SELECT day, platform, clicks", "link_counts_pkey", ["project", "domain", "suffix", "day"]),
        ("SELECT referrer, campaign FROM link_sources", "link_sources_pkey", ["project", "domain", "suffix", "day"]),
        ("SELECT c.day, c.platform", "link_tags_pkey", ["project", "tag"]),
        ("SELECT c.day, c.platform", "link_counts_pkey", ["project", "domain", "suffix", "day"]),
        ("FROM mail_counts WHERE", "mail_counts_pkey", ["project", "day"]),
        ("UPDATE outbox SET opened_at", "outbox_pkey", ["project", "id"]),
        ("UPDATE outbox SET returned_at", "outbox_pkey", ["project", "id"]),
        ("SELECT COUNT(*) FROM accounts WHERE", "accounts_schemes", ["project", "substr(password_hash, 9, 12)"]),
        (
            "DELETE FROM password_schemes WHERE created_at", "accounts_schemes",
            ["project", "substr(password_hash, 9, 12)"]
        ),
        (
            "FROM accounts WHERE project = $1 AND coalesce(email", "accounts_anonymous",
            ["project", "created_at"]
        ),
        ("UPDATE accounts SET password_hash = NULL", "accounts_schemes", ["project", "substr(password_hash, 9, 12)"]),
    ]

    @Test func `the statements of the hot paths are searched by these indexes and columns`() async throws {
        let plans = try await plans(isFilled: true)
        for (statement, index, columns) in Self.expected {
            let found = plans.filter { $0.statement.contains(statement) }
            #expect(!found.isEmpty, "no statement has \(statement)")
            for plan in found {
                let isSearched = plan.searches.contains { search in
                    search.hasPrefix("\(index) ") && columns.allSatisfy { search.contains("\($0) ") }
                }
                #expect(isSearched, "\(index) \(columns)\n\(plan.description)")
            }
        }
    }
}

extension String {
    fileprivate func word(behind mark: String) -> String? {
        range(of: mark).flatMap { self[$0.upperBound...].split(separator: " ").first.map(String.init) }
    }
}
