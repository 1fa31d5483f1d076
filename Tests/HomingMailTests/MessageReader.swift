// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation

/// Reads a message as a mail program would, with its own few lines of RFC 5322, 2045 and 2047, so that the writer is
/// not checked with its own code.
struct MessageReader {
    /// Name in lower case and unfolded value, in order.
    let fields: [(name: String, value: String)]
    let body: [UInt8]

    init(_ bytes: [UInt8]) {
        let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) ?? bytes.endIndex..<bytes.endIndex
        let head = String(decoding: bytes[..<end.lowerBound], as: UTF8.self)
            .replacingOccurrences(of: "\r\n ", with: " ")
        fields = head.components(separatedBy: "\r\n").map { line in
            let value = line.drop { $0 != ":" }.dropFirst()
            return (line.prefix { $0 != ":" }.lowercased(), String(value.first == " " ? value.dropFirst() : value))
        }
        body = Array(bytes[end.upperBound...])
    }

    subscript(name: String) -> String? {
        let found = fields.filter { $0.name == name }
        return found.count == 1 ? found[0].value : nil
    }

    /// The body's parts between boundaries.
    var parts: [MessageReader] {
        let marker = self["content-type"]?.components(separatedBy: "boundary=\"").last?.dropLast() ?? ""
        return ("\r\n" + String(decoding: body, as: UTF8.self)).components(separatedBy: "\r\n--\(marker)")
            .filter { $0.hasPrefix("\r\n") }
            .map { MessageReader(Array($0.dropFirst().utf8)) }
    }

    /// The body as text, its encoding undone.
    var text: String? {
        let raw = String(decoding: body, as: UTF8.self)
        switch self["content-transfer-encoding"] {
        case "base64":
            return Data(base64Encoded: raw.replacingOccurrences(of: "\r\n", with: ""))
                .flatMap { String(data: $0, encoding: .utf8) }
        case "quoted-printable":
            let joined = Array(raw.replacingOccurrences(of: "=\r\n", with: "").utf8)
            return String(validating: Self.unescaped(joined, "="), as: UTF8.self)
        default: return nil
        }
    }

    /// A header value with its encoded-words undone; nil when one of them is no UTF-8 by itself.
    static func decoded(_ value: String) -> String? {
        var result = ""
        var lastWasEncoded = false
        for word in value.components(separatedBy: " ") {
            guard word.hasPrefix("=?UTF-8?B?"), word.hasSuffix("?=") else {
                result += (result.isEmpty ? "" : " ") + word
                lastWasEncoded = false
                continue
            }
            guard word.utf8.count <= 75, let data = Data(base64Encoded: String(word.dropFirst(10).dropLast(2))),
                let text = String(data: data, encoding: .utf8)
            else { return nil }
            result += (result.isEmpty || lastWasEncoded ? "" : " ") + text
            lastWasEncoded = true
        }
        return result
    }

    private static func unescaped(_ bytes: [UInt8], _ mark: Character) -> [UInt8] {
        var result: [UInt8] = []
        var index = 0
        while index < bytes.count {
            if bytes[index] == mark.asciiValue, index + 2 < bytes.count,
                let value = UInt8(String(decoding: bytes[(index + 1)...(index + 2)], as: UTF8.self), radix: 16)
            {
                result.append(value)
                index += 3
            } else {
                result.append(bytes[index])
                index += 1
            }
        }
        return result
    }
}
