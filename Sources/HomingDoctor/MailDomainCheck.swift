// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// Looks up whether answers can reach the domain that mails come from, as receivers demand.
package struct MailDomainCheck: Sendable {
    package let domain: String
    package let names: any NameService

    package init(domain: String, names: any NameService) {
        self.domain = domain
        self.names = names
    }

    package func findings() async -> [Finding] {
        guard let exchanges = await names.look(up: domain, .mx).found else {
            return [Self.unanswered("MX_UNKNOWN", domain, "MX of \(domain)")]
        }
        if exchanges.contains(where: { $0.hasSuffix(" .") }) {
            return [
                .warning(
                    "MX_REFUSES_MAIL", domain, "its MX says that the domain takes no email",
                    "Send from a domain that can be answered: some receivers refuse mail from others.")
            ]
        }
        if !exchanges.isEmpty { return [.ok("MX_OK", domain, "MX \(exchanges.joined(separator: ", "))")] }
        for type in [RecordType.a, .aaaa] {
            if let addresses = await names.look(up: domain, type).found, let first = addresses.first {
                return [.ok("MX_OK", domain, "no MX, but the address \(first)")]
            }
        }
        return [
            .problem(
                "MX_MISSING", domain, "the domain has neither MX nor address, so bounces cannot come back",
                "Publish an MX record, or set HOMING_MAIL_FROM to an address of a domain that has one.")
        ]
    }

    package static func unanswered(_ code: String, _ domain: String, _ question: String) -> Finding {
        .warning(
            code, domain, "no name server answers for \(question)",
            "See whether DNS works here, or ask another server: --nameserver IP.")
    }
}
