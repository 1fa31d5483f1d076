// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingWire

/// A form with a file, as a browser sends it (RFC 7578).
struct MultipartForm {
    /// In bytes: more than any browser sends before the content of a part.
    private static let longestHead = 4096

    private(set) var fields: [QueryString.Parameter] = []
    private(set) var files: [String: [UInt8]] = [:]

    /// - Returns: nil where the type is another one, and where the body does not end as it should.
    init?(_ body: [UInt8], contentType: String) {
        guard contentType.hasPrefixFoldingASCII("multipart/form-data;"),
            let start = contentType.firstRange(of: "boundary=")?.upperBound
        else { return nil }
        let boundary = contentType[start...].utf8.prefix { $0 != UInt8(ascii: ";") && $0 != 0x20 }
            .filter { $0 != UInt8(ascii: "\"") }
        guard (1...70).contains(boundary.count) else { return nil }
        let delimiter = Array("\r\n--".utf8) + boundary
        // The first delimiter has no line break before it.
        var rest = (Array("\r\n".utf8) + body)[...]
        guard rest.starts(with: delimiter) else { return nil }
        rest = rest.dropFirst(delimiter.count)
        while !rest.starts(with: "--".utf8) {
            guard rest.starts(with: "\r\n".utf8), let end = Self.place(of: delimiter, in: rest),
                let gap = rest[..<end.lowerBound].prefix(Self.longestHead).firstRange(of: Array("\r\n\r\n".utf8))
            else { return nil }
            let head = String(decoding: rest[..<gap.lowerBound], as: UTF8.self)
            guard let name = Self.parameter("name", of: head) else { return nil }
            let content = Array(rest[gap.upperBound..<end.lowerBound])
            if Self.parameter("filename", of: head) != nil {
                files[name] = content
            } else {
                guard let text = String(validating: content, as: UTF8.self) else { return nil }
                fields.append(QueryString.Parameter(name: name, value: text))
            }
            rest = rest[end.upperBound...]
        }
    }

    /// Where a delimiter stands next. Files have many bytes, of which few begin a delimiter.
    private static func place(of delimiter: [UInt8], in bytes: ArraySlice<UInt8>) -> Range<Int>? {
        var rest = bytes
        while let start = rest.firstIndex(of: delimiter[0]), start + delimiter.count <= bytes.endIndex {
            let end = start + delimiter.count
            if bytes[start..<end].elementsEqual(delimiter) { return start..<end }
            rest = bytes[(start + 1)...]
        }
        return nil
    }

    private static func parameter(_ name: String, of head: String) -> String? {
        guard let start = head.firstRange(of: "; \(name)=\"")?.upperBound,
            let end = head[start...].utf8.firstIndex(of: UInt8(ascii: "\""))
        else { return nil }
        return String(head[start..<end])
    }
}
