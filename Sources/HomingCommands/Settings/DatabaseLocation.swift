// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// The location of the data.
package enum DatabaseLocation: Sendable, Hashable {
    /// A file of the embedded engine.
    case sqlite(path: String)

    /// - Throws: ``Rejection`` with a sentence of its own for PostgreSQL.
    init(parsing text: String) throws(Rejection) {
        if text.utf8.starts(with: "postgres://".utf8) || text.utf8.starts(with: "postgresql://".utf8) {
            throw .because("this build keeps its data in SQLite; give sqlite:PATH")
        }
        let scheme = "sqlite:"
        guard text.utf8.starts(with: scheme.utf8) else { throw .notAccepted }
        let path = String(text.dropFirst(scheme.count))
        if path.utf8.starts(with: "//".utf8) {
            throw .because(
                "sqlite: is followed by the path alone, without //; for example sqlite:/var/lib/homing/homing.db")
        }
        if path.utf8.elementsEqual(":memory:".utf8) {
            throw .because("data in memory would be lost at the end; give the path of a file")
        }
        guard FilePath.isUsable(path), path.utf8.last != UInt8(ascii: "/") else { throw .notAccepted }
        self = .sqlite(path: path)
    }

    /// The folder of the database file itself, even where the path is a symbolic link; the socket of a running server
    /// lies there too.
    package var folder: String {
        switch self {
        case .sqlite(let path): FilePath.folder(of: FilePath.resolved(path))
        }
    }
}
