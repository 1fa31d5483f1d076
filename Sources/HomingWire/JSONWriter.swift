// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// Writes a ``JSON`` value as bytes.
struct JSONWriter {
    private var bytes: [UInt8] = []
    private var depth = 0
    private let pretty: Bool

    init(pretty: Bool) {
        self.pretty = pretty
        bytes.reserveCapacity(256)
    }

    mutating func write(_ value: JSON) {
        switch value {
        case .null: append("null")
        case .bool(let flag): append(flag ? "true" : "false")
        case .int(let number): append(String(number))
        case .double(let number): append(number.isFinite ? String(number) : "null")
        case .string(let text): write(text)
        case .array(let elements): write(elements)
        case .object(let object): write(object)
        }
    }

    /// The text that was written; pretty text ends its last line.
    consuming func finish() -> [UInt8] {
        if pretty { bytes.append(0x0A) }
        return bytes
    }

    private mutating func write(_ elements: [JSON]) {
        guard !elements.isEmpty else { return append("[]") }
        open(UInt8(ascii: "["))
        for (index, element) in elements.enumerated() {
            if index > 0 { separate() }
            write(element)
        }
        close(UInt8(ascii: "]"))
    }

    private mutating func write(_ object: JSON.Object) {
        guard !object.members.isEmpty else { return append("{}") }
        open(UInt8(ascii: "{"))
        for (index, member) in object.members.enumerated() {
            if index > 0 { separate() }
            write(member.key)
            append(pretty ? ": " : ":")
            write(member.value)
        }
        close(UInt8(ascii: "}"))
    }

    private mutating func open(_ bracket: UInt8) {
        bytes.append(bracket)
        depth += 1
        breakLine()
    }

    private mutating func separate() {
        bytes.append(UInt8(ascii: ","))
        breakLine()
    }

    private mutating func close(_ bracket: UInt8) {
        depth -= 1
        breakLine()
        bytes.append(bracket)
    }

    private mutating func breakLine() {
        guard pretty else { return }
        bytes.append(0x0A)
        bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: depth * 2))
    }

    private mutating func append(_ text: String) {
        bytes.append(contentsOf: text.utf8)
    }

    private mutating func write(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        var text = text
        text.withUTF8 { source in
            // Almost all bytes stand for themselves, and are appended in runs.
            var start = 0
            for (index, byte) in source.enumerated() {
                var end = index
                let escaped: String
                switch byte {
                case UInt8(ascii: "\""): escaped = "\\\""
                case UInt8(ascii: "\\"): escaped = "\\\\"
                case 0x08: escaped = "\\b"
                case 0x09: escaped = "\\t"
                case 0x0A: escaped = "\\n"
                case 0x0C: escaped = "\\f"
                case 0x0D: escaped = "\\r"
                case 0x00..<0x20, UInt8(ascii: "<"), UInt8(ascii: ">"):
                    escaped = "\\u00\(Hexadecimal.encode([byte]))"
                // The last byte of U+2028 and U+2029, which end a line in a script: E2 80 A8, E2 80 A9.
                case 0xA8...0xA9 where index >= 2 && source[index - 2] == 0xE2 && source[index - 1] == 0x80:
                    end = index - 2
                    escaped = byte == 0xA8 ? "\\u2028" : "\\u2029"
                default: continue
                }
                bytes.append(contentsOf: UnsafeBufferPointer(rebasing: source[start..<end]))
                append(escaped)
                start = index + 1
            }
            bytes.append(contentsOf: UnsafeBufferPointer(rebasing: source[start...]))
        }
        bytes.append(UInt8(ascii: "\""))
    }
}
