// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import Foundation

/// A value behind a lock.
///
/// `Mutex` of the standard library needs iOS 18. The class is `@unchecked Sendable` because the compiler cannot see
/// that ``value`` is only touched between `lock()` and `unlock()`; it is private and there is no other way to it.
package final class Locked<Value: Sendable>: @unchecked Sendable {
    private let lock = NSLock()
    private var value: Value

    package init(_ value: Value) {
        self.value = value
    }

    /// Runs the body with the value to itself. The body must neither wait nor take this lock again.
    package func withLock<Answer, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Answer
    ) throws(Failure) -> Answer {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}
