// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import ArgumentParser

// The parser's property wrappers are Decodable from the parser's own decoder only, and not Encodable. Here they travel
// as the values that they wrap, so that a command is encoded and decoded like any struct.

extension Argument: @retroactive Encodable where Value: Encodable {
    func encode(to encoder: any Encoder) throws { try wrappedValue.encode(to: encoder) }
}

extension Option: @retroactive Encodable where Value: Encodable {
    func encode(to encoder: any Encoder) throws { try wrappedValue.encode(to: encoder) }
}

extension Flag: @retroactive Encodable where Value: Encodable {
    func encode(to encoder: any Encoder) throws { try wrappedValue.encode(to: encoder) }
}

extension OptionGroup: @retroactive Encodable where Value: Encodable {
    func encode(to encoder: any Encoder) throws { try wrappedValue.encode(to: encoder) }
}

/// The compiler's `init(from:)` of a command calls these, because they are more specific than the library's `decode`.
extension KeyedDecodingContainer {
    func decode<Value: Decodable & Sendable>(_ type: Argument<Value>.Type, forKey key: Key) throws -> Argument<Value> {
        guard isOfRequest else { return try parsed(type, forKey: key) }
        var argument = Argument<Value> { _ in throw CommandRequest.NotParsed() }
        argument.wrappedValue = try decode(Value.self, forKey: key)
        return argument
    }

    func decode<Value: Decodable & Sendable>(_ type: Option<Value>.Type, forKey key: Key) throws -> Option<Value> {
        guard isOfRequest else { return try parsed(type, forKey: key) }
        var option = Option<Value> { _ in throw CommandRequest.NotParsed() }
        option.wrappedValue = try decode(Value.self, forKey: key)
        return option
    }

    func decode(_ type: Flag<Bool>.Type, forKey key: Key) throws -> Flag<Bool> {
        guard isOfRequest else { return try parsed(type, forKey: key) }
        var flag = Flag<Bool>(wrappedValue: false)
        flag.wrappedValue = try decode(Bool.self, forKey: key)
        return flag
    }

    func decode(_ type: Flag<Bool?>.Type, forKey key: Key) throws -> Flag<Bool?> {
        guard isOfRequest else { return try parsed(type, forKey: key) }
        var flag = Flag<Bool?>(inversion: .prefixedNo)
        flag.wrappedValue = try decode(Bool?.self, forKey: key)
        return flag
    }

    private var isOfRequest: Bool { codingPath.contains { $0 is CommandRequest.CodingKeys } }

    /// Calls the library's `decode`, with which the parser hands over the arguments.
    private func parsed<Wrapper: Decodable>(_ type: Wrapper.Type, forKey key: Key) throws -> Wrapper {
        try decode(type, forKey: key)
    }
}

extension CommandRequest {
    /// A wrapper with a value parses no text.
    fileprivate struct NotParsed: Error {}
}
