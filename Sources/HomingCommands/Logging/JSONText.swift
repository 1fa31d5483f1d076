// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// Strings in JSON (RFC 8259 section 7), on one line and in printable characters.
enum JSONText {
    /// The text in quotes. Quote, backslash and whatever could end a line or steer a terminal are escaped.
    static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            default:
                if Printable.isUnsafe(scalar) {
                    let digits = String(scalar.value, radix: 16)
                    result += "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
                } else {
                    result.unicodeScalars.append(scalar)
                }
            }
        }
        return result + "\""
    }
}
