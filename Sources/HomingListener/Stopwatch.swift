// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import NIOCore

/// Closes a channel when something that was started is not stopped in time.
///
/// The watch keeps one scheduled check and moves it only when it fires: scheduling and cancelling one for every request
/// would search the event loop's whole heap of timers each time.
final class Stopwatch {
    private let allowance: TimeAmount
    private var startedAt: NIODeadline?
    private var check: Scheduled<Void>?

    init(allowance: TimeAmount) {
        self.allowance = allowance
    }

    /// Starts the time, unless the watch runs already.
    func start(in context: ChannelHandlerContext) {
        guard startedAt == nil else { return }
        let now = NIODeadline.now()
        startedAt = now
        if check == nil { schedule(at: now + allowance, in: context) }
    }

    func stop() {
        startedAt = nil
    }

    /// Releases the channel; belongs into `handlerRemoved`.
    func discard() {
        check?.cancel()
        check = nil
        startedAt = nil
    }

    private func schedule(at deadline: NIODeadline, in context: ChannelHandlerContext) {
        check = context.eventLoop.assumeIsolated().scheduleTask(deadline: deadline) {
            self.check = nil
            guard let startedAt = self.startedAt else { return }
            let end = startedAt + self.allowance
            guard end > .now() else { return context.close(promise: nil) }
            self.schedule(at: end, in: context)
        }
    }
}
