// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import HomingWire

/// A message, or a part of one, as somebody's mail server kept it (RFC 5322, RFC 2045 to 2047). It reads whatever comes
/// within its limits, and notes what it could not read.
package struct MIMEPart: Sendable {
    /// The number of bytes that are read; what comes behind them is ignored.
    package static let longest = 5 << 20
    private static let deepest = 10
    private static let mostParts = 100
    private static let mostFields = 1_000

    struct Field: Sendable {
        /// In lower case.
        let name: String
        /// Without line breaks, and without blanks at its ends.
        let value: String
    }

    /// In the order of the message: what servers add on its way comes first.
    let fields: [Field]
    /// `text/plain`, in lower case.
    let type: String
    private let parameters: [String: String]
    private let body: ArraySlice<UInt8>
    /// Empty but in a multipart.
    let parts: [MIMEPart]

    package init(_ message: some Collection<UInt8>) {
        var left = Self.mostParts
        self.init(Array(message.prefix(Self.longest))[...], depth: 0, left: &left)
    }

    private init(_ bytes: ArraySlice<UInt8>, depth: Int, left: inout Int) {
        left -= 1
        let (fields, rest) = Self.head(of: bytes)
        var body = rest
        // An attached message is no part of what people see.
        let (type, parameters) = Self.contentType(fields.first { $0.name == "content-type" }?.value)
        var parts: [MIMEPart] = []
        if type.utf8.starts(with: "multipart/".utf8), depth < Self.deepest, let boundary = parameters["boundary"] {
            for slice in Self.slices(of: body, boundary: Array(boundary.utf8)) where left > 0 {
                parts.append(MIMEPart(slice, depth: depth + 1, left: &left))
            }
            body = []
        }
        self.fields = fields
        self.type = type
        self.parameters = parameters
        self.body = body
        self.parts = parts
    }

    func values(_ name: String) -> [String] { fields.filter { $0.name == name }.map(\.value) }

    func value(_ name: String) -> String? { fields.first { $0.name == name }?.value }

    /// This part and all below it, in the order of the message.
    var all: [MIMEPart] { [self] + parts.flatMap(\.all) }

    /// Whether a mail program offers it as a file instead of showing it.
    var isAttached: Bool { value("content-disposition")?.hasPrefixFoldingASCII("attachment") == true }

    // MARK: Bodies

    /// The text of a part, and what was wrong with it.
    struct Decoded: Sendable {
        var text: String
        /// Whether the transfer encoding is damaged.
        var isBroken: Bool
        /// The charset that the part names; `us-ascii` where it names none.
        var charset: String
        /// Whether the charset is one that is read here.
        var isKnown: Bool
    }

    var decoded: Decoded {
        let encoding = ASCII.lowercased(ASCII.trimmed(value("content-transfer-encoding") ?? ""))
        let (bytes, isBroken) =
            switch encoding {
            case "base64": TransferEncoding.base64(body)
            case "quoted-printable": TransferEncoding.quotedPrintable(body)
            default: (Array(body), false)
            }
        let charset = ASCII.lowercased(parameters["charset"] ?? "us-ascii")
        let text = MailCharset.text(of: bytes, in: charset)
        return Decoded(
            text: text ?? String(decoding: bytes, as: UTF8.self), isBroken: isBroken, charset: charset,
            isKnown: text != nil)
    }

    // MARK: Reading

    private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        ASCII.trimmed(bytes, of: ASCII.isBlank)
    }

    /// The line that begins at an index, without its line break, and the index behind it.
    private static func line(at start: Int, of bytes: ArraySlice<UInt8>) -> (line: ArraySlice<UInt8>, next: Int) {
        guard let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) else {
            return (bytes[start...], bytes.endIndex)
        }
        let isPair = end > start && bytes[end - 1] == UInt8(ascii: "\r")
        return (bytes[start..<(isPair ? end - 1 : end)], end + 1)
    }

    /// The fields up to the first empty line, unfolded (RFC 5322, section 2.2.3), and what is behind it.
    private static func head(of bytes: ArraySlice<UInt8>) -> (fields: [Field], rest: ArraySlice<UInt8>) {
        var unfolded: [[UInt8]] = []
        var isFull = false
        var index = bytes.startIndex
        while index < bytes.endIndex {
            let (line, next) = line(at: index, of: bytes)
            index = next
            guard let first = line.first else { break }
            if ASCII.isBlank(first), !unfolded.isEmpty {
                if !isFull { unfolded[unfolded.count - 1] += line }
            } else if unfolded.count < mostFields {
                unfolded.append(Array(line))
            } else {
                isFull = true
            }
        }
        return (unfolded.compactMap { field($0[...]) }, bytes[index...])
    }

    /// Nil for a line that is no field, such as the first one of a mailbox file.
    private static func field(_ line: ArraySlice<UInt8>) -> Field? {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let name = trimmed(line[..<colon])
        guard !name.isEmpty, name.allSatisfy({ ASCII.isPrintable($0) && $0 != 0x20 }) else { return nil }
        return Field(
            name: String(decoding: name.map(ASCII.folded), as: UTF8.self),
            value: String(decoding: trimmed(line[(colon + 1)...]), as: UTF8.self))
    }

    /// The pieces between the delimiters of a multipart (RFC 2046, section 5.1.1). The line break before a delimiter
    /// belongs to it.
    private static func slices(of body: ArraySlice<UInt8>, boundary: [UInt8]) -> [ArraySlice<UInt8>] {
        let delimiter = Array("--".utf8) + boundary
        var slices: [ArraySlice<UInt8>] = []
        var begin: Int?
        var index = body.startIndex
        while index < body.endIndex {
            let (line, next) = line(at: index, of: body)
            if line.starts(with: delimiter) {
                let rest = Array(trimmed(line.dropFirst(delimiter.count)))
                if rest.isEmpty || rest == Array("--".utf8) {
                    if let begin {
                        var end = index
                        if end > begin, body[end - 1] == UInt8(ascii: "\n") { end -= 1 }
                        if end > begin, body[end - 1] == UInt8(ascii: "\r") { end -= 1 }
                        slices.append(body[begin..<end])
                    }
                    guard rest.isEmpty else { return slices }
                    begin = next
                }
            }
            index = next
        }
        // Where the end is missing the last part goes to the end of the message.
        if let begin { slices.append(body[begin...]) }
        return slices
    }

    /// The type and its parameters (RFC 2045, section 5.1).
    private static func contentType(_ value: String?) -> (type: String, parameters: [String: String]) {
        guard let value else { return ("text/plain", [:]) }
        var pieces: [[UInt8]] = [[]]
        var isQuoted = false
        for byte in value.utf8 {
            switch byte {
            case UInt8(ascii: "\""): isQuoted.toggle()
            case UInt8(ascii: ";") where !isQuoted: pieces.append([])
            default: pieces[pieces.count - 1].append(byte)
            }
        }
        var parameters: [String: String] = [:]
        for piece in pieces.dropFirst() {
            let pair = piece.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard pair.count == 2 else { continue }
            let name = String(decoding: trimmed(pair[0]).map(ASCII.folded), as: UTF8.self)
            parameters[name] = String(decoding: trimmed(pair[1]), as: UTF8.self)
        }
        return (String(decoding: trimmed(pieces[0][...]).map(ASCII.folded), as: UTF8.self), parameters)
    }
}
