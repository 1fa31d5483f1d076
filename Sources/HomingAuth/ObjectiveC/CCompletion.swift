// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import HomingClient

/// A C function that takes an answer or an error, each with a reference. It is called once, on the main queue.
package typealias CAnswer =
    @convention(c) (
        _ context: UnsafeMutableRawPointer?, _ answer: UnsafeMutableRawPointer?, _ error: UnsafeMutableRawPointer?
    ) -> Void

/// A C function and what it was given along, which it knows how to end.
///
/// It is `@unchecked Sendable` because a pointer says nothing about threads: the caller promises that the context may
/// be handed from one to another.
struct CCompletion: @unchecked Sendable {
    let context: UnsafeMutableRawPointer?
    let answer: CAnswer

    init(_ context: UnsafeMutableRawPointer?, _ answer: @escaping CAnswer) {
        self.context = context
        self.answer = answer
    }

    /// For a call that answers nothing.
    var plain: ErrorHandler {
        { error in answer(context, nil, error.map { retained(Box($0)) }) }
    }

    /// For a call that answers a value.
    func taking<Answer: Sendable>(_ type: Answer.Type) -> AnswerHandler<Answer> {
        { value, error in answer(context, value.map { retained(Box($0)) }, error.map { retained(Box($0)) }) }
    }
}

/// A C function that hears who is signed in. Both references are its own.
package typealias CListener =
    @convention(c) (
        _ context: UnsafeMutableRawPointer?, _ auth: UnsafeMutableRawPointer, _ user: UnsafeMutableRawPointer?
    ) -> Void

/// A C function that ends what another one was given along.
package typealias CEnd = @convention(c) (_ context: UnsafeMutableRawPointer?) -> Void

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
