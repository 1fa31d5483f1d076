// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

#if canImport(Glibc)
    // Where Foundation's C part is loaded first, the compiler takes it for the home of `stat`.
    import CoreFoundation
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Tells whether a file is still what it was: another file of the same name, another content or other rights change it.
struct FileMark: Equatable {
    private let device: UInt64
    private let file: UInt64
    private let size: Int64
    /// When the content or the rights changed last, in nanoseconds.
    private let changedAt: Int64

    /// Nil where there is no file.
    init?(of path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        device = UInt64(status.st_dev)
        file = UInt64(status.st_ino)
        size = Int64(status.st_size)
        #if canImport(Glibc)
            let time = status.st_ctim
        #else
            let time = status.st_ctimespec
        #endif
        changedAt = Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
