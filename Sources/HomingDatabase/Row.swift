// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// One row of an answer. Columns are read one after the other, in the order in which the statement names them.
package struct Row: Sendable {
    package let values: [Value]
    private var column = 0

    package init(values: [Value]) {
        self.values = values
    }

    package mutating func int() throws(RowFault) -> Int64 {
        guard case .int(let value) = next() else { throw fault("an integer") }
        return value
    }

    package mutating func text() throws(RowFault) -> String {
        guard case .text(let value) = next() else { throw fault("text") }
        return value
    }

    package mutating func bytes() throws(RowFault) -> [UInt8] {
        guard case .bytes(let value) = next() else { throw fault("bytes") }
        return value
    }

    package mutating func bool() throws(RowFault) -> Bool {
        try int() != 0
    }

    package mutating func optionalInt() throws(RowFault) -> Int64? {
        isNull ? skipped() : try int()
    }

    package mutating func optionalText() throws(RowFault) -> String? {
        isNull ? skipped() : try text()
    }

    package mutating func optionalBytes() throws(RowFault) -> [UInt8]? {
        isNull ? skipped() : try bytes()
    }

    /// Whether the next column is null.
    private var isNull: Bool {
        if column < values.count, case .null = values[column] { true } else { false }
    }

    private mutating func skipped<Value>() -> Value? {
        column += 1
        return nil
    }

    private mutating func next() -> Value? {
        guard column < values.count else { return nil }
        defer { column += 1 }
        return values[column]
    }

    private func fault(_ expected: String) -> RowFault {
        RowFault(column: column - 1, expected: expected)
    }
}

extension [Row] {
    /// The number in the first column of the first row; nil where there is no row.
    package func firstInt() throws(RowFault) -> Int64? {
        guard var row = first else { return nil }
        return try row.optionalInt()
    }

    /// The text in the first column of the first row; nil where there is no row.
    package func firstText() throws(RowFault) -> String? {
        guard var row = first else { return nil }
        return try row.optionalText()
    }

    /// The bytes in the first column of the first row; nil where there is no row.
    package func firstBytes() throws(RowFault) -> [UInt8]? {
        guard var row = first else { return nil }
        return try row.optionalBytes()
    }
}

/// A column had another type than the statement's author expected: a fault of ours, never of a caller.
package struct RowFault: Error, CustomStringConvertible {
    package let column: Int
    package let expected: String

    package var description: String {
        "column \(column) does not hold \(expected)"
    }
}
