// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import CLibSQLite
import GRDB

/// Decides when the writer folds the write-ahead log into the database file.
///
/// SQLite by itself folds in a commit, every thousand pages. In a large database those pages lie scattered, and that
/// commit and the next ones would wait until all pages are written and synced. Here folding follows the answers: in a
/// large database a few pages at a time while nobody waits, otherwise when the log has grown long.
///
/// The log belongs to the writer's connection and its thread: SQLite before 3.51.3 can damage a file on which two
/// connections write or make checkpoints (https://sqlite.org/wal.html#walresetbug).
final class WriteAheadLog {
    /// The number of pages of a long log; SQLite's own measure.
    private static let most = 1_000
    /// The pages of a large database that are folded while nobody waits; folding them takes about as long as a commit.
    private static let few = 50
    /// The number of pages of a large database, 64 MiB. In a smaller one verbs write the same pages again and again,
    /// and folding is short however long the log is.
    private static let large = 16_384

    private let tally: Tally
    private var isLarge = false
    /// Pages in the log, as the last commit left it.
    private var written = 0
    /// The number of log pages that are in the database file.
    private var folded = 0

    init(tally: Tally) {
        self.tally = tally
    }

    /// Hears of every commit of a connection, instead of SQLite's own checkpoints.
    func listen(to database: GRDB.Database) {
        lookAtSize(of: database)
        sqlite3_wal_hook(
            database.sqliteConnection,
            { log, _, _, pages in
                guard let log else { return SQLITE_OK }
                Unmanaged<WriteAheadLog>.fromOpaque(log).takeUnretainedValue().grew(to: Int(pages))
                return SQLITE_OK
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    private func lookAtSize(of database: GRDB.Database) {
        let pages = try? Int.fetchOne(database, sql: "PRAGMA page_count")
        isLarge = (pages ?? 0) >= Self.large
    }

    private func grew(to pages: Int) {
        // A log that was folded whole starts anew.
        if pages < written { folded = 0 }
        written = pages
        tally.setLogPages(pages)
    }

    /// Folds when it is worthwhile. Pages that a reader keeps in the log, or that fail, are folded another time.
    func fold(on database: GRDB.Database, isIdle: Bool) {
        guard written - folded >= (isIdle && isLarge ? Self.few : Self.most) else { return }
        lookAtSize(of: database)
        var pages: Int32 = 0
        let code = sqlite3_wal_checkpoint_v2(database.sqliteConnection, nil, SQLITE_CHECKPOINT_PASSIVE, nil, &pages)
        if code == SQLITE_OK, pages >= 0 { folded = Int(pages) }
    }
}
