// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingServer
import HomingStore
import Testing

@Suite struct RateLimitTests {
    private static func moment(_ milliseconds: Int64) -> Moment {
        Moment(milliseconds: 1_795_230_000_000 + milliseconds)
    }

    private static func allowed(_ limit: RateLimit<String>, _ caller: String, _ count: Int, at now: Int64) -> Int {
        (0..<count).count { _ in limit.allows(caller, at: moment(now)) }
    }

    @Test func `a caller has its limit each second, whatever second it began in`() {
        let limit = RateLimit<String>(perSecond: 5)
        #expect(Self.allowed(limit, "a", 9, at: 900) == 5)
        #expect(Self.allowed(limit, "a", 9, at: 1_100) == 1)
        #expect(Self.allowed(limit, "b", 9, at: 1_100) == 5)
        #expect(Self.allowed(limit, "a", 9, at: 2_000) == 4)
        #expect(Self.allowed(limit, "a", 9, at: 60_000) == 5)
    }

    @Test func `a caller is remembered among fifty thousand others`() {
        let limit = RateLimit<String>(perSecond: 5)
        #expect(Self.allowed(limit, "a", 9, at: 0) == 5)
        for number in 0..<RateLimit<String>.mostCallers { _ = limit.allows("other \(number)", at: Self.moment(1)) }
        #expect(Self.allowed(limit, "a", 9, at: 2) == 0)
    }

    @Test func `a clock that was put back stops nobody for ever`() {
        let limit = RateLimit<String>(perSecond: 5)
        #expect(Self.allowed(limit, "a", 9, at: 10_000) == 5)
        #expect(Self.allowed(limit, "a", 9, at: 0) == 0)
        #expect(Self.allowed(limit, "a", 9, at: 1_000) == 5)
    }

    @Test func `no limit lets everybody pass`() {
        #expect(Self.allowed(RateLimit<String>(perSecond: 0), "a", 1_000, at: 0) == 1_000)
    }
}
