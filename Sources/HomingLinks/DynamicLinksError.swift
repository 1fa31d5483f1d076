// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

public import Foundation
internal import HomingClient

/// Why a link could not be read or resolved. As an `NSError` it has the domain of FirebaseDynamicLinks, and as code the
/// HTTP status of the server's answer.
public struct DynamicLinksError: Error, Sendable {
    /// The HTTP status of the server's refusal; 1 for a URL that is no dynamic link; 0 when there was no answer.
    public let code: Int
    /// What happened and what to do next; for a refusal the server's own words.
    public let message: String
    /// What was underneath, such as an `URLError`.
    public let underlyingError: (any Error)?

    /// An error from its parts, for the tests of an app.
    public init(code: Int, _ message: String, underlying: (any Error)? = nil) {
        self.code = code
        self.message = message
        underlyingError = underlying
    }

    init(_ fault: EndpointFault) {
        switch fault {
        // A transport of an app's tests may throw what the app is to see.
        case .unreachable(_, let error as DynamicLinksError): self = error
        case .unreachable(_, let error): self.init(code: 0, fault.message, underlying: error)
        case .refused(_, let status, _): self.init(code: status, fault.message)
        case .unconfigured, .malformed, .unreadable: self.init(code: 0, fault.message)
        }
    }

    /// In Firebase's words, which apps look for in logs.
    static let notALink = DynamicLinksError(code: 1, "Universal link URL could not be parsed by Dynamic Links.")
}

extension DynamicLinksError: LocalizedError {
    /// The message.
    public var errorDescription: String? { message }
}

extension DynamicLinksError: CustomNSError {
    /// `com.firebase.dynamicLinks`
    public static var errorDomain: String { "com.firebase.dynamicLinks" }

    /// The code.
    public var errorCode: Int { code }

    /// The message under `NSLocalizedDescription`, `NSLocalizedFailureReason` and `message`, and what was underneath.
    public var errorUserInfo: [String: Any] {
        var info: [String: Any] = [
            NSLocalizedDescriptionKey: message, NSLocalizedFailureReasonErrorKey: message, "message": message,
        ]
        info[NSUnderlyingErrorKey] = underlyingError
        return info
    }
}
