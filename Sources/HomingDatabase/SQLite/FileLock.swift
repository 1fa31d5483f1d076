// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation

/// Keeps a file to one process: an advisory lock on a file beside it, which the kernel frees when the process ends.
struct FileLock: Sendable {
    private let descriptor: Int32

    init(path: String, subject: String) throws(DatabaseFault) {
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw DatabaseFault("\(path) cannot be opened: \(String(cString: strerror(errno)))")
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            _ = Foundation.close(descriptor)
            throw DatabaseFault("\(subject) is in use by another homing process; only one may own a SQLite file")
        }
    }

    func release() {
        _ = Foundation.close(descriptor)
    }
}
