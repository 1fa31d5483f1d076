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

    /// No authority's first message is longer, or in more records. Others get the listener's own certificate unread.
    package static let longest = 16_384
    private static let mostRecords = 4

    private static let handshake: UInt8 = 22
    private static let hello: UInt8 = 1
    private static let alpn = 16

    /// - Parameter bytes: all that the client has sent.
    package init(_ bytes: [UInt8]) {
        var reading = Reading()
        self = reading.take(bytes)
    }

    /// A message that arrives bit by bit. Each byte is looked at once.
    package struct Reading {
        /// The beginning of a record whose head is not whole yet (RFC 8446 section 5.1).
        private var head: [UInt8] = []
        /// The bytes that the record still has.
        private var rest = 0
        private var records = 0
        private var message: [UInt8] = []

        package init() {}

        /// - Parameter bytes: what the client has sent since the last call.
        package mutating func take(_ bytes: some Sequence<UInt8>) -> ClientHello {
            for byte in bytes {
                if rest == 0 {
                    head.append(byte)
                    guard records < ClientHello.mostRecords, hasGoodHead else { return .unreadable }
                    guard head.count == 5 else { continue }
                    rest = Int(head[3]) << 8 | Int(head[4])
                    records += 1
                    head = []
                    continue
                }
                message.append(byte)
                rest -= 1
                guard message[0] == ClientHello.hello else { return .unreadable }
                guard message.count >= 4 else { continue }
                let length = Int(message[1]) << 16 | Int(message[2]) << 8 | Int(message[3])
                guard length <= ClientHello.longest else { return .unreadable }
                guard message.count == 4 + length else { continue }
                return ClientHello.protocols(in: Array(message[4...])).map(ClientHello.offers) ?? .unreadable
            }
            return .unfinished
        }

        /// Whether what is there of a record's head can be one: its kind, its version, its length.
        private var hasGoodHead: Bool {
            switch head.count {
            case 1: head[0] == ClientHello.handshake
            case 2: head[1] == 3
            case 5: (1...16_384).contains(Int(head[3]) << 8 | Int(head[4]))
            default: true
            }
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
