// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingDatabase
import Synchronization
import Testing

@Suite struct GroupCommitTests {
    private struct Refused: Error {}

    /// The callers that have been answered.
    private final class Answered: Sendable {
        private let list = Mutex<[String]>([])
        var names: [String] { list.withLock { $0 } }
        func add(_ name: String) { list.withLock { $0.append(name) } }
    }

    /// Runs verbs that all waited for the writer, so that they share one commit.
    private func together(
        _ count: Int, on database: Database, _ verb: @escaping @Sendable (Int) async throws -> Void
    ) async throws -> [Int: Result<Void, any Error>] {
        let barrier = Barrier()
        let before = database.counts.writes
        return try await withThrowingTaskGroup(of: (Int, Result<Void, any Error>)?.self) { group in
            group.addTask {
                try await barrier.hold(database)
                return nil
            }
            try await barrier.untilReached()
            for number in 0..<count {
                group.addTask {
                    do {
                        try await verb(number)
                        return (number, .success(()))
                    } catch {
                        return (number, .failure(error))
                    }
                }
            }
            try await database.untilAsked(before + 1 + count)
            barrier.open()
            var results: [Int: Result<Void, any Error>] = [:]
            for try await case (let number, let result)? in group { results[number] = result }
            return results
        }
    }

    @Test func `verbs that wait together share one commit`() async throws {
        try await withNotes { database in
            let before = database.counts
            let results = try await together(200, on: database) { try await database.note($0) }
            #expect(results.count == 200)
            #expect(try await database.notes() == Array(0..<200))
            #expect(database.counts.writes - before.writes == 201)
            #expect((1...3).contains(database.counts.commits - before.commits))
        }
    }

    @Test func `a verb that throws is undone and never touches its neighbours`() async throws {
        try await withNotes { database in
            let results = try await together(60, on: database) { number in
                try await database.write { connection in
                    try connection.run("INSERT INTO notes (id, text) VALUES (\(number), 'first')")
                    if number % 3 == 0 { throw Refused() }
                    try connection.run("INSERT INTO notes (id, text) VALUES (\(number + 1000), 'second')")
                }
            }
            let good = (0..<60).filter { $0 % 3 != 0 }
            #expect(try await database.notes() == good + good.map { $0 + 1000 })
            for (number, result) in results {
                if number % 3 == 0 {
                    #expect(throws: Refused.self) { try result.get() }
                } else {
                    #expect(throws: Never.self) { try result.get() }
                }
            }
        }
    }

    @Test func `a broken constraint is the fault of one verb only`() async throws {
        try await withNotes { database in
            let results = try await together(64, on: database) { try await database.note($0 / 2, "\($0)") }
            let winners = results.values.count { (try? $0.get()) != nil }
            #expect(winners == 32)
            #expect(try await database.notes() == Array(0..<32))
        }
    }

    @Test func `a verb that catches its own broken constraint keeps the rest of its work`() async throws {
        try await withNotes { database in
            try await database.note(1)
            try await database.write { connection in
                try connection.run("INSERT INTO notes (id, text) VALUES (2, 'kept')")
                #expect(throws: (any Error).self) {
                    try connection.run("INSERT INTO notes (id, text) VALUES (1, 'twice')")
                }
            }
            #expect(try await database.notes() == [1, 2])
        }
    }

    @Test func `nobody in a batch is answered before its commit, not even a verb that was refused`() async throws {
        try await withNotes { database in
            let gate = Barrier()
            let middle = Barrier()
            let answered = Answered()
            let before = database.counts.writes
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await gate.hold(database) }
                try await gate.untilReached()
                group.addTask {
                    try await database.note(1)
                    answered.add("written")
                }
                try await database.untilAsked(before + 2)
                group.addTask {
                    // The verb sees the neighbour's row, which could still be lost with the batch.
                    _ = try? await database.write { connection in
                        guard try connection.run("SELECT 1 FROM notes WHERE id = 1").isEmpty else { throw Refused() }
                    }
                    answered.add("refused")
                }
                try await database.untilAsked(before + 3)
                group.addTask { try await middle.hold(database) }
                try await database.untilAsked(before + 4)
                gate.open()
                try await middle.untilReached()
                // Enough time for a premature answer to arrive.
                try await Task.sleep(for: .milliseconds(50))
                #expect(answered.names.isEmpty)
                #expect(try await database.notes().isEmpty)
                middle.open()
                try await group.waitForAll()
            }
            #expect(answered.names.sorted() == ["refused", "written"])
            #expect(try await database.notes() == [1])
        }
    }

    @Test func `when the disk is full every verb of the batch fails and none is half done`() async throws {
        try await withNotes { database in
            try await database.note(0)
            let pages = try await database.write { try $0.run("PRAGMA page_count").firstInt() ?? 0 }
            try await database.write { connection in
                _ = try connection.run(SQL(stringLiteral: "PRAGMA max_page_count = \(pages + 2)"))
            }
            let big = String(repeating: "x", count: 200_000)
            let results = try await together(9, on: database) { number in
                try await database.note(number + 1, number == 4 ? big : "")
            }
            #expect(results.count == 9)
            for result in results.values { #expect(throws: DatabaseFault.self) { try result.get() } }
            #expect(try await database.notes() == [0])
            try await database.write { connection in
                _ = try connection.run("PRAGMA max_page_count = 1073741823")
            }
            try await database.note(5)
            #expect(try await database.notes() == [0, 5])
        }
    }

    @Test func `statements of verbs are counted, the engine's own are not`() async throws {
        try await withNotes { database in
            let before = database.counts
            try await database.write { connection in
                try connection.run(["INSERT INTO notes (id, text) VALUES (1, '')", "SELECT id FROM notes"])
            }
            _ = try await database.notes()
            #expect(database.counts.statements - before.statements == 3)
            #expect(database.counts.writes - before.writes == 1)
            #expect(database.counts.commits - before.commits == 1)
        }
    }
}
