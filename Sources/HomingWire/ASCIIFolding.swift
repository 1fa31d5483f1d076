// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// A to Z in lower case; every other byte as it is.
func foldedASCII(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
}

/// A to Z, a to z and 0 to 9.
func isLetterOrDigit(_ byte: UInt8) -> Bool {
    isLetter(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
}

/// A to Z and a to z.
func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(foldedASCII(byte))
}

extension StringProtocol {
    /// Whether the bytes are the same but for the case of ASCII letters (RFC 3986 sections 3.1 and 3.2.2).
    func isSameFoldingASCII(_ other: some StringProtocol) -> Bool {
        utf8.elementsEqual(other.utf8) { foldedASCII($0) == foldedASCII($1) }
    }

    /// Whether the first bytes are these but for the case of ASCII letters.
    package func hasPrefixFoldingASCII(_ prefix: some StringProtocol) -> Bool {
        utf8.starts(with: prefix.utf8) { foldedASCII($0) == foldedASCII($1) }
    }
}
