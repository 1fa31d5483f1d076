// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import CLibPQ
import HomingWire

extension Value {
    /// The identifier of the type in `pg_type`; 0 leaves it to the statement.
    var postgresType: Oid {
        switch self {
        case .null: 0
        case .int: 20
        case .text: 25
        case .bytes: 17
        }
    }

    /// Integers and bytes in binary form, texts as they are; nil is NULL.
    var postgresBytes: [UInt8]? {
        switch self {
        case .null: nil
        case .int(let number): withUnsafeBytes(of: number.bigEndian) { Array($0) }
        case .text(let text): Array(text.utf8)
        case .bytes(let bytes): bytes
        }
    }

    /// Rows in the binary format of `COPY` (PostgreSQL's documentation, its page about COPY, "Binary Format").
    static func postgresCopy(of rows: [[Value]]) -> [UInt8] {
        var bytes = Array("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A, 0] + [UInt8](repeating: 0, count: 8)
        for row in rows {
            append(Int16(row.count), to: &bytes)
            for value in row {
                guard let field = value.postgresBytes else {
                    append(Int32(-1), to: &bytes)
                    continue
                }
                append(Int32(field.count), to: &bytes)
                bytes += field
            }
        }
        append(Int16(-1), to: &bytes)
        return bytes
    }

    private static func append(_ number: some FixedWidthInteger, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: number.bigEndian) { bytes += $0 }
    }
}

extension Row {
    /// The rows of a result in text form.
    static func all(of result: OpaquePointer) throws -> [Row] {
        let columns = 0..<PQnfields(result)
        let types = columns.map { PQftype(result, $0) }
        return try (0..<PQntuples(result)).map { row in
            Row(
                values: try columns.map { column in
                    guard PQgetisnull(result, row, column) == 0 else { return .null }
                    let start = UnsafeRawPointer(PQgetvalue(result, row, column))
                    let bytes = UnsafeRawBufferPointer(start: start, count: Int(PQgetlength(result, row, column)))
                    return try value(bytes, of: types[Int(column)])
                })
        }
    }

    private static func value(_ bytes: UnsafeRawBufferPointer, of type: Oid) throws -> Value {
        switch type {
        // int8, int2, int4, and numeric, which sums are.
        case 20, 21, 23, 1700:
            let text = String(decoding: bytes, as: UTF8.self)
            guard let number = Int64(text) else { throw DatabaseFault("\(text) is no integer of 64 bits") }
            return .int(number)
        case 16: return .int(bytes.first == UInt8(ascii: "t") ? 1 : 0)
        case 17:
            // `\x` and two digits a byte.
            let digits = Array(bytes.dropFirst(2))
            return .bytes(
                stride(from: 0, to: digits.count - 1, by: 2).map { index in
                    (Hexadecimal.value(of: digits[index]) ?? 0) << 4 | (Hexadecimal.value(of: digits[index + 1]) ?? 0)
                })
        default: return .text(String(decoding: bytes, as: UTF8.self))
        }
    }
}

/// Lends C strings with a null pointer behind them.
func withCStrings<Answer>(
    _ texts: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> Answer
) -> Answer {
    withPointers(to: texts.map { Array($0.utf8) + [0] }, terminated: true, body)
}

/// Lends pointers to buffers, which lie in one piece of memory; nil is a null pointer.
func withPointers<Answer>(
    to buffers: [[UInt8]?], terminated: Bool = false, _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> Answer
) -> Answer {
    let joined = buffers.flatMap { $0 ?? [] }
    return joined.withUnsafeBytes { memory in
        var offset = 0
        var pointers: [UnsafePointer<CChar>?] = buffers.map { buffer in
            guard let buffer, let base = memory.baseAddress else { return nil }
            defer { offset += buffer.count }
            return (base + offset).assumingMemoryBound(to: CChar.self)
        }
        if terminated || pointers.isEmpty { pointers.append(nil) }
        return pointers.withUnsafeBufferPointer { pointers in
            guard let base = pointers.baseAddress else { preconditionFailure("there is at least one pointer") }
            return body(base)
        }
    }
}
