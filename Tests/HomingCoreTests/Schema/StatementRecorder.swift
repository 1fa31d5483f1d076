// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import GRDBSQLite
import Synchronization

/// Writes down every statement that SQLite runs on one file, as it runs it, so that plans are asked for the product's
/// own statements and not for copies of them.
enum StatementRecorder {
    private static let recorded = Mutex<[String: [String]]>([:])

    /// From now on statements on connections that are opened later are recorded. Other files are left alone.
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
        // SQLite declares the entry point without its parameters; it is called with these three.
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
