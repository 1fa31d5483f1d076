// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import Synchronization

/// Requests a second per caller, in memory: a bucket that fills at the limit and holds one second of it.
final class RateLimit: Sendable {
    private struct Bucket {
        var tokens: Double
        var filledAt: Moment
    }

    private let perSecond: Double
    private let buckets = Mutex<[String: Bucket]>([:])

    /// - Parameter perSecond: 0 is no limit.
    init(perSecond: Int) {
        self.perSecond = Double(perSecond)
    }

    func allows(_ caller: String, at now: Moment) -> Bool {
        guard perSecond > 0 else { return true }
        return buckets.withLock { buckets in
            if buckets.count > 50_000 {
                buckets = buckets.filter { now.milliseconds - $0.value.filledAt.milliseconds < 2000 }
            }
            var bucket = buckets[caller] ?? Bucket(tokens: perSecond, filledAt: now)
            let passed = Double(max(0, now.milliseconds - bucket.filledAt.milliseconds)) / 1000
            bucket.tokens = min(perSecond, bucket.tokens + passed * perSecond)
            bucket.filledAt = now
            let isAllowed = bucket.tokens >= 1
            if isAllowed { bucket.tokens -= 1 }
            buckets[caller] = bucket
            return isAllowed
        }
    }
}
