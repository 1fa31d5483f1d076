// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import HomingWire

/// Looks up who may send mail for a domain (RFC 7208).
package struct SPFCheck: Sendable {
    package let domain: String
    package let names: any NameService

    package init(domain: String, names: any NameService) {
        self.domain = domain
        self.names = names
    }

    /// Receivers give up after this many lookups (section 4.6.4).
    package static let lookupLimit = 10

    private static let howTo = "publish one TXT record such as \"v=spf1 include:YOUR-RELAY -all\" at the domain"

    package func findings() async -> [Finding] {
        guard let texts = await names.look(up: domain, .txt).found else {
            return [MailDomainCheck.unanswered("SPF_UNKNOWN", domain, "TXT of \(domain)")]
        }
        let policies = texts.filter(SPFRecord.isPolicy)
        guard let policy = policies.first else {
            return [
                .problem("SPF_MISSING", domain, "nothing says who may send for the domain", "Do \(Self.howTo).")
            ]
        }
        guard policies.count == 1 else {
            return [
                .problem(
                    "SPF_SEVERAL", domain, "\(policies.count) records begin with v=spf1, which counts as an error",
                    "Put everything into one record and delete the others.")
            ]
        }
        var walk = Walk()
        let rest = await follow(SPFRecord(parsing: policy), &walk)
        return walk.findings(domain) + [judgement(rest, policy, walk)]
    }

    private func judgement(_ rest: SPFRecord.Rest?, _ policy: String, _ walk: Walk) -> Finding {
        let seen = Printable.ascii(policy)
        return switch rest {
        case .fail where !walk.namesSenders, .softFail where !walk.namesSenders:
            .problem(
                "SPF_ALLOWS_NOBODY", domain, "\(seen) says that the domain sends no email",
                "Name your relay in the record: \(Self.howTo).")
        case .fail, .softFail: .ok("SPF_OK", domain, seen)
        case .pass:
            .problem(
                "SPF_OPEN", domain, "\(seen) lets everybody send for the domain", "End the record with -all or ~all.")
        case .neutral, nil:
            .warning("SPF_NEUTRAL", domain, "\(seen) forbids nobody", "End the record with -all or ~all.")
        }
    }

    /// The observations on the way through included policies.
    private struct Walk {
        var lookups = 0
        /// Whether the policy, or the one that it redirects to, lets anybody send.
        var namesSenders = false
        var broken: [String] = []

        func findings(_ domain: String) -> [Finding] {
            var findings = broken.map { name in
                Finding.problem(
                    "SPF_INCLUDE_BROKEN", domain, "\(Printable.ascii(name)) is included and has no single policy",
                    "Correct the name or take it out: for receivers the whole record is an error.")
            }
            if lookups > SPFCheck.lookupLimit {
                findings.append(
                    .warning(
                        "SPF_TOO_MANY_LOOKUPS", domain,
                        "the record costs more than \(SPFCheck.lookupLimit) DNS lookups, where receivers stop with an error",
                        "Take out includes that are not needed, or name addresses (ip4:, ip6:) instead."))
            }
            return findings
        }
    }

    private func follow(_ record: SPFRecord, _ walk: inout Walk) async -> SPFRecord.Rest? {
        walk.lookups += record.plainLookups
        let namesSenders = walk.namesSenders || record.namesSenders
        for name in record.includes { _ = await enter(name, &walk) }
        walk.namesSenders = namesSenders
        if let redirect = record.redirect { return await enter(redirect, &walk) }
        return record.rest
    }

    private func enter(_ name: String, _ walk: inout Walk) async -> SPFRecord.Rest? {
        walk.lookups += 1
        // A macro depends on the mail; beyond the limit nothing changes any more.
        guard walk.lookups <= Self.lookupLimit, !name.utf8.contains(UInt8(ascii: "%")) else { return nil }
        guard let texts = await names.look(up: name, .txt).found else { return nil }
        let policies = texts.filter(SPFRecord.isPolicy)
        guard policies.count == 1 else {
            walk.broken.append(name)
            return nil
        }
        return await follow(SPFRecord(parsing: policies[0]), &walk)
    }
}
