// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingStore
import HomingWire

/// Reads a file of links piece by piece: comma-separated values, of which the first row names the columns, or JSON. It
/// may be Google Takeout's, Homing's own, another service's, or a list of targets.
package struct LinkFileReader {
    private enum Format {
        case json(JSONElements)
        case csv(CSVReader)
    }

    /// Whose file it is; nil until the first row has been read, unless it was given.
    package private(set) var source: LinkFileSource?
    private var text = UnicodeReader()
    private var beginning: [UInt8] = []
    private var format: Format?
    private var header: [String] = []
    private var columns: LinkFileColumns?
    private var isWhole = false
    private var unread: [String] = []
    private var notKept: [String] = []

    /// - Parameter source: whose file it is; nil to find out by the names of its columns.
    package init(_ source: LinkFileSource? = nil) { self.source = source }

    /// The names of columns that mean nothing here, without codes; the fields of such columns are not read.
    package var unreadColumns: [String] { unread }

    /// The names of columns that are understood, and of which Homing keeps nothing.
    package var columnsNotKept: [String] { notKept }

    private static let mostUnread = 100

    /// Takes the next piece of the file, which may be in UTF-8 or UTF-16.
    package mutating func take(_ piece: [UInt8]) {
        takeText(text.take(piece))
    }

    /// Marks the end of the file.
    package mutating func finish() {
        takeText(text.finish())
        isWhole = true
        switch format {
        case .json(var elements)?:
            elements.finish()
            format = .json(elements)
        case .csv(var reader)?:
            reader.finish()
            format = .csv(reader)
        case nil: break
        }
    }

    private mutating func takeText(_ piece: [UInt8]) {
        switch format {
        case .json(var elements)?:
            format = nil
            elements.take(piece)
            format = .json(elements)
        case .csv(var reader)?:
            format = nil
            reader.take(piece)
            format = .csv(reader)
        case nil:
            beginning += piece
            // No name of a column begins with a bracket.
            let first = beginning.first { !ASCII.isSpace($0) }
            guard first != nil || beginning.count > CSVReader.longestRecord else { return }
            if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") {
                var elements = JSONElements(members: LinkFileSource.members, of: "a link")
                elements.take(beginning)
                format = .json(elements)
            } else {
                // Spreadsheets separate by semicolons where numbers have commas.
                var reader = CSVReader(separators: Array(",;\t".utf8))
                reader.take(beginning)
                format = .csv(reader)
            }
            beginning = Array(beginning.prefix(8))
        }
    }

    /// The next row behind the header; nil when none is left in the pieces so far. The caller judges whether a row can
    /// be kept: its texts are unchecked.
    ///
    /// - Throws: ``LinkFileFault`` for the first thing that is malformed; then nothing of the file counts.
    package mutating func next() throws(LinkFileFault) -> LinkFileRow? {
        let archives: [[UInt8]] = [[0x50, 0x4B, 0x03, 0x04], [0xD0, 0xCF, 0x11, 0xE0], [0x1F, 0x8B]]
        guard !archives.contains(where: { beginning.starts(with: $0) }) else { throw LinkFileFault(.workbook, line: 1) }
        let row: LinkFileRow?
        switch format {
        case .json(var elements)?:
            format = nil
            defer { format = .json(elements) }
            row = try next(in: &elements)
        case .csv(var reader)?:
            format = nil
            defer { format = .csv(reader) }
            row = try next(in: &reader)
        case nil: row = nil
        }
        if row == nil, isWhole, columns == nil { throw LinkFileFault(.empty, line: 1) }
        return row
    }

    // MARK: CSV

    private mutating func next(in reader: inout CSVReader) throws(LinkFileFault) -> LinkFileRow? {
        while let record = try record(&reader) {
            // A blank line, as spreadsheets and editors leave one at the end.
            let isBlank = record.fields.count == 1 && record.fields[0].utf8.allSatisfy(ASCII.isSpace)
            // Excel writes before the header how fields are separated.
            guard !isBlank, columns != nil || !ASCII.areEqual(record.fields[0], "sep=") else { continue }
            guard let columns else {
                try know(record.fields, line: record.line, isTable: true)
                header = record.fields
                continue
            }
            // Concatenated files each bring their header along.
            if record.fields.elementsEqual(header, by: { $0.utf8.elementsEqual($1.utf8) }) { continue }
            guard record.fields.count == header.count else {
                throw LinkFileFault(.columns(found: record.fields.count, named: header.count), line: record.line)
            }
            var values: [LinkFileSource.Field: [String]] = [:]
            for (field, text) in zip(columns.meanings, record.fields) {
                guard let field, !text.utf8.isEmpty, values[field] == nil else { continue }
                values[field] = [columns.source.form.hidesFormulas ? Self.withoutApostrophe(text) : text]
            }
            return try LinkFileRow(values, from: columns.source, line: record.line)
        }
        return nil
    }

    private mutating func record(_ reader: inout CSVReader) throws(LinkFileFault) -> CSVReader.Record? {
        do throws(CSVFault) {
            return try reader.next()
        } catch {
            throw LinkFileFault(error)
        }
    }

    /// The text that ``CSV`` wrote.
    private static func withoutApostrophe(_ text: String) -> String {
        guard text.utf8.first == CSV.apostrophe, let start = text.utf8.first(where: { $0 != CSV.apostrophe }),
            CSV.formulaStarts.contains(start)
        else { return text }
        return String(Substring(text.utf8.dropFirst()))
    }

    // MARK: JSON

    private mutating func next(in elements: inout JSONElements) throws(LinkFileFault) -> LinkFileRow? {
        let element: JSONElements.Element?
        do throws(JSONElements.Fault) {
            element = try elements.next()
        } catch {
            throw LinkFileFault(.json(error.description), line: 1)
        }
        guard let element else { return nil }
        guard let object = (try? JSON.parse(element.bytes))?.objectValue else {
            throw LinkFileFault(.json("line \(element.line): this is no JSON"), line: element.line)
        }
        if columns == nil {
            try know(Self.members(of: object) { _ in false }.map(\.name), line: element.line, isTable: false)
        }
        guard let source else { return nil }
        let members = Self.members(of: object) { source.field(of: $0) != nil }
        var values: [LinkFileSource.Field: (rank: Int, texts: [String])] = [:]
        for (name, texts) in members {
            guard let field = source.field(of: name) else {
                if !texts.isEmpty { note(name, in: &unread) }
                continue
            }
            if field == .notKept, !texts.isEmpty { note(name, in: &notKept) }
            let rank = source.rank(of: name)
            guard !texts.isEmpty, values[field].map({ rank < $0.rank }) ?? true else { continue }
            values[field] = (rank, texts)
        }
        return try LinkFileRow(values.mapValues(\.texts), from: source, line: element.line)
    }

    /// The members of an object and of the objects in it, with their texts.
    ///
    /// - Parameter isKnown: whether the member of a name means something as a whole.
    private static func members(
        of object: JSON.Object, depth: Int = 0, _ isKnown: (String) -> Bool
    ) -> [(name: String, texts: [String])] {
        object.members.flatMap { member -> [(name: String, texts: [String])] in
            let (name, value) = (member.key, member.value)
            if let inner = value.objectValue, !isKnown(name), depth < 4 {
                // The names alone decide whose file it is, and those of a whole are among them.
                return (depth == 0 ? [(name, [])] : []) + members(of: inner, depth: depth + 1, isKnown)
            }
            return [(name, texts(of: value))]
        }
    }

    private static func texts(of value: JSON) -> [String] {
        switch value {
        case .string(let text): text.utf8.isEmpty ? [] : [text]
        case .array(let elements): elements.flatMap { texts(of: $0) }
        case .object(let object):
            if let name = object["name"]?.stringValue {
                [name]
            } else {
                // Such as a target for each language.
                object.members.compactMap { member in member.value.stringValue.map { "\(member.key)=\($0)" } }
            }
        case .null, .bool(false): []
        default: [String(decoding: value.write(pretty: false), as: UTF8.self)]
        }
    }

    // MARK: Names

    private mutating func know(_ names: [String], line: Int, isTable: Bool) throws(LinkFileFault) {
        let columns = try LinkFileColumns(of: names, from: source, line: line, isTable: isTable)
        self.columns = columns
        source = columns.source
        guard isTable else { return }
        for (name, meaning) in zip(names, columns.meanings) where !name.utf8.isEmpty {
            if meaning == nil { note(name, in: &unread) }
            if meaning == .notKept { note(name, in: &notKept) }
        }
    }

    private func note(_ name: String, in names: inout [String]) {
        let name = LinkFileColumns.shown(name)
        guard names.count < Self.mostUnread, !names.contains(where: { $0.utf8.elementsEqual(name.utf8) }) else {
            return
        }
        names.append(name)
    }
}
