// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// Decimal numbers without sign, spaces and leading zeros.
enum Digits {
    static func number(_ text: some StringProtocol, atMost maximum: Int) -> Int? {
        guard (1...10).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            text.utf8.count == 1 || text.utf8.first != UInt8(ascii: "0"), let number = Int(String(text))
        else { return nil }
        return number <= maximum ? number : nil
    }
}
