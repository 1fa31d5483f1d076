// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingStore
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

    /// A first and a last name, as far as they are said.
    func name(_ first: String, _ last: String) throws(Fault) -> String? {
        let names = [try text(first), try text(last)].compactMap { $0 }
        return names.isEmpty ? nil : names.joined(separator: " ")
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
