// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Crypto
import HomingWire

/// One step of the schema: forward only, never edited once it has shipped.
///
/// The nodes of two releases serve together while an operator replaces one by the other. Hence a step that only adds (a
/// table, an index, a column that may be empty) is named `expand: …`, and programs that do not know the step go on. A
/// step that takes away what the previous release still uses has another name, comes a release later, and ends older
/// programs.
package struct Migration: Sendable {
    package let version: Int
    package let name: String
    package let statements: [SQL]

    package init(version: Int, name: String, statements: [SQL]) {
        self.version = version
        self.name = name
        self.statements = statements
    }

    static let expansion = "expand: "

    /// - Parameter number: the version, or its negative for a step that has begun and is not done.
    func record(as number: Int, at now: Int64) -> SQL {
        """
        INSERT INTO schema_versions (version, name, checksum, applied_at)
        VALUES (\(number), \(name), \(checksum), \(now))
        """
    }

    /// SHA-256 over the statements as SQLite would get them: reveals a step that was edited after it had run.
    var checksum: String {
        var hash = SHA256()
        for statement in statements {
            hash.update(data: Array(statement.rendered(for: .sqlite).text.utf8))
            hash.update(data: [0])
        }
        return Hexadecimal.encode(hash.finalize())
    }
}

/// Brings a database's schema to the newest version, and refuses a schema that is newer or from other statements.
package struct Migrator: Sendable {
    /// Where a database records its steps.
    static let table = "schema_versions"

    private let migrations: [Migration]

    package init(_ migrations: [Migration]) {
        self.migrations = migrations
    }

    /// Applies the missing steps, each in one transaction with its record, and answers the versions applied. An index
    /// on a table that was there before is made beside everybody's work, where the engine can
    /// (``makeIndexes(of:in:_:)``).
    @discardableResult
    package func migrate(
        _ database: Database, now: Int64, progress: @escaping @Sendable (MigrationProgress) -> Void = { _ in }
    ) async throws -> [Int] {
        try await checkTexts(database)
        guard try await !pending(in: database).isEmpty else { return [] }
        return try await database.exclusively {
            progress(MigrationProgress(task: "waiting for another homing migrate"))
        } _: {
            try await makeSteps(in: database, now: now, progress)
        }
    }

    private func makeSteps(
        in database: Database, now: Int64, _ progress: @escaping @Sendable (MigrationProgress) -> Void
    ) async throws -> [Int] {
        try await database.write { connection in
            try connection.run(
                """
                CREATE TABLE IF NOT EXISTS schema_versions (
                    version BIGINT PRIMARY KEY, name TEXT NOT NULL, checksum TEXT NOT NULL, applied_at BIGINT NOT NULL
                )
                """)
        }
        let tables = try await database.read { try $0.run(database.dialect.tables) }.map {
            var row = $0
            return try row.text()
        }
        var applied: [Int] = []
        // Another migrator may have been faster.
        for migration in try await pending(in: database) {
            progress(MigrationProgress(task: "making schema version \(migration.version)"))
            try await make(migration, in: database, besideWorkOn: tables, now: now, progress)
            applied.append(migration.version)
        }
        return applied
    }

    private func make(
        _ migration: Migration, in database: Database, besideWorkOn tables: [String], now: Int64,
        _ progress: @escaping @Sendable (MigrationProgress) -> Void
    ) async throws {
        // The note of a step that has begun is its record under the negative number.
        let begun = -migration.version
        let isDone = try await database.write { connection in
            guard try connection.run("SELECT 1 FROM schema_versions WHERE version = \(begun)").isEmpty else {
                return false
            }
            var isDone = true
            for statement in migration.statements {
                if database.dialect.makesIndexesBeside, let index = IndexStatement(statement),
                    tables.contains(index.table)
                {
                    isDone = false
                } else {
                    try connection.run(statement)
                }
            }
            try connection.run(migration.record(as: isDone ? migration.version : begun, at: now))
            return isDone
        }
        guard !isDone else { return }
        try await makeIndexes(of: migration, in: database, progress)
        try await database.write { connection in
            try connection.run("DELETE FROM schema_versions WHERE version = \(begun)")
            try connection.run(migration.record(as: migration.version, at: now))
        }
    }

    /// Refuses a schema that this program cannot serve.
    ///
    /// - Throws: ``DatabaseFault`` that says what to do.
    package func check(_ database: Database) async throws {
        try await checkTexts(database)
        let pending = try await pending(in: database)
        guard let newest = migrations.last?.version, !pending.isEmpty else { return }
        throw DatabaseFault(
            pending.count == migrations.count
                ? "the database has no tables yet: homing migrate makes them, once for all nodes"
                : "the database has schema version \(newest - pending.count), this program needs \(newest): "
                    + "homing migrate, once for all nodes")
    }

    /// Refuses a database that would order texts otherwise than by their bytes, or could not keep some of them.
    private func checkTexts(_ database: Database) async throws {
        let remedy = "createdb -T template0 --locale=C -E UTF8 -O homing homing"
        if let question = database.dialect.encoding,
            let encoding = try await database.read({ try $0.run(question).firstText() }), encoding != "UTF8"
        {
            throw DatabaseFault(
                "the database keeps texts as \(encoding), and names of people are in every language: make one that keeps "
                    + "UTF-8, with \(remedy)")
        }
        if let question = database.dialect.byteOrder,
            try await database.read({ try $0.run(question).firstInt() }) != 1
        {
            throw DatabaseFault(
                "the database orders texts by the rules of a language: make one that orders them by their bytes, with \(remedy)"
            )
        }
    }

    /// The steps that a database lacks. Throws when it has a step that this program does not know.
    package func pending(in database: Database) async throws -> [Migration] {
        let applied = try await database.read { connection -> [Row] in
            guard try !connection.run(database.dialect.lookup(ofTable: Self.table)).isEmpty else { return [] }
            return try connection.run("SELECT version, name, checksum FROM schema_versions ORDER BY version")
        }
        var versions: Set<Int> = []
        for var row in applied {
            let (number, name, checksum) = (Int(try row.int()), try row.text(), try row.text())
            // A step that has begun is not done, and others must be able to live with it all the same.
            let version = abs(number)
            if number > 0 { versions.insert(version) }
            guard let known = migrations.first(where: { $0.version == version }) else {
                if name.utf8.starts(with: Migration.expansion.utf8) { continue }
                throw DatabaseFault(
                    "the database has schema version \(version), this program knows up to "
                        + "\(migrations.last?.version ?? 0): start a newer homing, or restore an older backup")
            }
            guard checksum == known.checksum else {
                throw DatabaseFault(
                    "schema version \(version) (\(name)) was made by other statements than this program's: "
                        + "it is not a database of this version of homing")
            }
        }
        return migrations.filter { [versions] in !versions.contains($0.version) }
    }
}
