// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Synchronization

/// A look into the database that many may ask for at once, such as everybody who brings a token of an unknown key: one
/// of them takes it, and whoever comes meanwhile waits for what it finds. Then there is a pause, in which nobody looks.
package final class SharedReading: Sendable {
    private struct State {
        var lastBegan: Moment?
        var isUnderWay = false
        var waiting: [CheckedContinuation<Void, any Error>] = []
    }

    private let pauseSeconds: Int64
    private let state = Mutex(State())

    package init(pauseSeconds: Int64) {
        self.pauseSeconds = pauseSeconds
    }

    /// Runs the reading, waits for the one under way, or returns at once during the pause.
    package func take(at now: Moment, _ read: () async throws -> Void) async throws {
        if try await begins(at: now) { try await share(read) }
    }

    /// Whether it is the caller who reads; false behind a reading of somebody else's, or in the pause.
    private func begins(at now: Moment) async throws -> Bool {
        let isMine = state.withLock { state -> Bool? in
            if state.isUnderWay { return nil }
            // A clock that was set back ends the pause.
            if let last = state.lastBegan, now >= last, now < last.adding(seconds: pauseSeconds) { return false }
            (state.isUnderWay, state.lastBegan) = (true, now)
            return true
        }
        if let isMine { return isMine }
        try await withCheckedThrowingContinuation { continuation in
            let isOver = state.withLock { state in
                if state.isUnderWay { state.waiting.append(continuation) }
                return !state.isUnderWay
            }
            if isOver { continuation.resume() }
        }
        return false
    }

    private func share(_ read: () async throws -> Void) async throws {
        let result: Result<Void, any Error>
        do {
            result = .success(try await read())
        } catch {
            result = .failure(error)
        }
        let waiting = state.withLock { state in
            // Nobody has found anything yet.
            if case .failure = result { state.lastBegan = nil }
            defer { (state.isUnderWay, state.waiting) = (false, []) }
            return state.waiting
        }
        for continuation in waiting { continuation.resume(with: result) }
        try result.get()
    }
}
