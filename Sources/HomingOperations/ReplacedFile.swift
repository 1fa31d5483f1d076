// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import Foundation
package import HomingStore

/// A file that takes the place of what is at its path. A link there, which somebody else may have put where root
/// writes, is replaced and not followed, and no half of a file is ever found.
package enum ReplacedFile {
    /// - Throws: a refusal that says why the path cannot be written.
    package static func write(_ bytes: [UInt8], to path: String) throws(Refusal) {
        func refusal() -> Refusal {
            .invalidArgument("\(path) cannot be written: \(String(cString: strerror(errno)))")
        }
        let draft = "\(path).new-\(getpid())"
        unlink(draft)
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o666)
        guard descriptor >= 0 else { throw refusal() }
        let reason = Descriptor.write(bytes, to: descriptor)
        close(descriptor)
        if let reason { errno = reason }
        guard reason == nil, rename(draft, path) == 0 else {
            let refusal = refusal()
            unlink(draft)
            throw refusal
        }
    }
}
