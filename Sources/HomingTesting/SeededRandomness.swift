// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import Synchronization

/// Random bytes that are the same for the same seed (SplitMix64), so that a failure can be repeated.
package final class SeededRandomness: Sendable {
    package let seed: UInt64
    private let state: Mutex<UInt64>

    package init(seed: UInt64) {
        self.seed = seed
        state = Mutex(seed)
    }

    package func bytes(_ count: Int) -> [UInt8] {
        state.withLock { state in
            var bytes: [UInt8] = []
            while bytes.count < count {
                state &+= 0x9E37_79B9_7F4A_7C15
                var word = state
                word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
                word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
                word ^= word >> 31
                bytes += (0..<8).map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) }
            }
            return Array(bytes.prefix(count))
        }
    }
}
