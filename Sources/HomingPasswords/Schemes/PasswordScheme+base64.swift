// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation

extension PasswordScheme {
    /// Base64 of either alphabet, with padding or without.
    package static func decode(_ text: String) -> [UInt8]? {
        var bytes: [UInt8] = []
        for byte in text.utf8 where byte != UInt8(ascii: "=") {
            switch byte {
            case UInt8(ascii: "-"): bytes.append(UInt8(ascii: "+"))
            case UInt8(ascii: "_"): bytes.append(UInt8(ascii: "/"))
            default: bytes.append(byte)
            }
        }
        bytes += [UInt8](repeating: UInt8(ascii: "="), count: (4 - bytes.count % 4) % 4)
        return Data(base64Encoded: Data(bytes)).map(Array.init)
    }
}
