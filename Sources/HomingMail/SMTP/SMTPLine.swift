// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import Dispatch
internal import Synchronization

/// The inbox at which a thread with nothing to send waits for its next mail.
final class SMTPLine: Sendable {
    private let signal = DispatchSemaphore(value: 0)
    private let inbox = Mutex<SMTPJob?>(nil)

    /// Wakes the waiting thread with a job, or with nil to end it.
    func hand(_ job: SMTPJob?) {
        inbox.withLock { $0 = job }
        signal.signal()
    }

    /// Whether a job arrived before the time was over.
    func waits(atMost duration: Duration) -> Bool {
        signal.wait(timeout: .now() + duration / .seconds(1)) == .success
    }

    /// Waits for a job that is known to be on its way.
    func waits() { signal.wait() }

    func take() -> SMTPJob? { inbox.withLock { $0.take() } }
}
