// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingStore
import HomingTesting
import Testing

/// Who waits for what: the value alone, without clocks and tasks. Waiters and subjects are names.
@Suite struct WaitsTests {
    private func waits(most: Int = 100, mostOfSubject: Int = 4) -> Waits<String, String> {
        Waits(most: most, mostOfSubject: mostOfSubject)
    }

    private func lines(_ calls: [Waits<String, String>.Call]) -> [String] {
        calls.map { "\($0.waiter) \($0.ending)" }
    }

    private func enter(_ subject: String, _ waits: inout Waits<String, String>) throws -> Int {
        let number = waits.enter(for: subject)
        return try #require(number)
    }

    /// Somebody who has entered and sat down; those that had to make room.
    private func seat(
        _ waiter: String, for subject: String, in waits: inout Waits<String, String>
    ) throws -> (number: Int, displaced: [String]) {
        let number = try enter(subject, &waits)
        return (number, lines(waits.sit(waiter, at: number)))
    }

    @Test func `a ring wakes all who wait for its code and nobody else, once`() throws {
        var waits = waits()
        for (waiter, subject) in [("a", "one"), ("b", "two"), ("c", "one")] {
            #expect(try seat(waiter, for: subject, in: &waits).displaced.isEmpty)
        }
        #expect(lines(waits.ring("one")) == ["a rung", "c rung"])
        #expect(lines(waits.ring("one")).isEmpty)
        #expect(lines(waits.ring("three")).isEmpty)
        #expect(lines(waits.ring("two")) == ["b rung"])
    }

    @Test func `a ring between the place and the wait is not lost`() throws {
        var waits = waits()
        let number = try enter("one", &waits)
        #expect(lines(waits.ring("one")).isEmpty)
        #expect(lines(waits.sit("a", at: number)) == ["a rung"])
        // It has been heard.
        #expect(lines(waits.sit("a", at: number)).isEmpty)
        #expect(lines(waits.ring("one")) == ["a rung"])
    }

    @Test func `who only looks takes no place of a client that waits`() throws {
        var waits = waits(mostOfSubject: 1)
        #expect(try seat("client", for: "one", in: &waits).displaced.isEmpty)
        for looker in ["a", "b"] {
            let place = waits.enter(for: "one", isLook: true)
            let number = try #require(place)
            #expect(lines(waits.sit(looker, at: number)) == (looker == "b" ? ["a displaced"] : []))
        }
        #expect(lines(waits.ring("one")) == ["client rung", "b rung"])
    }

    @Test func `what ends the code besides wakes, too, also where it came before anybody knew of it`() throws {
        var waits = waits()
        let early = try enter("one", &waits)
        #expect(lines(waits.ring("address")).isEmpty)
        waits.listen(to: ["address", "account"], at: early)
        #expect(lines(waits.sit("early", at: early)) == ["early rung"])
        let late = try enter("one", &waits)
        waits.listen(to: ["address", "account"], at: late)
        #expect(lines(waits.sit("late", at: late)).isEmpty)
        #expect(lines(waits.ring("account")) == ["late rung"])
        #expect(lines(waits.ring("address")).isEmpty)
    }

    @Test func `whoever took long to listen looks again, because nobody knows what was rung`() throws {
        var waits = waits()
        let number = try enter("one", &waits)
        for other in 0..<40 { #expect(lines(waits.ring("other \(other)")).isEmpty) }
        waits.listen(to: ["address"], at: number)
        #expect(lines(waits.sit("a", at: number)) == ["a rung"])
    }

    @Test func `the fifth wait for one code ends the oldest, and no other code's`() throws {
        var waits = waits()
        #expect(try seat("other", for: "two", in: &waits).displaced.isEmpty)
        var displaced: [String] = []
        for waiter in ["a", "b", "c", "d", "e", "f"] {
            displaced += try seat(waiter, for: "one", in: &waits).displaced
        }
        #expect(displaced == ["a displaced", "b displaced"])
        #expect(lines(waits.ring("one")) == ["c rung", "d rung", "e rung", "f rung"])
        #expect(lines(waits.ring("two")) == ["other rung"])
    }

    @Test func `whoever has a place and may not sit down ends nobody's wait`() throws {
        var waits = waits()
        for waiter in ["a", "b", "c", "d"] { _ = try seat(waiter, for: "one", in: &waits) }
        let strangers = try (0..<20).map { _ in try enter("one", &waits) }
        #expect(waits.count == 24)
        for stranger in strangers { waits.leave(stranger) }
        #expect(lines(waits.ring("one")) == ["a rung", "b rung", "c rung", "d rung"])
    }

    @Test func `the room has an end, and a place that is left is free`() throws {
        var waits = waits(most: 2)
        let first = try enter("one", &waits)
        _ = try enter("two", &waits)
        #expect(waits.enter(for: "three") == nil)
        waits.leave(first)
        #expect(waits.enter(for: "three") != nil)
        #expect(waits.count == 2)
    }

    @Test func `the time, and the end of the server, end a wait also where nobody has sat down yet`() throws {
        var waits = waits()
        let seated = try seat("a", for: "one", in: &waits).number
        #expect(waits.end(at: seated, .timeIsOver)?.waiter == "a")
        #expect(waits.end(at: seated, .timeIsOver) == nil)
        let standing = try enter("one", &waits)
        _ = try seat("b", for: "two", in: &waits)
        #expect(lines(waits.endAll(.closing)) == ["b closing"])
        // A ring is no reason to go on.
        #expect(lines(waits.ring("one")).isEmpty)
        #expect(lines(waits.sit("c", at: standing)) == ["c closing"])
    }

    @Test func `nothing is kept of waits that are over`() throws {
        var waits = waits()
        for round in 0..<100 {
            let number = try enter("\(round)", &waits)
            waits.listen(to: ["address \(round % 3)"], at: number)
            _ = waits.sit("a", at: number)
            waits.leave(number)
        }
        #expect(waits.count == 0)
        for subject in ["0", "99", "address 0", "address 2"] { #expect(lines(waits.ring(subject)).isEmpty) }
        // Nobody sits at a place that was left.
        #expect(lines(waits.sit("late", at: 1)) == ["late timeIsOver"])
    }
}
