// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

extension JSONParser {
    /// A string from its opening to its closing quote. The common case, no escapes, is one scan and one copy.
    mutating func string(_ bytes: Span<UInt8>) throws(JSONFault) -> String {
        position += 1
        let start = position
        while true {
            switch try current(bytes) {
            case UInt8(ascii: "\""):
                defer { position += 1 }
                return copy(bytes, start..<position)
            case UInt8(ascii: "\\"):
                return try escapedString(bytes, from: start)
            default:
                try skipCharacter(bytes)
            }
        }
    }

    func copy(_ bytes: Span<UInt8>, _ range: Range<Int>) -> String {
        bytes.extracting(range).withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
    }

    /// The rest of a string in which an escape was found; everything up to here is plain.
    private mutating func escapedString(_ bytes: Span<UInt8>, from start: Int) throws(JSONFault) -> String {
        var text: [UInt8] = []
        var plainStart = start
        while true {
            switch try current(bytes) {
            case UInt8(ascii: "\""):
                append(bytes, plainStart..<position, to: &text)
                position += 1
                return String(decoding: text, as: UTF8.self)
            case UInt8(ascii: "\\"):
                append(bytes, plainStart..<position, to: &text)
                position += 1
                try escape(bytes, into: &text)
                plainStart = position
            default:
                try skipCharacter(bytes)
            }
        }
    }

    private func append(_ bytes: Span<UInt8>, _ range: Range<Int>, to text: inout [UInt8]) {
        bytes.extracting(range).withUnsafeBufferPointer { text.append(contentsOf: $0) }
    }

    /// One unescaped character of a string.
    private mutating func skipCharacter(_ bytes: Span<UInt8>) throws(JSONFault) {
        switch bytes[position] {
        case 0x00: throw fault(.nul)
        case 0x01..<0x20: throw fault(.controlCharacter)
        case 0x20..<0x80: position += 1
        default:
            guard let length = UTF8Sequence.length(at: position, in: bytes) else { throw fault(.invalidUTF8) }
            position += length
        }
    }

    /// The character of an escape, behind its backslash.
    private mutating func escape(_ bytes: Span<UInt8>, into text: inout [UInt8]) throws(JSONFault) {
        let byte = try current(bytes)
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0C)
        case UInt8(ascii: "n"): text.append(0x0A)
        case UInt8(ascii: "r"): text.append(0x0D)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "u"):
            text.append(contentsOf: String(try unicodeEscape(bytes)).utf8)
            return
        default: throw fault(.invalidEscape)
        }
        position += 1
    }

    /// `uXXXX`, or `uD8XX\uDCXX` for a character beyond the basic plane. Leaves the position behind it.
    private mutating func unicodeEscape(_ bytes: Span<UInt8>) throws(JSONFault) -> Unicode.Scalar {
        let start = position
        let unit = try hexadecimalUnit(bytes)
        guard unit != 0 else { throw JSONFault(reason: .nul, offset: start) }
        if let scalar = Unicode.Scalar(unit) { return scalar }
        guard unit < 0xDC00, position + 1 < bytes.count, bytes[position] == UInt8(ascii: "\\"),
            bytes[position + 1] == UInt8(ascii: "u")
        else { throw JSONFault(reason: .loneSurrogate, offset: start) }
        position += 1
        let low = try hexadecimalUnit(bytes)
        guard (0xDC00...0xDFFF).contains(low),
            let scalar = Unicode.Scalar(0x10000 + (UInt32(unit - 0xD800) << 10) + UInt32(low - 0xDC00))
        else { throw JSONFault(reason: .loneSurrogate, offset: start) }
        return scalar
    }

    /// The four digits behind the `u` at the position.
    private mutating func hexadecimalUnit(_ bytes: Span<UInt8>) throws(JSONFault) -> UInt16 {
        position += 1
        var unit: UInt16 = 0
        for _ in 0..<4 {
            guard let digit = Hexadecimal.value(of: try current(bytes)) else { throw fault(.invalidEscape) }
            unit = unit << 4 | UInt16(digit)
            position += 1
        }
        return unit
    }
}
