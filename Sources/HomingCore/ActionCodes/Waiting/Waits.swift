// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// Who waits on this node for which subject: a value without clocks. ``WaitingRoom`` suspends and wakes.
///
/// Somebody enters before the subject's row is read and sits down behind that, so that nothing is missed in between.
/// Only who sits counts against the other waits for the same subject: a stranger, who never sits down, ends nobody's.
package struct Waits<Subject: Hashable, Waiter> {
    package typealias Call = (waiter: Waiter, ending: WaitingRoom.Ending)

    private struct Wait {
        let subject: Subject
        let isLook: Bool
        var others: [Subject] = []
        /// How many rings there had been.
        let ringsBefore: Int
        var waiter: Waiter?
        /// The ending that has come while nobody sat here.
        var ending: WaitingRoom.Ending?
    }

    private let most: Int
    private let mostOfSubject: Int
    private var waits: [Int: Wait] = [:]
    /// The waits for each subject, the oldest first.
    private var numbers: [Subject: [Int]] = [:]
    private var lastNumber = 0
    private var rings = 0
    /// What was rung for last.
    private var lastRings: [Subject] = []
    private static var mostRemembered: Int { 32 }

    /// - Parameters:
    ///   - most: how many may be here at the same time.
    ///   - mostOfSubject: how many of them may sit for one subject.
    package init(most: Int, mostOfSubject: Int) {
        self.most = most
        self.mostOfSubject = mostOfSubject
    }

    package var count: Int { waits.count }

    /// - Parameter isLook: whether somebody only looks, who needs less to be let in: looks take the place of looks alone.
    /// - Returns: the number of the place; nil where there is no room.
    package mutating func enter(for subject: Subject, isLook: Bool = false) -> Int? {
        guard waits.count < most else { return nil }
        lastNumber += 1
        waits[lastNumber] = Wait(subject: subject, isLook: isLook, ringsBefore: rings)
        numbers[subject, default: []].append(lastNumber)
        return lastNumber
    }

    /// Adds what else ends the wait, which is known once the row is read. A ring from before that counts.
    package mutating func listen(to others: [Subject], at number: Int) {
        guard let wait = waits[number], wait.others.isEmpty else { return }
        waits[number]?.others = others
        for other in others { numbers[other, default: []].append(number) }
        let missed = lastRings.suffix(rings - wait.ringsBefore)
        if missed.count < rings - wait.ringsBefore || missed.contains(where: others.contains) {
            _ = end(at: number, .rung)
        }
    }

    /// - Returns: who is to be called now: the waiter itself where its ending has come already, else those that it takes
    ///   the place of.
    package mutating func sit(_ waiter: Waiter, at number: Int) -> [Call] {
        guard let (subject, isLook) = waits[number].map({ ($0.subject, $0.isLook) }) else {
            return [(waiter, .timeIsOver)]
        }
        if let ending = waits[number]?.ending {
            waits[number]?.ending = nil
            return [(waiter, ending)]
        }
        waits[number]?.waiter = waiter
        let sitting = (numbers[subject] ?? []).filter { waits[$0]?.waiter != nil && waits[$0]?.isLook == isLook }
        return sitting.dropLast(mostOfSubject).compactMap { end(at: $0, .displaced) }
    }

    /// Calls all who wait for the subject.
    package mutating func ring(_ subject: Subject) -> [Call] {
        rings += 1
        if lastRings.count == Self.mostRemembered { lastRings.removeFirst() }
        lastRings.append(subject)
        return (numbers[subject] ?? []).compactMap { end(at: $0, .rung) }
    }

    /// Calls everybody.
    package mutating func endAll(_ ending: WaitingRoom.Ending) -> [Call] {
        waits.keys.sorted().compactMap { end(at: $0, ending) }
    }

    /// - Returns: nil where nobody sits there: whoever sits down there next is called at once.
    package mutating func end(at number: Int, _ ending: WaitingRoom.Ending) -> Call? {
        guard let waiter = waits[number]?.waiter else {
            // A ring only says that it is time to look, which whoever is told something else need not do.
            if waits[number]?.ending == nil || ending != .rung { waits[number]?.ending = ending }
            return nil
        }
        waits[number]?.waiter = nil
        return (waiter, ending)
    }

    package mutating func leave(_ number: Int) {
        guard let wait = waits.removeValue(forKey: number) else { return }
        for subject in [wait.subject] + wait.others {
            numbers[subject]?.removeAll { $0 == number }
            if numbers[subject]?.isEmpty == true { numbers[subject] = nil }
        }
    }
}
