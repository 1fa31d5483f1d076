// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
import HomingCore
import HomingDatabase
import HomingProjects
import HomingStore
import HomingTesting
import Testing

/// Everything is copied from one engine to the other, and back.
@Suite(.serialized, .tags(.races)) struct MoveTests {
    /// An empty database on the server, without tables.
    private func withPostgres(_ body: (Database) async throws -> Void) async throws {
        let server = try await PostgresServer.shared.value
        await server.enter()
        defer { server.leave() }
        let name = try server.newDatabase()
        defer { server.drop(name) }
        let url = try #require(server.url(of: name))
        try await Database(driver: try PostgresDriver(url, for: .maintenance)).closing { try await body($0) }
    }

    private func withFile(_ body: (Database) async throws -> Void) async throws {
        try await withFolder { folder in
            try await Database(driver: try SQLiteDriver(path: folder.file("homing.db"))).closing { try await body($0) }
        }
    }

    /// A server on PostgreSQL, with a project.
    private func withNode(_ body: (TestHoming) async throws -> Void) async throws {
        try await withWorld(isOnPostgres: true) { world in
            try await world.withHoming { homing in
                _ = try await homing.projects.create(
                    id: "shop", name: "Shop", apiKey: TestHoming.apiKey, authorizedDomains: ["shop.example"],
                    linkDomains: [], language: nil)
                try await body(homing)
            }
        }
    }

    private func migrate(_ database: Database) async throws {
        try await Migrator(Schema.migrations).migrate(database, now: 0)
    }

    @discardableResult
    private func copy(_ source: Database, to target: Database) async throws -> Int64 {
        try await migrate(target)
        return try await Schema.copy.run(from: source, into: target) { _ in }
    }

    private func names(_ database: Database) async throws -> Set<String> {
        let rows = try await database.read { try $0.run(database.dialect.tables) }
        return Set(
            try rows.map { row in
                var row = row
                return try row.text()
            })
    }

    /// Every row of every table that is copied, read without the copy's own code.
    private func content(_ database: Database) async throws -> [String: Set<[Value]>] {
        var content: [String: Set<[Value]>] = [:]
        for table in Schema.copy.known.subtracting(["nodes", "schema_versions"]) {
            let rows = try await database.read { try $0.run(SQL(stringLiteral: "SELECT * FROM \(table)")) }
            content[table] = Set(rows.map { $0.values.map(Self.exact) })
        }
        return content
    }

    /// Texts are equal for Swift that are not the same bytes.
    private static func exact(_ value: Value) -> Value {
        switch value {
        case .text(let text): .bytes(Array("t".utf8) + Array(text.utf8))
        case .bytes(let bytes): .bytes(Array("b".utf8) + bytes)
        default: value
        }
    }

    private func isEmpty(_ database: Database) async throws -> Bool {
        try await content(database).values.allSatisfy(\.isEmpty)
    }

    @Test func `no table is forgotten, on neither engine`() async throws {
        try await withFile { file in
            try await withPostgres { server in
                for database in [file, server] {
                    try await migrate(database)
                    #expect(try await names(database) == Schema.copy.known)
                }
            }
        }
    }

    // MARK: Values

    private static let texts = [
        "", " ", "a", "\u{1}\u{1F}\u{7F}\u{80}", "line\nline\r\n\t\\N\\.\\x00", "'\"\u{301}$1?",
        "\u{FFFD}\u{FEFF}\u{10FFFF}👩‍👩‍👧",
        "é", "e\u{301}", String(repeating: "long ", count: 30_000),
    ]
    private static let numbers = [0, 1, -1, Int64(Int32.max) + 1, .min, .max]
    private static let blobs: [[UInt8]] = [[], [0], Array(0...255), [UInt8](repeating: 0x5C, count: 70_000)]

    /// The columns of a table that an index searches.
    private func indexedColumns(of table: String, _ database: Database) async throws -> Set<String> {
        let rows = try await database.read {
            try $0.run(
                """
                SELECT columns.name FROM pragma_index_list(\(table)) AS indexes, pragma_index_info(indexes.name) AS columns
                WHERE columns.name IS NOT NULL
                """)
        }
        return Set(
            try rows.map { row in
                var row = row
                return try row.text()
            })
    }

    /// Fills every column of every table with what is hard to keep: null where that is allowed, extremes elsewhere.
    private func fill(_ database: Database, _ random: inout Choices) async throws {
        for table in Schema.copy.known.subtracting(["nodes", "schema_versions"]).sorted() {
            let columns = try await database.read {
                try $0.run("SELECT name, type, pk, \"notnull\" FROM pragma_table_info(\(table))")
            }
            let indexed = try await indexedColumns(of: table, database)
            // More than two pages of the copy for one table.
            let count = table == "accounts" ? 1_203 : 40
            var rows: [[Value]] = []
            for number in 0..<count {
                var values: [Value] = []
                for var column in columns {
                    let (name, type) = (try column.text(), try column.text())
                    let (isKey, isNeeded) = (try column.bool(), try column.bool())
                    // Unique: the number is at the end of what is unique.
                    if isKey || ["email", "phone_number"].contains(name) {
                        let mark = [nil, "", "é", "👩‍👩‍👧", "Z", "a", "_", "-"].randomElement(using: &random) ?? nil
                        switch type {
                        case "BIGINT": values.append(.int(.min + Int64(number)))
                        case "TEXT":
                            values.append(
                                mark.map { .text("\($0)\(number)") } ?? (isKey || isNeeded ? .text("\(number)") : .null)
                            )
                        default: values.append(.bytes(Array("\(number)".utf8) + [0, 0xFF]))
                        }
                    } else if !isNeeded, Bool.random(using: &random) {
                        values.append(.null)
                    } else if type == "BIGINT" {
                        values.append(.int(Self.numbers.randomElement(using: &random) ?? 0))
                    } else if type == "TEXT" {
                        // The longest ones only now and then. PostgreSQL keeps none of that length in an index.
                        let isLong = number % 100 == 0 && !indexed.contains(name)
                        values.append(.text(Self.texts.prefix(isLong ? 99 : 9).randomElement(using: &random) ?? ""))
                    } else {
                        values.append(.bytes(Self.blobs.randomElement(using: &random) ?? []))
                    }
                }
                rows.append(values)
            }
            try await database.write { [rows] connection in
                for row in rows {
                    var statement = SQL(stringLiteral: "INSERT INTO \(table) VALUES (")
                    for (place, value) in row.enumerated() { statement.append(place == 0 ? "\(value)" : ", \(value)") }
                    statement.append(")")
                    try connection.run(statement)
                }
            }
        }
    }

    @Test func `every value of every table is the same on the other engine, and back in a file`() async throws {
        let seed = UInt64.random(in: .min ... .max)
        var random = Choices(randomness: SeededRandomness(seed: seed))
        try await withFile { file in
            try await migrate(file)
            try await fill(file, &random)
            let before = try await content(file)
            #expect(before.values.allSatisfy { $0.count >= 40 })
            try await withPostgres { server in
                let rows = try await copy(file, to: server)
                #expect(Int(rows) == before.values.map(\.count).reduce(0, +))
                #expect(try await content(server) == before, "seed \(seed)")
                try await withPostgres { second in
                    try await copy(server, to: second)
                    #expect(try await content(second) == before, "seed \(seed)")
                }
                try await withFile { back in
                    try await copy(server, to: back)
                    #expect(try await content(back) == before, "seed \(seed)")
                }
            }
        }
    }

    @Test(arguments: [
        ("CAST(x'610062' AS TEXT)", "U+0000"), ("CAST(x'61ff' AS TEXT)", "no UTF-8"),
        ("CAST(x'eda080' AS TEXT)", "no UTF-8"),
    ])
    func `a text that PostgreSQL cannot keep is refused by its table and key, and nothing is written`(
        text: String, reason: String
    ) async throws {
        try await withFile { file in
            try await migrate(file)
            try await file.write { connection in
                try connection.run("INSERT INTO api_keys (key, project, created_at) VALUES ('hk_1', 'shop', 0)")
                try connection.run(
                    SQL(stringLiteral: "INSERT INTO projects VALUES ('shop', '1', \(text), '{}', 0)"))
            }
            try await withPostgres { server in
                let fault = await #expect(throws: DatabaseFault.self) { try await copy(file, to: server) }
                let line = try #require(fault).description
                #expect(line.hasPrefix("table projects, key (\"shop\"): name has a text"), "\(line)")
                #expect(line.contains(reason), "\(line)")
                #expect(try await isEmpty(server))
            }
        }
    }

    // MARK: What is refused

    @Test func `a new database that is not empty is refused by the table that has rows, and stays as it is`()
        async throws
    {
        try await withNode { homing in
            try await withPostgres { server in
                try await migrate(server)
                try await server.write { try $0.run("INSERT INTO limits VALUES ('shop', 'x', 0, 1, 0)") }
                let before = try await content(server)
                let fault = await #expect(throws: DatabaseFault.self) { try await copy(homing.database, to: server) }
                #expect(try #require(fault).description.contains("rows in its table limits"))
                #expect(try await content(server) == before)
            }
        }
    }

    @Test func `a table of somebody else stops a copy on either side`() async throws {
        try await withFile { file in
            try await migrate(file)
            try await withPostgres { server in
                try await server.write { try $0.run("CREATE TABLE theirs (id BIGINT PRIMARY KEY)") }
                for (source, target) in [(file, server), (server, file)] {
                    let fault = await #expect(throws: DatabaseFault.self) { try await copy(source, to: target) }
                    #expect(try #require(fault).description.contains("a table theirs"))
                }
            }
        }
    }

    @Test func `a row that is not the same behind the copy is found, and nothing is kept`() async throws {
        try await withNode { homing in
            try await homing.account(TestHoming.ann)
            try await withPostgres { server in
                try await migrate(server)
                try await server.write { connection in
                    try connection.run(
                        """
                        CREATE FUNCTION forge() RETURNS trigger LANGUAGE plpgsql AS
                        'BEGIN NEW.display_name := ''Eve''; RETURN NEW; END'
                        """)
                    try connection.run(
                        "CREATE TRIGGER forge BEFORE INSERT ON accounts FOR EACH ROW EXECUTE FUNCTION forge()")
                }
                let fault = await #expect(throws: DatabaseFault.self) { try await copy(homing.database, to: server) }
                #expect(try #require(fault).description.hasPrefix("table accounts differs"))
                #expect(try await isEmpty(server))
            }
        }
    }

    // MARK: What stays valid

    @Test func `what was mailed and who is signed in stay valid behind a move with the same key file`() async throws {
        try await withEmptyWorld { file in
            try await withNode { homing in
                let tokens = try await homing.signUp(TestHoming.ann).tokens
                let code = try await homing.liveCode(.passwordReset)
                let (_, secret) = try await homing.adminKeys.create(name: "ci")
                try await Database(driver: try SQLiteDriver(path: file.databasePath))
                    .closing { _ = try await copy(homing.database, to: $0) }
                try FileManager.default.copyItem(atPath: homing.world.keyFile, toPath: file.keyFile)
                try await file.withHoming { moved in
                    let shop = try moved.shop
                    _ = try await moved.person(tokens)
                    _ = try await moved.sessions.refresh(tokens.refreshToken, in: shop)
                    #expect(try await moved.adminKeys.find(secret) != nil)
                    try await moved.redeem(code, .passwordReset, password: "behind the move 1")
                    _ = try await moved.signIn(TestHoming.ann, password: "behind the move 1")
                    await #expect(throws: Refusal.self) { try await moved.redeem(code, .passwordReset) }
                }
            }
        }
    }

    @Test func `a copy taken while mails are asked for is consistent`() async throws {
        try await withEmptyWorld { other in
            try await withNode { homing in
                for number in 0..<40 { try await homing.account("user\(number)@home.example") }
                try await Database(driver: try SQLiteDriver(path: other.databasePath)).closing { file in
                    try await migrate(file)
                    try await withThrowingTaskGroup(of: Void.self) { group in
                        for number in 0..<40 {
                            group.addTask { try await homing.mail(.passwordReset, to: "user\(number)@home.example") }
                        }
                        group.addTask { _ = try await Schema.copy.run(from: homing.database, into: file) { _ in } }
                        try await group.waitForAll()
                    }
                    let rows = try await content(file)
                    #expect(rows["codes"]?.count == rows["outbox"]?.count)
                    #expect(rows["accounts"]?.count == 40)
                }
            }
        }
    }
}

/// The same choices for the same seed.
private struct Choices: RandomNumberGenerator {
    let randomness: SeededRandomness

    mutating func next() -> UInt64 {
        randomness.bytes(8).reduce(0) { $0 << 8 | UInt64($1) }
    }
}
