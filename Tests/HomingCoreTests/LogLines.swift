// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Logging
import Synchronization

/// A log that is kept in memory.
struct LogLines: LogHandler {
    final class Store: Sendable {
        let lines = Mutex<[(level: Logger.Level, message: String, metadata: Logger.Metadata)]>([])

        func count(_ level: Logger.Level) -> Int { lines.withLock { $0.count { $0.level == level } } }
    }

    let store: Store
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.trace

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        store.lines.withLock { $0.append((event.level, "\(event.message)", event.metadata ?? [:])) }
    }
}
