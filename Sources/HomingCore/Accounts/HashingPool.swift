// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import CLibArgon2
import Foundation
import Synchronization

/// Threads of their own for argon2id and for signing, so that neither the event loops nor Swift's two pool threads wait.
///
/// At most ``capacity`` jobs may wait, shared fairly between callers; beyond them the answer is
/// ``Refusal/overloaded(retryAfterSeconds:)``, before anything is hashed. (A task executor would read better, but its
/// preference is not kept in every build.)
package final class HashingPool: Sendable {
    /// Whose passwords are hashed for the operator's own commands and back end.
    package static let operatorsLane = "operator"

    private struct Job: Sendable {
        let work: @Sendable () -> Void
        let refuse: @Sendable () -> Void
    }

    private struct Queue {
        /// What follows a write goes first: its caller has the rest behind them.
        var settling: [@Sendable () -> Void] = []
        var waiting = FairQueue<Job>()
        var running = 0
    }

    /// How long a thread without work keeps the 19 MiB that it hashes in. Having them mapped and cleared anew costs an
    /// eighth of a hash, and between two sign-ins of a busy server there is often a moment without work.
    private static let memoryIsKept = DispatchTimeInterval.seconds(1)

    private let queue = Mutex(Queue())
    /// Counts the jobs that no thread has taken yet; a count without a job ends one thread.
    private let arrivals = DispatchSemaphore(value: 0)
    private let threads: Int
    private let capacity: Int

    /// - Parameters:
    ///   - threads: hashes at once; each takes 19 MiB and one core.
    ///   - capacity: hashes that may wait beyond those; 0 is no limit.
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
    /// - Parameter caller: who asks, as limits count it.
    package func run<Answer: Sendable>(
        for caller: String, _ work: @escaping @Sendable () throws -> Answer
    ) async throws -> Answer {
        try await withCheckedThrowingContinuation { continuation in
            let job = Job(
                work: { continuation.resume(with: Result { try work() }) },
                refuse: { continuation.resume(throwing: Refusal.overloaded(retryAfterSeconds: 2)) })
            let admission = queue.withLock { queue in
                let idle = max(0, threads - queue.running)
                return queue.waiting.add(job, of: caller, capacity: capacity == 0 ? 0 : capacity + idle)
            }
            switch admission {
            case .admitted: arrivals.signal()
            // The one that came takes the signal of the one that goes.
            case .displaced(let other): other.refuse()
            case .refused: job.refuse()
            }
        }
    }

    /// Runs what follows a write, such as signing the tokens of a session that is in the database by now: it is never
    /// refused, because a code would be spent for nothing.
    package func settle<Answer: Sendable>(_ work: @escaping @Sendable () throws -> Answer) async throws -> Answer {
        try await withCheckedThrowingContinuation { continuation in
            queue.withLock { $0.settling.append { continuation.resume(with: Result { try work() }) } }
            arrivals.signal()
        }
    }

    /// The caller's password was wrong: while others wait, they go before its next tries.
    package func blame(_ caller: String) {
        queue.withLock { $0.waiting.blame(caller) }
    }

    /// Jobs in the pool now, for metrics.
    package var depth: Int { queue.withLock { $0.settling.count + $0.waiting.count + $0.running } }

    package func stop() {
        for _ in 0..<threads { arrivals.signal() }
    }

    private func serve() {
        ThreadPriority.hashing.take()
        while let work = next() {
            work()
            queue.withLock { $0.running -= 1 }
        }
        homing_arena_drop()
    }

    /// The next job; nil when there is none left and the pool is stopped.
    private func next() -> (@Sendable () -> Void)? {
        if arrivals.wait(timeout: .now() + Self.memoryIsKept) == .timedOut {
            homing_arena_drop()
            arrivals.wait()
        }
        return queue.withLock { queue in
            let work = queue.settling.isEmpty ? queue.waiting.next()?.work : queue.settling.removeFirst()
            if work != nil { queue.running += 1 }
            return work
        }
    }
}
