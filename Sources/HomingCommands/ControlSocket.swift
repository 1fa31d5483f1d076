// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import Foundation
package import HomingOperations
internal import NIOCore
internal import NIOPosix
internal import ServiceLifecycle

/// The Unix socket through which commands reach the server that owns the database.
///
/// Whoever can open the socket may do what the server can: the socket is readable and writable by its owner alone.
package struct ControlSocket: Service {
    /// Runs one command: the request, the client's input for it, and the receiver of its progress.
    package typealias Answerer = @Sendable (CommandRequest, CommandInput?, ProgressReporter) async -> CommandAnswer

    private let database: DatabaseFile
    private let address: ControlSocketAddress
    private let identity: ControlSocketAddress.Identity?
    private let descriptor: CInt
    private let answer: Answerer

    /// Binds and listens at once, so that a start which cannot do so fails before anything is served.
    ///
    /// - Throws: an error whose description is one sentence, when another server listens or the socket cannot be made.
    package init(database: DatabaseFile, answer: @escaping Answerer) throws {
        self.database = database
        self.answer = answer
        address = ControlSocketAddress(database: database)
        descriptor = try address.listen()
        identity = address.identity
    }

    /// The path of the socket.
    package static func path(beside database: DatabaseFile) -> String {
        ControlSocketAddress(database: database).path
    }

    /// Answers until graceful shutdown; a command that runs by then is answered, one that is not sent yet is not taken.
    package func run() async throws {
        defer { address.remove(identity) }
        // A connection is not read before its turn, so that connections that remain at the end can be dropped.
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

    /// Serves one connection with one command. A client that goes away meanwhile is ignored.
    private func converse(over channel: any Channel) async {
        try? await Self.wrapped(channel).executeThenClose { inbound, _ in
            try await channel.setOption(.autoRead, value: true).get()
            var lines = ControlSocketMessage.Lines(inbound)
            let line = try await withGracefulShutdownHandler {
                try await lines.next()
            } onGracefulShutdown: {
                channel.close(promise: nil)
            }
            guard let line else { return }
            let reply = try await reply(to: line, &lines, channel)
            // The channel's own write ends when the last byte has left; the connection is closed right behind it.
            try await channel.writeAndFlush(ControlSocketMessage.line(reply))
        }
    }

    private func reply(
        to line: Data, _ lines: inout ControlSocketMessage.Lines<some AsyncSequence<ByteBuffer, any Error>>,
        _ channel: any Channel
    ) async throws -> ControlSocketMessage.Reply {
        let opening = try JSONDecoder().decode(ControlSocketMessage.Opening.self, from: line)
        guard opening.edition == ControlSocketMessage.edition else {
            return .init(answer: Self.foreign)
        }
        guard let request = try? ControlSocketMessage.request(from: line) else { return .init(answer: Self.foreign) }
        guard request.database.utf8.elementsEqual(Self.spelling(of: database).utf8) else { return .init() }
        return .init(answer: await answer(request, &lines, channel))
    }

    private static let foreign = CommandAnswer(
        status: 1, output: "",
        errors:
            "The running server is of another version of homing: restart it with this one, then run the command again.",
        code: "FAILED")

    /// An event of a running command: progress to report, or input to ask for.
    private enum Event: Sendable {
        case progress(Progress)
        case input(from: Int64, CheckedContinuation<[UInt8], any Error>)
        case end(CommandAnswer)
    }

    /// Runs the command, and meanwhile sends its progress and asks for its input.
    private func answer(
        _ request: ControlSocketMessage.Request,
        _ lines: inout ControlSocketMessage.Lines<some AsyncSequence<ByteBuffer, any Error>>, _ channel: any Channel
    ) async -> CommandAnswer {
        let (events, happen) = AsyncStream.makeStream(of: Event.self)
        let piece: @Sendable (Int64) async throws -> [UInt8] = { offset in
            try await withCheckedThrowingContinuation { continuation in
                if case .terminated = happen.yield(.input(from: offset, continuation)) {
                    continuation.resume(throwing: InputLost())
                }
            }
        }
        let input = request.inputSize.map { CommandInput(size: $0, piece: piece) }
        let progress = request.showsProgress ? ProgressReporter { happen.yield(.progress($0)) } : .unseen
        async let end: Void = { [answer] in
            happen.yield(.end(await answer(request.command, input, progress)))
            happen.finish()
        }()
        var answered: CommandAnswer?
        for await event in events {
            switch event {
            case .progress(let progress):
                try? await channel.writeAndFlush(
                    ControlSocketMessage.line(ControlSocketMessage.Reply(progress: progress)))
            case .input(let offset, let continuation):
                do {
                    continuation.resume(returning: try await ask(for: offset, &lines, channel))
                } catch {
                    continuation.resume(throwing: InputLost())
                }
            case .end(let answer): answered = answer
            }
        }
        // A client that is cut off here gets no more requests for input.
        for await case .input(_, let continuation) in events { continuation.resume(throwing: InputLost()) }
        await end
        return answered ?? CommandAnswer(status: 1, output: "", errors: Interrupted().description, code: "FAILED")
    }

    /// Asks the client for a piece of its input. A server that is being stopped asks for no more; a piece on its way
    /// may still arrive, for a moment: only a complete connection can carry the answer.
    private func ask(
        for offset: Int64, _ lines: inout ControlSocketMessage.Lines<some AsyncSequence<ByteBuffer, any Error>>,
        _ channel: any Channel
    ) async throws -> [UInt8] {
        guard !Task.isShuttingDownGracefully else { throw InputLost() }
        try await channel.writeAndFlush(ControlSocketMessage.line(ControlSocketMessage.Reply(inputOffset: offset)))
        let piece = try await withGracefulShutdownHandler {
            try await lines.next(ControlSocketMessage.Piece.self)
        } onGracefulShutdown: {
            channel.eventLoop.scheduleTask(in: .seconds(2)) { channel.close(promise: nil) }
        }
        guard let piece else { throw InputLost() }
        return Array(piece.bytes)
    }

    /// The client went away, or the server is about to stop.
    private struct InputLost: Error, CustomStringConvertible {
        let description = "the input came to an end before the command did: the server is being stopped"
    }

    private static func wrapped(_ channel: any Channel) async throws -> NIOAsyncChannel<ByteBuffer, ByteBuffer> {
        try await channel.eventLoop.submit {
            try NIOAsyncChannel(wrappingChannelSynchronously: channel)
        }.get()
    }

    /// The server went away in the middle of a command, or does not understand this client.
    private struct Interrupted: Error, CustomStringConvertible {
        let description =
            "The server ended before it answered, or is of another version of homing (restart it then): "
            + "see whether the command took effect, then run it again."
    }

    /// Sends a command to the server that owns this database.
    ///
    /// - Returns: nil when no server does; then the command may open the database itself.
    /// - Throws: an error whose description is one sentence.
    package static func ask(
        database: DatabaseFile,
        request command: CommandRequest,
        input: CommandInput? = nil,
        progress: ProgressReporter = .unseen
    ) async throws -> CommandAnswer? {
        guard let descriptor = try ControlSocketAddress(database: database).connect() else { return nil }
        let connection = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .withConnectedSocket(descriptor) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
        let request = ControlSocketMessage.Request(
            database: spelling(of: database), command: command, inputSize: input?.size,
            showsProgress: progress.isSeen)
        do {
            return try await connection.executeThenClose { inbound, outbound in
                try await outbound.write(ControlSocketMessage.line(request))
                var lines = ControlSocketMessage.Lines(inbound)
                while let reply = try await lines.next(ControlSocketMessage.Reply.self) {
                    if let how = reply.progress {
                        progress(how)
                    } else if let offset = reply.inputOffset {
                        let bytes = try await input?.piece(at: offset) ?? []
                        try await outbound.write(
                            ControlSocketMessage.line(ControlSocketMessage.Piece(bytes: Data(bytes))))
                    } else {
                        return reply.answer
                    }
                }
                throw Interrupted()
            }
        } catch is IOError {
            throw Interrupted()
        } catch is ChannelError {
            throw Interrupted()
        }
    }

    /// One spelling of one file, whatever folder a command is run from.
    private static func spelling(of database: DatabaseFile) -> String {
        FilePath.resolved(database.path)
    }
}
