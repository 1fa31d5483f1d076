// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore

/// A reader of comma-separated values (RFC 4180), taken in pieces and read one record at a time. Nothing is guessed but
/// the separator, where more than one is allowed.
///
/// UTF-8 with or without a byte order mark; lines end with CRLF or LF, and the last one may end with the text. A field
/// in quotes may hold commas, line ends and doubled quotes.
struct CSVReader {
    /// One record and the line on which it begins.
    struct Record: Equatable {
        /// The line of the file that the record begins on, from 1.
        let line: Int
        let fields: [String]
    }

    /// The greatest size of a record in bytes; a longer or endless one is refused before more of it is kept.
    static let longestRecord = 1 << 20

    private let separators: [UInt8]
    private var separator: UInt8
    private var bytes: [UInt8] = []
    private var offset = 0
    private var line = 1
    private var isAtStart = true
    private var isWhole = false

    /// - Parameter separators: what may stand between two fields, the likeliest first; a text has one of them.
    init(separators: [UInt8] = [comma]) {
        self.separators = separators
        separator = separators.first ?? comma
    }

    /// Takes the next piece of the text.
    mutating func take(_ piece: [UInt8]) {
        bytes.removeFirst(offset)
        offset = 0
        bytes += piece
    }

    /// Marks the end of the text.
    mutating func finish() {
        isWhole = true
    }

    /// The next record; nil when none is left in what was taken so far.
    mutating func next() throws(CSVFault) -> Record? {
        if isAtStart {
            guard bytes.count >= 3 || isWhole, let found = separators.count > 1 ? mostFrequent() : separator else {
                return nil
            }
            separator = found
            isAtStart = false
            if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { offset = 3 }
        }
        guard offset < bytes.count else { return nil }
        let (start, startLine) = (offset, line)
        var record: Record?
        var fault: CSVFault?
        do throws(CSVFault) {
            record = try self.record()
        } catch {
            fault = error
        }
        guard offset - start <= Self.longestRecord else { throw CSVFault(.longRecord, line: startLine) }
        if offset >= bytes.count, !isWhole {
            // The next piece may belong to this record, and may even mend it.
            (offset, line) = (start, startLine)
            return nil
        }
        if let fault { throw fault }
        return record
    }

    /// The separator that the first record that is not empty has most often outside of quotes; nil while the record is not whole.
    private func mostFrequent() -> UInt8? {
        var counts = [UInt8: Int]()
        var isQuoted = false
        var isRecordWhole = isWhole || bytes.count > Self.longestRecord
        for byte in bytes.drop(while: { $0 == lineFeed || $0 == carriageReturn }) {
            if byte == quote {
                isQuoted.toggle()
            } else if !isQuoted, byte == lineFeed {
                isRecordWhole = true
                break
            } else if !isQuoted, separators.contains(byte) {
                counts[byte, default: 0] += 1
            }
        }
        return isRecordWhole ? separators.max { counts[$0, default: 0] < counts[$1, default: 0] } : nil
    }

    private mutating func record() throws(CSVFault) -> Record {
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
        guard let text = String(validating: content, as: UTF8.self) else { throw CSVFault(.invalidUTF8, line: start) }
        guard !content.contains(0) else { throw CSVFault(.nul, line: start) }
        return text
    }

    private mutating func plain() throws(CSVFault) -> [UInt8] {
        let (start, separator) = (offset, separator)
        offset = bytes.withUnsafeBufferPointer { bytes in
            var end = start
            while end < bytes.count, bytes[end] != separator, bytes[end] != lineFeed, bytes[end] != carriageReturn,
                bytes[end] != quote
            {
                end += 1
            }
            return end
        }
        guard byte != quote else { throw CSVFault(.strayQuote, line: line) }
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

    /// Skips the separator behind a field; true when the record ends there.
    private mutating func endsRecord() throws(CSVFault) -> Bool {
        guard let byte else { return true }
        offset += 1
        switch byte {
        case separator: return false
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

/// The reason why a text is not comma-separated values.
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
        /// More bytes than ``CSVReader/longestRecord``.
        case longRecord
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
