// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// How a short link is made.
public final class DynamicLinkComponentsOptions {
    /// How long its ending is.
    public var pathLength = ShortDynamicLinkPathLength.default

    /// The server's own length, which nobody guesses.
    public init() {}
}

/// How long the ending of a short link is.
public enum ShortDynamicLinkPathLength: Int, Sendable, Hashable {
    /// What the server does unless it is asked: ``unguessable``.
    case `default` = 0
    /// From four characters on: for links that anybody may find.
    case short = 1
    /// 17 characters, which nobody guesses.
    case unguessable = 2

    /// `suffix.option` of the request.
    var option: String? {
        switch self {
        case .default: nil
        case .short: "SHORT"
        case .unguessable: "UNGUESSABLE"
        }
    }
}
