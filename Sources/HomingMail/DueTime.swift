// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import Synchronization

/// The time when the next mail is due, as last read from the outbox.
final class DueTime: Sendable {
    private let moment = Mutex<Moment?>(nil)

    func set(_ due: Moment) {
        moment.withLock { $0 = due }
    }

    /// Whether the time has come; true only once for each ``set(_:)``.
    func hasCome(at now: Moment) -> Bool {
        moment.withLock { moment in
            guard let due = moment, due <= now else { return false }
            moment = nil
            return true
        }
    }
}
