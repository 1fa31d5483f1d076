// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Synchronization

/// How long things took: counted by many threads at once, without a lock.
package struct Histogram: ~Copyable, Sendable {
    /// The counts at one time. Threads go on counting meanwhile.
    package struct Snapshot: Sendable {
        /// For each of ``Histogram/bounds`` the number of times that took no longer.
        package let counts: [Int]
        package let count: Int
        package let seconds: Double
    }

    /// In nanoseconds: half a millisecond to ten seconds.
    private static let limits: InlineArray<14, Int> = [
        500_000, 1_000_000, 2_500_000, 5_000_000, 10_000_000, 25_000_000, 50_000_000, 100_000_000, 250_000_000,
        500_000_000, 1_000_000_000, 2_500_000_000, 5_000_000_000, 10_000_000_000,
    ]

    /// The bounds in seconds, as text.
    package static let bounds = [
        "0.0005", "0.001", "0.0025", "0.005", "0.01", "0.025", "0.05", "0.1", "0.25", "0.5", "1", "2.5", "5", "10",
    ]

    private let buckets: InlineArray<15, Atomic<Int>>
    private let nanoseconds = Atomic(0)

    package init() {
        buckets = InlineArray { _ in Atomic(0) }
    }

    package func observe(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        let time = Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000)
        var index = 0
        while index < Self.limits.count, time > Self.limits[index] { index += 1 }
        buckets[index].add(1, ordering: .relaxed)
        nanoseconds.add(time, ordering: .relaxed)
    }

    package var snapshot: Snapshot {
        var counts: [Int] = []
        var sum = 0
        for index in Self.limits.indices {
            sum += buckets[index].load(ordering: .relaxed)
            counts.append(sum)
        }
        let count = sum + buckets[Self.limits.count].load(ordering: .relaxed)
        let seconds = Double(nanoseconds.load(ordering: .relaxed)) / 1_000_000_000
        return Snapshot(counts: counts, count: count, seconds: seconds)
    }
}

/// How long verbs took, from their call to their answer.
package final class DatabaseTimes: Sendable {
    package let reads = Histogram()
    package let writes = Histogram()
    /// How long verbs waited for a connection of a pool; SQLite has none.
    package let waits = Histogram()

    package init() {}
}
