// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// Comma-separated values as RFC 4180 defines them, read one record at a time; nothing is guessed.
///
/// UTF-8 with or without a byte order mark; lines end with CRLF or LF, and the last one may end with the text. A field
/// in quotes may hold commas, line ends and doubled quotes.
struct CSVReader {
    /// One record and where it begins.
    struct Record: Equatable {
        /// The line of the file that the record begins on, from 1.
        let line: Int
        let fields: [String]
    }

    private let bytes: [UInt8]
    private var offset: Int
    private var line = 1

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        offset = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    }

    /// The next record; nil at the end of the text.
    mutating func next() throws(CSVFault) -> Record? {
        guard offset < bytes.count else { return nil }
        let start = line
        var fields: [String] = []
        while true {
            fields.append(try field())
            if try endsRecord() { return Record(line: start, fields: fields) }
        }
    }

    private mutating func field() throws(CSVFault) -> String {
        let start = line
        let content = byte == quote ? try quoted() : try plain()
        guard !content.contains(0) else { throw CSVFault(.nul, line: start) }
        guard let text = String(validating: content, as: UTF8.self) else { throw CSVFault(.invalidUTF8, line: start) }
        return text
    }

    private mutating func plain() throws(CSVFault) -> [UInt8] {
        let start = offset
        while let byte, byte != comma, byte != lineFeed, byte != carriageReturn {
            guard byte != quote else { throw CSVFault(.strayQuote, line: line) }
            offset += 1
        }
        return Array(bytes[start..<offset])
    }

    private mutating func quoted() throws(CSVFault) -> [UInt8] {
        let start = line
        var content: [UInt8] = []
        offset += 1
        while let byte {
            offset += 1
            if byte == quote {
                guard self.byte == quote else { return content }
                offset += 1
            }
            if byte == lineFeed { line += 1 }
            content.append(byte)
        }
        throw CSVFault(.openQuote, line: start)
    }

    /// Steps over what stands behind a field; true when the record ends there.
    private mutating func endsRecord() throws(CSVFault) -> Bool {
        guard let byte else { return true }
        offset += 1
        switch byte {
        case comma: return false
        case carriageReturn:
            guard self.byte == lineFeed else { throw CSVFault(.loneCarriageReturn, line: line) }
            offset += 1
        case lineFeed: break
        default: throw CSVFault(.strayQuote, line: line)
        }
        line += 1
        return true
    }

    private var byte: UInt8? { offset < bytes.count ? bytes[offset] : nil }
}

/// Why a text is not comma-separated values.
struct CSVFault: Error, Equatable {
    enum Reason: Equatable {
        /// A quote inside a field that does not begin with one, or something behind the closing quote.
        case strayQuote
        /// The text ends inside quotes.
        case openQuote
        /// CR without LF.
        case loneCarriageReturn
        case invalidUTF8
        case nul
    }

    let reason: Reason
    /// From 1.
    let line: Int

    init(_ reason: Reason, line: Int) {
        self.reason = reason
        self.line = line
    }
}

private let quote = UInt8(ascii: "\"")
private let comma = UInt8(ascii: ",")
private let lineFeed = UInt8(ascii: "\n")
private let carriageReturn = UInt8(ascii: "\r")
