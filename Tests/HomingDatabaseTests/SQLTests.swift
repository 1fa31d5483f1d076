// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingDatabase
import Testing

@Suite struct SQLTests {
    @Test(arguments: [
        "'; DROP TABLE notes; --", "\"", "?", "$1", ":name", "é", "e\u{301}", "\r\n",
        String(repeating: "x", count: 70_000),
    ])
    func `an interpolated value is bound, whatever it holds`(text: String) async throws {
        try await withNotes { database in
            let found = try await database.write { connection in
                try connection.run("INSERT INTO notes (id, text) VALUES (1, \(text))")
                return try connection.run("SELECT text FROM notes WHERE text = \(text)")
            }
            #expect(try found.firstText()?.utf8.elementsEqual(text.utf8) == true)
            #expect(try await database.notes() == [1])
        }
    }

    @Test func `a text with a NUL in it is refused or kept whole, never cut short`() async throws {
        try await withNotes { database in
            do {
                try await database.note(1, "ann\u{0}.evil")
            } catch {
                #expect(try await database.notes().isEmpty)
                return
            }
            let text = try await database.read { try $0.run("SELECT text FROM notes").firstText() }
            #expect(text?.utf8.elementsEqual("ann\u{0}.evil".utf8) == true)
        }
    }

    @Test func `no value ever stands in a statement's text`() {
        let sql: SQL = "SELECT \(1), \("two"), \([3 as UInt8]), \(true), \(nil as String?), \(Int64(6)) FROM t"
        var values: [Value] = []
        var text = ""
        for fragment in sql.fragments {
            switch fragment {
            case .text(let piece): text += piece
            case .value(let value): values.append(value)
            case .type, .lock: Issue.record("there is no type and no lock in this statement")
            }
        }
        #expect(values == [.int(1), .text("two"), .bytes([3]), .int(1), .null, .int(6)])
        #expect(text == "SELECT , , , , ,  FROM t")
    }

    @Test func `each engine gets its own parameters and type names, and the same values`() {
        let sql: SQL =
            "SELECT \(1) FROM t WHERE a = \("x") AND \(sql: "b = \(true)") AND c::\(type: .bytes) = \(nil as Int?)"
        let (sqlite, first) = sql.rendered(for: .sqlite)
        let (postgres, second) = sql.rendered(for: .postgres)
        #expect(sqlite == "SELECT ? FROM t WHERE a = ? AND b = ? AND c::BLOB = ?")
        #expect(postgres == "SELECT $1 FROM t WHERE a = $2 AND b = $3 AND c::BYTEA = $4")
        #expect(first == [.int(1), .text("x"), .int(1), .null])
        #expect(second == first)
    }

    @Test func `a statement inside a statement keeps its values in order`() async throws {
        let inner: SQL = "id > \(1) AND text = \("b")"
        try await withNotes { database in
            for (id, text) in [(1, "b"), (2, "a"), (3, "b")] { try await database.note(id, text) }
            let rows = try await database.read { connection in
                try connection.run("SELECT id, \(7) FROM notes WHERE \(sql: inner) AND id < \(9)")
            }
            #expect(rows.map(\.values) == [[.int(3), .int(7)]])
        }
    }

    @Test func `values come back as they were bound`() async throws {
        try await withNotes { database in
            var row = try await database.read { connection in
                try connection.run(
                    "SELECT \(Int64.min), \(Int64.max), \("ß"), \([0, 255] as [UInt8]), \([] as [UInt8]), \(nil as Int?)"
                )[0]
            }
            var (another, third) = (row, row)
            #expect(try row.int() == .min)
            #expect(try row.int() == .max)
            #expect(try row.text() == "ß")
            #expect(try row.bytes() == [0, 255])
            #expect(try row.bytes() == [])
            #expect(try row.optionalInt() == nil)
            #expect(throws: RowFault.self) { try another.text() }
            for _ in 0..<2 { _ = try third.int() }
            #expect(throws: RowFault.self) { try third.int() }
            #expect(throws: RowFault.self, "there is no seventh column") { try row.int() }
        }
    }
}
