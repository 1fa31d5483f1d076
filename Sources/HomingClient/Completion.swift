// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// A completion handler of a call that answers something: the answer or an error, on the main queue.
public typealias AnswerHandler<Answer> = @MainActor @Sendable (Answer?, (any Error)?) -> Void

/// A completion handler of a call that answers nothing: nil or an error, on the main queue.
public typealias ErrorHandler = @MainActor @Sendable ((any Error)?) -> Void

/// Makes a call for a completion handler.
package func deliver<Answer: Sendable, Failure: Error>(
    to handler: AnswerHandler<Answer>?, _ call: @escaping @Sendable () async throws(Failure) -> Answer
) {
    Task {
        let answer: Answer?
        let failure: Failure?
        do throws(Failure) {
            (answer, failure) = (try await call(), nil)
        } catch {
            (answer, failure) = (nil, error)
        }
        await MainActor.run { handler?(answer, failure) }
    }
}

/// The same for a call that answers nothing.
package func deliver<Failure: Error>(
    to handler: ErrorHandler?, _ call: @escaping @Sendable () async throws(Failure) -> Void
) {
    deliver(to: { (_: Void?, error) in handler?(error) }, call)
}
