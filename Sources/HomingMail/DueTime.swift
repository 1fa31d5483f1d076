// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import Synchronization

/// When the next mail is due, as last seen in the outbox.
final class DueTime: Sendable {
    private let moment = Mutex<Moment?>(nil)

    func set(_ due: Moment) {
        moment.withLock { $0 = due }
    }

    /// Whether it is there; asked again, it is so only after another ``set(_:)``.
    func hasCome(at now: Moment) -> Bool {
        moment.withLock { moment in
            guard let due = moment, due <= now else { return false }
            moment = nil
            return true
        }
    }
}
