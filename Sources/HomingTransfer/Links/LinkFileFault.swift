// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore

/// The reason and the line for which a file of links was refused as a whole.
package struct LinkFileFault: Error, Sendable, Equatable, CustomStringConvertible {
    package enum Reason: Sendable, Equatable {
        case empty
        /// Nil where the file may be anybody's.
        case missingColumns(LinkFileSource?, found: [String])
        case columnTwice(String)
        case columns(found: Int, named: Int)
        case flag(column: String)
        case strayQuote
        case openQuote
        case loneCarriageReturn
        case invalidUTF8
        case nul
        case longRecord
        /// An .xlsx or .xls, or another archive.
        case workbook
        /// It is no JSON; what is wrong with it.
        case json(String)
    }

    package let reason: Reason
    /// The line of the file, from 1.
    package let line: Int

    init(_ reason: Reason, line: Int) {
        self.reason = reason
        self.line = line
    }

    init(_ fault: CSVFault) {
        let reason: Reason =
            switch fault.reason {
            case .strayQuote: .strayQuote
            case .openQuote: .openQuote
            case .loneCarriageReturn: .loneCarriageReturn
            case .invalidUTF8: .invalidUTF8
            case .nul: .nul
            case .longRecord: .longRecord
            }
        self.init(reason, line: fault.line)
    }

    /// A sentence for the operator. The sentence quotes nothing of the rows, because a link may carry a code.
    package var description: String {
        if case .json(let sentence) = reason { return sentence }
        return "line \(line): \(sentence)"
    }

    private var sentence: String {
        switch reason {
        case .empty: "the file is empty: there is no link in it"
        case .missingColumns(let source?, let found):
            "the first row must name the columns \(LinkFileColumns.list(source.required)), as in files of "
                + "\(source.rawValue); it names \(LinkFileColumns.list(found))"
        case .missingColumns(nil, let found):
            "the first row must name the columns \"Short link\" and \"Deep link\" as Google Takeout does, \"link\" alone for "
                + "new links, or those of another service (docs/moving-links.md); it names \(LinkFileColumns.list(found))"
        case .columnTwice(let name): "two columns are called \(name), or mean the same; take one of them out"
        case .columns(let found, let named): "\(found) columns where the first row names \(named)"
        case .flag(let column): "the column \(column) is neither true nor false"
        case .strayQuote: "a quote where none may stand; write it twice and put the field in quotes"
        case .openQuote: "the quote that opens here is never closed"
        case .loneCarriageReturn: "a carriage return without a line feed"
        case .invalidUTF8: "neither UTF-8 nor UTF-16; save it in the spreadsheet as CSV UTF-8"
        case .nul: "a NUL character"
        case .longRecord: "a row of more than \(CSVReader.longestRecord >> 20) MiB; is a quote in it never closed?"
        case .workbook:
            "an Excel workbook or an archive, and no CSV; save it in the spreadsheet as CSV UTF-8, or unpack it"
        case .json(let sentence): sentence
        }
    }
}
