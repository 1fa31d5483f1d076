// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Synchronization

/// Counts the driver's work; all threads of the driver share one.
final class Tally: Sendable {
    let times = DatabaseTimes()
    private let statements = Atomic<Int>(0)
    private let writes = Atomic<Int>(0)
    private let commits = Atomic<Int>(0)
    private let trips = Atomic<Int>(0)
    private let writesWithoutRoom = Atomic<Int>(0)
    private let logPages = Atomic<Int>(0)

    func countStatement() { statements.add(1, ordering: .relaxed) }
    func countWrite() { writes.add(1, ordering: .relaxed) }
    func countTrip() { trips.add(1, ordering: .relaxed) }
    func countCommit() { commits.add(1, ordering: .relaxed) }
    func countWriteWithoutRoom() { writesWithoutRoom.add(1, ordering: .relaxed) }
    func setLogPages(_ pages: Int) { logPages.store(pages, ordering: .relaxed) }

    var counts: DatabaseCounts {
        var counts = DatabaseCounts()
        counts.statements = statements.load(ordering: .relaxed)
        counts.writes = writes.load(ordering: .relaxed)
        counts.commits = commits.load(ordering: .relaxed)
        counts.trips = trips.load(ordering: .relaxed)
        counts.writesWithoutRoom = writesWithoutRoom.load(ordering: .relaxed)
        counts.logPages = logPages.load(ordering: .relaxed)
        return counts
    }
}
