// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import Foundation
internal import HomingWire

/// The encodings in which parts and header fields travel, read (RFC 2045, section 6; RFC 2047).
enum TransferEncoding {
    /// - Returns: the bytes, and whether something in the body is no base64.
    static func base64(_ body: some Collection<UInt8>) -> (bytes: [UInt8], isBroken: Bool) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(body.count / 4 * 3)
        var (bits, count, isBroken) = (UInt32(0), 0, false)
        for byte in body {
            let value: UInt8
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): value = byte - UInt8(ascii: "A")
            case UInt8(ascii: "a")...UInt8(ascii: "z"): value = byte - UInt8(ascii: "a") + 26
            case UInt8(ascii: "0")...UInt8(ascii: "9"): value = byte - UInt8(ascii: "0") + 52
            case UInt8(ascii: "+"): value = 62
            case UInt8(ascii: "/"): value = 63
            case UInt8(ascii: "="): continue
            default:
                isBroken = isBroken || !ASCII.isSpace(byte)
                continue
            }
            bits = bits << 6 | UInt32(value)
            count += 1
            guard count == 4 else { continue }
            bytes += [UInt8(truncatingIfNeeded: bits >> 16), UInt8(truncatingIfNeeded: bits >> 8)]
            bytes.append(UInt8(truncatingIfNeeded: bits))
            (bits, count) = (0, 0)
        }
        switch count {
        case 2: bytes.append(UInt8(truncatingIfNeeded: bits >> 4))
        case 3: bytes += [UInt8(truncatingIfNeeded: bits >> 10), UInt8(truncatingIfNeeded: bits >> 2)]
        case 1: isBroken = true
        default: break
        }
        return (bytes, isBroken)
    }

    /// - Returns: the bytes, and whether a `=` is neither a byte in two digits nor the end of a line.
    static func quotedPrintable(_ body: ArraySlice<UInt8>) -> (bytes: [UInt8], isBroken: Bool) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(body.count)
        var isBroken = false
        var lines = body.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)[...]
        while var line = lines.popFirst() {
            // Blanks at the end were added on the way (rule 3).
            while let last = line.last, ASCII.isBlank(last) || last == UInt8(ascii: "\r") { line.removeLast() }
            let isSoft = line.last == UInt8(ascii: "=")
            if isSoft { line.removeLast() }
            while let byte = line.popFirst() {
                guard byte == UInt8(ascii: "=") else {
                    bytes.append(byte)
                    continue
                }
                if line.count >= 2, let high = digit(line[line.startIndex]), let low = digit(line[line.startIndex + 1])
                {
                    bytes.append(high << 4 | low)
                    line.removeFirst(2)
                } else {
                    isBroken = true
                    bytes.append(byte)
                }
            }
            if !isSoft, !lines.isEmpty { bytes.append(UInt8(ascii: "\n")) }
        }
        return (bytes, isBroken)
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        default: nil
        }
    }

    /// The words of a header field, which may be encoded. The bytes of neighbours in one charset are put together
    /// before they are read, since some programs cut between the bytes of a letter.
    static func headerText(_ value: String) -> String {
        var text = ""
        var pending: (charset: String, bytes: [UInt8])?
        func flush() {
            guard let word = pending else { return }
            text += MailCharset.text(of: word.bytes, in: word.charset) ?? String(decoding: word.bytes, as: UTF8.self)
            pending = nil
        }
        var isFirst = true
        for piece in value.split(whereSeparator: { $0 == " " || $0 == "\t" }) {
            if let word = encodedWord(piece) {
                if pending?.charset != word.charset {
                    let isNext = pending != nil
                    flush()
                    if !isNext, !isFirst { text += " " }
                    pending = (word.charset, [])
                }
                pending?.bytes += word.bytes
            } else {
                flush()
                text += isFirst ? piece : " " + piece
            }
            isFirst = false
        }
        flush()
        return text
    }

    private static func encodedWord(_ piece: Substring) -> (charset: String, bytes: [UInt8])? {
        guard piece.hasPrefix("=?"), piece.hasSuffix("?=") else { return nil }
        let parts = piece.dropFirst(2).dropLast(2).split(separator: "?", omittingEmptySubsequences: false)
        guard parts.count == 3, let charset = parts[0].split(separator: "*").first else { return nil }
        let name = ASCII.lowercased(charset)
        switch parts[1] {
        case "B", "b": return (name, base64(Array(parts[2].utf8)).bytes)
        case "Q", "q":
            let spaced = parts[2].utf8.map { $0 == UInt8(ascii: "_") ? UInt8(ascii: " ") : $0 }
            // A blank at the end belongs to the word.
            let guarded = spaced + Array("=00".utf8)
            return (name, quotedPrintable(guarded[...]).bytes.dropLast())
        default: return nil
        }
    }
}

/// The charsets that are read, by the names that mails have for them.
enum MailCharset {
    private static let encodings: [String: String.Encoding] = [
        "iso-8859-1": .isoLatin1, "latin1": .isoLatin1, "iso-8859-2": .isoLatin2, "windows-1250": .windowsCP1250,
        "windows-1251": .windowsCP1251, "windows-1252": .windowsCP1252, "cp1252": .windowsCP1252,
        "windows-1253": .windowsCP1253, "windows-1254": .windowsCP1254, "shift_jis": .shiftJIS,
        "iso-2022-jp": .iso2022JP, "euc-jp": .japaneseEUC,
    ]

    /// Nil where the charset is not known here, or the bytes are none of it.
    static func text(of bytes: [UInt8], in charset: String) -> String? {
        switch charset {
        case "utf-8", "utf8", "us-ascii", "ascii", "": String(decoding: bytes, as: UTF8.self)
        default: encodings[charset].flatMap { String(data: Data(bytes), encoding: $0) }
        }
    }
}
