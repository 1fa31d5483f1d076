// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Synchronization

/// Limits the lines of security events, so that an attack fills no disk and hides no other: ten a minute of one event
/// and one caller. Those beyond are counted, and told in one line once the minute is over, with the next event of
/// anybody.
package final class SecurityLog: Sendable {
    package static let mostPerMinute = 10
    /// The pairs of event and caller that are told apart in a minute; callers beyond share one.
    private static let mostPairs = 4096

    private struct Pair: Hashable {
        let kind: SecurityEvent.Kind
        /// An IPv6 caller has a whole network of addresses.
        let network: IPAddress?
    }

    private struct Minute {
        var number: Int64 = 0
        var counts: [Pair: (count: Int, last: SecurityEvent)] = [:]
    }

    private let minute = Mutex(Minute())
    private let write: @Sendable (SecurityEvent, _ more: Int) -> Void

    /// - Parameter write: takes an event that is to have a line, and how many like it were only counted.
    package init(write: @escaping @Sendable (SecurityEvent, _ more: Int) -> Void) {
        self.write = write
    }

    package func report(_ event: SecurityEvent, at now: Moment) {
        let (counted, isWritten) = minute.withLock { minute in
            var counted: [(SecurityEvent, Int)] = []
            let number = now.seconds / 60
            if number != minute.number {
                counted = minute.counts.values.filter { $0.count > Self.mostPerMinute }
                    .map { ($0.last, $0.count - Self.mostPerMinute) }
                minute = Minute(number: number)
            }
            var pair = Pair(kind: event.kind, network: event.caller?.network)
            if minute.counts[pair] == nil, minute.counts.count >= Self.mostPairs {
                pair = Pair(kind: event.kind, network: nil)
            }
            let count = (minute.counts[pair]?.count ?? 0) + 1
            minute.counts[pair] = (count, event)
            return (counted, count <= Self.mostPerMinute)
        }
        for (last, more) in counted { write(last, more) }
        if isWritten { write(event, 0) }
    }
}
