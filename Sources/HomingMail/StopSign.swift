// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Synchronization

/// Tells loops that no new work is to be begun.
final class StopSign: Sendable {
    private let raised = Atomic<Bool>(false)

    var isUp: Bool { raised.load(ordering: .acquiring) }

    func raise() { raised.store(true, ordering: .releasing) }
}
