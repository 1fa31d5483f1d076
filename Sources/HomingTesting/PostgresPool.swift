// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import HomingDatabase
internal import Synchronization

/// Copies of one database. A test has one to itself; what it gives back is emptied for the next one, and not made anew.
package final class PostgresPool: Sendable {
    private let server: PostgresServer
    private let template: String
    /// Takes every row out, and brings those of the template back.
    private let emptying: [SQL]
    /// What a database has besides rows.
    private let shape: String
    private let free = Mutex<[String]>([])

    /// - Parameter template: a database that nobody is connected to.
    package init(of template: String, on server: PostgresServer) async throws {
        self.template = template
        self.server = server
        (emptying, shape) = try await Self.withDatabase(template, on: server) { database in
            let tables = try await database.read { connection in
                try connection.run(
                    """
                    SELECT quote_ident(relname) FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
                        ORDER BY relname
                    """
                ).map { row in
                    var row = row
                    return try row.text()
                }
            }
            var emptying: [SQL] = [
                "TRUNCATE \(sql: SQL(stringLiteral: tables.joined(separator: ", "))) RESTART IDENTITY"
            ]
            for table in tables {
                let rows = try await database.read { connection in
                    try connection.run(
                        """
                        SELECT format('INSERT INTO %s SELECT (%L::%s).*', \(table), t::text, \(table))
                            FROM \(sql: SQL(stringLiteral: table)) t
                        """
                    ).map { row in
                        var row = row
                        return try row.text()
                    }
                }
                emptying += rows.map { SQL(stringLiteral: $0) }
            }
            return (emptying, try await Self.shape(of: database))
        }
    }

    /// The name of an empty database.
    package func lend() throws -> String {
        try free.withLock { $0.popLast() } ?? server.newDatabase(from: template)
    }

    /// Empties a database. One that has become another than the template is dropped.
    ///
    /// - Returns: whether it is lent again.
    @discardableResult
    package func takeBack(_ name: String) async -> Bool {
        let isAsBefore = (try? await Self.withDatabase(name, on: server, empty)) == true
        if isAsBefore { free.withLock { $0.append(name) } } else { server.drop(name) }
        return isAsBefore
    }

    private func empty(_ database: Database) async throws -> Bool {
        // A connection that a test has left open may hold rows, and would hear of the next test.
        _ = try await database.read { connection in
            try connection.run(
                """
                SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
                    WHERE datname = current_database() AND pid <> pg_backend_pid()
                """)
        }
        guard try await Self.shape(of: database) == shape else { return false }
        try await database.write { [emptying] connection in
            for statement in emptying { try connection.run(statement) }
        }
        return true
    }

    private static func withDatabase<Answer>(
        _ name: String, on server: PostgresServer, _ body: (Database) async throws -> Answer
    ) async throws -> Answer {
        guard let url = server.url(of: name, connections: 1) else { throw DatabaseFault("\(name) has no URL") }
        return try await Database(driver: try PostgresDriver(url)).closing(after: body)
    }

    /// Relations, columns, indexes, constraints, triggers, functions and settings, as one text.
    private static func shape(of database: Database) async throws -> String {
        try await database.read { connection in
            try connection.run(
                """
                WITH relations AS (
                    SELECT c.oid, n.nspname || '.' || c.relname AS name, c.relkind, c.reloptions, c.relowner
                        FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
                        WHERE n.nspname <> 'information_schema' AND n.nspname NOT LIKE 'pg\\_%'
                ), lines AS (
                    SELECT concat_ws(' ', name, relkind, reloptions::text, relowner) AS line FROM relations
                    UNION ALL
                    SELECT concat_ws(' ', r.name, a.attnum, a.attname, a.atttypid, a.attnotnull, a.atthasdef)
                        FROM relations r JOIN pg_attribute a ON a.attrelid = r.oid WHERE a.attnum > 0
                    UNION ALL
                    SELECT concat_ws(' ', r.name, i.indisvalid, i.indisunique)
                        FROM relations r JOIN pg_index i ON i.indexrelid = r.oid
                    UNION ALL
                    SELECT concat_ws(' ', r.name, c.conname, c.contype)
                        FROM relations r JOIN pg_constraint c ON c.conrelid = r.oid
                    UNION ALL
                    SELECT concat_ws(' ', r.name, t.tgname, t.tgenabled)
                        FROM relations r JOIN pg_trigger t ON t.tgrelid = r.oid WHERE NOT t.tgisinternal
                    UNION ALL
                    SELECT concat_ws(' ', 'function', proname) FROM pg_proc
                        WHERE pronamespace = 'public'::regnamespace
                    UNION ALL
                    SELECT concat_ws(' ', 'setting', setrole, setconfig::text)
                        FROM pg_db_role_setting WHERE setdatabase IN (
                            SELECT oid FROM pg_database WHERE datname = current_database())
                )
                SELECT string_agg(line, ';' ORDER BY line) FROM lines
                """
            ).firstText() ?? ""
        }
    }
}
