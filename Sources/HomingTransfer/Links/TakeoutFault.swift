// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore

/// The reason and the line for which a Takeout file was refused as a whole.
package struct TakeoutFault: Error, Sendable, Equatable, CustomStringConvertible {
    package enum Reason: Sendable, Equatable {
        case empty
        case missingColumns([String], found: [String])
        case columnTwice(String)
        case columns(found: Int, named: Int)
        case flag(column: String)
        case strayQuote
        case openQuote
        case loneCarriageReturn
        case invalidUTF8
        case nul
        case longRecord
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
    package var description: String { "line \(line): \(sentence)" }

    private var sentence: String {
        switch reason {
        case .empty: "the file is empty; give it as Google Takeout made it"
        case .missingColumns(let names, let found):
            "the first row must name the columns \(TakeoutColumns.list(names)); it names "
                + "\(TakeoutColumns.list(found)); give the file as Google Takeout made it"
        case .columnTwice(let name): "two columns are called \(name), or mean the same; take one of them out"
        case .columns(let found, let named): "\(found) columns where the first row names \(named)"
        case .flag(let column): "the column \(column) is neither true nor false"
        case .strayQuote: "a quote where none may stand; write it twice and put the field in quotes"
        case .openQuote: "the quote that opens here is never closed"
        case .loneCarriageReturn: "a carriage return without a line feed"
        case .invalidUTF8: "not UTF-8; export the file again without opening it in a spreadsheet"
        case .nul: "a NUL character"
        case .longRecord: "a row of more than \(CSVReader.longestRecord >> 20) MiB; is a quote in it never closed?"
        }
    }
}
