// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
package import HomingStore
import Synchronization

/// Requests per second and caller, in memory: a token bucket that fills at the limit and holds one second of it.
///
/// Two generations keep the buckets. When the younger one is a second old or full, it becomes the older one, and the
/// older one is forgotten: a bucket without a request for a second is full again anyway. So memory is bounded and no
/// request pays for tidying up, however many callers there are.
package final class RateLimit<Caller: Hashable & Sendable>: Sendable {
    private struct Bucket {
        var tokens: Double
        var filledAt: Moment
    }

    private struct Generations {
        var younger: [Caller: Bucket] = [:]
        var older: [Caller: Bucket] = [:]
        var beganAt = Moment(milliseconds: 0)
    }

    /// The number of callers that a generation remembers.
    package static var mostCallers: Int { 50_000 }

    private let perSecond: @Sendable () -> Int
    private let generations = Mutex(Generations())

    /// - Parameter perSecond: 0 is no limit. It is asked for at each request.
    package init(perSecond: @autoclosure @escaping @Sendable () -> Int) {
        self.perSecond = perSecond
    }

    package func allows(_ caller: Caller, at now: Moment) -> Bool {
        let perSecond = Double(perSecond())
        guard perSecond > 0 else { return true }
        return generations.withLock { generations in
            let age = now.milliseconds - generations.beganAt.milliseconds
            if age >= 1000 || age < 0 || generations.younger.count >= Self.mostCallers {
                generations = Generations(younger: [:], older: generations.younger, beganAt: now)
            }
            var bucket =
                generations.younger[caller] ?? generations.older[caller] ?? Bucket(tokens: perSecond, filledAt: now)
            let passed = Double(max(0, now.milliseconds - bucket.filledAt.milliseconds)) / 1000
            bucket.tokens = min(perSecond, bucket.tokens + passed * perSecond)
            bucket.filledAt = now
            let isAllowed = bucket.tokens >= 1
            if isAllowed { bucket.tokens -= 1 }
            generations.younger[caller] = bucket
            return isAllowed
        }
    }
}

extension Limits {
    /// Clicks that one network has in a second. Where nobody has set the limit it is never below that of requests, which
    /// clicks would have counted against: whoever has raised that one, or switched it off, means clicks as well.
    var clicksInForce: Int {
        guard clicksPerIPSecond == Limits.safe.clicksPerIPSecond else { return clicksPerIPSecond }
        return requestsPerIPSecond == 0 ? 0 : max(clicksPerIPSecond, requestsPerIPSecond)
    }
}
