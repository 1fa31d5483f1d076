// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingWire

/// A point in time as exports write it: ISO 8601 with or without a zone, or a number since 1970.
package enum TakeoutTimestamp {
    /// Milliseconds since 1970-01-01 UTC; nil for anything else and for days that do not exist.
    ///
    /// - `2019-05-01T12:34:56.789Z`; a space for the `T`; ` UTC`, an offset (`+02:00`, `-0530`) or nothing, which is
    ///   UTC; without seconds, or without a time at all.
    /// - Digits alone: up to 11 are seconds, 12 to 14 milliseconds, 15 to 17 microseconds. The numbers of our century
    ///   have 10, 13 and 16.
    package static func milliseconds(_ text: String) -> Int64? {
        let bytes = Array(text.utf8)
        if !bytes.isEmpty, bytes.allSatisfy(ASCII.isDigit) { return number(bytes) }
        var cursor = Cursor(bytes: bytes)
        guard let day = cursor.day(), let time = cursor.time(), let offset = cursor.zone(), cursor.isAtEnd
        else { return nil }
        return day * 86_400_000 + time - offset
    }

    private static func number(_ digits: [UInt8]) -> Int64? {
        guard digits.count <= 17 else { return nil }
        let number = digits.reduce(Int64(0)) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) }
        switch digits.count {
        case ...11: return number * 1000
        case ...14: return number
        default: return number / 1000
        }
    }

    /// Days from 1970-01-01 to a date of the Gregorian calendar; nil for a date that it does not have.
    private static func days(year: Int64, month: Int64, day: Int64) -> Int64? {
        let isLeap = year.isMultiple(of: 4) && !year.isMultiple(of: 100) || year.isMultiple(of: 400)
        let lengths: [Int64] = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        guard year >= 1970, (1...12).contains(month), (1...lengths[Int(month - 1)]).contains(day) else { return nil }
        let before = year - 1
        let leapDays = before / 4 - before / 100 + before / 400 - 477
        return (year - 1970) * 365 + leapDays + lengths.prefix(Int(month - 1)).reduce(0, +) + day - 1
    }

    private struct Cursor {
        let bytes: [UInt8]
        var offset = 0

        var isAtEnd: Bool { offset == bytes.count }

        mutating func day() -> Int64? {
            guard let year = digits(4), take("-"), let month = digits(2), take("-"), let day = digits(2)
            else { return nil }
            return TakeoutTimestamp.days(year: year, month: month, day: day)
        }

        /// Milliseconds since midnight; 0 where no time is given.
        mutating func time() -> Int64? {
            if isAtEnd { return 0 }
            guard take("T") || take(" "), let hour = digits(2), take(":"), let minute = digits(2), hour < 24,
                minute < 60
            else { return nil }
            let minutes = hour * 60 + minute
            guard take(":") else { return minutes * 60_000 }
            guard let second = digits(2), second < 60, let fraction = fraction() else { return nil }
            return (minutes * 60 + second) * 1000 + fraction
        }

        /// The offset of local time from UTC, in milliseconds.
        mutating func zone() -> Int64? {
            if isAtEnd || take("Z") || take(" UTC") { return 0 }
            let sign: Int64 = take("+") ? 1 : -1
            guard sign == 1 || take("-"), let hours = digits(2), hours < 24 else { return nil }
            _ = take(":")
            guard let minutes = digits(2), minutes < 60 else { return nil }
            return sign * (hours * 60 + minutes) * 60_000
        }

        /// Milliseconds behind a dot; further digits are cut off.
        private mutating func fraction() -> Int64? {
            guard take(".") else { return 0 }
            let digits = bytes[offset...].prefix(while: ASCII.isDigit)
            guard !digits.isEmpty else { return nil }
            offset = digits.endIndex
            let padded = digits.prefix(3) + repeatElement(UInt8(ascii: "0"), count: max(0, 3 - digits.count))
            return padded.reduce(0) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) }
        }

        private mutating func digits(_ count: Int) -> Int64? {
            let digits = bytes[offset...].prefix(count)
            guard digits.count == count, digits.allSatisfy(ASCII.isDigit) else { return nil }
            offset += count
            return digits.reduce(0) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) }
        }

        private mutating func take(_ text: String) -> Bool {
            guard bytes[offset...].starts(with: text.utf8) else { return false }
            offset += text.utf8.count
            return true
        }
    }
}
