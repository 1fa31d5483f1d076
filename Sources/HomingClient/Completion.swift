// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// A completion handler or a listener of an app on its way to the main queue, where alone it is called and ends.
///
/// Handlers have FirebaseAuth's types, which say nothing about threads: code that was written for it compiles in both
/// language modes, with what its closures hold. The class is `@unchecked Sendable` because the compiler cannot see that
/// the handler is touched on the main queue only.
package final class MainQueueHandler<Handler>: @unchecked Sendable {
    private var handler: Handler?

    package init(_ handler: Handler?) {
        self.handler = handler
    }

    /// The handler of a listener, which is called again and again.
    @MainActor package var kept: Handler? { handler }

    /// The handler of a call, which is called once: what it holds ends on the main queue too.
    @MainActor package func take() -> Handler? {
        defer { handler = nil }
        return handler
    }
}

/// Makes a call for a completion handler, which gets the answer or an error on the main queue.
package func deliver<Answer: Sendable, Failure: Error>(
    to handler: ((Answer?, (any Error)?) -> Void)?,
    _ call: @escaping @Sendable () async throws(Failure) -> Answer
) {
    let handler = MainQueueHandler(handler)
    Task {
        let answer: Answer?
        let failure: Failure?
        do throws(Failure) {
            (answer, failure) = (try await call(), nil)
        } catch {
            (answer, failure) = (nil, error)
        }
        await MainActor.run { handler.take()?(answer, failure) }
    }
}

/// The same for a call that answers nothing.
package func deliver<Failure: Error>(
    to handler: (((any Error)?) -> Void)?, _ call: @escaping @Sendable () async throws(Failure) -> Void
) {
    deliver(to: { (_: Void?, error) in handler?(error) }, call)
}
