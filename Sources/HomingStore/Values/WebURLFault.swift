// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// The rule that a URL breaks. None of the sentences quotes the URL, which nobody else may be allowed to read.
package enum WebURLFault: Error, Sendable, Equatable {
    case tooLong
    case forbiddenCharacter
    case unknownScheme
    case insecureScheme
    case missingHost
    case userInformation
    case malformedHost
    case malformedPort

    /// The fault and the accepted form.
    package var sentence: String {
        switch self {
        case .tooLong: "The URL is longer than \(WebURL.maximumLength) bytes"
        case .forbiddenCharacter:
            "The URL holds a space, a control character, a character outside ASCII, one of \\ \" < > or, before its query, "
                + "one of ^ ` { | }; percent-encode it"
        case .unknownScheme: "The URL must be absolute and begin with https://"
        case .insecureScheme: "The URL must begin with https://; http:// is for localhost only"
        case .missingHost: "Missing domain in continue url"
        case .userInformation: "The URL holds an @ before its path; user names are not accepted"
        case .malformedHost:
            "The URL's host must be letters, digits, hyphens and dots (an international name in its xn-- form)"
        case .malformedPort: "The URL's port must be a number from 1 to 65535"
        }
    }
}
