// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingDatabase
import HomingStore
import HomingTesting
import Testing

@Suite(.tags(.races)) struct BlockLimitTests {
    @Test func `no limits are no limits at all`() {
        for (name, value) in Mirror(reflecting: Limits.none).children {
            #expect(value as? Int == 0, "\(name ?? "") is limited")
        }
    }

    /// The number of tries that are allowed, of many.
    private func passed(_ limits: BlockLimits, _ subject: String = "mail from 192.0.2.1", limit: Int) async throws
        -> Int
    {
        var passed = 0
        for _ in 0..<(limit + 30) {
            do {
                try await limits.take(subject, project: "shop", limit: limit)
                passed += 1
            } catch Refusal.Code.tooManyAttempts {}
        }
        return passed
    }

    @Test(arguments: [1, 5, 15, 25, 99, 100, 101])
    func `exactly the limit is let through in an hour`(limit: Int) async throws {
        try await withHoming { homing async throws in
            #expect(try await passed(homing.blockLimits, limit: limit) == limit)
            homing.clock.advance(seconds: 3599)
            #expect(try await passed(homing.blockLimits, limit: limit) == 0)
            homing.clock.advance(seconds: 1)
            #expect(try await passed(homing.blockLimits, limit: limit) == limit)
        }
    }

    @Test func `a limit that is raised lets more through at once, one that is lowered no more`()
        async throws
    {
        try await withHoming { homing async throws in
            #expect(try await passed(homing.blockLimits, limit: 20) == 20)
            #expect((25...30).contains(try await passed(homing.blockLimits, limit: 50)))
            #expect(try await passed(homing.blockLimits, limit: 20) == 0)
            // What is left of the block of a limit that was higher is not given out.
            try await homing.blockLimits.take("mail from 192.0.2.2", project: "shop", limit: 1000)
            #expect(try await passed(homing.blockLimits, "mail from 192.0.2.2", limit: 50) == 0)
        }
    }

    @Test func `callers and projects have a limit each`() async throws {
        try await withHoming { homing in
            #expect(try await passed(homing.blockLimits, "mail from 192.0.2.1", limit: 20) == 20)
            #expect(try await passed(homing.blockLimits, "mail from 192.0.2.2", limit: 20) == 20)
            try await homing.blockLimits.take("mail from 192.0.2.1", project: "other", limit: 20)
        }
    }

    @Test func `a restart never gives more than the limit and costs at most a tenth of it`() async throws {
        try await withWorld { world in
            var total = 0
            for _ in 0..<4 {
                total += try await world.withHoming { homing in
                    for _ in 0..<17 {
                        try await homing.blockLimits.take("mail from 192.0.2.1", project: "shop", limit: 100)
                    }
                    return 17
                }
            }
            total += try await world.withHoming { try await passed($0.blockLimits, limit: 100) }
            #expect((60...100).contains(total))
        }
    }

    @Test func `two processes share one limit`() async throws {
        try await withHoming { homing in
            let other = BlockLimits(store: homing.core.store)
            var total = 0
            for limits in [homing.blockLimits, other, homing.blockLimits, other] {
                for _ in 0..<25 {
                    if (try? await limits.take("mail of project", project: "shop", limit: 60)) != nil { total += 1 }
                }
            }
            #expect(total == 60)
        }
    }

    @Test func `a crowd at once gets the limit and no more`() async throws {
        try await withHoming { homing in
            let passed = await withTaskGroup(of: Bool.self) { group in
                for _ in 0..<200 {
                    group.addTask {
                        (try? await homing.blockLimits.take("sign-up from x", project: "shop", limit: 50)) != nil
                    }
                }
                var passed = 0
                for await isPassed in group where isPassed { passed += 1 }
                return passed
            }
            #expect(passed == 50)
        }
    }

    @Test func `ninety of a hundred takes ask the database nothing`() async throws {
        try await withHoming { homing in
            let before = homing.database.counts.writes
            for _ in 0..<100 { try await homing.blockLimits.take("mail of project", project: "shop", limit: 100) }
            #expect(homing.database.counts.writes - before == 10)
        }
    }
}
