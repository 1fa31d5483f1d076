// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// A queue that is shared fairly between callers: whoever has had less goes first, and a full queue takes the place of a
/// newcomer from whoever holds the most.
///
/// Start-time fair queueing (Goyal, Vin and Cheng, 1996): time is what has been served. Each caller's next job begins
/// where its last one ended, and the earliest beginning goes first. Blame moves a caller's next beginnings back.
struct FairQueue<Job> {
    private struct Lane {
        /// Jobs in the order in which they came.
        var waiting: [Job] = []
        /// When the first of them begins; while none waits, when the last one ended.
        var begin = 0
        /// Which of two lanes with the same beginning was first.
        var turn = 0

        func goesBefore(_ other: Lane) -> Bool {
            begin == other.begin ? turn < other.turn : begin < other.begin
        }
    }

    /// What became of a job that was added.
    enum Admission {
        case admitted
        /// Admitted in place of another caller's newest job.
        case displaced(Job)
        case refused
    }

    /// How many jobs a wrong try costs its caller.
    private static var blame: Int { 8 }

    private var lanes: [String: Lane] = [:]
    /// The beginning of the job that was served last.
    private var time = 0
    private var turns = 0
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    /// - Parameter capacity: jobs that may wait; 0 is no limit.
    mutating func add(_ job: Job, of caller: String, capacity: Int) -> Admission {
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

    /// The job whose turn it is.
    mutating func next() -> Job? {
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

    /// A try of the caller was wrong: its next ones wait behind others' first ones.
    mutating func blame(_ caller: String) {
        // Where nobody waits, nobody is in anybody's way.
        guard count > 0 else { return }
        lanes[caller, default: Lane(begin: time)].begin += Self.blame
    }

    private mutating func nextTurn() -> Int {
        turns += 1
        return turns
    }

    /// When nobody waits, nobody has to stand back for what was.
    private mutating func forget() {
        lanes.removeAll(keepingCapacity: lanes.count < 1000)
        time = 0
    }
}
