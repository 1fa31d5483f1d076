// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingWire

/// The file in which Google Takeout hands out the dynamic links of one domain: comma-separated values with 29 columns,
/// of which the first row gives the names.
///
/// The columns, in order: Short link, link, apn, afl, amv, ibi, ifl, ius, ipfl, ipbi, isi, imv, efr, ofl, st, sd, si,
/// utm_source, utm_medium, utm_campaign, utm_term, utm_content, at, ct, mt, pt, Archived?, Link name, Creation
/// timestamp. Only the number of columns and the first name are looked at (letters alone, in any case), since the
/// wording of the others was never promised.
package enum TakeoutCSV {
    /// How many columns every row has.
    package static let columnCount = 29

    /// All rows behind the header. Whether a row can be kept is for its reader to judge: its texts are as they came.
    ///
    /// - Throws: ``TakeoutFault`` for the first thing that is malformed; then nothing of the file counts.
    package static func rows(_ bytes: [UInt8]) throws(TakeoutFault) -> [TakeoutRow] {
        var reader = CSVReader(bytes)
        guard let header = try record(&reader) else { throw TakeoutFault(.missingHeader, line: 1) }
        guard header.fields.count == columnCount, isShortLink(header.fields[0]) else {
            throw TakeoutFault(.missingHeader, line: header.line)
        }
        var rows: [TakeoutRow] = []
        while let record = try record(&reader) { rows.append(try TakeoutRow(record)) }
        return rows
    }

    private static func record(_ reader: inout CSVReader) throws(TakeoutFault) -> CSVReader.Record? {
        do throws(CSVFault) {
            return try reader.next()
        } catch {
            throw TakeoutFault(error)
        }
    }

    private static func isShortLink(_ name: String) -> Bool {
        let letters = ASCII.lowercased(name).utf8.filter(ASCII.isLetter)
        return letters.elementsEqual("shortlink".utf8)
    }
}

/// One link of the export.
package struct TakeoutRow: Sendable, Equatable {
    /// The line of the file on which the row begins, from 1.
    package let line: Int
    /// The short link as it stands there, host and suffix; may be empty or anything else.
    package let shortLink: String
    /// What the link says; ``DynamicLinkParameters/link`` may be empty.
    package let parameters: DynamicLinkParameters
    /// Whether it was put away in the console. Such links still led somewhere.
    package let isArchived: Bool
    /// Its name in the console; nil for links that an app or a program made.
    package let name: String?
    /// When it was made, as it stands there.
    package let createdAt: String
    /// ``createdAt`` in milliseconds since 1970-01-01 UTC; nil where it cannot be understood.
    package let createdAtMilliseconds: Int64?

    init(_ record: CSVReader.Record) throws(TakeoutFault) {
        let fields = record.fields
        guard fields.count == TakeoutCSV.columnCount else {
            throw TakeoutFault(.columns(found: fields.count), line: record.line)
        }
        var parameters = DynamicLinkParameters(link: "")
        for (index, parameter) in Self.parameters.enumerated() { parameters[parameter] = fields[index + 1] }
        guard let forcesRedirect = Self.flag(fields[12]) else {
            throw TakeoutFault(.flag(column: "efr"), line: record.line)
        }
        parameters.forcesRedirect = forcesRedirect
        guard let isArchived = Self.flag(fields[26]) else {
            throw TakeoutFault(.flag(column: "Archived?"), line: record.line)
        }
        line = record.line
        shortLink = fields[0]
        self.parameters = parameters
        self.isArchived = isArchived
        name = fields[27].utf8.isEmpty ? nil : fields[27]
        createdAt = fields[28]
        createdAtMilliseconds = TakeoutTimestamp.milliseconds(fields[28])
    }

    /// The columns 2 to 26: every parameter in the order of long links but the two old ones.
    private static let parameters = DynamicLinkParameter.allCases.filter { !$0.isDeprecated }

    /// Nil for a word that could mean either.
    private static func flag(_ text: String) -> Bool? {
        let word = ASCII.lowercased(text)
        if ["", "0", "false", "no", "n"].contains(where: { ASCII.areEqual($0, word) }) { return false }
        return ["1", "true", "yes", "y"].contains { ASCII.areEqual($0, word) } ? true : nil
    }
}
