// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingDatabase
import HomingTesting

/// A database with one table, `notes (id INTEGER PRIMARY KEY, text TEXT)`, on a file of its own.
func withNotes<Answer: Sendable>(_ body: (Database) async throws -> Answer) async throws -> Answer {
    try await withFolder { folder in
        let database = Database(driver: try SQLiteDriver(path: folder.file("notes.db")))
        try await database.write { try $0.run("CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT NOT NULL)") }
        do {
            let answer = try await body(database)
            await database.close()
            return answer
        } catch {
            await database.close()
            throw error
        }
    }
}

extension Database {
    func note(_ id: Int, _ text: String = "") async throws {
        try await write { try $0.run("INSERT INTO notes (id, text) VALUES (\(id), \(text))") }
    }

    func notes() async throws -> [Int] {
        try await read {
            try $0.run("SELECT id FROM notes ORDER BY id").map {
                var row = $0
                return Int(try row.int())
            }
        }
    }
}
