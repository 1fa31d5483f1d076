// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingWire

/// The members of a request's body, each read as its required type.
///
/// Both spellings of a name are accepted (`idToken`, `id_token`), unknown names are ignored, `null` counts as absent.
struct Fields: Sendable {
    private let object: JSON.Object

    init(_ object: JSON.Object = JSON.Object()) {
        self.object = object
    }

    /// Reads a body strictly: duplicate keys, NUL, trailing commas and depth are refused (see ``JSON``).
    init(body: [UInt8]) throws(Refusal) {
        if body.allSatisfy({ [0x20, 0x09, 0x0A, 0x0D].contains($0) }) {
            object = JSON.Object()
            return
        }
        let value: JSON
        do {
            value = try JSON.parse(body)
        } catch {
            throw .invalidJSON(error.description)
        }
        guard let members = value.objectValue else {
            throw Self.mismatch("", "object")
        }
        object = members
    }

    func value(_ name: String) throws(Refusal) -> JSON? {
        let value: JSON?
        do {
            value = try object.field(name)
        } catch {
            throw .invalidJSON(error.description)
        }
        if case .null? = value { return nil }
        return value
    }

    /// A string of at most 64 KiB.
    func string(_ name: String) throws(Refusal) -> String? {
        guard let value = try value(name) else { return nil }
        guard let text = value.stringValue else { throw Self.mismatch(name, "string") }
        guard text.utf8.count <= 1 << 16 else {
            throw .invalidArgument("\(name) has at most 65536 bytes")
        }
        return text
    }

    /// A string; an empty one counts as absent.
    func text(_ name: String) throws(Refusal) -> String? {
        guard let text = try string(name), !text.isEmpty else { return nil }
        return text
    }

    /// A nested object.
    func object(_ name: String) throws(Refusal) -> Fields? {
        guard let value = try value(name) else { return nil }
        guard let members = value.objectValue else { throw Self.mismatch(name, "object") }
        return Fields(members)
    }

    func bool(_ name: String) throws(Refusal) -> Bool? {
        guard let value = try value(name) else { return nil }
        if let flag = value.boolValue { return flag }
        // Proto JSON accepts the words, too.
        switch value.stringValue {
        case "true": return true
        case "false": return false
        default: throw Self.mismatch(name, "boolean")
        }
    }

    /// A whole number, or a string of one: int64 travels as a string.
    func integer(_ name: String) throws(Refusal) -> Int64? {
        guard let value = try value(name) else { return nil }
        guard let number = value.integerValue ?? value.stringValue.flatMap({ Int64($0) }) else {
            throw Self.mismatch(name, "integer")
        }
        return number
    }

    /// A string that clients may also send as a number.
    func digits(_ name: String) throws(Refusal) -> String? {
        guard let value = try value(name) else { return nil }
        guard let text = value.stringValue ?? value.integerValue.map({ String($0) }) else {
            throw Self.mismatch(name, "string")
        }
        return text
    }

    /// Objects, unknown members and all.
    func objects(_ name: String, atMost limit: Int) throws(Refusal) -> [JSON.Object] {
        guard let value = try value(name) else { return [] }
        guard let items = value.arrayValue else { throw Self.mismatch(name, "array") }
        guard items.count <= limit else { throw .invalidArgument("\(name) has at most \(limit) items") }
        var objects: [JSON.Object] = []
        for item in items {
            guard let object = item.objectValue else { throw Self.mismatch(name + "/", "object") }
            objects.append(object)
        }
        return objects
    }

    /// At most a hundred strings, as the SDKs send, unless it is an operation on many.
    func strings(_ name: String, atMost limit: Int = 100) throws(Refusal) -> [String] {
        guard let value = try value(name) else { return [] }
        guard let items = value.arrayValue else { throw Self.mismatch(name, "array") }
        guard items.count <= limit else { throw .invalidArgument("\(name) has at most \(limit) items") }
        var texts: [String] = []
        for item in items {
            // Enums may arrive as numbers.
            guard let text = item.stringValue ?? item.integerValue.map({ String($0) }) else {
                throw Self.mismatch(name + "/", "string")
            }
            texts.append(text)
        }
        return texts
    }

    private static func mismatch(_ name: String, _ type: String) -> Refusal {
        .invalidType(member: name, type)
    }
}

extension Fields {
    /// An address, or the given refusal where it is missing or invalid.
    func address(
        _ name: String, missing: Refusal = .missingEmail, invalid: Refusal = .invalidEmail
    ) throws(Refusal) -> EmailAddress {
        guard let text = try string(name), !text.isEmpty else { throw missing }
        guard let address = try? EmailAddress(parsing: text) else { throw invalid }
        return address
    }
}
