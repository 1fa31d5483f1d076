// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingWire

/// A server's answer: status, headers and body.
package struct RESTAnswer: Sendable {
    package let status: Int
    package let headers: [(name: String, value: String)]
    package let body: [UInt8]

    package var text: String { String(decoding: body, as: UTF8.self) }

    package var json: JSON? { try? JSON.parse(body) }

    /// The value of a header; nil unless the header is there exactly once.
    package func header(_ name: String) -> String? {
        let values = headers.filter { $0.name.lowercased() == name.lowercased() }
        return values.count == 1 ? values[0].value : nil
    }

    /// A value inside the JSON body: `answer["error", "message"]`.
    package subscript(_ path: String...) -> JSON? {
        var value = json
        for name in path { value = value?.objectValue?[name] }
        return value
    }

    /// A string inside the JSON body.
    package func string(_ path: String...) -> String? {
        var value = json
        for name in path { value = value?.objectValue?[name] }
        return value?.stringValue
    }

    /// The message of Firebase's error envelope, such as `INVALID_OOB_CODE`.
    package var errorMessage: String? { string("error", "message") }

    /// Reads an HTTP/1.1 answer up to the end of its connection.
    init?(parsing bytes: [UInt8]) {
        guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
        let lines = bytes[..<end.lowerBound].split(separator: UInt8(ascii: "\n"))
            .map { String(decoding: $0.last == UInt8(ascii: "\r") ? $0.dropLast() : $0, as: UTF8.self) }
        guard let first = lines.first?.split(separator: " "), first.count >= 2, let status = Int(first[1]) else {
            return nil
        }
        self.status = status
        headers = lines.dropFirst().map { line in
            let name = line.prefix { $0 != ":" }
            return (String(name), String(line.dropFirst(name.count + 1).drop { $0 == " " }))
        }
        let isChunked = headers.contains { $0.name.lowercased() == "transfer-encoding" && $0.value == "chunked" }
        let rest = Array(bytes[end.upperBound...])
        body = isChunked ? Self.unchunked(rest) : rest
    }

    private static func unchunked(_ bytes: [UInt8]) -> [UInt8] {
        var body: [UInt8] = []
        var rest = bytes[...]
        while let end = rest.firstRange(of: Array("\r\n".utf8)) {
            guard let size = Int(String(decoding: rest[..<end.lowerBound], as: UTF8.self), radix: 16), size > 0 else {
                break
            }
            rest = rest[end.upperBound...]
            body += rest.prefix(size)
            rest = rest.dropFirst(size + 2)
        }
        return body
    }
}
