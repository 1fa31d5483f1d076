// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import CLibArgon2
import Foundation
package import HomingDatabase
import HomingStore
import Synchronization

/// Dedicated threads for argon2id and for signing, so that neither the event loops nor Swift's two pool threads wait.
///
/// At most ``capacity`` jobs may wait, shared fairly between callers; beyond this number the answer is
/// ``Refusal/overloaded(retryAfterSeconds:)``, before anything is hashed. (A task executor would read better, but its
/// preference is not kept in every build.)
package final class HashingPool: Sendable {
    /// The lane of hashes for the operator's own commands and back end.
    package static let operatorsLane = "operator"

    private struct Job: Sendable {
        let since = ContinuousClock.now
        let work: @Sendable () -> Void
        let refuse: @Sendable () -> Void
    }

    private struct Queue {
        /// Work that follows a write. It goes first: its caller has the rest behind them.
        var settling: [@Sendable () -> Void] = []
        var waiting = FairQueue<Job>()
        var running = 0
    }

    /// The time that an idle thread keeps its 19 MiB for hashing. Mapping and clearing them anew costs an eighth of a
    /// hash, and between two sign-ins of a busy server a thread is often idle for a moment.
    private static let memoryIsKept = DispatchTimeInterval.seconds(1)

    /// How long jobs waited for a thread.
    package let waits = Histogram()
    private let queue = Mutex(Queue())
    /// Counts the jobs that no thread has taken yet; a count without a job ends one thread.
    private let arrivals = DispatchSemaphore(value: 0)
    private let threads: Int
    private let capacity: Int

    /// - Parameters:
    ///   - threads: the number of hashes at once; each takes 19 MiB and one core.
    ///   - capacity: the number of hashes that may wait beyond those; 0 is no limit.
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
    /// - Parameter caller: the caller, in the form that the limits count.
    package func run<Answer: Sendable>(
        for caller: String, _ work: @escaping @Sendable () throws -> Answer
    ) async throws -> Answer {
        try await Spans.part("password") { try await wait(for: caller, work) }
    }

    private func wait<Answer: Sendable>(
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
            // The new job takes the signal of the displaced one.
            case .displaced(let other): other.refuse()
            case .refused: job.refuse()
            }
        }
    }

    /// Runs work that follows a write, such as signing the tokens of a session that is in the database by now. This
    /// work is never refused, because a code would be spent for nothing.
    package func settle<Answer: Sendable>(_ work: @escaping @Sendable () throws -> Answer) async throws -> Answer {
        try await withCheckedThrowingContinuation { continuation in
            queue.withLock { $0.settling.append { continuation.resume(with: Result { try work() }) } }
            arrivals.signal()
        }
    }

    /// Blames the caller for a wrong password: while others wait, their jobs go before its next ones.
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

    /// The next job; nil when none is left and the pool is stopped.
    private func next() -> (@Sendable () -> Void)? {
        if arrivals.wait(timeout: .now() + Self.memoryIsKept) == .timedOut {
            homing_arena_drop()
            arrivals.wait()
        }
        return queue.withLock { queue in
            guard queue.settling.isEmpty else {
                queue.running += 1
                return queue.settling.removeFirst()
            }
            guard let job = queue.waiting.next() else { return nil }
            queue.running += 1
            waits.observe(job.since.duration(to: .now))
            return job.work
        }
    }
}
