// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// A member of a request, a query or an answer, as its operation declares it: name, kind, and what it means.
package struct Member: Sendable {
    /// The type of a value in JSON.
    package indirect enum Kind: Sendable {
        case text
        case flag
        case integer
        /// A whole number or a text of one: int64 travels as a text.
        case int64
        case texts
        /// One of these words, or its number in Google's enumeration.
        case choice([String])
        case object(Shape)
        case objects(Shape)
        /// Of any type.
        case anything
    }

    package let name: String
    package let kind: Kind
    /// A sentence for whoever writes a client.
    package let meaning: String

    package static func text(_ name: String, _ meaning: String) -> Member {
        Member(name: name, kind: .text, meaning: meaning)
    }
    package static func flag(_ name: String, _ meaning: String) -> Member {
        Member(name: name, kind: .flag, meaning: meaning)
    }
    package static func integer(_ name: String, _ meaning: String) -> Member {
        Member(name: name, kind: .integer, meaning: meaning)
    }
    package static func int64(_ name: String, _ meaning: String) -> Member {
        Member(name: name, kind: .int64, meaning: meaning)
    }
    package static func texts(_ name: String, _ meaning: String) -> Member {
        Member(name: name, kind: .texts, meaning: meaning)
    }
    package static func choice(_ name: String, of words: [String], _ meaning: String) -> Member {
        Member(name: name, kind: .choice(words), meaning: meaning)
    }
    package static func object(_ name: String, _ shape: Shape, _ meaning: String) -> Member {
        Member(name: name, kind: .object(shape), meaning: meaning)
    }
    package static func objects(_ name: String, _ shape: Shape, _ meaning: String) -> Member {
        Member(name: name, kind: .objects(shape), meaning: meaning)
    }
    package static func anything(_ name: String, _ meaning: String) -> Member {
        Member(name: name, kind: .anything, meaning: meaning)
    }

    /// The shape of the object, or of each object in the list; nil of any other kind.
    var shape: Shape? {
        switch kind {
        case .object(let shape), .objects(let shape): shape
        default: nil
        }
    }
}

/// The members of an object.
package struct Shape: Sendable, ExpressibleByArrayLiteral {
    /// The name under which the document has it once, where several operations share it.
    package let name: String?
    package let members: [Member]

    init(_ name: String? = nil, _ members: [Member]) {
        self.name = name
        self.members = members
    }

    package init(arrayLiteral members: Member...) {
        self.init(nil, members)
    }

    /// The members at paths of names, as documents of settings have them, in objects within objects. Behind a name that
    /// ends with `[]` stands a list of them.
    init(_ name: String? = nil, _ members: [Member] = [], at paths: [(path: [String], member: Member)]) {
        var members = members
        var names: [String] = []
        for (path, _) in paths where path.count > 1 && !names.contains(path[0]) { names.append(path[0]) }
        members += paths.filter { $0.path.count == 1 }.map(\.member)
        for name in names {
            let inner = Shape(
                nil,
                at: paths.filter { $0.path.count > 1 && $0.path[0] == name }.map {
                    (Array($0.path.dropFirst()), $0.member)
                })
            members.append(
                name.hasSuffix("[]")
                    ? .objects(String(name.dropLast(2)), inner, "A list of one.")
                    : .object(name, inner, "The settings below `\(name)`."))
        }
        self.init(name, members)
    }

    package subscript(name: String) -> Member? {
        members.first { $0.name.utf8.elementsEqual(name.utf8) }
    }
}
