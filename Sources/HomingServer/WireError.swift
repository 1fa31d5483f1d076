// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HTTPTypes
import HomingCore
import HomingProjects
package import HomingStore
import HomingWire

/// A refusal as an HTTP answer; its text is ``Refusal/wireMessage``.
package struct WireError {
    package var status = HTTPResponse.Status.badRequest
    let message: String
    /// The name of a typed error's status, such as `INVALID_ARGUMENT`; others have none.
    let statusName: String?
    var reason = "invalid"
    var location: String?
    /// Google's typed details, of which clients read one.
    var detail: JSON?
    var retryAfter: Int?
    /// How often a code may still be typed wrong.
    var triesLeft: Int?
    /// The methods that the path has, for a request with another.
    var allowed: [String] = []

    package init(_ refusal: Refusal) {
        message = refusal.wireMessage
        statusName = refusal.status?.rawValue
        retryAfter = refusal.retryAfter
        triesLeft = refusal.triesLeft
        switch refusal.status {
        case .permissionDenied:
            status = .forbidden
            reason = "forbidden"
        case .unauthenticated:
            status = .unauthorized
            reason = "authError"
            location = "Authorization"
        case .alreadyExists, .aborted:
            status = .conflict
        case .notFound:
            status = .notFound
            reason = "notFound"
        case .resourceExhausted:
            status = .tooManyRequests
            reason = "rateLimitExceeded"
        case .unavailable:
            status = .serviceUnavailable
            reason = "backendError"
        case .invalidArgument, nil: break
        }
        switch refusal {
        case .apiKeyInvalid:
            reason = "badRequest"
            detail = .object([
                ("@type", "type.googleapis.com/google.rpc.ErrorInfo"), ("reason", "API_KEY_INVALID"),
                ("domain", "googleapis.com"),
            ])
        case .loginRequired:
            reason = "required"
        case .invalidJSON:
            reason = "parseError"
        case .payloadTooLarge:
            status = .contentTooLarge
        case .methodNotAllowed:
            status = .methodNotAllowed
            allowed = refusal.cause as? [String] ?? []
        default: break
        }
        if let field = refusal.field {
            let violation: JSON = .object([("field", .string(field)), ("description", .string(message))])
            detail = .object([
                ("@type", "type.googleapis.com/google.rpc.BadRequest"), ("fieldViolations", .array([violation])),
            ])
        }
    }

    var envelope: JSON {
        let inner: JSON = .object([
            ("message", .string(message)), ("domain", "global"), ("reason", .string(reason)),
            ("location", location.map { .string($0) }), ("locationType", location.map { _ in "header" }),
        ])
        return .object([
            (
                "error",
                .object([
                    ("code", .int(Int64(status.code))), ("message", .string(message)), ("errors", .array([inner])),
                    ("status", statusName.map { .string($0) }),
                    ("details", detail.map { .array([$0]) }), ("triesLeft", triesLeft.map { .int(Int64($0)) }),
                ])
            )
        ])
    }

    var tokenEnvelope: JSON {
        .object([
            (
                "error",
                .object([
                    ("code", .int(Int64(status.code))), ("message", .string(message)),
                    ("status", .string(statusName ?? "INVALID_ARGUMENT")),
                ])
            )
        ])
    }
}
