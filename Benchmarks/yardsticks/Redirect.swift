// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HTTPTypes
import Hummingbird
import NIOSSL

/// A bare Hummingbird server that answers 302 with the headers of an opened link: what resolving one is held against.
enum Redirect {
    static func serve(_ options: Options) async throws {
        let router = Router()
        router.get("/") { _, _ in
            found("https://app.example/articles/7?from=mail")
        }
        router.get("/{suffix}") { _, context in
            found("https://app.example/articles/\(try context.parameters.require("suffix"))?from=mail")
        }
        // The association files' paths have two segments.
        router.get("/.well-known/{name}") { _, _ in
            found("https://app.example/articles/7?from=mail")
        }
        try await bareServer(router, port: options.number("port"), tls: try tls(options))
    }

    /// With `--certificate` and `--key`, PEM files.
    private static func tls(_ options: Options) throws -> TLSConfiguration? {
        let (certificate, key) = try (options.text("certificate", default: ""), options.text("key", default: ""))
        guard !certificate.isEmpty else { return nil }
        return .makeServerConfiguration(
            certificateChain: try NIOSSLCertificate.fromPEMFile(certificate).map { .certificate($0) },
            privateKey: .privateKey(try NIOSSLPrivateKey(file: key, format: .pem)))
    }

    private static func found(_ location: String) -> Response {
        Response(status: .found, headers: headers(location))
    }

    private static func headers(_ location: String) -> HTTPFields {
        var headers: HTTPFields = [
            .location: location, .cacheControl: "no-store", .vary: "User-Agent", .xContentTypeOptions: "nosniff",
        ]
        for (name, value) in named { headers[name] = value }
        return headers
    }

    /// The two headers that HTTPTypes has no names for.
    private static let named = [("Referrer-Policy", "no-referrer"), ("X-Robots-Tag", "noindex")]
        .compactMap { name, value in HTTPField.Name(name).map { ($0, value) } }
}
