// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingOperations
import Testing

@Suite struct `The files that may be open` {
    @Test func `bound the connections of each listener`() {
        #expect(
            OpenFiles.allowance(connections: 10_000, on: 2, soft: 1 << 20) == .init(connections: 10_000, warning: nil))
        #expect(OpenFiles.allowance(connections: 0, on: 2, soft: 1_024) == .init(connections: 0, warning: nil))
        let tight = OpenFiles.allowance(connections: 10_000, on: 2, soft: 1_024)
        #expect(tight.connections == 384)
        #expect(tight.warning?.contains("1024") == true && tight.warning?.contains("20256") == true)
        let three = OpenFiles.allowance(connections: 10_000, on: 3, soft: 1_024)
        #expect(three.connections == 256 && three.warning?.contains("30256") == true)
        #expect(OpenFiles.raise(forConnections: 10, on: 3).connections == 10)
    }
}
