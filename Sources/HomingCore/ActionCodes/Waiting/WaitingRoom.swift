// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingStore
import Synchronization

/// Where clients wait on this node for what becomes of their codes, without a statement while nothing happens. A verb of
/// this node rings after its commit, ``ActionCodes/lookForEnded()`` for the verbs of other nodes.
package final class WaitingRoom: Sendable {
    /// Why a wait has ended.
    package enum Ending: Sendable {
        /// Something has become of the code.
        case rung
        case timeIsOver
        /// Newer waits for the same code have taken its place.
        case displaced
        /// The server stops.
        case closing
    }

    private typealias Places = Waits<CodeChange, CheckedContinuation<Ending, Never>>

    private struct State {
        var waits: Places
        var isClosing = false
        /// From when on other nodes may have ended codes unheard; nil where nobody has waited since.
        var heardUntil: Moment?
    }

    /// The longest wait.
    package static let longest: Double = 25
    /// A wait that begins while the server stops: long enough that nobody asks without pause, and short enough for the
    /// end of the server.
    private static let longestWhileClosing = Duration.seconds(1)

    private let state: Mutex<State>

    /// - Parameters:
    ///   - most: how many may be here at the same time. A listener without a limit of connections, or whose connections
    ///     carry many requests each, needs one all the same.
    ///   - mostOfCode: the waits for one code that go on at the same time: tabs, and connections whose clients are gone.
    init(most: Int = 20_000, mostOfCode: Int = 4) {
        state = Mutex(State(waits: Waits(most: most, mostOfSubject: mostOfCode)))
    }

    /// How many are here.
    package var count: Int { state.withLock { $0.waits.count } }

    // MARK: Waiting

    /// A place for one wait, from before the code is read until the answer.
    struct Place: Sendable {
        fileprivate let room: WaitingRoom
        fileprivate let number: Int

        /// Adds what else may end the code: a newer request for its address, the end of its account.
        func listen(to changes: [CodeChange]) {
            room.state.withLock { $0.waits.listen(to: changes, at: number) }
        }

        /// Waits for the next ring; one that has come since the place was taken counts.
        func wait(for duration: Duration) async -> Ending { await room.wait(at: number, for: duration) }
    }

    /// - Parameters:
    ///   - isLook: whether somebody has the request's id alone, and no verifier.
    ///   - body: gets nil where too many are here.
    func withPlace<Answer: Sendable>(
        for code: CodeChange, isLook: Bool = false, _ body: (Place?) async throws -> Answer
    ) async rethrows -> Answer {
        guard let number = state.withLock({ $0.waits.enter(for: code, isLook: isLook) }) else {
            return try await body(nil)
        }
        defer { state.withLock { $0.waits.leave(number) } }
        return try await body(Place(room: self, number: number))
    }

    private func wait(at number: Int, for duration: Duration) async -> Ending {
        let isClosing = state.withLock(\.isClosing)
        async let _: Void = end(at: number, after: isClosing ? min(duration, Self.longestWhileClosing) : duration)
        let ending = await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                Self.call(state.withLock { $0.waits.sit(waiter, at: number) })
            }
        } onCancel: {
            end(at: number)
        }
        return isClosing && ending == .timeIsOver ? .closing : ending
    }

    private func end(at number: Int, after duration: Duration) async {
        try? await Task.sleep(for: duration)
        // A wait that has ended before ends its timer.
        if !Task.isCancelled { end(at: number) }
    }

    private func end(at number: Int) {
        if let call = state.withLock({ $0.waits.end(at: number, .timeIsOver) }) { Self.call([call]) }
    }

    private static func call(_ calls: [Places.Call]) {
        for (waiter, ending) in calls { waiter.resume(returning: ending) }
    }

    // MARK: Ringing

    /// Wakes all who wait here for the code, or for one of the codes, that has changed.
    package func ring(_ change: CodeChange) {
        Self.call(state.withLock { $0.waits.ring(change) })
    }

    /// Ends all waits. Those that begin from now on are short.
    package func close() {
        Self.call(
            state.withLock { state in
                state.isClosing = true
                return state.waits.endAll(.closing)
            })
    }

    // MARK: Other nodes

    /// From when on other nodes may have ended codes unheard, for a look that begins now; nil where nobody waits.
    ///
    /// Nobody waits longer than ``longest``, and everybody has read the row at the beginning: what ended before is heard.
    func unheard(at now: Moment) -> Moment? {
        state.withLock { state in
            guard state.waits.count > 0 else {
                state.heardUntil = nil
                return nil
            }
            let earliest = now.adding(seconds: -Int64(Self.longest) - 1)
            return state.heardUntil.map { $0 > earliest ? $0 : earliest } ?? earliest
        }
    }

    /// Takes note that a look of that time has found all that had ended.
    func heard(at now: Moment) { state.withLock { $0.heardUntil = now } }
}
