// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import Dispatch
internal import Synchronization

/// One mail that a caller waits for.
final class SMTPJob: Sendable {
    let envelope: MailEnvelope
    /// The time by which the relay must have answered; runs from the moment when the transport got the mail.
    let deadline: ContinuousClock.Instant
    private let hasGivenUp = Atomic(false)
    private let waiter = Mutex<CheckedContinuation<DeliveryOutcome, Never>?>(nil)

    init(_ envelope: MailEnvelope, deadline: ContinuousClock.Instant) {
        self.envelope = envelope
        self.deadline = deadline
    }

    /// Whether the caller has been cancelled.
    var isGivenUp: Bool { hasGivenUp.load(ordering: .relaxed) }

    func giveUp() { hasGivenUp.store(true, ordering: .relaxed) }

    func await(by continuation: CheckedContinuation<DeliveryOutcome, Never>) {
        waiter.withLock { $0 = continuation }
    }

    func finish(_ outcome: DeliveryOutcome) {
        let continuation = waiter.withLock { $0.take() }
        continuation?.resume(returning: outcome)
    }
}

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
