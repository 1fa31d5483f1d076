// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// A moment in the form of the Date header (RFC 5322, section 3.3), in UTC and independent of the machine's locale.
struct MailDate {
    /// Seconds since 1970, without leap seconds.
    let seconds: Int64

    private static let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    private static let secondsPerDay: Int64 = 86_400

    /// Such as `Tue, 09 Dec 2025 08:05:09 +0000`.
    var text: String {
        // Both remainders are taken twice, so that a moment before 1970 has positive ones.
        let clock = Int((seconds % Self.secondsPerDay + Self.secondsPerDay) % Self.secondsPerDay)
        let day = (seconds - Int64(clock)) / Self.secondsPerDay
        let weekday = Int((day % 7 + 7) % 7)
        let (year, month, date) = Self.calendarDate(day)
        let time = [clock / 3_600, clock / 60 % 60, clock % 60].map(Self.twoDigits).joined(separator: ":")
        return "\(Self.days[weekday]), \(Self.twoDigits(date)) \(Self.months[month - 1]) \(year) \(time) +0000"
    }

    /// The Gregorian date of a day counted from 1970-01-01. Years are taken to begin in March, which puts the leap
    /// day at the end of the year, and are counted in eras of 400, which all have 146,097 days.
    private static func calendarDate(_ day: Int64) -> (year: Int, month: Int, date: Int) {
        let shifted = Int(day) + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let date = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, date)
    }

    private static func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
