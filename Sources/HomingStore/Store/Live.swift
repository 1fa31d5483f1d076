// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Synchronization

/// A setting that may change while the server runs; whoever uses it asks anew each time.
package final class Live<Value: Sendable>: Sendable {
    private let current: Mutex<Value>

    package init(_ value: Value) {
        current = Mutex(value)
    }

    package var value: Value { current.withLock { $0 } }

    package func set(_ value: Value) {
        current.withLock { $0 = value }
    }
}
