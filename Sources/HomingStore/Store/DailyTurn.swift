// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingDatabase

/// Work that is done once a day, whoever asks how often, by one of all nodes.
package struct DailyTurn {
    private static let day: Int64 = 86_400

    let store: Store
    /// What the last turn is kept under.
    let name: String

    package init(store: Store, name: String) {
        self.store = store
        self.name = name
    }

    /// Whether the last look is a day ago. After a longer pause it is time a day later: a clock that is a month ahead
    /// for a moment must not take what everybody has.
    package func isTime() async throws -> Bool {
        let (now, stored) = try await store.read { [name] tx in
            (tx.now, try tx.run("SELECT value FROM key_state WHERE name = \(name)").firstText())
        }
        let last = stored.flatMap { Int64($0) }.map { Moment(milliseconds: $0) }
        if let last, last <= now, now < last.adding(seconds: Self.day) { return false }
        try await store.write { [name] tx in
            tx.later(
                """
                INSERT INTO key_state (name, value) VALUES (\(name), \(String(now.milliseconds)))
                ON CONFLICT (name) DO UPDATE SET value = excluded.value
                """)
        }
        return last.map { $0 <= now && now < $0.adding(seconds: 2 * Self.day) } ?? false
    }
}
