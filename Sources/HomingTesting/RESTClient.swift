// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import HomingWire
internal import NIOCore
internal import NIOPosix
internal import Synchronization

/// An HTTP/1.1 client that sends exactly the bytes that a test wants, one connection for each request.
package struct RESTClient: Sendable {
    package let port: Int
    /// The value of the Host header, unless a request sets another one.
    package let host: String

    package init(port: Int, host: String) {
        self.port = port
        self.host = host
    }

    package func get(_ target: String, headers: [(String, String)] = [], host: String? = nil) async throws -> RESTAnswer
    {
        try await send("GET", target, headers: headers, host: host)
    }

    /// Posts JSON.
    package func post(
        _ target: String, _ members: [(String, String)], headers: [(String, String)] = []
    ) async throws -> RESTAnswer {
        let value = JSON.object(JSON.Object(members.map { ($0.0, JSON.string($0.1)) }))
        return try await post(
            target, json: String(decoding: value.write(pretty: false), as: UTF8.self), headers: headers)
    }

    package func post(
        _ target: String, json: String, headers: [(String, String)] = []
    ) async throws -> RESTAnswer {
        try await send(
            "POST", target, headers: [("Content-Type", "application/json")] + headers, body: Array(json.utf8))
    }

    /// Posts a form, as a browser does.
    package func post(
        _ target: String, form: [(String, String)], headers: [(String, String)] = []
    ) async throws -> RESTAnswer {
        let body = form.map { "\(percentEncoded($0.0))=\(percentEncoded($0.1))" }.joined(separator: "&")
        return try await send(
            "POST", target, headers: [("Content-Type", "application/x-www-form-urlencoded")] + headers,
            body: Array(body.utf8))
    }

    package func send(
        _ method: String, _ target: String, headers: [(String, String)] = [], host: String? = nil, body: [UInt8]? = nil
    ) async throws -> RESTAnswer {
        var lines = ["\(method) \(target) HTTP/1.1", "Host: \(host ?? self.host)", "Connection: close"]
        lines += headers.map { "\($0.0): \($0.1)" }
        if let body { lines.append("Content-Length: \(body.count)") }
        return try await send(raw: Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + (body ?? []))
    }

    /// Sends bytes unchanged and reads until the server closes the connection.
    package func send(raw bytes: [UInt8]) async throws -> RESTAnswer {
        let inbox = Inbox()
        let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(inbox.handler) }
            }
            .connect(host: "127.0.0.1", port: port).get()
        // A server that has refused the head may close before the body is gone.
        try? await channel.writeAndFlush(ByteBuffer(bytes: bytes)).get()
        try? await channel.closeFuture.get()
        guard let answer = RESTAnswer(parsing: inbox.bytes) else { throw NoAnswer() }
        return answer
    }

    /// The connection was closed without an answer.
    package struct NoAnswer: Error {}
}

private final class Inbox: Sendable {
    private let received = Mutex<[UInt8]>([])

    var bytes: [UInt8] { received.withLock { $0 } }

    var handler: Handler { Handler(self) }

    final class Handler: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        private let inbox: Inbox

        init(_ inbox: Inbox) { self.inbox = inbox }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let buffer = unwrapInboundIn(data)
            inbox.received.withLock { $0 += buffer.readableBytesView }
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            context.close(promise: nil)
        }
    }
}
