// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// One header line, folded (RFC 5322, section 2.2.3).
struct HeaderField {
    let name: String
    /// ASCII pieces; the value is these with one space between them.
    let tokens: [String]

    /// The limit of RFC 2047 for lines with encoded-words, two below that of RFC 5322.
    private static let lineLength = 76

    func write(to bytes: inout [UInt8]) {
        bytes += name.utf8
        bytes += ":".utf8
        var length = name.utf8.count + 1
        for token in tokens {
            if length + 1 + token.utf8.count > Self.lineLength, length > name.utf8.count + 1 {
                bytes += "\r\n".utf8
                length = 0
            }
            bytes += " ".utf8
            bytes += token.utf8
            length += 1 + token.utf8.count
        }
        bytes += "\r\n".utf8
    }
}
