// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import HomingClient

/// A C function that hears who is signed in. Both references are its own.
package typealias CListener =
    @convention(c) (
        _ context: UnsafeMutableRawPointer?, _ auth: UnsafeMutableRawPointer, _ user: UnsafeMutableRawPointer?
    ) -> Void

/// A listener of C. `@unchecked Sendable` for the same reason as ``CCompletion``.
final class CStateListener: @unchecked Sendable {
    private let context: UnsafeMutableRawPointer?
    private let listener: CListener
    private let end: CEnd

    init(_ context: UnsafeMutableRawPointer?, _ listener: @escaping CListener, _ end: @escaping CEnd) {
        self.context = context
        self.listener = listener
        self.end = end
    }

    deinit { end(context) }

    func hear(_ auth: Auth, _ user: User?) {
        listener(context, retained(auth), user.map(retained))
    }
}
