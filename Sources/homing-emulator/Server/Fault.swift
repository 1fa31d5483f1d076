// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HTTPTypes
import HomingWire

/// A refusal in the form of Firebase's emulator: a message with a code in capitals, mostly 400.
struct Fault: Error {
    let message: String
    private(set) var status = 400
    /// The methods of the path, where it has others than the one that was asked.
    private(set) var allowed: [String] = []
    /// `status` of the envelope, which business errors do not have.
    private var name: String?
    /// The one entry of `errors`; most have the message and the domain `global`.
    private var entry: [(String, JSON?)] = []

    init(_ message: String) {
        self.message = message
        entry = [("message", .string(message)), ("reason", "invalid"), ("domain", "global")]
    }

    private init(_ message: String, status: Int, name: String, entry: [(String, JSON?)]) {
        self.message = message
        self.status = status
        self.name = name
        self.entry = entry
    }

    var envelope: JSON {
        .object([
            (
                "error",
                .object([
                    ("code", .int(Int64(status))), ("message", .string(message)),
                    ("errors", .array([.object(entry)])), ("status", name.map { .string($0) }),
                ])
            )
        ])
    }

    // MARK: Those that are no business of an operation

    static let notFound = Fault(
        "Not Found", status: 404, name: "NOT_FOUND", entry: [("message", "Not Found"), ("reason", "notFound")])

    /// A path that has these methods only, as a server of Homing says it; one that has none is not there.
    static func wrongMethod(of path: [HTTPRequest.Method]) -> Fault {
        guard !path.isEmpty else { return notFound }
        let methods = Set(path.map(\.rawValue)).sorted()
        let message = "METHOD_NOT_ALLOWED : This path takes \(methods.joined(separator: ", "))."
        var fault = Fault(message)
        fault.status = 405
        fault.allowed = methods
        return fault
    }

    static func notImplemented(_ message: String) -> Fault {
        Fault(
            message, status: 501, name: "NOT_IMPLEMENTED",
            entry: [("message", .string(message)), ("reason", "unimplemented")])
    }

    /// An operation of the API that this emulator leaves out, by its name in Google's discovery document.
    static func notOffered(_ operation: String) -> Fault {
        notImplemented("\(operation) is not implemented in the Auth Emulator.")
    }

    static func payload(_ detail: String, reason: String = "invalid") -> Fault {
        let message = "Invalid JSON payload received. \(detail)"
        return Fault(
            message, status: 400, name: "INVALID_ARGUMENT",
            entry: [("message", .string(message)), ("reason", .string(reason)), ("domain", "global")])
    }

    /// A body that has more bytes than its operation may need.
    static func tooLarge(limit: Int) -> Fault {
        let message = "Request payload size exceeds the limit: \(limit) bytes."
        return Fault(
            message, status: 413, name: "INVALID_ARGUMENT",
            entry: [("message", .string(message)), ("reason", "uploadTooLarge"), ("domain", "global")])
    }

    static func forbidden(_ message: String) -> Fault {
        Fault(
            message, status: 403, name: "PERMISSION_DENIED",
            entry: [("message", .string(message)), ("reason", "forbidden"), ("domain", "global")])
    }

    static let missingKey = forbidden("The request is missing a valid API key.")

    static let invalidBearer = Fault(
        "Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie or other valid "
            + "authentication credential. See https://developers.google.com/identity/sign-in/web/devconsole-project.",
        status: 401, name: "UNAUTHENTICATED",
        entry: [
            ("message", "Invalid Credentials"), ("domain", "global"), ("reason", "authError"),
            ("location", "Authorization"), ("locationType", "header"),
        ])

    static let foreignProject = Fault(
        "INSUFFICIENT_PERMISSION : Only authenticated requests can specify target_project_id.")
    static let insufficientPermission = Fault("INSUFFICIENT_PERMISSION")
}
