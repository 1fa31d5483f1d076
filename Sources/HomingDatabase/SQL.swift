// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// A statement with its values beside it, never inside it.
///
/// ```swift
/// let sql: SQL = "SELECT id FROM accounts WHERE project = \(project) AND email = \(address)"
/// ```
///
/// Every interpolated value becomes a bound parameter; the text is rendered for the engine that runs it.
package struct SQL: Sendable, ExpressibleByStringInterpolation {
    package enum Fragment: Sendable {
        case text(String)
        case value(Value)
        case type(ColumnType)
        case lock(RowLock)
    }

    /// A column type whose name differs between the engines.
    package enum ColumnType: Sendable {
        case bytes
    }

    /// Which of the rows that a `SELECT` finds it takes until the transaction ends, for engines with several writers.
    package enum RowLock: Sendable {
        /// All of them; whoever else wants one waits.
        case forUpdate
        /// Those that nobody else has taken; the others are left out.
        case forUpdateSkippingLocked
    }

    package var fragments: [Fragment]

    package init(stringLiteral value: String) {
        fragments = [.text(value)]
    }

    package init(stringInterpolation: StringInterpolation) {
        fragments = stringInterpolation.fragments
    }

    package struct StringInterpolation: StringInterpolationProtocol {
        package var fragments: [Fragment] = []

        package init(literalCapacity: Int, interpolationCount: Int) {
            fragments.reserveCapacity(interpolationCount * 2 + 1)
        }

        package mutating func appendLiteral(_ literal: String) {
            if !literal.isEmpty { fragments.append(.text(literal)) }
        }

        package mutating func appendInterpolation(_ value: some Bindable) {
            fragments.append(.value(value.bound))
        }

        package mutating func appendInterpolation(_ value: (some Bindable)?) {
            fragments.append(.value(value?.bound ?? .null))
        }

        /// A state or a kind that is part of the statement's text, so that the engine's planner knows it.
        package mutating func appendInterpolation<Constant: RawRepresentable>(constant: Constant)
        where Constant.RawValue == Int64 {
            fragments.append(.text(String(constant.rawValue)))
        }

        /// A part of a statement that is itself a statement's text, with its own values.
        package mutating func appendInterpolation(sql: SQL) {
            fragments += sql.fragments
        }

        /// Values with commas between them.
        package mutating func appendInterpolation(list values: [Value]) {
            for (index, value) in values.enumerated() {
                if index > 0 { fragments.append(.text(", ")) }
                fragments.append(.value(value))
            }
        }

        package mutating func appendInterpolation(lock: RowLock?) {
            if let lock { fragments.append(.lock(lock)) }
        }

        package mutating func appendInterpolation(type: ColumnType) {
            fragments.append(.type(type))
        }
    }

    /// Appends another piece of text, with its own values.
    package mutating func append(_ piece: SQL) {
        fragments += piece.fragments
    }

    /// The text for one engine, and the values in the order of the parameters.
    package func rendered(for dialect: Dialect) -> (text: String, values: [Value]) {
        var text = ""
        text.reserveCapacity(256)
        var values: [Value] = []
        values.reserveCapacity(fragments.count / 2)
        for fragment in fragments {
            switch fragment {
            case .text(let piece): text += piece
            case .type(let type): text += dialect.name(of: type)
            case .lock(let lock): text += dialect.clause(of: lock)
            case .value(let value):
                values.append(value)
                text += dialect.parameter(values.count)
            }
        }
        return (text, values)
    }
}
