// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingDatabase

/// The id of something, of a type of its own so that one thing's id is never taken for another's. Two are equal if
/// their bytes are: `String ==` would take two spellings of one letter for the same.
package protocol Identifier: Sendable, Hashable, Comparable, Codable, Bindable, CustomStringConvertible,
    ExpressibleByStringLiteral
{
    var text: String { get }
    init(_ text: String)
}

extension Identifier {
    package init(stringLiteral text: String) { self.init(text) }

    package init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode(String.self))
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }

    package var description: String { text }
    package var bound: Value { .text(text) }

    package static func == (one: Self, other: Self) -> Bool { one.text.utf8.elementsEqual(other.text.utf8) }

    package static func < (one: Self, other: Self) -> Bool {
        one.text.utf8.lexicographicallyPrecedes(other.text.utf8)
    }

    package func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        hasher.combine(0xFF as UInt8)
    }
}

extension Row {
    package mutating func id<ID: Identifier>() throws(RowFault) -> ID { ID(try text()) }
    package mutating func optionalID<ID: Identifier>() throws(RowFault) -> ID? { try optionalText().map { ID($0) } }
}

/// A project's id, as paths, tokens and commands carry it: `shop`.
package struct ProjectID: Identifier {
    package let text: String
    package init(_ text: String) { self.text = text }

    /// The rows of the project itself, none of a tenant of it.
    package var scope: Scope { Scope(text) }
}

/// The id of a tenant within its project: `staff-x1b2c`.
package struct TenantID: Identifier {
    package let text: String
    package init(_ text: String) { self.text = text }
}

/// A project or one of its tenants, as rows are kept under it and operators name it: `shop`, or `shop/staff-x1b2c` for
/// a tenant. No id of a project has a slash.
package struct Scope: Identifier {
    package let text: String
    package init(_ text: String) { self.text = text }

    package init(_ tenant: TenantID, of project: ProjectID) { text = "\(project)/\(tenant)" }

    /// The project that it is, or is a tenant of.
    package var project: ProjectID { ProjectID(slash.map { String(text[..<$0]) } ?? text) }

    /// Nil for a project.
    package var tenant: TenantID? {
        let id = slash.map { String(text[text.utf8.index(after: $0)...]) } ?? ""
        return id.isEmpty ? nil : TenantID(id)
    }

    private var slash: String.Index? { text.utf8.firstIndex(of: UInt8(ascii: "/")) }
}

/// An account's id (`localId`), which is its own only within its ``Scope``.
package struct AccountID: Identifier {
    package let text: String
    package init(_ text: String) { self.text = text }
}
