// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import Dispatch
internal import Synchronization

/// One mail that a caller waits for.
final class DeliveryJob<Door: MailDoor>: Sendable {
    /// An access token, for the door that it was bought for and no other.
    struct Login: Sendable {
        let door: Door
        let token: String
    }

    typealias Result = DeliveryResult

    let envelope: MailEnvelope
    let login: Login?
    /// The time by which the other side must have answered; runs from the moment when the transport got the mail.
    let deadline: ContinuousClock.Instant
    private let hasGivenUp = Atomic(false)
    private let waiter = Mutex<CheckedContinuation<Result, Never>?>(nil)

    init(_ envelope: MailEnvelope, login: Login? = nil, deadline: ContinuousClock.Instant) {
        self.envelope = envelope
        self.login = login
        self.deadline = deadline
    }

    /// Whether the caller has been cancelled.
    var isGivenUp: Bool { hasGivenUp.load(ordering: .relaxed) }

    func giveUp() { hasGivenUp.store(true, ordering: .relaxed) }

    func await(by continuation: CheckedContinuation<Result, Never>) {
        waiter.withLock { $0 = continuation }
    }

    func finish(_ result: Result) {
        let continuation = waiter.withLock { $0.take() }
        continuation?.resume(returning: result)
    }
}

/// The outcome, and the token that the other side refused, if it refused one.
struct DeliveryResult: Sendable {
    let outcome: DeliveryOutcome
    var refusedToken: String?
}

extension DeliveryOutcome {
    /// What it means when another door was set while it was under way: it tells of this mail, which is tried again at
    /// the new one, and nothing of the others, which must not wait for a relay that nobody asks any more.
    var ofFormerDoor: DeliveryOutcome {
        switch self {
        case .accepted, .temporary, .permanent: self
        case .relayUnavailable(let reply, _), .relayRefusesUs(let reply, _), .relayAsksToWait(let reply, _):
            .temporary(reply: reply)
        }
    }
}

/// The inbox at which a thread with nothing to send waits for its next mail.
final class DeliveryLine<Door: MailDoor>: Sendable {
    private let signal = DispatchSemaphore(value: 0)
    private let inbox = Mutex<DeliveryJob<Door>?>(nil)

    /// Wakes the waiting thread with a job, or with nil to end it.
    func hand(_ job: DeliveryJob<Door>?) {
        inbox.withLock { $0 = job }
        signal.signal()
    }

    /// Whether a job arrived before the time was over.
    func waits(atMost duration: Duration) -> Bool {
        signal.wait(timeout: .now() + duration / .seconds(1)) == .success
    }

    /// Waits for a job that is known to be on its way.
    func waits() { signal.wait() }

    func take() -> DeliveryJob<Door>? { inbox.withLock { $0.take() } }
}
