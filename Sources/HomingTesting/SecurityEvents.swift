// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
package import HomingStore
internal import Synchronization

/// The security events that an open Homing has reported, in order.
package final class SecurityEvents: Sendable {
    private let events = Mutex<[SecurityEvent]>([])

    func append(_ event: SecurityEvent) {
        events.withLock { $0.append(event) }
    }

    /// The events since the last call.
    package func take() -> [SecurityEvent] {
        events.withLock { events in
            defer { events = [] }
            return events
        }
    }
}
