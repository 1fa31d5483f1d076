// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingWire

/// One account in the words of another system: members of an object, or the fields of a row by their columns' names.
///
/// A row has texts for everything, so that a flag and a number may be texts as well. What is empty is not there.
struct AccountRecord: Sendable {
    typealias Fault = ImportedAccount.Fault

    let object: JSON.Object

    init(_ object: JSON.Object) {
        self.object = object
    }

    /// A row of comma-separated values, without the blanks around them. Columns without a name are left out.
    init(_ fields: [String], columns: [String?]) throws(Fault) {
        guard fields.count == columns.count else {
            throw Fault("there are \(fields.count) columns, where the first row names \(columns.count)")
        }
        object = JSON.Object(
            zip(columns, fields).compactMap { name, field in name.map { ($0, .string(String(ASCII.trimmed(field)))) } })
    }

    /// A value that says something.
    func value(_ name: String) -> JSON? {
        switch object[name] {
        case nil, .null?: nil
        case .string(let text)?: text.isEmpty ? nil : .string(text)
        case .array(let elements)?: elements.isEmpty ? nil : .array(elements)
        case .object(let object)?: object.members.isEmpty ? nil : .object(object)
        case let value?: value
        }
    }

    func text(_ name: String) throws(Fault) -> String? {
        switch value(name) {
        case nil: nil
        case .string(let text)?: text
        case .int(let number)?: String(number)
        default: throw Fault("\(name) is no text")
        }
    }

    /// The first of these that says something.
    func text(oneOf names: [String]) throws(Fault) -> String? {
        for name in names {
            if let text = try text(name) { return text }
        }
        return nil
    }

    /// - Returns: nil where nothing is said.
    func flag(_ name: String) throws(Fault) -> Bool? {
        switch value(name) {
        case nil: return nil
        case .bool(let flag)?: return flag
        case .int(0)?: return false
        case .int(1)?: return true
        case .string(let text)?:
            switch Array(ASCII.lowercased(text).utf8) {
            case Array("true".utf8), Array("t".utf8), Array("yes".utf8), Array("1".utf8): return true
            case Array("false".utf8), Array("f".utf8), Array("no".utf8), Array("0".utf8): return false
            default: break
            }
        default: break
        }
        throw Fault("\(name) is neither true nor false")
    }

    func moment(_ name: String) throws(Fault) -> Moment? {
        let moment: Moment?
        switch value(name) {
        case nil: return nil
        case .int(let number)?: moment = Moment(sinceEpoch: Double(number))
        case .double(let number)?: moment = Moment(sinceEpoch: number)
        case .string(let text)?: moment = Moment(reading: text)
        default: moment = nil
        }
        guard let moment else { throw Fault("\(name) is no time such as 2026-11-23T09:30:00Z") }
        return moment
    }

    /// An object, or the text of one, as a row has it; empty where nothing is said.
    func record(_ name: String) throws(Fault) -> AccountRecord {
        switch value(name) {
        case nil: return AccountRecord(JSON.Object())
        case .object(let object)?: return AccountRecord(object)
        case .string(let text)?:
            if let object = (try? JSON.parse(Array(text.utf8)))?.objectValue { return AccountRecord(object) }
        default: break
        }
        throw Fault("\(name) is no object")
    }

    /// The objects of an array, or of the text of one; none where nothing is said.
    func records(_ name: String) throws(Fault) -> [AccountRecord] {
        switch value(name) {
        case nil: return []
        case .array(let elements)?: return elements.compactMap(\.objectValue).map(AccountRecord.init)
        case .string(let text)?:
            if let elements = (try? JSON.parse(Array(text.utf8)))?.arrayValue {
                return elements.compactMap(\.objectValue).map(AccountRecord.init)
            }
        default: break
        }
        throw Fault("\(name) is no list")
    }

    /// Those objects of an array whose `type` is this one.
    func records(_ name: String, ofType type: String) throws(Fault) -> [AccountRecord] {
        var found: [AccountRecord] = []
        for record in try records(name) {
            if try record.text("type")?.utf8.elementsEqual(type.utf8) == true { found.append(record) }
        }
        return found
    }

    /// The names of what says something, beside those that are understood.
    func names(except known: Set<String>) -> [String] {
        object.members.map(\.key).filter { !known.contains($0) && value($0) != nil }
    }
}

extension Moment {
    /// A number of seconds or milliseconds since 1970: what would be before March of 1973 in milliseconds is in seconds.
    init?(sinceEpoch number: Double) {
        guard number >= 0, number < 253_402_300_800_000 else { return nil }
        self.init(milliseconds: Int64(number < 100_000_000_000 ? number * 1000 : number))
    }

    /// A time as databases and services write it: RFC 3339 with a `T` or a space, with the zone, `UTC` or none, which is UTC
    /// too; or a number.
    init?(reading text: String) {
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
