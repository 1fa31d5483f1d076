// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingCore
import HomingStore
import HomingWire

/// A message that came to the bounce address: for whom it was, and the reports of the mail server that sent it (RFC
/// 3464).
///
/// A strict reader of little: header fields, and the part `message/delivery-status` of a `multipart/report`. What has
/// another shape has no reports.
package struct BounceMessage: Sendable {
    /// The number of bytes that are read; what comes behind them is ignored.
    package static let longest = 1 << 20

    /// The values of the header fields that name whom this message was for; those that mail servers add come first.
    package let recipients: [String]
    /// One for each recipient of the mail that came back.
    package let bounces: [Bounce]

    package init(_ message: some Collection<UInt8>) {
        let lines = Array(message.prefix(Self.longest)).split(
            separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false
        )
        .map { $0.last == UInt8(ascii: "\r") ? $0.dropLast() : $0 }
        let (head, body) = Self.fields(lines[...])
        recipients = ["delivered-to", "x-original-to", "to", "return-path"].flatMap { name in
            head.filter { $0.name == name }.map(\.value)
        }
        bounces = Self.bounces(Self.statusPart(of: body, head))
    }

    // MARK: Fields

    private typealias Line = ArraySlice<UInt8>

    private struct Field {
        /// In lower case.
        let name: String
        /// Without line breaks, and without blanks at its ends.
        let value: String
    }

    /// The fields up to the first empty line, unfolded (RFC 5322, section 2.2.3), and the lines behind it.
    private static func fields(_ lines: ArraySlice<Line>) -> (fields: [Field], rest: ArraySlice<Line>) {
        let head = lines.prefix { !$0.isEmpty }
        var unfolded: [Line] = []
        for line in head {
            if let first = line.first, ASCII.isBlank(first), !unfolded.isEmpty {
                unfolded[unfolded.count - 1] += line
            } else {
                unfolded.append(line)
            }
        }
        return (unfolded.compactMap(field), lines.dropFirst(head.count + 1))
    }

    /// Nil for a line that is no field, such as the first one of a mailbox file.
    private static func field(_ line: Line) -> Field? {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let name = line[..<colon]
        guard !name.isEmpty, name.allSatisfy({ ASCII.isPrintable($0) && $0 != 0x20 }) else { return nil }
        return Field(
            name: String(decoding: name.map(ASCII.folded), as: UTF8.self),
            value: String(decoding: trimmed(line[(colon + 1)...]), as: UTF8.self))
    }

    private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        ASCII.trimmed(bytes, of: ASCII.isBlank)
    }

    // MARK: Parts

    /// The lines of the part that has the reports; none in a message of another type.
    private static func statusPart(of body: ArraySlice<Line>, _ head: [Field]) -> ArraySlice<Line> {
        let whole = contentType(head)
        guard whole.type == "multipart/report", let boundary = whole.boundary else { return [] }
        let delimiter = Array("--".utf8) + boundary
        let parts = body.split(omittingEmptySubsequences: false) { line in
            line.starts(with: delimiter)
                && [[], Array("--".utf8)].contains(Array(trimmed(line.dropFirst(delimiter.count))))
        }
        for part in parts.dropFirst() {
            let (fields, rest) = fields(part)
            if ["message/delivery-status", "message/global-delivery-status"].contains(contentType(fields).type) {
                return rest
            }
        }
        return []
    }

    /// The type in lower case, and the parameter `boundary` (RFC 2045, section 5.1).
    private static func contentType(_ fields: [Field]) -> (type: String, boundary: [UInt8]?) {
        guard let value = fields.first(where: { $0.name == "content-type" })?.value else { return ("", nil) }
        var parts: [[UInt8]] = [[]]
        var isQuoted = false
        for byte in value.utf8 {
            switch byte {
            case UInt8(ascii: "\""): isQuoted.toggle()
            case UInt8(ascii: ";") where !isQuoted: parts.append([])
            default: parts[parts.count - 1].append(byte)
            }
        }
        let boundary = parts.dropFirst().compactMap { part -> [UInt8]? in
            let pair = part.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard pair.count == 2, trimmed(pair[0]).map(ASCII.folded) == Array("boundary".utf8) else { return nil }
            let boundary = Array(trimmed(pair[1]))
            return (1...70).contains(boundary.count) ? boundary : nil
        }.first
        return (String(decoding: trimmed(parts[0][...]).map(ASCII.folded), as: UTF8.self), boundary)
    }

    // MARK: Reports

    /// The groups of fields that report about a recipient; the first group is about the message.
    private static func bounces(_ lines: ArraySlice<Line>) -> [Bounce] {
        lines.split(whereSeparator: \.isEmpty).compactMap { group in
            let fields = fields(group).fields
            func value(_ name: String) -> String? { fields.first { $0.name == name }?.value }
            guard value("final-recipient") != nil else { return nil }
            // Words may follow the status in parentheses.
            let status = value("status")?.utf8.prefix { $0 != 0x20 && $0 != UInt8(ascii: "(") }
            return Bounce(
                action: value("action").flatMap { Bounce.Action(rawValue: ASCII.lowercased($0)) },
                status: status.flatMap { Bounce.Status(parsing: Substring($0)) },
                diagnostic: value("diagnostic-code") ?? "")
        }
    }
}
