// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingStore

/// The fault for which a dynamic link is refused. No part of it quotes the URL or names an allowed domain.
package struct LinkFault: Error, Sendable, Equatable {
    package enum Reason: Sendable, Equatable {
        /// Not a web URL that every browser reads alike.
        case malformed(WebURLFault)
        /// Not on an authorised domain of the project.
        case unauthorizedDomain
        /// A URL in a store that is not the page of an app that the project has registered.
        case storePage
        /// Another link, of this project or of any other.
        case linkToLink
        /// The `continueUrl` inside a link to the action page has a target that is not allowed.
        case continueURL
        /// One parameter, or the whole link, is longer than so many bytes.
        case tooLong(maximum: Int)
    }

    /// The parameter of the long link, such as `link` or `afl`; nil for the whole link.
    package let parameter: String?
    /// Firebase's code for the fault, where there is one.
    package let code: DynamicLinkWarning.Code?
    package let reason: Reason

    package init(parameter: String?, code: DynamicLinkWarning.Code?, reason: Reason) {
        self.parameter = parameter
        self.code = code
        self.reason = reason
    }

    package var refusal: Refusal { .invalidDynamicLink(code: wireCode, sentence, remedy: remedy) }

    /// Firebase's code where it has one.
    private var wireCode: String {
        if let code { return code.rawValue }
        return switch reason {
        case .malformed: "INVALID_LINK"
        case .unauthorizedDomain, .storePage: "UNAUTHORIZED_DOMAIN"
        case .linkToLink: "LINK_TO_LINK"
        case .continueURL: "INVALID_CONTINUE_URI"
        case .tooLong: "LINK_LENGTH_TOO_LONG"
        }
    }

    /// The fault and what to do, by the name of the parameter.
    package var sentence: String { "\(parameter ?? "The link"): \(advice)" }

    /// The fault and what to do, for somebody who sees where it is.
    package var advice: String {
        switch reason {
        case .malformed(.missingHost): "The URL has no host; write it whole, beginning with https://"
        case .malformed(.insecureScheme):
            "The URL carries a code, so it must begin with https://; http:// is for localhost only"
        case .malformed(let fault): fault.sentence
        case .unauthorizedDomain: "The URL's domain is not authorised for this project; add it"
        case .storePage: "The store page must be that of an app that is registered in this project"
        case .linkToLink:
            "The URL is itself a dynamic link or lies under a link domain; name the page that it leads to"
        case .continueURL: "The continueUrl of the action link must be given once and lead to an authorised domain"
        case .tooLong(let maximum): "longer than \(maximum) bytes; shorten it"
        }
    }
    var remedy: Remedy? {
        switch reason {
        case .unauthorizedDomain: .addDomain
        case .storePage: .addApp
        case .malformed, .linkToLink, .continueURL, .tooLong: nil
        }
    }
}
