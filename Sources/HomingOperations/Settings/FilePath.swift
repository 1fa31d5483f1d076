// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import Foundation
internal import HomingWire

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// The facts that the settings need about a path. Its reader finds out whether the file exists.
package enum FilePath {
    /// Not empty, no NUL and no other control character, short enough for the system (PATH_MAX).
    package static func isUsable(_ path: String) -> Bool {
        (1..<4_096).contains(path.utf8.count) && !path.utf8.contains(where: ASCII.isControl)
    }

    /// The path from the root on; a relative one starts at the working folder.
    package static func absolute(_ path: String) -> String {
        path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
    }

    /// The file to which a path leads, by way of all symbolic links, even where that file does not exist yet.
    package static func resolved(_ path: String) -> String {
        if let file = real(path) { return file }
        guard let folder = real(folder(of: path)) else { return path }
        return folder + "/" + (path.split(separator: "/").last ?? "")
    }

    private static func real(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    /// The part before the last slash; `.` when there is none.
    package static func folder(of path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }
}
