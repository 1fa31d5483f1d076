// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Synchronization

/// The database's clock, as this node knows it: its own, less the difference that its last sign of life has found
/// (``Nodes/beat(name:version:mails:keys:)``). A mail's turn and its lease are counted by this clock, because one node
/// gives them and all others judge them; where there is one node only, it is the machine's.
package final class SharedClock: Sendable {
    private let system: System
    private let millisecondsAhead = Atomic<Int64>(0)

    init(_ system: System) {
        self.system = system
    }

    package func now() -> Moment { self(system.now()) }

    /// A time of this machine's clock in the database's.
    package func callAsFunction(_ own: Moment) -> Moment {
        Moment(milliseconds: own.milliseconds - millisecondsAhead.load(ordering: .relaxed))
    }

    func set(millisecondsAhead: Int64) {
        self.millisecondsAhead.store(millisecondsAhead, ordering: .relaxed)
    }
}
