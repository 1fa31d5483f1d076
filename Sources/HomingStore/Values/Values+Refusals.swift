// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

extension Refusal {
    package static let invalidEmail = Refusal("INVALID_EMAIL")
    package static let unauthorizedDomain = Refusal("UNAUTHORIZED_DOMAIN", "Domain not allowlisted by project")

    package static func invalidContinueURI(_ sentence: String) -> Refusal { Refusal(.invalidContinueURI, sentence) }

    /// - Parameters:
    ///   - fault: names the text.
    ///   - advice: what is accepted, for somebody who sees the text; it is the cause.
    package static func invalidAuthorizedDomain(_ fault: String, advice: String) -> Refusal {
        Refusal(.invalidAuthorizedDomain, "\(fault): \(advice)", cause: advice)
    }

    package static func invalidLinkDomain(_ sentence: String, remedy: Remedy? = nil) -> Refusal {
        Refusal(.invalidLinkDomain, sentence, remedy: remedy)
    }
}

extension Refusal.Code {
    package static let invalidContinueURI: Self = "INVALID_CONTINUE_URI"
    package static let invalidAuthorizedDomain: Self = "INVALID_AUTHORIZED_DOMAIN"
    package static let invalidLinkDomain: Self = "INVALID_LINK_DOMAIN"
}
