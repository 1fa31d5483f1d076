// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// Why a Takeout file was refused as a whole, and where.
package struct TakeoutFault: Error, Sendable, Equatable, CustomStringConvertible {
    package enum Reason: Sendable, Equatable {
        case missingHeader
        case columns(found: Int)
        case flag(column: String)
        case strayQuote
        case openQuote
        case loneCarriageReturn
        case invalidUTF8
        case nul
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
            }
        self.init(reason, line: fault.line)
    }

    /// A sentence for the operator. It quotes nothing of the file: a link may carry a code.
    package var description: String { "line \(line): \(sentence)" }

    private var sentence: String {
        switch reason {
        case .missingHeader:
            "the first row must name \(TakeoutCSV.columnCount) columns, the first of them \"Short link\"; "
                + "give the file as Google Takeout made it"
        case .columns(let found): "\(found) columns where there must be \(TakeoutCSV.columnCount)"
        case .flag(let column): "the column \(column) is neither true nor false"
        case .strayQuote: "a quote where none may stand; write it twice and put the field in quotes"
        case .openQuote: "the quote that opens here is never closed"
        case .loneCarriageReturn: "a carriage return without a line feed"
        case .invalidUTF8: "not UTF-8; export the file again without opening it in a spreadsheet"
        case .nul: "a NUL character"
        }
    }
}
