// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Hummingbird
import HummingbirdHTTP2
import Logging
import NIOSSL

/// A bare Hummingbird server that decodes a small JSON body and encodes it again: what HTTP and JSON alone cost.
enum Echo {
    struct Message: ResponseCodable {
        var requestType: String
        var email: String
        var continueUrl: String?
    }

    static func serve(_ options: Options) async throws {
        let router = Router()
        router.post("/echo") { request, context in
            try await request.decode(as: Message.self, context: context)
        }
        try await bareServer(router, port: options.number("port"))
    }
}

/// Runs until SIGTERM or SIGINT; logs nothing, because neither yardstick is about logging.
///
/// - Parameter tls: with one, HTTP/1.1 and HTTP/2 over TLS.
func bareServer(_ router: Router<BasicRequestContext>, port: Int, tls: TLSConfiguration? = nil) async throws {
    var logger = Logger(label: "yardsticks")
    logger.logLevel = .critical
    let application = Application(
        router: router,
        server: try tls.map { try .http2Upgrade(tlsConfiguration: $0) } ?? .http1(),
        configuration: .init(address: .hostname("127.0.0.1", port: port)),
        onServerRunning: { _ in sayReady() },
        logger: logger
    )
    try await application.runService()
}
