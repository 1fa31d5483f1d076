// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import Foundation

/// Times in words.
package struct TimeText: Decodable, Sendable {
    let second: Plural
    let minute: Plural
    let hour: Plural
    let day: Plural
    let moment: String
    let ago: Ago

    struct Ago: Decodable, Sendable {
        let now: String
        let minute: Plural
        let hour: Plural
        let day: Plural
    }
}

extension Texts {
    /// A link's lifetime, for a person: `1 hour`, `3 days`. Whole units only, rounded down, so that no mail promises
    /// more time than there is.
    ///
    /// - Parameter seconds: at least 1; anything lower counts as 1.
    package func lifetime(seconds: Int) -> String {
        let seconds = max(seconds, 1)
        let minute = 60
        let hour = 60 * minute
        let day = 24 * hour
        return switch seconds {
        case (2 * day)...: times.day.words(seconds / day)
        case _ where seconds.isMultiple(of: day): times.day.words(seconds / day)
        case (2 * hour)...: times.hour.words(seconds / hour)
        case _ where seconds.isMultiple(of: hour): times.hour.words(seconds / hour)
        case minute...: times.minute.words(seconds / minute)
        default: times.second.words(seconds)
        }
    }

    /// How long ago something was, for a person: `3 minutes ago`, in one unit, rounded down.
    package func ago(seconds: Int) -> String {
        switch seconds {
        case ..<60: times.ago.now
        case ..<3_600: times.ago.minute.words(seconds / 60)
        case ..<86_400: times.ago.hour.words(seconds / 3_600)
        default: times.ago.day.words(seconds / 86_400)
        }
    }

    /// A moment, for a person: `21 November 2026, 02:36 UTC`. The zone is named, because the reader's is unknown.
    ///
    /// - Parameter seconds: since 1970 UTC.
    package func moment(_ seconds: Int) -> String {
        let date = Date(timeIntervalSince1970: TimeInterval(seconds))
        let day = Date.FormatStyle(
            date: .long, time: .omitted, locale: Locale(identifier: language.facts.locale),
            calendar: Calendar(identifier: .gregorian), timeZone: .gmt)
        let clock = numerals.written(String(Self.clock(seconds).prefix(5)))
        return Placeholders([.date: date.formatted(day), .clock: clock]).fill(times.moment)
    }

    /// The time of day to the second, in UTC: `02:36:07`, in the digits of the codes beside it. Digits alone, so that it
    /// costs a mail next to nothing.
    package static func clock(_ seconds: Int) -> String {
        let second = (seconds % 86_400 + 86_400) % 86_400
        return [second / 3600, second / 60 % 60, second % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
            .joined(separator: ":")
    }

    /// A kind of device: `Chrome on Windows`, or `Android` for an app.
    package func device(browser: String?, system: String) -> String {
        guard let browser else { return system }
        return Placeholders([.browser: browser, .system: system]).fill(device)
    }
}

/// Times in the words of a language that we have no texts in, as CLDR has them.
package enum AnyTime {
    /// A moment, with its zone: `22. November 2026 um 02:36 UTC`.
    package static func moment(_ seconds: Int, in tag: String) -> String {
        let style = Date.FormatStyle(
            date: .long, time: .shortened, locale: Locale(identifier: tag), calendar: Calendar(identifier: .gregorian),
            timeZone: .gmt)
        return Date(timeIntervalSince1970: TimeInterval(seconds)).formatted(style) + " UTC"
    }

    /// A link's lifetime, rounded down to one unit, as in ``Texts/lifetime(seconds:)``.
    package static func lifetime(seconds: Int, in tag: String) -> String {
        let units: [(Int, Duration.UnitsFormatStyle.Unit)] = [(86_400, .days), (3_600, .hours), (60, .minutes)]
        let seconds = max(seconds, 1)
        let unit = units.first { seconds >= 2 * $0.0 || (seconds >= $0.0 && seconds.isMultiple(of: $0.0)) }
        let whole = unit.map { seconds / $0.0 * $0.0 } ?? seconds
        return Duration.seconds(whole).formatted(
            .units(allowed: [unit?.1 ?? .seconds], width: .wide).locale(Locale(identifier: tag)))
    }
}
