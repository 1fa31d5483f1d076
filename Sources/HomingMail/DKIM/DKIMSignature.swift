// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import Crypto
internal import Foundation
import HomingWire

/// The header fields by which receivers see that a mail is its sender domain's, and unchanged (RFC 6376), in the form
/// relaxed/relaxed: the usual changes of white space on the way do no harm.
package enum DKIMSignature {
    /// Signed as often as they occur and once more: nobody can add another one in front (RFC 6376, section 8.15).
    private static let oversigned = [
        "From", "To", "Cc", "Subject", "Date", "Message-ID", "Reply-To", "MIME-Version", "Content-Type",
        "Content-Transfer-Encoding",
    ]
    /// Signed where they occur.
    private static let signed = ["References", "Auto-Submitted", "Content-Language", "X-Homing-Mail"]

    /// Seconds for which a signature counts; a mail waits at relays for five days at most.
    private static let lifetime: Int64 = 14 * 86_400

    /// The message with one signature by each key in front.
    ///
    /// - Parameters:
    ///   - message: as it goes on the wire, before dots are doubled; every line ends in CRLF.
    ///   - seconds: the time of signing, since 1970.
    package static func sign(_ message: [UInt8], with keys: [DKIMKey], at seconds: Int64) throws -> [UInt8] {
        guard !keys.isEmpty else { return message }
        let (head, body) = split(message)
        let fields = Self.fields(of: head)
        let bodyHash = base64(SHA256.hash(data: relaxed(body: body)))
        let (names, text) = signedText(of: fields)
        var result: [UInt8] = []
        for key in keys {
            let tags = [
                "v=1;", "a=\(key.algorithm.rawValue);", "c=relaxed/relaxed;", "d=\(key.domain);",
                "s=\(key.selector);", "t=\(seconds);", "x=\(seconds + lifetime);",
            ]
            let named = names.enumerated().map { index, name in
                (index == 0 ? "h=" : "") + name + (index == names.count - 1 ? ";" : ":")
            }
            var field: [UInt8] = []
            HeaderField(name: "DKIM-Signature", tokens: tags + named + ["bh=\(bodyHash);", "b="]).write(to: &field)
            // The field itself comes last, without its own signature and line end.
            let own = relaxed(field: field[...].dropLast(2))
            let signature = try key.signature(of: text + own)
            result += field.dropLast(2)
            result += folded(signature)
            result += "\r\n".utf8
        }
        return result + message
    }

    private static func base64(_ digest: SHA256Digest) -> String { Data(digest).base64EncodedString() }

    /// Lines of 72 characters, each behind a line break and a space, which readers of `b=` leave out.
    private static func folded(_ text: String) -> [UInt8] {
        var result: [UInt8] = []
        var rest = text.utf8[...]
        while !rest.isEmpty {
            result += "\r\n ".utf8
            result += rest.prefix(72)
            rest = rest.dropFirst(72)
        }
        return result
    }

    // MARK: Canonical forms (RFC 6376, section 3.4)

    private static let lineEnd = Array("\r\n".utf8)

    /// The head with the line end of its last field, and what follows the empty line.
    private static func split(_ message: [UInt8]) -> (head: ArraySlice<UInt8>, body: ArraySlice<UInt8>) {
        var start = message.startIndex
        while let end = message[start...].firstIndex(of: lineEnd[1]) {
            if end == start + 1 || end == start { return (message[..<start], message[(end + 1)...]) }
            start = end + 1
        }
        return (message[...], [])
    }

    private struct Field {
        let name: String
        let text: ArraySlice<UInt8>
    }

    /// The fields of a head, each with its continuation lines and without its last line end.
    private static func fields(of head: ArraySlice<UInt8>) -> [Field] {
        var fields: [Field] = []
        var start = head.startIndex
        var index = start
        while index < head.endIndex {
            guard let end = head[index...].firstIndex(of: lineEnd[1]) else { break }
            index = end + 1
            if index < head.endIndex, ASCII.isBlank(head[index]) { continue }
            let text = head[start..<(end > start && head[end - 1] == lineEnd[0] ? end - 1 : end)]
            start = index
            let name = String(decoding: text.prefix { $0 != UInt8(ascii: ":") && !ASCII.isBlank($0) }, as: UTF8.self)
            fields.append(Field(name: ASCII.lowercased(name), text: text))
        }
        return fields
    }

    /// The names in `h=`, and the canonical text of the fields that they mean: of several with one name the last comes
    /// first, and a name beyond them means that there is no other.
    private static func signedText(of fields: [Field]) -> (names: [String], text: [UInt8]) {
        var names: [String] = []
        var text: [UInt8] = []
        func add(_ name: String, beyond: Int) {
            let lower = ASCII.lowercased(name)
            let found = fields.filter { ASCII.areEqual($0.name, lower) }
            names += Array(repeating: lower, count: found.count + beyond)
            for field in found.reversed() {
                text += relaxed(field: field.text)
                text += lineEnd
            }
        }
        for name in signed { add(name, beyond: 0) }
        for name in oversigned { add(name, beyond: 1) }
        return (names, text)
    }

    /// A field without its line end: the name in lower case, no white space around the colon, each other run of it one
    /// space, none at the end.
    package static func relaxed(field: ArraySlice<UInt8>) -> [UInt8] {
        guard let colon = field.firstIndex(of: UInt8(ascii: ":")) else { return Array(field) }
        var result = field[..<colon].reversed().drop(while: ASCII.isBlank).reversed().map(ASCII.folded)
        result.append(UInt8(ascii: ":"))
        let value = field[(colon + 1)...].filter { !lineEnd.contains($0) }
        appendWithSingleSpaces(value.drop(while: ASCII.isBlank), to: &result)
        return result
    }

    /// The body: each run of white space in a line one space, none at a line's end, no empty lines at the end.
    package static func relaxed(body: ArraySlice<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(body.count + 2)
        // Up to here the result stays, whatever follows.
        var kept = 0
        var rest = body
        while !rest.isEmpty {
            let end = rest.firstIndex(of: lineEnd[1]) ?? rest.endIndex
            var line = rest[rest.startIndex..<end]
            if line.last == lineEnd[0] { line = line.dropLast() }
            let start = result.count
            appendWithSingleSpaces(line, to: &result)
            let isEmpty = result.count == start
            result += lineEnd
            if !isEmpty { kept = result.count }
            rest = end < rest.endIndex ? rest[(end + 1)...] : []
        }
        return Array(result.prefix(kept))
    }

    private static func appendWithSingleSpaces(_ line: some Sequence<UInt8>, to result: inout [UInt8]) {
        var isBehindSpace = false
        for byte in line {
            if ASCII.isBlank(byte) {
                isBehindSpace = true
            } else {
                if isBehindSpace { result.append(UInt8(ascii: " ")) }
                isBehindSpace = false
                result.append(byte)
            }
        }
    }
}
