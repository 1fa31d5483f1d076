// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Dispatch
import HomingDatabase
import Synchronization

/// Holds the writer inside a verb until the test lets it go, so that the verbs behind it wait together.
final class Barrier: Sendable {
    private let gate = DispatchSemaphore(value: 0)
    private let entered = Atomic<Bool>(false)

    /// A verb that waits.
    func hold(_ database: Database) async throws {
        try await database.write { [self] _ in wait() }
    }

    /// Waits inside another verb.
    func wait() {
        entered.store(true, ordering: .sequentiallyConsistent)
        gate.wait()
    }

    func open() { gate.signal() }

    /// Returns once a verb waits at the barrier.
    func untilReached() async throws {
        while !entered.load(ordering: .sequentiallyConsistent) { try await Task.sleep(for: .milliseconds(1)) }
    }
}

extension Database {
    /// Returns once so many verbs were requested since the file was opened.
    func untilAsked(_ writes: Int) async throws {
        while counts.writes < writes { try await Task.sleep(for: .milliseconds(1)) }
        // The count rises just before the verb is queued.
        try await Task.sleep(for: .milliseconds(20))
    }
}
