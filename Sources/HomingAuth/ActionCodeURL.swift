// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

public import Foundation
internal import HomingWire

/// An action link as it reaches an app: the mailed one, or one that a link domain or a custom scheme has wrapped.
public struct ActionCodeURL: Sendable, Equatable {
    /// The project's key.
    public let apiKey: String?
    /// What the link does.
    public let operation: ActionCodeOperation
    /// The code, for ``Auth/applyActionCode(_:)`` and its like.
    public let code: String?
    /// Where the person wants to go when the action is done: the ``ActionCodeSettings/url`` of the request.
    public let continueURL: URL?
    /// The language of the mail, a BCP 47 tag.
    public let languageCode: String?

    /// Reads a link.
    ///
    /// - Returns: nil for every link that is not an action link: without a key, a code and a known mode, truncated, or
    ///   wrapped in something that is not ours.
    public init?(link: String) {
        guard let action = ActionLink(wrapped: link) else { return nil }
        apiKey = action.apiKey
        operation = ActionCodeOperation(action.mode)
        code = action.code
        continueURL = action.continueURL.flatMap { URL(string: $0) }
        languageCode = action.language
    }
}

extension ActionLink {
    /// No link that we make comes near it; what is longer is not read at all.
    private static let mostBytes = 16_384

    /// An action link out of at most two of our wrappers, `?link=` and `/__/auth/links?link=`: a link domain wraps what
    /// is wrapped already when a person passes a link on.
    init?(wrapped link: String) {
        guard link.utf8.count <= Self.mostBytes else { return nil }
        if let found = ActionLink(parsing: link) {
            self = found
        } else {
            guard let mark = link.utf8.firstIndex(of: UInt8(ascii: "?")) else { return nil }
            let query = link[link.utf8.index(after: mark)...].utf8.prefix { $0 != UInt8(ascii: "#") }
            guard let inner = QueryString(parsing: Substring(query))?["link"], let found = ActionLink(parsing: inner)
            else { return nil }
            self = found
        }
    }
}
