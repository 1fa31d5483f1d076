// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

#if TLS
    internal import NIOCore
    internal import NIOPosix
    internal import NIOSSL
    internal import NIOTLS
#endif

extension ChallengeKind {
    /// In the handshake of TLS on port 443 (`tls-alpn-01`, RFC 8737 section 3).
    static let tls = ChallengeKind(
        type: "tls-alpn-01", place: "port 443", needsPlainListener: false
    ) { name, _, answer in
        #if TLS
            do {
                var configuration = TLSConfiguration.makeClientConfiguration()
                configuration.applicationProtocols = [ChallengeCertificate.protocolName]
                // The certificate is signed by itself; what it holds is what counts.
                configuration.certificateVerification = .none
                let context = try NIOSSLContext(configuration: configuration)
                let shown = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                    .connectTimeout(.seconds(5))
                    .channelInitializer { channel in
                        channel.eventLoop.makeCompletedFuture {
                            let tls = try NIOSSLClientHandler(context: context, serverHostname: name)
                            try channel.pipeline.syncOperations.addHandlers([
                                tls, Handshake(shown: channel.eventLoop.makePromise()),
                            ])
                        }
                    }
                    .connect(host: name, port: 443).flatMap { channel in
                        channel.pipeline.handler(type: Handshake.self).flatMap { handshake in
                            let late = channel.eventLoop.scheduleTask(in: .seconds(5)) { channel.close(promise: nil) }
                            return handshake.shown.futureResult.always { _ in
                                late.cancel()
                                channel.close(promise: nil)
                            }
                        }
                    }.get()
                guard let shown, ChallengeCertificate.answers(answer, der: shown) else {
                    return "another server answers"
                }
                return nil
            } catch is Handshake.Ended {
                return "the connection ended without a certificate"
            } catch let error as NIOConnectionError {
                return error.connectionErrors.first.map { "\($0.error)" } ?? "no connection"
            } catch {
                return "\(error)"
            }
        #else
            return "this build has no TLS"
        #endif
    }

    #if TLS
        /// Takes the certificate that the server has shown.
        private final class Handshake: ChannelInboundHandler, Sendable {
            typealias InboundIn = ByteBuffer

            struct Ended: Error {}

            let shown: EventLoopPromise<[UInt8]?>

            init(shown: EventLoopPromise<[UInt8]?>) { self.shown = shown }

            func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
                if case .handshakeCompleted = event as? TLSUserEvent {
                    let certificate = try? context.pipeline.syncOperations.nioSSL_peerCertificate()
                    shown.succeed(certificate.flatMap { try? $0.toDERBytes() })
                }
                context.fireUserInboundEventTriggered(event)
            }

            func errorCaught(context: ChannelHandlerContext, error: any Error) {
                shown.fail(Ended())
                context.close(promise: nil)
            }

            /// The end of every connection, also of one that never began.
            func handlerRemoved(context: ChannelHandlerContext) {
                shown.fail(Ended())
            }
        }
    #endif
}
