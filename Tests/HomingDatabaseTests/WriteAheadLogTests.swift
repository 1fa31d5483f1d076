// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingDatabase
import HomingTesting
import Testing

@Suite struct WriteAheadLogTests {
    /// The next verb sees the work that the writer does behind an answer.
    private static func logPages(_ database: Database) async throws -> Int {
        try await database.write { try $0.run("SELECT 1") }
        return database.counts.logPages
    }

    @Test func `the log starts anew when it has grown long`() async throws {
        try await withNotes { database in
            var longest = 0
            for number in 0..<2_500 {
                try await database.note(number)
                longest = max(longest, database.counts.logPages)
            }
            #expect((1_000...1_010).contains(longest))
            #expect(database.counts.logPages < 1_000)
            #expect(try await database.notes() == Array(0..<2_500))
        }
    }

    @Test func `the log of a large database is folded a little at a time`() async throws {
        try await withNotes { database in
            let megabyte = String(repeating: "x", count: 1 << 20)
            for number in 0..<70 { try await database.note(number, megabyte) }
            // The first fold after this sees the present size of the file.
            _ = try await Self.logPages(database)
            var shortest = Int.max
            var written = 70
            // The log is folded while nobody waits, and a machine that is busy elsewhere may not give the writer its
            // turn for that, but not each time.
            while shortest >= 500, written < 5_000 {
                var longest = 0
                for number in written..<(written + 330) {
                    try await database.note(number)
                    longest = max(longest, database.counts.logPages)
                    try await Task.sleep(for: .milliseconds(1))
                }
                written += 330
                shortest = min(shortest, longest)
            }
            #expect(shortest < 500)
            #expect(try await database.notes() == Array(0..<written))
        }
    }

    @Test func `a read that stays keeps the log, and it is folded when the read has gone`() async throws {
        try await withNotes { database in
            let barrier = Barrier()
            async let staying: Int = database.read { connection in
                let count = try connection.run("SELECT id FROM notes").count
                barrier.wait()
                return try connection.run("SELECT id FROM notes").count - count
            }
            try await barrier.untilReached()
            for number in 0..<1_500 { try await database.note(number) }
            #expect(database.counts.logPages > 1_500)
            barrier.open()
            #expect(try await staying == 0)
            var number = 1_500
            while database.counts.logPages >= 100, number < 2_000 {
                try await database.note(number)
                number += 1
            }
            #expect(database.counts.logPages < 100)
        }
    }
}
