// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// Looks for the public keys of a relay's signatures (RFC 6376). Only a mail names its selector, so without a selector
/// from the operator the usual names are tried.
package struct DKIMCheck: Sendable {
    package let domain: String
    /// The operator's selectors; empty to try the usual ones.
    package let selectors: [String]
    package let names: any NameService

    package init(domain: String, selectors: [String], names: any NameService) {
        self.domain = domain
        self.selectors = selectors
        self.names = names
    }

    package static let usualSelectors = [
        "default", "mail", "s1", "s2", "google", "selector1", "selector2", "k1", "resend", "brevo1", "mailjet",
    ]

    package func findings() async -> [Finding] {
        var found: [Finding] = []
        for selector in selectors.isEmpty ? Self.usualSelectors : selectors {
            let answer = await names.look(up: "\(selector)._domainkey.\(domain)", .txt)
            guard let texts = answer.found else {
                return [MailDomainCheck.unanswered("DKIM_UNKNOWN", domain, "TXT of \(selector)._domainkey.\(domain)")]
            }
            let keys = texts.compactMap { TagList(parsing: $0)["p"] }
            if let key = keys.first {
                found.append(judgement(key, selector))
            } else if !selectors.isEmpty {
                found.append(
                    .problem(
                        "DKIM_MISSING", domain, "\(selector)._domainkey.\(domain) has no key",
                        "Publish there the TXT record that your relay shows for this selector."))
            }
        }
        guard found.isEmpty else { return found }
        return [
            .warning(
                "DKIM_NOT_FOUND", domain,
                "none of the usual selectors has a key; which one signs cannot be known from here",
                "Look for s= in the DKIM-Signature of an email of yours and give it: --dkim-selector S.")
        ]
    }

    private func judgement(_ key: String, _ selector: String) -> Finding {
        if key.isEmpty {
            return .problem(
                "DKIM_REVOKED", domain, "the key of the selector \(selector) is withdrawn",
                "Sign with another selector, or publish the key again.")
        }
        return .ok("DKIM_OK", domain, "the selector \(selector) has a key")
    }
}
