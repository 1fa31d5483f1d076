// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
import Synchronization

/// Keeps a file to one process: an advisory lock on the file itself, by whatever name it was reached, which the kernel
/// frees when the process ends.
///
/// SQLite does not use this kind of lock (`flock`), and neither kind sees the other. Closing any descriptor of a file
/// frees the locks of SQLite's kind that its process has on it: this one is opened before SQLite's and released after.
final class FileLock: Sendable {
    private let held: Mutex<Int32?>

    /// Makes the file where it is not there.
    init(_ path: String) throws(DatabaseFault) {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw DatabaseFault("\(path) cannot be opened: \(String(cString: strerror(errno)))")
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            _ = Foundation.close(descriptor)
            throw DatabaseFault(
                "\(path) is in use by another homing process; only one may own a SQLite file: stop it first",
                isInUse: true)
        }
        held = Mutex(descriptor)
    }

    deinit { release() }

    func release() {
        held.withLock { descriptor in
            if let open = descriptor {
                // A child process that is just being started has the descriptor until its program begins, and would
                // keep the lock alive.
                _ = flock(open, LOCK_UN)
                _ = Foundation.close(open)
            }
            descriptor = nil
        }
    }
}
