// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import Foundation
package import HomingCore

/// A moment in words, for a person: `21 November 2026, 02:36 UTC`. Where the reader is nobody knows, so the zone is said.
package enum TimeInWords {
    /// - Parameter seconds: since 1970 UTC.
    package static func words(_ seconds: Int, in language: Language) -> String {
        let date = Date(timeIntervalSince1970: TimeInterval(seconds))
        // The English of most countries has the day first.
        let locale = Locale(identifier: language == .english ? "en_GB" : language.tag)
        let day = Date.FormatStyle(
            date: .long, time: .omitted, locale: locale, calendar: Calendar(identifier: .gregorian), timeZone: .gmt)
        let time = date.formatted(.iso8601).dropFirst(11).prefix(5)
        return "\(date.formatted(day))\(language == .simplifiedChinese ? " " : ", ")\(time) UTC"
    }
}
