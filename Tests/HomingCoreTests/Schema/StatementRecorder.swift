// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import GRDBSQLite
import Synchronization

/// Records every statement that SQLite runs on one file, so that the plans are those of the product's own statements
/// and not of copies.
enum StatementRecorder {
    private static let recorded = Mutex<[String: [String]]>([:])

    /// Records statements on connections that are opened from now on. Other files are not affected.
    static func watch(_ path: String) {
        recorded.withLock { $0[path] = [] }
        typealias EntryPoint =
            @convention(c) (
                OpaquePointer?, UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?, OpaquePointer?
            ) -> Int32
        let onOpen: EntryPoint = { connection, _, _ in
            sqlite3_trace_v2(
                connection, UInt32(SQLITE_TRACE_STMT),
                { _, _, statement, text in
                    if let statement, let text {
                        StatementRecorder.record(
                            OpaquePointer(statement), UnsafePointer(text.assumingMemoryBound(to: CChar.self)))
                    }
                    return 0
                }, nil)
        }
        // SQLite declares the entry point without its parameters, and calls it with these three.
        sqlite3_auto_extension(unsafeBitCast(onOpen, to: (@convention(c) () -> Void).self))
    }

    private static func record(_ statement: OpaquePointer, _ text: UnsafePointer<CChar>) {
        guard let name = sqlite3_db_filename(sqlite3_db_handle(statement), "main") else { return }
        let path = String(cString: name)
        let sql = String(cString: text)
        recorded.withLock { recorded in
            if recorded[path]?.contains(sql) == false { recorded[path]?.append(sql) }
        }
    }

    /// The different statements that ran on the file.
    static func statements(on path: String) -> [String] {
        recorded.withLock { $0[path] ?? [] }
    }

    static func forget(_ path: String) {
        recorded.withLock { $0[path] = [] }
    }
}
