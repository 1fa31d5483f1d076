// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

#if TLS

    internal import HummingbirdCore
    internal import Logging
    internal import NIOCore
    internal import NIOHTTP2
    internal import NIOHTTPTypesHTTP2

    /// HTTP/2: each request is a stream, and a channel of its own.
    ///
    /// Hummingbird has such a channel too, which makes a task of each stream. In this one a stream whose answer needs no
    /// waiting never becomes a task: that took a third of the processor time of a redirect.
    struct StreamsChannel: ServerChildChannel {
        struct Value: ServerChildChannelValue {
            /// The streams that wait for their answers.
            let streams: AsyncStream<PlainChannel.Value>
            let channel: any Channel
        }

        private let http: HTTP1Channel
        private let deadlines: Deadlines
        private let refusalBody: RefusalBody
        private let prompt: @Sendable (any Channel) -> PromptResponder

        init(
            responder: @escaping HTTPChannelHandler.Responder, deadlines: Deadlines,
            refusalBody: @escaping RefusalBody, prompt: @escaping @Sendable (any Channel) -> PromptResponder
        ) {
            http = HTTP1Channel(responder: responder)
            self.deadlines = deadlines
            self.refusalBody = refusalBody
            self.prompt = prompt
        }

        func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
            channel.eventLoop.makeCompletedFuture {
                let (streams, waiting) = AsyncStream.makeStream(of: PlainChannel.Value.self)
                channel.closeFuture.whenComplete { _ in waiting.finish() }
                let pipeline = channel.pipeline.syncOperations
                try pipeline.addHandler(IdleStreamsDeadline(deadlines))
                // Asks a client without a stream to go, and one whose server ends.
                let manager = NIOHTTP2ServerConnectionManagementHandler(
                    eventLoop: channel.eventLoop,
                    configuration: .init(
                        maxIdleTime: deadlines.idle, maxAge: nil, maxGraceTime: deadlines.request, keepalive: nil))
                _ = try pipeline.configureHTTP2Pipeline(
                    mode: .server, connectionConfiguration: .init(), streamConfiguration: .init(),
                    streamDelegate: manager.http2StreamDelegate
                ) { stream in
                    stream.eventLoop.makeCompletedFuture {
                        try stream.pipeline.syncOperations.addHandlers([
                            HTTP2FramePayloadToHTTPServerCodec(),
                            ExchangeHandler(
                                deadlines, timesRequest: true, refusalBody: refusalBody, prompt: prompt
                            ) { stream in
                                waiting.yield(try NIOAsyncChannel(wrappingChannelSynchronously: stream))
                            },
                        ])
                    }
                }
                try pipeline.addHandler(manager)
                return Value(streams: streams, channel: channel)
            }
        }

        func handle(value: Value, logger: Logger) async {
            await withDiscardingTaskGroup { group in
                for await stream in value.streams {
                    group.addTask { await http.handle(value: stream, logger: logger) }
                }
            }
        }
    }

#endif
