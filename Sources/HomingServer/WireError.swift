// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HTTPTypes
import HomingCore
import HomingWire

/// A refusal as an HTTP answer; its text is ``Refusal/wireMessage``.
struct WireError {
    var status = HTTPResponse.Status.badRequest
    let message: String
    /// The name of a typed error's status, such as `INVALID_ARGUMENT`; others have none.
    let statusName: String?
    var reason = "invalid"
    var location: String?
    /// Google's typed details, of which clients read one.
    var detail: JSON?
    var retryAfter: Int?
    /// The methods that the path has, for a request with another.
    var allowed: [String] = []

    init(_ refusal: Refusal) {
        message = refusal.wireMessage
        statusName = refusal.wireStatus
        switch refusal {
        case .apiKeyInvalid:
            reason = "badRequest"
            detail = .object([
                ("@type", "type.googleapis.com/google.rpc.ErrorInfo"), ("reason", "API_KEY_INVALID"),
                ("domain", "googleapis.com"),
            ])
        case .apiKeyMissing, .outsideProjects:
            status = .forbidden
            reason = "forbidden"
        case .adminKeyInvalid, .adminKeyEnded, .ownerRefused:
            status = .unauthorized
            reason = "authError"
            location = "Authorization"
        case .loginRequired:
            status = .unauthorized
            reason = "required"
            location = "Authorization"
        case .alreadyExists, .changedMeanwhile, .templateChanged:
            status = .conflict
        case .projectNotFound, .tenantNotFound, .notFound:
            status = .notFound
            reason = "notFound"
        case .invalidJSON:
            reason = "parseError"
        case .invalidEnum(let member, _, _), .invalidType(let member, _):
            detail = .object([
                ("@type", "type.googleapis.com/google.rpc.BadRequest"),
                (
                    "fieldViolations",
                    .array([
                        .object([
                            ("field", .string(member.replacing("/", with: "."))), ("description", .string(message)),
                        ])
                    ])
                ),
            ])
        case .payloadTooLarge:
            status = .contentTooLarge
        case .methodNotAllowed(let methods):
            status = .methodNotAllowed
            allowed = methods
        case .tooManyRequests(let seconds):
            status = .tooManyRequests
            reason = "rateLimitExceeded"
            retryAfter = seconds
        case .overloaded(let seconds, _):
            status = .serviceUnavailable
            reason = "backendError"
            retryAfter = seconds
        default: break
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
                    ("details", detail.map { .array([$0]) }),
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
