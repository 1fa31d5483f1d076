// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import HummingbirdCore
internal import Logging
internal import NIOCore

/// Admits a connection only under the caps. A connection over the caps is accepted and closed at once: left in the
/// backlog it would hang, and so would every connection behind it.
struct CappedChannel<Base: ServerChildChannel>: ServerChildChannel {
    typealias Value = Base.Value

    /// A cap is reached; the connection is closed already.
    struct OverCap: Error {}

    let base: Base
    let caps: ConnectionCaps
    let deadlines: Deadlines

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        guard let ticket = caps.admit(channel.remoteAddress) else {
            logger.debug("connection over the cap closed")
            channel.close(promise: nil)
            return channel.eventLoop.makeFailedFuture(OverCap())
        }
        channel.closeFuture.whenComplete { [caps] _ in caps.leave(ticket) }
        return channel.eventLoop.makeCompletedFuture {
            try channel.pipeline.syncOperations.addHandler(FarewellDeadline(deadlines))
        }.flatMap {
            base.setup(channel: channel, logger: logger)
        }
    }

    func handle(value: Value, logger: Logger) async {
        await base.handle(value: value, logger: logger)
    }
}
