// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// The reason why a long link cannot be read.
public enum DynamicLinkFault: Error, Sendable, Hashable, CustomStringConvertible {
    /// There is no `link`, or an empty one.
    case missingLink
    /// A `%` without two hexadecimal digits behind it, bytes that are not UTF-8, or a NUL; the parameter's name as the
    /// URL has it.
    case malformedEncoding(parameter: String)
    /// A parameter occurs twice in the link with different values.
    case contradiction(parameter: String)

    /// The fault, for the author of the link. No value of the link is quoted, because it may carry a code.
    public var description: String {
        switch self {
        case .missingLink: "the link has no parameter named link; add link= and the percent-encoded URL"
        case .malformedEncoding(let parameter):
            "the parameter \(parameter) is not percent-encoded UTF-8; encode every value whole and once"
        case .contradiction(let parameter):
            "the parameter \(parameter) is given twice with different values; encode the inner URL whole"
        }
    }
}
