// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import Foundation
internal import HomingWire
internal import NIOCore

/// The messages between client and server, one line of JSON each.
///
/// The client begins with a ``Request``. The server sends replies, of which the last one holds the answer; the client
/// answers each request for input with a ``Piece``.
package enum ControlSocketMessage {
    /// Increased when one of the messages changes its meaning.
    package static let edition = 3

    /// The beginning of every request, of any edition.
    struct Opening: Decodable {
        /// Nil before editions existed.
        let edition: Int?
    }

    struct Request: Codable, Sendable {
        var edition = ControlSocketMessage.edition
        /// The database of the command, which must not reach the server of another database in the same folder.
        let database: String
        let command: CommandRequest
        /// The number of bytes of input that the client has; nil for a command that reads none.
        let inputSize: Int64?
        let showsProgress: Bool
    }

    /// One of these members, or none when the server that listens owns another database.
    struct Reply: Codable, Sendable {
        var answer: CommandAnswer?
        var progress: Progress?
        /// The offset of the input that the server asks for.
        var inputOffset: Int64?
    }

    struct Piece: Codable, Sendable {
        /// Empty at the end of the input.
        let bytes: Data
    }

    /// Larger than any command or answer; a longer line is refused.
    static let largestLine = 96 << 20

    struct Malformed: Error {}

    /// A line with all members in the order of their names, so that two lines can be compared.
    static func line(_ message: some Encodable) throws -> ByteBuffer {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        var buffer = ByteBuffer(bytes: try encoder.encode(message))
        buffer.writeInteger(UInt8(ascii: "\n"))
        return buffer
    }

    /// A request without any unread part: encoding the request again gives the same line.
    ///
    /// - Throws: where the command or one of its members is unknown here, or has a value that its type does not accept.
    static func request(from line: Data) throws -> Request {
        let request = try JSONDecoder().decode(Request.self, from: line)
        guard try JSON.parse(line) == JSON.parse(self.line(request).readableBytesView) else { throw Malformed() }
        return request
    }

    /// Splits a stream into its lines.
    struct Lines<Pieces: AsyncSequence> where Pieces.Element == ByteBuffer, Pieces.Failure == any Error {
        private var pieces: Pieces.AsyncIterator
        private var collected = ByteBuffer()

        init(_ pieces: Pieces) {
            self.pieces = pieces.makeAsyncIterator()
        }

        /// The next line; nil when the stream ends before the line does.
        mutating func next() async throws -> Data? {
            var searched = 0
            while true {
                // A line feed inside a JSON string is always escaped, so that the first one ends the message.
                let view = collected.readableBytesView
                if let end = view.dropFirst(searched).firstIndex(of: UInt8(ascii: "\n")) {
                    let line = Data(view[..<end])
                    collected.moveReaderIndex(forwardBy: line.count + 1)
                    collected.discardReadBytes()
                    return line
                }
                searched = collected.readableBytes
                guard searched <= largestLine else { throw Malformed() }
                guard let piece = try await pieces.next(isolation: #isolation) else { return nil }
                collected.writeImmutableBuffer(piece)
            }
        }

        mutating func next<Message: Decodable>(_ type: Message.Type) async throws -> Message? {
            try await next().map { try JSONDecoder().decode(type, from: $0) }
        }
    }
}
