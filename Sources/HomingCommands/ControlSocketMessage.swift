// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import Foundation
internal import NIOCore

/// One line of JSON each way.
enum ControlSocketMessage {
    struct Request: Codable, Sendable {
        /// The database that the command is for, so that it never reaches the server of another one in the same folder.
        let database: String
        let arguments: [String]
        /// What was read from stdin for the command.
        let input: Data?
    }

    struct Reply: Codable, Sendable {
        /// Nil when the server that listens keeps another database.
        let answer: CommandAnswer?
    }

    /// Larger than any command with its input; a line without end is cut off here.
    static let largestLine = 96 << 20

    struct Malformed: Error {}

    static func line(_ message: some Encodable) throws -> ByteBuffer {
        var buffer = ByteBuffer(bytes: try JSONEncoder().encode(message))
        buffer.writeInteger(UInt8(ascii: "\n"))
        return buffer
    }

    /// Collects the pieces of a stream up to the end of the first line, and takes that apart.
    ///
    /// - Returns: nil when the stream ends before the line does.
    static func read<Message: Decodable>(
        _ type: Message.Type,
        from pieces: some AsyncSequence<ByteBuffer, any Error>
    ) async throws -> Message? {
        var collected = ByteBuffer()
        for try await piece in pieces {
            collected.writeImmutableBuffer(piece)
            guard collected.readableBytes <= largestLine else { throw Malformed() }
            // A line feed inside a JSON string is always escaped, so that the first one ends the message.
            if let end = piece.readableBytesView.firstIndex(of: UInt8(ascii: "\n")) {
                let length = collected.readableBytes - (piece.readableBytesView.endIndex - end)
                return try JSONDecoder().decode(type, from: Data(collected.readableBytesView.prefix(length)))
            }
        }
        return nil
    }
}
