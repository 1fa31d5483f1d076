// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

#if TLS

    internal import NIOCore
    internal import NIOSSL

    /// Reads who comes, and puts TLS in its own place: that of the listener, or that of a validation (RFC 8737), which
    /// is shown another certificate under the same name.
    final class HelloHandler: ChannelInboundHandler, RemovableChannelHandler {
        typealias InboundIn = ByteBuffer
        typealias InboundOut = ByteBuffer

        private let ordinary: NIOSSLContext
        private let validation: NIOSSLContext
        private let validationProtocol: [UInt8]
        private var arrived = ByteBuffer()
        private var reading = ClientHello.Reading()

        init(ordinary: NIOSSLContext, validation: NIOSSLContext, protocolName: String) {
            self.ordinary = ordinary
            self.validation = validation
            validationProtocol = Array(protocolName.utf8)
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let buffer = unwrapInboundIn(data)
            arrived.writeImmutableBuffer(buffer)
            switch reading.take(buffer.readableBytesView) {
            case .unfinished: return
            case .offers(let names) where names.count == 1 && names[0] == validationProtocol:
                begin(validation, context)
            case .offers, .unreadable: begin(ordinary, context)
            }
        }

        private func begin(_ tls: NIOSSLContext, _ context: ChannelHandlerContext) {
            let pipeline = context.pipeline.syncOperations
            do {
                try pipeline.addHandler(NIOSSLServerHandler(context: tls), position: .after(self))
            } catch {
                context.close(promise: nil)
                return
            }
            context.fireChannelRead(wrapInboundOut(arrived))
            arrived.clear()
            context.fireChannelReadComplete()
            pipeline.removeHandler(self, promise: nil)
        }
    }

#endif
