// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation

/// Base64url without padding (RFC 4648 section 5), in its canonical spelling only.
package enum Base64URL {
    package static func encode(_ bytes: some Sequence<UInt8>) -> String {
        var text = Data(bytes).base64EncodedString()
        text.replace("+", with: "-")
        text.replace("/", with: "_")
        text.replace("=", with: "")
        return text
    }

    /// The bytes, or nil for anything that ``encode(_:)`` would not have written: padding, other letters, and a last
    /// letter whose unused bits are set.
    package static func decode(_ text: some StringProtocol) -> [UInt8]? {
        guard text.utf8.count <= 1 << 20 else { return nil }
        var standard: [UInt8] = []
        standard.reserveCapacity(text.utf8.count + 3)
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "-"): standard.append(UInt8(ascii: "+"))
            case UInt8(ascii: "_"): standard.append(UInt8(ascii: "/"))
            case UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="): return nil
            default: standard.append(byte)
            }
        }
        while standard.count % 4 != 0 { standard.append(UInt8(ascii: "=")) }
        guard let data = Data(base64Encoded: Data(standard)) else { return nil }
        let bytes = Array(data)
        return encode(bytes).utf8.elementsEqual(text.utf8) ? bytes : nil
    }
}
