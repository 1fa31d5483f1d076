// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

#if TLS

    internal import HummingbirdCore
    internal import Logging
    internal import NIOCore
    internal import NIOSSL
    internal import NIOTLS

    /// TLS, then HTTP/1.1 or HTTP/2 as the client chooses by ALPN (RFC 7301); HTTP/1.1 when it names neither.
    ///
    /// Hummingbird has such a channel too; in this one the deadlines are where they see the bytes.
    struct SecureChannel: ServerChildChannel {
        enum Agreed: Sendable {
            case http1(PlainChannel.Value)
            case http2(StreamsChannel.Value)
        }

        struct Value: ServerChildChannelValue {
            let agreed: EventLoopFuture<Agreed>
            let channel: any Channel
        }

        private static let protocols = ["h2", "http/1.1"]

        private let context: NIOSSLContext
        /// Present where names are proven to an authority on this listener.
        private let validation: (protocolName: String, context: NIOSSLContext)?
        private let deadlines: Deadlines
        private let http1: PlainChannel
        private let http2: StreamsChannel

        init(
            http1: @escaping HTTPChannelHandler.Responder, http2: @escaping HTTPChannelHandler.Responder,
            certificates: any ShownCertificates, deadlines: Deadlines, refusalBody: @escaping RefusalBody,
            prompt: @escaping @Sendable (any Channel) -> PromptResponder
        ) throws {
            func context(_ configuration: TLSConfiguration) throws -> NIOSSLContext {
                var configuration = configuration
                configuration.shutdownTimeout = deadlines.parting
                return try NIOSSLContext(configuration: configuration)
            }
            self.context = try context(certificates.configuration(protocols: Self.protocols))
            validation = try certificates.validation.map { ($0.protocolName, try context($0.configuration)) }
            self.deadlines = deadlines
            self.http1 = PlainChannel(
                responder: http1, deadlines: deadlines, refusalBody: refusalBody, prompt: prompt)
            self.http2 = StreamsChannel(
                responder: http2, deadlines: deadlines, refusalBody: refusalBody, prompt: prompt)
        }

        func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
            channel.eventLoop.makeCompletedFuture {
                let negotiation = NIOTypedApplicationProtocolNegotiationHandler<Agreed> { result, channel in
                    if let validation, case .negotiated(validation.protocolName) = result {
                        // The handshake was all that there is to see (RFC 8737 section 4).
                        channel.close(promise: nil)
                        return channel.eventLoop.makeFailedFuture(Validated())
                    }
                    if case .negotiated("h2") = result {
                        return http2.setup(channel: channel, logger: logger).map { .http2($0) }
                    }
                    return http1.setup(channel: channel, logger: logger).map { .http1($0) }
                }
                let tls: any ChannelHandler =
                    validation.map {
                        HelloHandler(ordinary: context, validation: $0.context, protocolName: $0.protocolName)
                    }
                    ?? NIOSSLServerHandler(context: context)
                try channel.pipeline.syncOperations.addHandlers([tls, negotiation])
                let agreed = negotiation.protocolNegotiationResult
                let tooLate = channel.eventLoop.scheduleTask(in: deadlines.handshake) { channel.close(promise: nil) }
                agreed.whenComplete { _ in
                    tooLate.cancel()
                    // Handlers that came with the protocol have not heard what was told during the handshake.
                    let farewell = try? channel.pipeline.syncOperations.handler(type: FarewellDeadline.self)
                    guard farewell?.isEnding == true else { return }
                    channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
                }
                return Value(agreed: agreed, channel: channel)
            }
        }

        /// The connection was an authority's, and has ended.
        private struct Validated: Error {}

        func handle(value: Value, logger: Logger) async {
            do {
                switch try await value.agreed.get() {
                case .http1(let value): await http1.handle(value: value, logger: logger)
                case .http2(let value): await http2.handle(value: value, logger: logger)
                }
            } catch {
                logger.debug("TLS handshake failed", metadata: ["error": "\(error)"])
            }
        }
    }

#endif
