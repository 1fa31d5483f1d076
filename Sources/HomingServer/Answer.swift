// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HTTPTypes
import HomingCore
import HomingStore
import HomingWire
package import Hummingbird
import NIOCore

/// The answers of both listeners: JSON as production prints it, plain text, refusals (``WireError``) and faults.
package enum Answer {
    static func json(_ value: JSON, status: HTTPResponse.Status = .ok) -> Response {
        json(bytes: value.write(), status: status)
    }

    static func json(bytes: [UInt8], status: HTTPResponse.Status = .ok) -> Response {
        Response(
            status: status,
            headers: [
                .contentType: "application/json; charset=UTF-8", .cacheControl: "no-store",
                .xContentTypeOptions: "nosniff",
            ],
            body: .init(byteBuffer: ByteBuffer(bytes: bytes)))
    }

    /// A picture that says of a thing what it is now.
    static func picture(_ bytes: [UInt8], _ mediaType: String) -> Response {
        Response(
            status: .ok,
            headers: [.contentType: mediaType, .cacheControl: "no-store", .xContentTypeOptions: "nosniff"],
            body: .init(byteBuffer: ByteBuffer(bytes: bytes)))
    }

    package static func text(_ text: String, status: HTTPResponse.Status = .ok) -> Response {
        Response(
            status: status,
            headers: [
                .contentType: "text/plain; charset=utf-8", .cacheControl: "no-store", .xContentTypeOptions: "nosniff",
            ],
            body: .init(byteBuffer: ByteBuffer(string: text)))
    }

    /// The error envelope of Identity Toolkit v1.
    static func refusal(_ refusal: Refusal) -> Response { self.refusal(WireError(refusal)) }

    static func refusal(_ error: WireError) -> Response {
        var response = json(error.envelope, status: error.status)
        if let seconds = error.retryAfter { response.headers[.retryAfter] = String(seconds) }
        if !error.allowed.isEmpty { response.headers[.allow] = error.allowed.joined(separator: ", ") }
        return response
    }

    /// The answer of the token service, whose errors have no `errors` member.
    static func tokenRefusal(_ refusal: Refusal) -> Response {
        let error = WireError(refusal)
        var response = json(error.tokenEnvelope, status: error.status)
        if let seconds = error.retryAfter { response.headers[.retryAfter] = String(seconds) }
        return response
    }

    /// The answer for a fault of ours; the fault itself stays in the log.
    package static var fault: Response {
        json(
            .object([
                (
                    "error",
                    .object([
                        ("code", 500), ("message", "Internal error encountered."), ("status", "INTERNAL"),
                        (
                            "errors",
                            .array([
                                .object([
                                    ("message", "Internal error encountered."), ("domain", "global"),
                                    ("reason", "backendError"),
                                ])
                            ])
                        ),
                    ])
                )
            ]), status: .internalServerError)
    }

    static var notFound: Response {
        json(
            .object([
                (
                    "error",
                    .object([
                        ("code", 404), ("message", "Not Found"), ("status", "NOT_FOUND"),
                        (
                            "errors",
                            .array([
                                .object([("message", "Not Found"), ("domain", "global"), ("reason", "notFound")])
                            ])
                        ),
                    ])
                )
            ]), status: .notFound)
    }
}
