// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingDatabase
import Testing

@Suite struct CrowdTests {
    private func counts(writes: Int, commits: Int) -> DatabaseCounts {
        var counts = DatabaseCounts()
        counts.writes = writes
        counts.commits = commits
        return counts
    }

    /// What each look at the counts says.
    private func looks(_ counts: [DatabaseCounts]) -> [Bool] {
        var crowd = Crowd()
        return counts.map { crowd.isThere(by: $0) }
    }

    @Test func `sixteen writes in each commit since the last look are a crowd, fewer and none are not`() {
        let seen = looks([
            counts(writes: 150, commits: 10), counts(writes: 182, commits: 12), counts(writes: 213, commits: 14),
            counts(writes: 213, commits: 14),
        ])
        #expect(seen == [false, true, false, false])
    }

    @Test func `sixteen writes that wait for one commit are a crowd before it comes`() {
        #expect(looks([counts(writes: 15, commits: 0), counts(writes: 31, commits: 0)]) == [false, true])
    }
}
