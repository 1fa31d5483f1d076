// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// The rules for the targets that a short link has besides those of its long link.
extension LinkRules {
    /// Refuses a target by language, or one for after the end, that could not be a fallback.
    package func check(_ details: LinkDetails) throws(LinkFault) {
        for language in details.languageLinks {
            try check(webTarget: language.link, named: "languageLinks.\(language.tag)")
        }
        if let afterEnd = details.afterEnd { try check(webTarget: afterEnd, named: "afterEnd") }
    }

    /// Whether browsers may be sent there as the project is now.
    package func allows(webTarget url: String) -> Bool { (try? check(webTarget: url, named: "link")) != nil }

    private func check(webTarget url: String, named name: String) throws(LinkFault) {
        try checkDestination(
            url, of: LinkTarget(name: name, isPayload: false, notURL: nil, badScheme: nil, value: { _ in nil }))
    }
}
