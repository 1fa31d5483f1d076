// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingStore
import HomingTesting
import Testing

/// Ids that begin with their time, so that new rows are side by side.
@Suite struct OrderedIDTests {
    /// Both sides of every carry: of a byte, of a character, of the year in which 32 bits of seconds end.
    private static let moments: [Int64] = [
        0, 1, 61, 62, 255, 256, 3843, 3844, 65_535, 65_536, 1_700_000_000_000, 1_700_000_000_001, 4_294_967_296_000,
    ]

    private func made<ID>(_ make: (System) -> ID) -> [ID] {
        let randomness = SeededRandomness(seed: 11)
        return Self.moments.map { moment in
            make(
                System(
                    now: { Moment(milliseconds: moment) }, randomBytes: { randomness.bytes($0) }, report: { _ in }))
        }
    }

    @Test func `names stand in the order of time`() {
        let names = made { $0.orderedName(length: 22) }
        #expect(names == names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
        #expect(names.allSatisfy { $0.utf8.count == 22 })
    }

    @Test func `bytes stand in the order of time`() {
        let ids = made { $0.orderedBytes(15) }
        #expect(ids == ids.sorted { $0.lexicographicallyPrecedes($1) })
        #expect(ids.allSatisfy { $0.count == 15 })
    }

    @Test func `ids of one millisecond differ by random bytes`() async throws {
        try await withHoming { homing in
            let system = homing.world.system
            #expect(Set((0..<1000).map { _ in system.orderedName(length: 22) }).count == 1000)
            #expect(Set((0..<1000).map { _ in system.orderedBytes(15) }).count == 1000)
        }
    }
}
