// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// A queue that is shared fairly between callers: the caller that was served least goes first, and in a full queue a
/// newcomer's job replaces one of the caller that holds the most.
///
/// Start-time fair queueing (Goyal, Vin and Cheng, 1996): time is the amount of work served. Each caller's next job
/// begins where its last one ended, and the earliest beginning goes first. Blame moves a caller's next beginnings back.
package struct FairQueue<Job> {
    private struct Lane {
        /// The jobs in the order in which they came.
        var waiting: [Job] = []
        /// The beginning of the first waiting job; while none waits, the end of the last one.
        var begin = 0
        /// The order between lanes with the same beginning.
        var turn = 0

        func goesBefore(_ other: Lane) -> Bool {
            begin == other.begin ? turn < other.turn : begin < other.begin
        }
    }

    /// The outcome for a job that was added.
    package enum Admission {
        case admitted
        /// Admitted in place of another caller's newest job.
        case displaced(Job)
        case refused
    }

    /// The number of jobs that a wrong try costs its caller.
    private static var blame: Int { 8 }

    private var lanes: [String: Lane] = [:]
    /// The beginning of the job that was served last.
    private var time = 0
    private var turns = 0
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    package init() {}

    /// - Parameter capacity: the number of jobs that may wait; 0 is no limit.
    package mutating func add(_ job: Job, of caller: String, capacity: Int) -> Admission {
        var displaced: Job?
        if capacity > 0, count >= capacity {
            let own = lanes[caller]?.waiting.count ?? 0
            // Equal shares stay as they are: nobody gains by coming later.
            guard let largest = lanes.max(by: { $0.value.waiting.count < $1.value.waiting.count }),
                largest.value.waiting.count > own + 1
            else { return .refused }
            displaced = lanes[largest.key]?.waiting.removeLast()
            count -= 1
        }
        var lane = lanes[caller] ?? Lane()
        if lane.waiting.isEmpty {
            lane.begin = max(time, lane.begin)
            lane.turn = nextTurn()
        }
        lane.waiting.append(job)
        lanes[caller] = lane
        count += 1
        return displaced.map { .displaced($0) } ?? .admitted
    }

    /// Removes the job whose turn it is.
    package mutating func next() -> Job? {
        var first: (caller: String, lane: Lane)?
        for (caller, lane) in lanes where !lane.waiting.isEmpty && first.map({ lane.goesBefore($0.lane) }) ?? true {
            first = (caller, lane)
        }
        guard let (caller, lane) = first else { return nil }
        time = lane.begin
        let turn = nextTurn()
        lanes[caller]?.begin += 1
        lanes[caller]?.turn = turn
        count -= 1
        let job = lanes[caller]?.waiting.removeFirst()
        if count == 0 { forget() }
        return job
    }

    /// Blames the caller for a wrong try: its next jobs wait behind the first jobs of others.
    package mutating func blame(_ caller: String) {
        // Where nobody waits, a caller delays nobody.
        guard count > 0 else { return }
        lanes[caller, default: Lane(begin: time)].begin += Self.blame
    }

    private mutating func nextTurn() -> Int {
        turns += 1
        return turns
    }

    /// Forgets all blame, because nobody waits.
    private mutating func forget() {
        lanes.removeAll(keepingCapacity: lanes.count < 1000)
        time = 0
    }
}
