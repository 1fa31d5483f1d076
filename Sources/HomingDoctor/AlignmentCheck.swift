// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// Judges whether mails pass DMARC: by a signature or by the sending machine, in the name of the sender that people see
/// or of one of the same organisation (RFC 9989, section 4.4).
package struct AlignmentCheck: Sendable {
    /// The domain of the sender that people see.
    package let domain: String
    /// That of the return path; nil where a provider writes its own.
    package let bounceDomain: String?
    /// Whether keys of this server sign in the name of the very domain.
    package let isSignedHere: Bool
    package let names: any NameService

    package init(domain: String, bounceDomain: String?, isSignedHere: Bool, names: any NameService) {
        self.domain = domain
        self.bounceDomain = bounceDomain
        self.isSignedHere = isSignedHere
        self.names = names
    }

    /// - Parameters:
    ///   - spf: what the look at the return path's domain has found.
    ///   - dkim: what the look for keys at the sender's domain has found.
    /// - Returns: nothing where those findings say already what is missing, or nobody knows.
    package func findings(spf: [Finding], dkim: [Finding]) async -> [Finding] {
        do throws(DMARCPolicy.Fault) {
            let policy = try await DMARCPolicy.find(for: domain, by: names)
            var ways: [String] = []
            if isSignedHere {
                ways.append("a signature of this server in its name")
            } else if dkim.contains(where: { $0.code == "DKIM_OK" }) {
                ways.append("a signature with a key that stands at the domain")
            }
            // A policy that counts as an error lets nobody pass.
            let passesSPF = !spf.contains { $0.level == .problem || $0.code == "SPF_UNKNOWN" }
            if let bounceDomain, passesSPF {
                if try await policy.isAligned(bounceDomain, strictly: "aspf", by: names) {
                    ways.append("the sending machine, as the return path is at \(bounceDomain)")
                } else if ways.isEmpty, policy.place != nil {
                    return [notAligned(bounceDomain, policy, isSure: !dkim.contains { $0.code == "DKIM_NOT_FOUND" })]
                }
            }
            return ways.isEmpty
                ? [] : [.ok("DMARC_ALIGNED", domain, "emails pass by \(ways.joined(separator: ", and by "))")]
        } catch {
            return []
        }
    }

    /// - Parameter isSure: false where the relay may sign with a key of which nobody told the selector.
    private func notAligned(_ bounceDomain: String, _ policy: DMARCPolicy, isSure: Bool) -> Finding {
        let reason =
            policy.record?["aspf"] == "s"
            ? "and the policy wants the very domain (aspf=s)" : "which belongs to another organisation"
        return (isSure ? Finding.problem : Finding.warning)(
            "DMARC_NOT_ALIGNED", domain,
            "no signature is known for it, and emails come back to \(bounceDomain), \(reason): SPF does not count",
            "Have the relay sign as \(domain), or sign here (homing mail domain add PROJECT \(domain)), or set "
                + "HOMING_MAIL_BOUNCES to an address at \(domain).")
    }
}
