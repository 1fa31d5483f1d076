// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation

/// A file or folder, by whatever path it is reached.
struct FileIdentity: Equatable {
    enum Kind { case file, folder, other }

    private let device: UInt64
    private let node: UInt64
    let kind: Kind

    static func == (left: Self, right: Self) -> Bool { left.device == right.device && left.node == right.node }

    /// Nil where nothing is.
    init?(_ path: String, followsLinks: Bool = true) {
        var status = stat()
        guard fstatat(AT_FDCWD, path, &status, followsLinks ? 0 : AT_SYMLINK_NOFOLLOW) == 0 else { return nil }
        device = UInt64(truncatingIfNeeded: status.st_dev)
        node = UInt64(truncatingIfNeeded: status.st_ino)
        kind =
            switch status.st_mode & S_IFMT {
            case S_IFREG: .file
            case S_IFDIR: .folder
            default: .other
            }
    }

    /// The current folder and all above it; the topmost is its own parent.
    static var currentFolderAndParents: [FileIdentity] {
        var (path, found) = (".", [FileIdentity]())
        while let folder = FileIdentity(path), folder != found.last {
            found.append(folder)
            path += "/.."
        }
        return found
    }
}
