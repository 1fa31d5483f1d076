// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
import HomingDatabase
import HomingTesting
import Testing

@Suite struct SQLiteFileTests {
    @Test func `a second owner of the file is refused in one line that names it`() async throws {
        try await withFolder { folder in
            let path = folder.file("owned.db")
            let first = Database(driver: try SQLiteDriver(path: path))
            let fault = #expect(throws: DatabaseFault.self) { try SQLiteDriver(path: path) }
            #expect(fault?.description.contains(path) == true)
            #expect(fault?.description.contains("\n") == false)
            await first.close()
            let second = Database(driver: try SQLiteDriver(path: path))
            await second.close()
        }
    }

    @Test func `a file that is not a database is refused`() async throws {
        try await withFolder { folder in
            let path = folder.file("letter.db")
            try Data(String(repeating: "Dear database, ", count: 500).utf8).write(to: URL(filePath: path))
            #expect(throws: (any Error).self) { try SQLiteDriver(path: path) }
        }
    }

    @Test func `a number that is too great for an integer is a fault, and a fraction is left out`() async throws {
        try await withNotes { database in
            await #expect(throws: (any Error).self) {
                try await database.write { connection in _ = try connection.run("SELECT 9223372036854775807 + 1") }
            }
            let cut = try await database.write { try $0.run("SELECT 2.9").firstInt() }
            #expect(cut == 2)
        }
    }

    @Test func `commits are durable: WAL with synchronous=FULL on the connection that writes`() async throws {
        try await withNotes { database in
            let (synchronous, journal) = try await database.write { connection in
                (
                    try connection.run("PRAGMA synchronous").firstInt(),
                    try connection.run("PRAGMA journal_mode").firstText()
                )
            }
            #expect(synchronous == 2)
            #expect(journal == "wal")
        }
    }

    @Test func `a copy is whole, and a copy to a file that is there is refused`() async throws {
        try await withFolder { folder in
            try await withNotes { database in
                for number in 0..<50 { try await database.note(number) }
                let target = folder.file("copy.db")
                try await database.copy(to: target)
                try await database.note(99)
                let copy = Database(driver: try SQLiteDriver(path: target))
                #expect(try await copy.notes() == Array(0..<50))
                await copy.close()
                await #expect(throws: (any Error).self) { try await database.copy(to: target) }
                #expect(try await database.notes().count == 51)
            }
        }
    }

    @Test func `a read sees one state although writes go on`() async throws {
        try await withNotes { database in
            try await database.note(1)
            let reading = Barrier()
            async let counts = database.read { connection in
                let first = try connection.run("SELECT COUNT(*) FROM notes").firstInt()
                reading.wait()
                return [first, try connection.run("SELECT COUNT(*) FROM notes").firstInt()]
            }
            try await reading.untilReached()
            try await database.note(2)
            reading.open()
            #expect(try await counts == [1, 1])
            #expect(try await database.notes() == [1, 2])
        }
    }
}
