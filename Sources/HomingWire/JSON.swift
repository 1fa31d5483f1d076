// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// A JSON value on the wire (RFC 8259), with nothing lost: members keep their order, integers stay integers.
///
/// Foundation's parsers are not used: one keeps the first of two equal keys, the other the last, and both take NUL,
/// trailing commas and a byte order mark. Here a text has one meaning or is refused.
package enum JSON: Sendable {
    case null
    case bool(Bool)
    /// A number written without fraction and exponent that fits 64 bits.
    case int(Int64)
    /// Every other number; finite when it was parsed.
    case double(Double)
    case string(String)
    case array([JSON])
    case object(Object)

    /// The greatest number of members and elements in a text, unless its reader says otherwise: a mebibyte of nothing
    /// but values would cost an event loop too much.
    package static let mostValues = 10_000

    /// Reads one JSON text.
    ///
    /// The parser is strict: UTF-8 without a byte order mark, no key twice in one object, no NUL in any string (escaped
    /// or not), no lone surrogates, at most 64 containers inside each other, nothing after the value but white space.
    ///
    /// - Parameter mostValues: the greatest number of members and elements; a reader of many accounts at once takes
    ///   more.
    /// - Throws: ``JSONFault`` with the offset of the byte that could not be accepted.
    package static func parse(
        _ bytes: some Collection<UInt8>, mostValues: Int = JSON.mostValues
    ) throws(JSONFault) -> JSON {
        let contiguous = bytes.withContiguousStorageIfAvailable { parsed($0.span, mostValues) }
        if let contiguous {
            return try contiguous.get()
        }
        // Not an Array, whose span needs iOS 26.
        return try parsed(ContiguousArray(bytes).span, mostValues).get()
    }

    /// Closures of the standard library do not carry typed errors, so the fault travels as a value.
    private static func parsed(_ bytes: Span<UInt8>, _ mostValues: Int) -> Result<JSON, JSONFault> {
        var parser = JSONParser(mostValues: mostValues)
        do throws(JSONFault) {
            return .success(try parser.document(bytes))
        } catch {
            return .failure(error)
        }
    }

    /// The value as JSON text; pretty text is as in production: two spaces, and a line end after the last brace.
    ///
    /// `<`, `>`, `&`, U+2028 and U+2029 are escaped, so that the text stays harmless where a browser takes it for HTML
    /// or script. A number that JSON cannot hold (infinite, not a number) is written as `null`.
    package func write(pretty: Bool = true) -> [UInt8] {
        var writer = JSONWriter(pretty: pretty)
        writer.write(self)
        return writer.finish()
    }
}

extension JSON: Equatable {
    /// Strings are compared byte by byte, because `String ==` calls canonically equivalent spellings equal.
    package static func == (left: JSON, right: JSON) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.bool(let left), .bool(let right)): left == right
        case (.int(let left), .int(let right)): left == right
        case (.double(let left), .double(let right)): left == right
        case (.string(let left), .string(let right)): left.hasSameBytes(as: right)
        case (.array(let left), .array(let right)): left == right
        case (.object(let left), .object(let right)): left == right
        default: false
        }
    }
}

extension JSON {
    /// The text of a string; nil for every other kind.
    package var stringValue: String? {
        if case .string(let text) = self { text } else { nil }
    }

    /// True or false; nil for every other kind, also for the strings `"true"` and `"false"`.
    package var boolValue: Bool? {
        if case .bool(let flag) = self { flag } else { nil }
    }

    /// A whole number; `1.0` and `1e2` are whole, as in protobuf's JSON mapping. Nil for every other kind.
    package var integerValue: Int64? {
        switch self {
        case .int(let number): number
        case .double(let number) where (-0x1p63..<0x1p63).contains(number) && Double(Int64(number)) == number:
            Int64(number)
        default: nil
        }
    }

    /// The elements of an array; nil for every other kind.
    package var arrayValue: [JSON]? {
        if case .array(let elements) = self { elements } else { nil }
    }

    /// The members of an object; nil for every other kind.
    package var objectValue: Object? {
        if case .object(let object) = self { object } else { nil }
    }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    package init(stringLiteral value: String) { self = .string(value) }
    package init(integerLiteral value: Int64) { self = .int(value) }
    package init(floatLiteral value: Double) { self = .double(value) }
    package init(booleanLiteral value: Bool) { self = .bool(value) }
    package init(arrayLiteral elements: JSON...) { self = .array(elements) }
    package init(dictionaryLiteral members: (String, JSON)...) { self = .object(Object(members)) }
}

extension JSON {
    /// An object from pairs whose absent members are left out.
    package static func object(_ pairs: [(String, JSON?)]) -> JSON {
        .object(JSON.Object(pairs.compactMap { name, value in value.map { (name, $0) } }))
    }
}
