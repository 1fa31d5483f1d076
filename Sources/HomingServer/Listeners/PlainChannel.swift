// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import HummingbirdCore
internal import Logging
internal import NIOCore

/// HTTP/1.1 with the deadline in front of the decoder.
struct PlainChannel: ServerChildChannel {
    typealias Value = HTTP1Channel.Value

    let http1: HTTP1Channel
    let deadlines: Deadlines

    init(responder: @escaping HTTPChannelHandler.Responder, deadlines: Deadlines) {
        self.deadlines = deadlines
        http1 = HTTP1Channel(
            responder: responder,
            configuration: HTTP1Channel.Configuration(
                additionalChannelHandlers: [ExchangeHandler(deadlines, timesRequest: false)],
                idleTimeout: deadlines.idle,
                httpDecoderConfiguration: .init(
                    maxHeaderFieldSize: 16 * 1_024,
                    maxHeaderListSize: 32 * 1_024,
                    maxHeaderFieldCount: HeadCheck.largestFieldCount
                )
            )
        )
    }

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        channel.eventLoop.makeCompletedFuture {
            try channel.pipeline.syncOperations.addHandler(ReadingDeadline(deadlines))
        }.flatMap {
            http1.setup(channel: channel, logger: logger)
        }
    }

    func handle(value: Value, logger: Logger) async {
        await http1.handle(value: value, logger: logger)
    }
}
