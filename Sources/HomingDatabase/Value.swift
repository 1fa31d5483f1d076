// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// One value in a row or bound to a statement: the four kinds that both engines store alike.
package enum Value: Sendable, Hashable {
    case null
    case int(Int64)
    case text(String)
    case bytes([UInt8])

    /// Texts are compared byte by byte, as the engines do. `==` goes first, because it tells most apart at once.
    package static func == (left: Value, right: Value) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.int(let left), .int(let right)): left == right
        case (.text(let left), .text(let right)): left == right && left.utf8.elementsEqual(right.utf8)
        case (.bytes(let left), .bytes(let right)): left == right
        default: false
        }
    }
}

/// A type whose values can be bound to a statement.
package protocol Bindable {
    var bound: Value { get }
}

/// A state or a kind, stored as its raw value.
extension Bindable where Self: RawRepresentable, RawValue: Bindable {
    package var bound: Value { rawValue.bound }
}

extension Value: Bindable {
    package var bound: Value { self }
}

extension Int: Bindable {
    package var bound: Value { .int(Int64(self)) }
}

extension Int64: Bindable {
    package var bound: Value { .int(self) }
}

extension Bool: Bindable {
    /// Booleans are stored as 0 and 1 so that one statement serves both engines.
    package var bound: Value { .int(self ? 1 : 0) }
}

extension String: Bindable {
    package var bound: Value { .text(self) }
}

extension [UInt8]: Bindable {
    package var bound: Value { .bytes(self) }
}

extension Optional: Bindable where Wrapped: Bindable {
    package var bound: Value { self?.bound ?? .null }
}
