// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

public import Foundation
internal import HomingClient

/// Why there is no short link. As an `NSError` it has the domain of FirebaseDynamicLinks and the code 0.
public struct DynamicLinkShortenerError: Error, Sendable {
    /// What happened and what to do next; for a refusal the server's own words.
    public let message: String
    /// The HTTP status of the server's refusal; nil when there was no answer.
    public let remoteErrorCode: Int?
    /// What was underneath, such as an `URLError`.
    public let underlyingError: (any Error)?

    /// An error from its parts, for the tests of an app.
    public init(_ message: String, remoteErrorCode: Int? = nil, underlying: (any Error)? = nil) {
        self.message = message
        self.remoteErrorCode = remoteErrorCode
        underlyingError = underlying
    }

    init(_ fault: EndpointFault) {
        switch fault {
        // A transport of an app's tests may throw what the app is to see.
        case .unreachable(_, let error as DynamicLinkShortenerError): self = error
        case .unreachable(_, let error): self.init(fault.message, underlying: error)
        case .refused(_, let status, _): self.init(fault.message, remoteErrorCode: status)
        case .unconfigured, .malformed, .unreadable: self.init(fault.message)
        }
    }
}

extension DynamicLinkShortenerError: LocalizedError {
    /// The message.
    public var errorDescription: String? { message }
}

extension DynamicLinkShortenerError: CustomNSError {
    /// `com.firebase.durabledeeplink`
    public static var errorDomain: String { "com.firebase.durabledeeplink" }

    /// 0, as Firebase's.
    public var errorCode: Int { 0 }

    /// The message, the server's status as `remoteErrorCode`, and what was underneath.
    public var errorUserInfo: [String: Any] {
        var info: [String: Any] = [NSLocalizedDescriptionKey: message, NSLocalizedFailureReasonErrorKey: message]
        info["remoteErrorCode"] = remoteErrorCode
        info[NSUnderlyingErrorKey] = underlyingError
        return info
    }
}
