// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import Synchronization

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// The stream that logs go to.
package enum StandardError {
    private static let turn = Mutex(())

    /// Writes a whole line; two lines never mix. An error is nobody's to hear, since this is where errors are told.
    package static func write(_ line: String) {
        turn.withLock { _ in
            var rest = Array(line.utf8)[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes { systemWrite(STDERR_FILENO, $0.baseAddress, $0.count) }
                guard count > 0 || errno == EINTR else { return }
                rest = rest.dropFirst(max(0, count))
            }
        }
    }

    private static func systemWrite(_ descriptor: CInt, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
        #if canImport(Glibc)
            return Glibc.write(descriptor, bytes, count)
        #else
            return Darwin.write(descriptor, bytes, count)
        #endif
    }
}
