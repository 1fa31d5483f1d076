// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// Looks up how receivers shall treat mail that is not the domain's own (RFC 7489).
package struct DMARCCheck: Sendable {
    package let domain: String
    package let names: any NameService

    package init(domain: String, names: any NameService) {
        self.domain = domain
        self.names = names
    }

    package func findings() async -> [Finding] {
        for name in Self.names(for: domain) {
            guard let texts = await names.look(up: name, .txt).found else {
                return [MailDomainCheck.unanswered("DMARC_UNKNOWN", domain, "TXT of \(name)")]
            }
            let policies = texts.map(TagList.init).filter { $0.tags.first?.name == "v" && $0["v"] == "DMARC1" }
            if policies.count > 1 {
                return [
                    .problem(
                        "DMARC_SEVERAL", domain, "\(name) has \(policies.count) policies, so that none is in force",
                        "Keep one of the records and delete the others.")
                ]
            }
            if let policy = policies.first {
                return [judgement(policy, at: name, isOwn: name.utf8.count == domain.utf8.count + "_dmarc.".count)]
            }
        }
        return [
            .warning(
                "DMARC_MISSING", domain, "_dmarc.\(domain) says nothing",
                "Publish \"v=DMARC1; p=none; rua=mailto:YOU\" there, and tighten it once the reports are clean.")
        ]
    }

    /// The domain, then its parents with at least two labels: a subdomain is covered by the policy above it.
    package static func names(for domain: String) -> [String] {
        var labels = domain.split(separator: ".")[...]
        var names: [String] = []
        repeat {
            names.append("_dmarc." + labels.joined(separator: "."))
            labels = labels.dropFirst()
        } while labels.count >= 2 && names.count < 8
        return names
    }

    private func judgement(_ policy: TagList, at name: String, isOwn: Bool) -> Finding {
        let wish = (isOwn ? policy["p"] : policy["sp"] ?? policy["p"])?.lowercased()
        switch wish {
        case "reject", "quarantine": return .ok("DMARC_OK", domain, "\(name): p=\(wish ?? "")")
        case "none":
            return .warning(
                "DMARC_ONLY_WATCHES", domain, "\(name): p=none, so forged mail is delivered",
                "Once the reports show only your own mail, set p=quarantine or p=reject.")
        default:
            return .problem(
                "DMARC_WITHOUT_POLICY", domain, "\(name) has no p= that receivers know",
                "Write p=none, p=quarantine or p=reject behind v=DMARC1.")
        }
    }
}
