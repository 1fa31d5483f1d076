// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// One row of an answer, read by position.
package struct Row: Sendable {
    package let values: [Value]

    package init(values: [Value]) {
        self.values = values
    }

    package func int(_ column: Int) throws(RowFault) -> Int64 {
        guard case .int(let value) = values[column] else { throw RowFault(column: column, expected: "an integer") }
        return value
    }

    package func text(_ column: Int) throws(RowFault) -> String {
        guard case .text(let value) = values[column] else { throw RowFault(column: column, expected: "text") }
        return value
    }

    package func bytes(_ column: Int) throws(RowFault) -> [UInt8] {
        guard case .bytes(let value) = values[column] else { throw RowFault(column: column, expected: "bytes") }
        return value
    }

    package func bool(_ column: Int) throws(RowFault) -> Bool {
        try int(column) != 0
    }

    package func optionalInt(_ column: Int) throws(RowFault) -> Int64? {
        isNull(column) ? nil : try int(column)
    }

    package func optionalText(_ column: Int) throws(RowFault) -> String? {
        isNull(column) ? nil : try text(column)
    }

    package func optionalBytes(_ column: Int) throws(RowFault) -> [UInt8]? {
        isNull(column) ? nil : try bytes(column)
    }

    package func isNull(_ column: Int) -> Bool {
        if case .null = values[column] { true } else { false }
    }
}

/// A column held something else than the statement's author expected: a fault of ours, never of a caller.
package struct RowFault: Error, CustomStringConvertible {
    package let column: Int
    package let expected: String

    package var description: String {
        "column \(column) does not hold \(expected)"
    }
}
