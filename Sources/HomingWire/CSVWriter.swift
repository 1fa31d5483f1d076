// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// Writes comma-separated values (RFC 4180), lines ending in CRLF, for people who open them in a spreadsheet.
package enum CSVWriter {
    /// - Parameter rows: the first one is the header.
    package static func text(_ rows: [[String]]) -> String {
        rows.map { $0.map(cell).joined(separator: ",") + "\r\n" }.joined()
    }

    /// A cell that a spreadsheet would take for a formula begins with an apostrophe (OWASP, CSV injection).
    private static func cell(_ value: String) -> String {
        let isFormula = value.utf8.first.map { "=+-@\t\r".utf8.contains($0) } ?? false
        let safe = isFormula ? "'" + value : value
        guard safe.utf8.contains(where: { ",\"\r\n".utf8.contains($0) }) else { return safe }
        var quoted: [UInt8] = [UInt8(ascii: "\"")]
        for byte in safe.utf8 {
            if byte == UInt8(ascii: "\"") { quoted.append(byte) }
            quoted.append(byte)
        }
        quoted.append(UInt8(ascii: "\""))
        return String(decoding: quoted, as: UTF8.self)
    }
}
