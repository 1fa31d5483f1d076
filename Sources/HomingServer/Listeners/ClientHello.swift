// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// The first message of a TLS client (RFC 8446 section 4.1.2), read as far as to tell a validation of a name from a
/// browser: which protocols the client offers (ALPN, RFC 7301). The TLS library reads everything else, later.
package enum ClientHello: Equatable {
    /// The message is not whole yet.
    case unfinished
    case offers([[UInt8]])
    /// Not the message of a TLS client; the library says so to the peer.
    case unreadable

    /// No honest client's first message is longer.
    package static let longest = 65_536

    private static let handshake: UInt8 = 22
    private static let hello: UInt8 = 1
    private static let alpn = 16

    /// - Parameter bytes: all that the client has sent.
    package init(_ bytes: [UInt8]) {
        switch Self.message(in: bytes) {
        case .unfinished: self = .unfinished
        case .unreadable: self = .unreadable
        case .whole(let message):
            guard let offers = Self.protocols(in: message) else {
                self = .unreadable
                return
            }
            self = .offers(offers)
        }
    }

    private enum Message {
        case unfinished, unreadable
        case whole([UInt8])
    }

    /// The message without its head, out of one record or several (RFC 8446 section 5.1).
    private static func message(in bytes: [UInt8]) -> Message {
        var records = Reader(bytes[...])
        var message: [UInt8] = []
        while true {
            guard let kind = records.number(1) else { return .unfinished }
            guard kind == Int(handshake) else { return .unreadable }
            guard let version = records.number(2) else { return .unfinished }
            guard version >> 8 == 3 else { return .unreadable }
            guard let length = records.number(2) else { return .unfinished }
            guard length > 0, length <= 16_384 else { return .unreadable }
            // What a record has so far may tell enough.
            message += records.rest.prefix(length)
            guard message.first ?? hello == hello else { return .unreadable }
            if message.count >= 4 {
                let wanted = Int(message[1]) << 16 | Int(message[2]) << 8 | Int(message[3])
                guard wanted <= longest else { return .unreadable }
                if message.count >= 4 + wanted { return .whole(Array(message[4..<4 + wanted])) }
            }
            guard records.skip(length) else { return .unfinished }
        }
    }

    /// Nil where the lengths inside do not fit into each other.
    private static func protocols(in message: [UInt8]) -> [[UInt8]]? {
        var reader = Reader(message[...])
        // Version and random; then session id, cipher suites, compression methods, extensions.
        guard reader.skip(34), reader.block(1) != nil, reader.block(2) != nil, reader.block(1) != nil else {
            return nil
        }
        guard !reader.isAtEnd else { return [] }
        guard var extensions = reader.block(2) else { return nil }
        while !extensions.isAtEnd {
            guard let kind = extensions.number(2), var content = extensions.block(2) else { return nil }
            guard kind == alpn else { continue }
            guard var list = content.block(2) else { return nil }
            var names: [[UInt8]] = []
            while !list.isAtEnd {
                guard let name = list.block(1) else { return nil }
                names.append(Array(name.rest))
            }
            return names
        }
        return []
    }

    private struct Reader {
        private(set) var rest: ArraySlice<UInt8>

        init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

        var isAtEnd: Bool { rest.isEmpty }

        mutating func number(_ size: Int) -> Int? {
            guard rest.count >= size else { return nil }
            defer { rest = rest.dropFirst(size) }
            return rest.prefix(size).reduce(0) { $0 << 8 | Int($1) }
        }

        mutating func skip(_ count: Int) -> Bool {
            guard rest.count >= count else { return false }
            rest = rest.dropFirst(count)
            return true
        }

        /// Bytes with their length before them.
        mutating func block(_ size: Int) -> Reader? {
            guard let length = number(size), rest.count >= length else { return nil }
            defer { rest = rest.dropFirst(length) }
            return Reader(rest.prefix(length))
        }
    }
}
