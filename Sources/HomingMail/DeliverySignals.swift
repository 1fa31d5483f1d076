// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingStore
import Synchronization

/// The time when the next mail is due, as last read from the outbox.
final class DueTime: Sendable {
    private let moment = Mutex<Moment?>(nil)

    func set(_ due: Moment) {
        moment.withLock { $0 = due }
    }

    /// Whether the time has come; true only once for each ``set(_:)``.
    func hasCome(at now: Moment) -> Bool {
        moment.withLock { moment in
            guard let due = moment, due <= now else { return false }
            moment = nil
            return true
        }
    }
}

/// How quickly the relay took the last mail.
final class Pace: Sendable {
    private let milliseconds = Atomic(0)

    /// Only then does delivery hand over more mails than the relay has connections: behind a slow relay they would
    /// spend the time of their own dialogue on waiting.
    var isQuick: Bool { milliseconds.load(ordering: .relaxed) < 2_000 }

    /// Only then does a node claim more mails than it has connections for: they are gone in a moment.
    var isInstant: Bool { milliseconds.load(ordering: .relaxed) < 50 }

    /// - Parameter duration: the time from handing a mail over to the relay's answer, its wait for a connection
    ///   included.
    func took(_ duration: Duration) {
        milliseconds.store(Int(duration / .milliseconds(1)), ordering: .relaxed)
    }
}

/// How many mails are with the transport, waiting or under way. One listener waits until there are fewer.
final class AtRelay: Sendable {
    private static let nobodyWaits = -1

    private let count = Atomic(0)
    /// The number at which the listener is woken.
    private let awaited = Atomic(nobodyWaits)
    private let room = Bell()

    func add() { count.add(1, ordering: .sequentiallyConsistent) }

    func remove() {
        let left = count.subtract(1, ordering: .sequentiallyConsistent).newValue
        if left <= awaited.load(ordering: .sequentiallyConsistent) { room.ring() }
    }

    /// Returns when there are fewer than the most, or when the task is cancelled. Who has to wait is woken only when
    /// there is room for several, not for each one that leaves.
    func waitForRoom(below most: Int, for several: Int) async {
        guard count.load(ordering: .sequentiallyConsistent) >= most else { return }
        awaited.store(most - several, ordering: .sequentiallyConsistent)
        while count.load(ordering: .sequentiallyConsistent) > most - several, !Task.isCancelled {
            await room.wait()
        }
        awaited.store(Self.nobodyWaits, ordering: .sequentiallyConsistent)
    }
}

/// Tells loops that no new work is to be begun.
final class StopSign: Sendable {
    private let raised = Atomic<Bool>(false)

    var isUp: Bool { raised.load(ordering: .acquiring) }

    func raise() { raised.store(true, ordering: .releasing) }
}
