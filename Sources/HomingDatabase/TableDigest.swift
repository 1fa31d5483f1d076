// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Crypto

/// What a table holds, in any order: its number of rows, and the sum of SHA-256 over each of them. It finds mistakes;
/// who would forge rows of the same sum writes the database anyway.
struct TableDigest: Equatable {
    private(set) var rows: Int64 = 0
    private var sum: [UInt64] = [0, 0, 0, 0]

    mutating func add(_ rows: [[Value]]) {
        var bytes: [UInt8] = []
        for row in rows {
            bytes.removeAll(keepingCapacity: true)
            for value in row { Self.append(value, to: &bytes) }
            SHA256.hash(data: bytes).withUnsafeBytes { digest in
                for (place, part) in digest.bindMemory(to: UInt64.self).enumerated() {
                    sum[place] &+= UInt64(littleEndian: part)
                }
            }
        }
        self.rows += Int64(rows.count)
    }

    /// No two rows have the same bytes: a kind, a length where one is needed, and the value.
    private static func append(_ value: Value, to bytes: inout [UInt8]) {
        switch value {
        case .null: bytes.append(0)
        case .int(let number):
            bytes.append(1)
            append(number, to: &bytes)
        case .text(let text):
            bytes.append(2)
            append(Int64(text.utf8.count), to: &bytes)
            bytes += text.utf8
        case .bytes(let content):
            bytes.append(3)
            append(Int64(content.count), to: &bytes)
            bytes += content
        }
    }

    private static func append(_ number: Int64, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: number.littleEndian) { bytes += $0 }
    }
}
