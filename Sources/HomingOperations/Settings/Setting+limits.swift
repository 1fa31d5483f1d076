// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import HomingCore
import HomingLinkRules
import HomingStore
internal import HomingWire

extension Setting {
    /// One row for every limit.
    package static let limits = Limits.rows.map { limit($0) }

    /// Those by which something is made at the start: connections are counted, threads and queues for passwords made.
    private static let fixedAtStart: Set<String> = [
        "connectionsPerIP", "connections", "passwordHashes", "passwordQueue",
    ]

    private static let largestLimit = 1_000_000_000

    private static func limit(_ row: Limits.Row) -> Setting {
        let (field, standard) = (row.value, Limits.safe[keyPath: row.value])
        return Setting(
            "limits.\(row.name)",
            row.variable,
            accepted: "a whole number from 0 (no limit) to \(largestLimit)",
            standardText: row.name == "passwordHashes" ? "number of cores" : "`\(standard)`",
            meaning: row.meaning,
            isLive: !fixedAtStart.contains(row.name),
            standard: { _, _ in "\(standard)" },
            take: { (text, settings) throws(Rejection) in
                settings.limits[keyPath: field] = try parsed(ASCII.number(text, atMost: largestLimit))
            }
        )
    }
}
