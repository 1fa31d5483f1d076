// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// Looks up how receivers shall treat mail that is not the domain's own (RFC 9989).
package struct DMARCCheck: Sendable {
    package let domain: String
    package let names: any NameService

    package init(domain: String, names: any NameService) {
        self.domain = domain
        self.names = names
    }

    package func findings() async -> [Finding] {
        do throws(DMARCPolicy.Fault) {
            return [judgement(try await DMARCPolicy.find(for: domain, by: names))]
        } catch {
            return [judgement(error)]
        }
    }

    private func judgement(_ fault: DMARCPolicy.Fault) -> Finding {
        switch fault {
        case .unknown(let name): MailDomainCheck.unanswered("DMARC_UNKNOWN", domain, "TXT of \(name)")
        case .several(let name, let count):
            .problem(
                "DMARC_SEVERAL", domain, "\(name) has \(count) policies, so that none is in force",
                "Keep one of the records and delete the others.")
        }
    }

    private func judgement(_ policy: DMARCPolicy) -> Finding {
        guard let place = policy.place else {
            return .warning(
                "DMARC_MISSING", domain, "_dmarc.\(domain) says nothing",
                "Publish \"v=DMARC1; p=none; rua=mailto:YOU\" there, and tighten it once the reports are clean.")
        }
        let name = "_dmarc.\(place)"
        switch policy.wish {
        case .quarantine, .reject: return .ok("DMARC_OK", domain, "\(name): p=\(policy.written ?? "")")
        case .nothing:
            let seen = policy.written.map { "p=\($0)\(policy.record?["t"].map { "; t=\($0)" } ?? "")" }
            return .warning(
                "DMARC_ONLY_WATCHES", domain,
                "\(name): \(seen ?? "no p=, which means none"), so forged mail is delivered",
                "Once the reports show only your own mail, set p=quarantine or p=reject.")
        case nil:
            return .problem(
                "DMARC_WITHOUT_POLICY", domain, "\(name) has a p= that no receiver knows",
                "Write p=none, p=quarantine or p=reject behind v=DMARC1.")
        }
    }
}
