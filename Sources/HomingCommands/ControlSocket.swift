// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import Foundation
internal import NIOCore
internal import NIOPosix
internal import ServiceLifecycle

/// The Unix socket through which commands reach the server that owns the database.
///
/// Who can open the socket may do what the server can: it is readable and writable by its owner alone.
package struct ControlSocket: Service {
    /// Runs one command: its arguments, and what was read from stdin for it.
    package typealias Answerer = @Sendable ([String], [UInt8]?) async -> CommandAnswer

    private let database: DatabaseLocation
    private let address: ControlSocketAddress
    private let identity: ControlSocketAddress.Identity?
    private let descriptor: CInt
    private let answer: Answerer

    /// Binds and listens at once, so that a start which cannot do so fails before anything is served.
    ///
    /// - Throws: an error whose description is one sentence, when another server listens or the socket cannot be made.
    package init(database: DatabaseLocation, answer: @escaping Answerer) throws {
        self.database = database
        self.answer = answer
        address = ControlSocketAddress(database: database)
        descriptor = try address.listen()
        identity = address.identity
    }

    /// Where the socket lies.
    package static func path(beside database: DatabaseLocation) -> String {
        ControlSocketAddress(database: database).path
    }

    /// Answers until graceful shutdown; a command that runs by then is answered, one that is not sent yet is not taken.
    package func run() async throws {
        defer { address.remove(identity) }
        // Connections stay unread and bare until one is talked to: those that an end leaves over can simply be let go.
        let listener = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelOption(.autoRead, value: false)
            .bind(descriptor) { channel in channel.eventLoop.makeSucceededFuture(channel) }
        try await withThrowingDiscardingTaskGroup { group in
            try await withGracefulShutdownHandler {
                try await listener.executeThenClose { connections in
                    for try await connection in connections {
                        group.addTask { await converse(over: connection) }
                    }
                }
            } onGracefulShutdown: {
                listener.channel.close(promise: nil)
            }
        }
    }

    /// One connection, one command. A client that goes away in between is its own affair.
    private func converse(over channel: any Channel) async {
        try? await Self.wrapped(channel).executeThenClose { inbound, _ in
            try await channel.setOption(.autoRead, value: true).get()
            let pieces = inbound.cancelOnGracefulShutdown()
            guard let request = try await ControlSocketMessage.read(ControlSocketMessage.Request.self, from: pieces)
            else {
                return
            }
            var reply = ControlSocketMessage.Reply(answer: nil)
            if request.database.utf8.elementsEqual(Self.spelling(of: database).utf8) {
                reply = .init(answer: await answer(request.arguments, request.input.map { [UInt8]($0) }))
            }
            // The channel's own write ends when the last byte has left; the connection is closed right behind it.
            try await channel.writeAndFlush(ControlSocketMessage.line(reply))
        }
    }

    private static func wrapped(_ channel: any Channel) async throws -> NIOAsyncChannel<ByteBuffer, ByteBuffer> {
        try await channel.eventLoop.submit {
            try NIOAsyncChannel(wrappingChannelSynchronously: channel)
        }.get()
    }

    /// The server went away in the middle of a command.
    private struct Interrupted: Error, CustomStringConvertible {
        let description = "The server ended before it answered: see whether the command took effect, then run it again."
    }

    /// Hands a command to the server that keeps this database.
    ///
    /// - Returns: nil when no server does; then the command may open the database itself.
    /// - Throws: an error whose description is one sentence.
    package static func ask(
        database: DatabaseLocation,
        arguments: [String],
        input: [UInt8]?
    ) async throws -> CommandAnswer? {
        guard let descriptor = try ControlSocketAddress(database: database).connect() else { return nil }
        let connection = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .withConnectedSocket(descriptor) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
        return try await connection.executeThenClose { inbound, outbound in
            let request = ControlSocketMessage.Request(
                database: spelling(of: database),
                arguments: arguments,
                input: input.map { Data($0) }
            )
            try await outbound.write(ControlSocketMessage.line(request))
            guard let reply = try await ControlSocketMessage.read(ControlSocketMessage.Reply.self, from: inbound) else {
                throw Interrupted()
            }
            return reply.answer
        }
    }

    /// One spelling of one file, wherever a command is run from.
    private static func spelling(of database: DatabaseLocation) -> String {
        switch database {
        case .sqlite(let path): FilePath.resolved(path)
        }
    }
}
