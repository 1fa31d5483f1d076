// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import CLibArgon2
import Foundation
import Synchronization

/// Threads of their own for argon2id and for signing, so that neither the event loops nor Swift's two pool threads wait.
///
/// At most ``capacity`` callers may wait; beyond them the answer is ``Refusal/overloaded(retryAfterSeconds:)``, before
/// anything is hashed. (A task executor would read better, but its preference is not kept in every build.)
package final class HashingPool: Sendable {
    private struct Queue {
        /// What follows a write goes first: its caller has the rest behind them.
        var settling: [@Sendable () -> Void] = []
        var waiting: [@Sendable () -> Void] = []
    }

    /// How long a thread without work keeps the 19 MiB that it hashes in. Having them mapped and cleared anew costs an
    /// eighth of a hash, and between two sign-ins of a busy server there is often a moment without work.
    private static let memoryIsKept = DispatchTimeInterval.seconds(1)

    private let queue = Mutex(Queue())
    /// Counts the jobs that no thread has taken yet; a count without a job ends one thread.
    private let arrivals = DispatchSemaphore(value: 0)
    private let waiting = Atomic<Int>(0)
    private let threads: Int
    private let capacity: Int

    /// - Parameters:
    ///   - threads: hashes at once; each takes 19 MiB and one core.
    ///   - capacity: callers that may wait beyond those; 0 is no limit.
    package init(threads: Int, capacity: Int) {
        self.threads = max(1, threads)
        self.capacity = capacity
        homing_return_large_buffers()
        for number in 1...self.threads {
            let thread = Thread { [self] in serve() }
            thread.name = "homing-hash-\(number)"
            thread.start()
        }
    }

    /// Runs work on a thread of the pool, or refuses it when too many wait already.
    ///
    /// - Parameter isRefusable: false for what follows a write, such as signing the tokens of a session that is in the
    ///   database by now: a code would be spent for nothing.
    package func run<Answer: Sendable>(
        isRefusable: Bool = true, _ work: @escaping @Sendable () throws -> Answer
    ) async throws -> Answer {
        let before = waiting.add(1, ordering: .relaxed).oldValue
        defer { waiting.subtract(1, ordering: .relaxed) }
        guard !isRefusable || capacity == 0 || before < capacity + threads else {
            throw Refusal.overloaded(retryAfterSeconds: 2)
        }
        return try await withCheckedThrowingContinuation { continuation in
            let job: @Sendable () -> Void = { continuation.resume(with: Result { try work() }) }
            queue.withLock { queue in
                if isRefusable { queue.waiting.append(job) } else { queue.settling.append(job) }
            }
            arrivals.signal()
        }
    }

    /// Callers in the pool now, for metrics.
    package var depth: Int { waiting.load(ordering: .relaxed) }

    package func stop() {
        for _ in 0..<threads { arrivals.signal() }
    }

    private func serve() {
        ThreadPriority.hashing.take()
        while let job = next() { job() }
        homing_arena_drop()
    }

    /// The next job; nil when there is none left and the pool is stopped.
    private func next() -> (@Sendable () -> Void)? {
        if arrivals.wait(timeout: .now() + Self.memoryIsKept) == .timedOut {
            homing_arena_drop()
            arrivals.wait()
        }
        return queue.withLock { queue in
            if !queue.settling.isEmpty { return queue.settling.removeFirst() }
            return queue.waiting.isEmpty ? nil : queue.waiting.removeFirst()
        }
    }
}
