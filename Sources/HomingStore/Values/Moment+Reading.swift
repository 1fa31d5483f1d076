// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingWire

extension Moment {
    /// A number of seconds or milliseconds since 1970: what would be before March of 1973 in milliseconds is in
    /// seconds.
    package init?(sinceEpoch number: Double) {
        guard number >= 0, number < 253_402_300_800_000 else { return nil }
        self.init(milliseconds: Int64(number < 100_000_000_000 ? number * 1000 : number))
    }

    /// A time as databases and services write it: RFC 3339 with a `T` or a space, with the zone, `UTC` or none, which
    /// is UTC too; or a number.
    package init?(reading text: String) {
        if let number = Double(text), text.utf8.allSatisfy({ ASCII.isDigit($0) || $0 == UInt8(ascii: ".") }) {
            self.init(sinceEpoch: number)
            return
        }
        var rest = text.utf8[...]
        func number(_ digits: Int) -> Int? {
            let taken = rest.prefix(digits)
            guard taken.count == digits, taken.allSatisfy(ASCII.isDigit) else { return nil }
            rest = rest.dropFirst(digits)
            return taken.reduce(0) { $0 * 10 + Int($1 - 48) }
        }
        func skip(_ marks: String) -> Bool {
            guard let next = rest.first, marks.utf8.contains(next) else { return false }
            rest = rest.dropFirst()
            return true
        }
        guard let year = number(4), skip("-"), let month = number(2), skip("-"), let day = number(2),
            (1...12).contains(month), (1...31).contains(day)
        else { return nil }
        var milliseconds = Int64(Self.days(year, month, day)) * 86_400_000
        if skip("T t") {
            guard let hour = number(2), skip(":"), let minute = number(2), hour < 24, minute < 60 else { return nil }
            milliseconds += Int64(hour * 60 + minute) * 60_000
            if skip(":") {
                guard let second = number(2), second <= 60 else { return nil }
                milliseconds += Int64(second) * 1000
            }
            if skip(".,") {
                let fraction = rest.prefix { ASCII.isDigit($0) }
                guard !fraction.isEmpty else { return nil }
                rest = rest.dropFirst(fraction.count)
                let digits = Array(fraction.prefix(3)) + [UInt8](repeating: 48, count: max(0, 3 - fraction.count))
                milliseconds += digits.reduce(0) { $0 * 10 + Int64($1 - 48) }
            }
        }
        _ = skip(" ")
        if rest.elementsEqual("UTC".utf8) || rest.elementsEqual("Z".utf8) || rest.elementsEqual("z".utf8) {
            rest = rest.dropFirst(rest.count)
        } else if let sign = rest.first, skip("+-") {
            guard let hours = number(2) else { return nil }
            _ = skip(":")
            guard let minutes = rest.isEmpty ? 0 : number(2) else { return nil }
            let offset = Int64(hours * 60 + minutes) * 60_000
            milliseconds += sign == UInt8(ascii: "-") ? offset : -offset
        }
        guard rest.isEmpty, (0...253_402_300_799_999).contains(milliseconds) else { return nil }
        self.init(milliseconds: milliseconds)
    }

    /// The days from 1970 on, in the Gregorian calendar, counted from March so that a leap day is the last.
    private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let year = month <= 2 ? year - 1 : year
        let (era, yearOfEra) = (year / 400, year % 400)
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }
}
