// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
package import HomingDatabase

/// A point in time, in milliseconds since 1970-01-01 UTC, as the database keeps it.
package struct Moment: Sendable, Hashable, Comparable, Bindable {
    package let milliseconds: Int64

    /// The seconds that somebody else may tell us, from 1970 to the end of the year 9999: RFC 3339 writes no later
    /// year, and no sum of ours leaves 64 bits.
    package static let representable: ClosedRange<Int64> = 0...253_402_300_799

    package init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }

    package init(seconds: Int64) {
        milliseconds = seconds * 1000
    }

    /// Whole seconds, rounded down, as tokens and `validSince` carry them.
    package var seconds: Int64 { milliseconds / 1000 }

    /// The day in UTC, as `2026-11-22`.
    package var day: String { String(timestamp.prefix(10)) }

    package var bound: Value { .int(milliseconds) }

    package static func < (left: Moment, right: Moment) -> Bool {
        left.milliseconds < right.milliseconds
    }

    package func adding(seconds: Int64) -> Moment {
        Moment(milliseconds: milliseconds + seconds * 1000)
    }
}

extension Moment {
    /// RFC 3339 in UTC with milliseconds, as Google's APIs write a time (`google-datetime`).
    package var timestamp: String {
        // Foundation cuts fractions of seconds off, and a fraction that is not exact in binary is a millisecond less.
        let fraction = ((milliseconds % 1000) + 1000) % 1000
        let text = Date(timeIntervalSince1970: Double((milliseconds - fraction) / 1000)).formatted(.iso8601)
        return "\(text.dropLast()).\(String(1000 + fraction).dropFirst())Z"
    }

    /// Reads RFC 3339 with a zone, as Google's APIs take a time.
    package init?(timestamp text: String) {
        guard text.utf8.count >= 20, text.utf8.dropFirst(10).first == UInt8(ascii: "T"),
            text.hasSuffix("Z") || text.utf8.suffix(6).contains(where: { "+-".utf8.contains($0) })
        else { return nil }
        self.init(reading: text)
    }
}

extension Row {
    package mutating func moment() throws(RowFault) -> Moment {
        Moment(milliseconds: try int())
    }

    package mutating func optionalMoment() throws(RowFault) -> Moment? {
        try optionalInt().map { Moment(milliseconds: $0) }
    }
}
