// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingStore
package import HomingWire

/// Reads the file in which Google Takeout exports the dynamic links of one domain, piece by piece: comma-separated
/// values, of which the first row names the columns.
package struct TakeoutReader {
    private var csv = CSVReader()
    private var header: [String] = []
    private var columns: TakeoutColumns?
    private var isWhole = false

    package init() {}

    /// The names of columns that mean nothing here, without codes; the fields of such columns are not read.
    package var unreadColumns: [String] { columns?.unread ?? [] }

    /// Takes the next piece of the file.
    package mutating func take(_ piece: [UInt8]) {
        csv.take(piece)
    }

    /// Marks the end of the file.
    package mutating func finish() {
        csv.finish()
        isWhole = true
    }

    /// The next row behind the header; nil when none is left in the pieces so far. The caller judges whether a row can
    /// be kept: its texts are unchecked.
    ///
    /// - Throws: ``TakeoutFault`` for the first thing that is malformed; then nothing of the file counts.
    package mutating func next() throws(TakeoutFault) -> TakeoutRow? {
        while let record = try record() {
            guard let columns else {
                columns = try TakeoutColumns(record)
                header = record.fields
                continue
            }
            // Concatenated files each bring their header along.
            if record.fields.elementsEqual(header, by: { $0.utf8.elementsEqual($1.utf8) }) { continue }
            return try TakeoutRow(record, columns)
        }
        if isWhole, columns == nil { throw TakeoutFault(.empty, line: 1) }
        return nil
    }

    private mutating func record() throws(TakeoutFault) -> CSVReader.Record? {
        do throws(CSVFault) {
            return try csv.next()
        } catch {
            throw TakeoutFault(error)
        }
    }
}

/// One link of the export.
package struct TakeoutRow: Sendable, Equatable {
    /// The line of the file on which the row begins, from 1.
    package let line: Int
    /// The short link in the file, host and suffix; may be empty or anything else.
    package let shortLink: String
    /// The parameters of the link; ``DynamicLinkParameters/link`` may be empty.
    package let parameters: DynamicLinkParameters
    /// Whether the link was archived in the console. Such links still led somewhere.
    package let isArchived: Bool
    /// The link's name in the console; nil for links that an app or a program made.
    package let name: String?
    /// The time of creation, as the file has it.
    package let createdAt: String
    /// ``createdAt`` in milliseconds since 1970-01-01 UTC; nil where it cannot be understood.
    package let createdAtMilliseconds: Int64?

    init(_ record: CSVReader.Record, _ columns: TakeoutColumns) throws(TakeoutFault) {
        let fields = record.fields
        guard fields.count == columns.count else {
            throw TakeoutFault(.columns(found: fields.count, named: columns.count), line: record.line)
        }
        var parameters = DynamicLinkParameters(link: "")
        for (parameter, index) in columns.parameters where !fields[index].utf8.isEmpty {
            parameters[parameter] = fields[index]
        }
        guard let forcesRedirect = Self.flag(columns.text(.parameter(.forcesRedirect), of: fields)) else {
            throw TakeoutFault(.flag(column: "efr"), line: record.line)
        }
        parameters.forcesRedirect = forcesRedirect
        guard let isArchived = Self.flag(columns.text(.isArchived, of: fields)) else {
            throw TakeoutFault(.flag(column: "Archived?"), line: record.line)
        }
        let name = columns.text(.name, of: fields)
        line = record.line
        shortLink = columns.text(.shortLink, of: fields)
        self.parameters = parameters
        self.isArchived = isArchived
        self.name = name.utf8.isEmpty ? nil : name
        createdAt = columns.text(.createdAt, of: fields)
        createdAtMilliseconds = TakeoutTimestamp.milliseconds(createdAt)
    }

    /// The value of a flag; nil for a word that could mean either.
    private static func flag(_ text: String) -> Bool? {
        let word = ASCII.lowercased(text)
        if ["", "0", "false", "no", "n"].contains(where: { ASCII.areEqual($0, word) }) { return false }
        return ["1", "true", "yes", "y"].contains { ASCII.areEqual($0, word) } ? true : nil
    }
}
