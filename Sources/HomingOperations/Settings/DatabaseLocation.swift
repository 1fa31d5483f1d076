// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingDatabase

/// The location of the data.
package enum DatabaseLocation: Sendable, Hashable {
    /// A file of the embedded engine.
    case sqlite(DatabaseFile)
    /// A server that several nodes may share.
    case postgres(PostgresURL)

    /// - Throws: ``Rejection``, with a sentence of its own for common mistakes.
    package init(parsing text: String) throws(Rejection) {
        if text.utf8.starts(with: "postgres://".utf8) || text.utf8.starts(with: "postgresql://".utf8) {
            guard let url = PostgresURL(parsing: text) else {
                throw .because(
                    "PostgreSQL does not understand this URI; for example "
                        + "postgresql://homing:password@db1,db2/homing?connections=8 (percent-encode what is special in "
                        + "user and password; connections= is 1 to 200, prepared= is on or off)")
            }
            self = .postgres(url)
            return
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
        self = .sqlite(DatabaseFile(path: path))
    }

    /// The file of the embedded engine; nil where the data is elsewhere.
    package var file: DatabaseFile? {
        if case .sqlite(let file) = self { file } else { nil }
    }
}

extension DatabaseLocation {
    /// The address of the server; nil where the data is in a file.
    package var url: PostgresURL? {
        if case .postgres(let url) = self { url } else { nil }
    }
}

/// A database file of the embedded engine, which one process owns.
package struct DatabaseFile: Sendable, Hashable {
    package let path: String

    package init(path: String) {
        self.path = path
    }

    /// The folder of the file itself, even where the path is a symbolic link; the socket of a running server lies there
    /// too.
    package var folder: String { FilePath.folder(of: FilePath.resolved(path)) }
}
