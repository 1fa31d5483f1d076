// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
package import HomingStore
internal import Synchronization

/// A clock that stands still until a test moves it.
package final class TestClock: Sendable {
    private let time: Mutex<Moment>

    /// - Parameter start: 2026-11-21 03:00:00 UTC unless a test wants another time.
    package init(start: Moment = Moment(seconds: 1_795_230_000)) {
        time = Mutex(start)
    }

    package var now: Moment { time.withLock { $0 } }

    package func advance(seconds: Int64) {
        time.withLock { $0 = $0.adding(seconds: seconds) }
    }

    package func advance(milliseconds: Int64) {
        time.withLock { $0 = Moment(milliseconds: $0.milliseconds + milliseconds) }
    }
}
