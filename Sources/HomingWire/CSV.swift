// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// Comma-separated values (RFC 4180), as programs and spreadsheets read them.
package enum CSV {
    /// The rows as text. Every line ends with CR LF.
    package static func text(_ rows: [[String]]) -> String {
        rows.map { $0.map(cell).joined(separator: ",") + "\r\n" }.joined()
    }

    /// A spreadsheet takes a cell that begins with one of these for a formula; an apostrophe before it makes it text
    /// (OWASP, CSV injection).
    package static let formulaStarts = Array("=+-@\t\r".utf8)
    package static let apostrophe = UInt8(ascii: "'")
    private static let marks = Array(",\"\r\n".utf8)

    private static func cell(_ text: String) -> String {
        // An apostrophe of the text's own gets another one, so that a reader takes away no more than this.
        let start = text.utf8.first { $0 != apostrophe }
        let safe = start.map(formulaStarts.contains) ?? false ? "'" + text : text
        guard safe.utf8.contains(where: marks.contains) else { return safe }
        // On bytes: a quote with a combining mark behind it is one character.
        var quoted: [UInt8] = [UInt8(ascii: "\"")]
        for byte in safe.utf8 {
            if byte == UInt8(ascii: "\"") { quoted.append(byte) }
            quoted.append(byte)
        }
        quoted.append(UInt8(ascii: "\""))
        return String(decoding: quoted, as: UTF8.self)
    }
}
