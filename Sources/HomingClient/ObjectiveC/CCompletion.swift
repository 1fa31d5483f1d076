// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// A C function that takes an answer or an error, each with a reference. It is called once, on the main queue.
package typealias CAnswer =
    @convention(c) (
        _ context: UnsafeMutableRawPointer?, _ answer: UnsafeMutableRawPointer?, _ error: UnsafeMutableRawPointer?
    ) -> Void

/// A C function and what it was given along, which it knows how to end.
///
/// It is `@unchecked Sendable` because a pointer says nothing about threads: the caller promises that the context may
/// be handed from one to another.
package struct CCompletion: @unchecked Sendable {
    package let context: UnsafeMutableRawPointer?
    package let answer: CAnswer

    package init(_ context: UnsafeMutableRawPointer?, _ answer: @escaping CAnswer) {
        self.context = context
        self.answer = answer
    }

    /// For a call that answers nothing.
    package var plain: ((any Error)?) -> Void {
        { error in answer(context, nil, error.map { retained(Box($0)) }) }
    }

    /// For a call that answers a value.
    package func taking<Answer: Sendable>(_ type: Answer.Type) -> (Answer?, (any Error)?) -> Void {
        { value, error in answer(context, value.map { retained(Box($0)) }, error.map { retained(Box($0)) }) }
    }
}

/// A C function that ends what another one was given along.
package typealias CEnd = @convention(c) (_ context: UnsafeMutableRawPointer?) -> Void
