// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// Where a migration is, for whoever watches.
package struct MigrationProgress: Sendable {
    package let task: String
    package var done: Int64 = 0
    package var total: Int64?
    package var detail: String?
}

/// Indexes on tables that people write into, on an engine that makes them meanwhile. Such a statement stands outside
/// any transaction, so that a step with one has three parts: its other statements, with a note that it has begun; the
/// indexes, one after the other; its record. A run that was killed is taken up where it was.
extension Migrator {
    /// Makes what a step still lacks of its indexes.
    func makeIndexes(
        of migration: Migration, in database: Database, _ progress: @escaping @Sendable (MigrationProgress) -> Void
    ) async throws {
        for index in migration.statements.compactMap(IndexStatement.init) {
            try await make(index, in: database, progress)
        }
    }

    /// How often an index is begun anew that met another one's work: in a deadlock, or because a run that was killed
    /// had it in hand, of which the server does not tell while it waits for the table.
    private static let mostRuns = 3

    private func make(
        _ index: IndexStatement, in database: Database, _ progress: @escaping @Sendable (MigrationProgress) -> Void
    ) async throws {
        for run in 1...Self.mostRuns {
            // The server may still work on the statement of a run that was killed.
            while let work = try await work(on: index, in: database) {
                progress(work)
                try await Task.sleep(for: .seconds(1))
            }
            let state = try await state(of: index, in: database)
            if state == 1 { return }
            do {
                // It was cut off. Nobody reads it, and everybody who writes has to keep it.
                if state != nil { try await database.runAlone(index.removal) }
                async let _ = report(on: index, in: database, progress)
                try await database.runAlone(index.beside)
                return
            } catch let fault as PostgresFault where (fault.wantsRepeat || fault.isOfTakenName) && run < Self.mostRuns {
                continue
            } catch DatabaseUnavailable.away(let reason) {
                // The server may go on with the statement, and the next run finds what comes of it.
                throw DatabaseUnavailable.away(reason)
            } catch {
                try? await database.runAlone(index.removal)
                throw error
            }
        }
    }

    private func state(of index: IndexStatement, in database: Database) async throws -> Int64? {
        guard let question = database.dialect.state(ofIndex: index.name) else { return 1 }
        return try await database.read { try $0.run(question).firstInt() }
    }

    private func report(
        on index: IndexStatement, in database: Database, _ progress: @Sendable (MigrationProgress) -> Void
    ) async {
        progress(MigrationProgress(task: "making the index \(index.name)"))
        while !Task.isCancelled {
            try? await Task.sleep(for: .seconds(1))
            if let work = try? await work(on: index, in: database) { progress(work) }
        }
    }

    /// What the server does for an index; nil when it does nothing.
    private func work(on index: IndexStatement, in database: Database) async throws -> MigrationProgress? {
        guard let question = database.dialect.work(onIndex: index.name),
            var row = try await database.read({ try $0.run(question).first })
        else { return nil }
        var progress = MigrationProgress(task: "making the index \(index.name)")
        let (phase, blocker) = (try row.text(), try row.int())
        let (done, total) = (try row.int(), try row.int())
        if total > 0 { (progress.done, progress.total) = (done, total) }
        progress.detail = blocker == 0 ? phase : "\(phase), process \(blocker) of pg_stat_activity"
        return progress
    }
}
