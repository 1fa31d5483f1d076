// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// What strangers' servers say, made fit for a terminal: printable ASCII, and not much of it.
enum PrintableText {
    static func of(_ bytes: some Sequence<UInt8>, atMost limit: Int = 200) -> String {
        var kept: [UInt8] = []
        for byte in bytes where kept.count < limit && (0x20...0x7E).contains(byte) { kept.append(byte) }
        return String(decoding: kept, as: UTF8.self)
    }

    static func of(_ text: String, atMost limit: Int = 200) -> String { of(text.utf8, atMost: limit) }
}
