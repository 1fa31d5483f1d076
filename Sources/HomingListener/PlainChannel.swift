// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import HummingbirdCore
internal import Logging
internal import NIOCore
internal import NIOHTTP1
internal import NIOHTTPTypes

/// HTTP/1.1 with the deadline in front of the decoder.
///
/// Hummingbird runs the exchanges; the handlers are combined here, because its own do not answer `Connection: close`
/// and know no HTTP/1.0.
struct PlainChannel: ServerChildChannel {
    typealias Value = HTTP1Channel.Value

    private let http1: HTTP1Channel
    private let deadlines: Deadlines
    private let refusalBody: RefusalBody
    private let prompt: @Sendable (any Channel) -> PromptResponder

    init(
        responder: @escaping HTTPChannelHandler.Responder, deadlines: Deadlines, refusalBody: @escaping RefusalBody,
        prompt: @escaping @Sendable (any Channel) -> PromptResponder
    ) {
        self.prompt = prompt
        self.deadlines = deadlines
        self.refusalBody = refusalBody
        http1 = HTTP1Channel(responder: responder)
    }

    private static let decoderLimits: NIOHTTPDecoderLimitConfiguration = {
        var limits = NIOHTTPDecoderLimitConfiguration()
        limits.maxHeaderFieldSize = 16 * 1_024
        limits.maxHeaderListSize = 32 * 1_024
        limits.maxHeaderFieldCount = HeadCheck.largestFieldCount
        return limits
    }()

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        channel.eventLoop.makeCompletedFuture {
            let pipeline = channel.pipeline.syncOperations
            try pipeline.addHandler(ReadingDeadline(deadlines))
            try pipeline.configureHTTPServerPipeline(
                withPipeliningAssistance: false, withErrorHandling: false, withOutboundHeaderValidation: false,
                withEncoderConfiguration: .init(), withDecoderLimitConfiguration: Self.decoderLimits)
            try pipeline.addHandler(HTTP1Connection(deadlines))
            try pipeline.addHandler(
                ExchangeHandler(deadlines, timesRequest: false, refusalBody: refusalBody, prompt: prompt))
            return try NIOAsyncChannel(
                wrappingChannelSynchronously: channel, configuration: .init(isOutboundHalfClosureEnabled: true))
        }
    }

    func handle(value: Value, logger: Logger) async {
        await http1.handle(value: value, logger: logger)
    }
}
