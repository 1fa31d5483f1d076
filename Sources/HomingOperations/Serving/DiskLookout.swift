// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingDatabase
package import Logging

/// Tells the operator that the database's disk is full: once at the beginning, whatever many requests find out, and
/// once when for a minute none has.
package struct DiskLookout {
    package let database: Database
    package let logger: Logger
    private var seen = 0
    private var fullAt: ContinuousClock.Instant?

    package init(_ database: Database, _ logger: Logger) {
        self.database = database
        self.logger = logger
    }

    package mutating func look() {
        let now = database.counts.writesWithoutRoom
        defer { seen = now }
        if now > seen {
            if fullAt == nil {
                let line =
                    "the database's disk is full: make room on its machine; until then requests that write get 503, and "
                    + "nothing has to be restarted"
                logger.error("\(line)")
            }
            fullAt = .now
        } else if let last = fullAt, last.duration(to: .now) > .seconds(60) {
            fullAt = nil
            logger.notice("the database has room again: for a minute no request has found its disk full")
        }
    }
}
