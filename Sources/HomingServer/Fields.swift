// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingStore
import HomingWire

/// The members of a request's body, each read as its required type.
///
/// Both spellings of a name are accepted (`idToken`, `id_token`), unknown names are ignored, `null` counts as absent.
struct Fields: Sendable {
    private let object: JSON.Object
    /// Where the object stands in the body, as refusals name it: `signIn/email/`.
    private let path: String
    /// Looks at the names that are read, in tests only.
    private let watch: UndeclaredMembers.Watch?

    init(_ object: JSON.Object = JSON.Object(), at path: String = "", watch: UndeclaredMembers.Watch? = nil) {
        self.object = object
        self.path = path
        self.watch = watch
    }

    /// Reads a body strictly: duplicate keys, NUL, trailing commas and depth are refused (see ``JSON``).
    ///
    /// - Parameter limit: the greatest number of bytes that the body might have had. It may have as many more values as
    ///   bytes than others: a thousand accounts have more than any other request.
    init(
        body: [UInt8], limit: Int = Routes.bodyLimit, watch: UndeclaredMembers.Watch? = nil
    ) throws(Refusal) {
        path = ""
        self.watch = watch
        if body.allSatisfy(ASCII.isSpace) {
            object = JSON.Object()
            return
        }
        let value: JSON
        do {
            value = try JSON.parse(body, mostValues: JSON.mostValues * limit / Routes.bodyLimit)
        } catch {
            throw .invalidJSON(error.description)
        }
        guard let members = value.objectValue else {
            throw .invalidType(member: "", "object")
        }
        object = members
    }

    func value(_ name: String) throws(Refusal) -> JSON? {
        watch?.read(name, at: path)
        return try given(name)
    }

    /// The text of a token, which may belong to whatever operation is asked: it says which tenant the request is about.
    func token(_ name: String) throws(Refusal) -> String? { try given(name)?.stringValue }

    private func given(_ name: String) throws(Refusal) -> JSON? {
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
        guard let text = value.stringValue else { throw mismatch(name, "string") }
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
        guard let members = value.objectValue else { throw mismatch(name, "object") }
        return Fields(members, at: "\(path)\(name)/", watch: watch?.inside(name))
    }

    func bool(_ name: String) throws(Refusal) -> Bool? {
        guard let value = try value(name) else { return nil }
        if let flag = value.boolValue { return flag }
        // Proto JSON accepts the words, too.
        guard let word = value.stringValue else { throw mismatch(name, "boolean") }
        if ASCII.areEqual(word, "true") { return true }
        if ASCII.areEqual(word, "false") { return false }
        throw mismatch(name, "boolean")
    }

    /// A whole number, or a string of one: int64 travels as a string.
    func integer(_ name: String) throws(Refusal) -> Int64? {
        guard let value = try value(name) else { return nil }
        guard let number = value.integerValue ?? value.stringValue.flatMap({ Int64($0) }) else {
            throw mismatch(name, "integer")
        }
        return number
    }

    /// Seconds since 1970.
    func seconds(_ name: String) throws(Refusal) -> Int64? {
        guard let seconds = try integer(name) else { return nil }
        guard Moment.representable.contains(seconds) else { throw Self.outOfTime(name) }
        return seconds
    }

    /// Milliseconds since 1970.
    func moment(_ name: String) throws(Refusal) -> Moment? {
        guard let milliseconds = try integer(name) else { return nil }
        guard milliseconds >= 0, Moment.representable.contains(milliseconds / 1000) else { throw Self.outOfTime(name) }
        return Moment(milliseconds: milliseconds)
    }

    private static func outOfTime(_ name: String) -> Refusal {
        .invalidArgument("\(name) is a time from 1970 to 9999")
    }

    /// A string that clients may also send as a number.
    func digits(_ name: String) throws(Refusal) -> String? {
        guard let value = try value(name) else { return nil }
        guard let text = value.stringValue ?? value.integerValue.map({ String($0) }) else {
            throw mismatch(name, "string")
        }
        return text
    }

    /// The text of a value that is judged later and never refused: of a string its content, of any other type its
    /// JSON, which is no name and no number of digits. An empty string counts as absent.
    func anything(_ name: String) throws(Refusal) -> String? {
        guard let value = try value(name) else { return nil }
        if let text = value.stringValue { return text.isEmpty ? nil : text }
        return String(decoding: value.write(pretty: false), as: UTF8.self)
    }

    /// The index of an enumeration's word, which may also arrive as that number; 0 where there is none.
    ///
    /// - Parameter type: the enumeration's name in Google's discovery document.
    func choice(_ name: String, of words: [String], type: String) throws(Refusal) -> Int {
        guard let value = try value(name), let given = try digits(name) else { return 0 }
        guard let index = words.firstIndex(where: { ASCII.areEqual($0, given) }) ?? Int(given),
            words.indices.contains(index)
        else {
            throw .invalidEnum(member: Self.snakeCase(name), type: type, given: value)
        }
        return index
    }

    /// `sortBy` as Google's production names it in an error, `sort_by`.
    private static func snakeCase(_ name: String) -> String {
        name.reduce(into: "") { $0 += $1.isUppercase ? "_\($1.lowercased())" : "\($1)" }
    }

    /// Objects, unknown members and all.
    func objects(_ name: String, atMost limit: Int) throws(Refusal) -> [JSON.Object] {
        guard let value = try value(name) else { return [] }
        guard let items = value.arrayValue else { throw mismatch(name, "array") }
        guard items.count <= limit else { throw .invalidArgument("\(name) has at most \(limit) items") }
        var objects: [JSON.Object] = []
        for (index, item) in items.enumerated() {
            guard let object = item.objectValue else { throw mismatch("\(name)/\(index)", "object") }
            objects.append(object)
        }
        return objects
    }

    /// The same, each read by its declared members.
    func each(_ name: String, atMost limit: Int) throws(Refusal) -> [Fields] {
        try objects(name, atMost: limit).map { reading($0, of: name) }
    }

    /// Reads an object that a member is, or has in a list; refusals name its members alone.
    func reading(_ object: JSON.Object, of name: String) -> Fields { Fields(object, watch: watch?.inside(name)) }

    /// At most a hundred strings, as the SDKs send, unless it is an operation on many.
    func strings(_ name: String, atMost limit: Int = 100) throws(Refusal) -> [String] {
        guard let value = try value(name) else { return [] }
        guard let items = value.arrayValue else { throw mismatch(name, "array") }
        guard items.count <= limit else { throw .invalidArgument("\(name) has at most \(limit) items") }
        var texts: [String] = []
        for (index, item) in items.enumerated() {
            // Enums may arrive as numbers.
            guard let text = item.stringValue ?? item.integerValue.map({ String($0) }) else {
                throw mismatch("\(name)/\(index)", "string")
            }
            texts.append(text)
        }
        return texts
    }

    /// The one object of a list that may have no other.
    func only(_ name: String) throws(Refusal) -> Fields? {
        guard let value = try value(name) else { return nil }
        guard let elements = value.arrayValue else { throw mismatch(name, "array") }
        guard elements.count <= 1 else { throw .invalidArgument("\(name) has at most one element") }
        guard let element = elements.first else { return nil }
        guard let object = element.objectValue else { throw mismatch("\(name)/0", "object") }
        return Fields(object, at: "\(path)\(name)/0/", watch: watch?.inside(name))
    }

    private func mismatch(_ name: String, _ type: String) -> Refusal {
        .invalidType(member: path + name, type)
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
