// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
package import HomingStore
package import HomingTexts

/// A moment on a page: in UTC as the server writes it; a script tells it in the reader's zone, or as "5 minutes ago"
/// within a week of it, and leaves UTC, to the second, in the title.
package struct ConsoleTime {
    let moment: Moment
    /// Whether only the day counts, which is the one of UTC everywhere.
    let isDay: Bool

    package init(_ moment: Moment, isDay: Bool = false) {
        self.moment = moment
        self.isDay = isDay
    }

    /// A day of UTC, by its number since 1970.
    init(day: Int64) { self.init(Moment(milliseconds: day * 86_400_000), isDay: true) }

    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    package var html: HTML {
        isDay
            ? "<time datetime=\"\(moment.day)\">\(Self.words(day: moment.day))</time>"
            : "<time datetime=\"\(moment.timestamp)\" title=\"\(moment.inWords)\">\(words)</time>"
    }

    /// `27 Nov 2026, 18:02 UTC`.
    var words: String { "\(Self.words(day: moment.day)), \(moment.timestamp.dropFirst(11).prefix(5)) UTC" }

    /// `27 Nov`, for a chart of less than a year, and for a phone, which has no room for the year.
    ///
    /// - Parameter day: its number since 1970.
    static func label(day: Int64) -> String { label(day: Moment(milliseconds: day * 86_400_000).day) }

    /// The same of `2026-11-27`.
    static func label(day: String) -> String { String(words(day: day).dropLast(5)) }

    /// `27 Nov 2026` of `2026-11-27`; what is no day stays as it is.
    static func words(day: String) -> String {
        let parts = day.split(separator: "-")
        guard parts.count == 3, let month = Int(parts[1]), months.indices.contains(month - 1),
            let number = Int(parts[2])
        else { return day }
        return "\(number) \(months[month - 1]) \(parts[0])"
    }
}

extension Moment {
    /// The time in a sentence: UTC, to the second.
    var inWords: String {
        let date = Date(timeIntervalSince1970: Double(milliseconds) / 1000)
        return date.formatted(.iso8601).replacing("T", with: " ").replacing("Z", with: " UTC")
    }
}
