// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import HomingWire

/// Judges the record that names a domain's logo (BIMI), where there is one: nobody needs it.
package struct BIMICheck: Sendable {
    package let domain: String
    package let names: any NameService

    package init(domain: String, names: any NameService) {
        self.domain = ASCII.lowercased(domain)
        self.names = names
    }

    package struct Record: Sendable, Equatable {
        package let name: String
        package let text: String
    }

    /// The record of the domain, else that of its organisation; nil where there is none.
    package func record() async -> Record? {
        await records().first
    }

    package func findings() async -> [Finding] {
        let records = await records()
        guard let record = records.first else { return [] }
        guard records.count == 1 else {
            return [
                .warning(
                    "BIMI_SEVERAL", domain, "\(record.name) has \(records.count) records, so that no logo is shown",
                    "Keep one of the records and delete the others.")
            ]
        }
        return await judgement(record)
    }

    private func records() async -> [Record] {
        let organisation = try? await DMARCPolicy.find(for: domain, by: names).organisation
        for place in [domain] + [organisation].compactMap({ $0 }).filter({ !ASCII.areEqual($0, domain) }) {
            let name = "default._bimi.\(place)"
            let texts = await names.look(up: name, .txt).found ?? []
            let records = texts.filter { ASCII.areEqual(TagList(parsing: $0)["v"] ?? "", "BIMI1") }
            if !records.isEmpty { return records.map { Record(name: name, text: $0) } }
        }
        return []
    }

    private func judgement(_ record: Record) async -> [Finding] {
        let tags = TagList(parsing: record.text)
        let (logo, certificate) = (tags["l"] ?? "", tags["a"] ?? "")
        // A domain that wants no logo says so with empty values.
        if tags["l"] != nil, logo.isEmpty, certificate.isEmpty {
            return [.ok("BIMI_OK", domain, "\(record.name) asks for no logo")]
        }
        guard Self.isFile(logo, ".svg") else {
            return [
                .warning(
                    "BIMI_WITHOUT_LOGO", domain, "\(record.name) has no l= with the https:// URL of an .svg file",
                    "Write v=BIMI1; l=https://HOST/logo.svg; a=https://HOST/certificate.pem.")
            ]
        }
        var findings: [Finding] = []
        if let policy = try? await DMARCPolicy.find(for: domain, by: names), !Self.isEnforced(policy) {
            findings.append(
                .warning(
                    "BIMI_NOT_ENFORCED", domain, "\(record.name) names a logo, and DMARC does not enforce anything",
                    "Set p=quarantine or p=reject at _dmarc.\(policy.organisation): without it no logo is shown."))
        }
        if !Self.isFile(certificate, ".pem") {
            findings.append(
                .warning(
                    "BIMI_WITHOUT_CERTIFICATE", domain,
                    "\(record.name) has no a= with the https:// URL of a .pem file: Gmail and Apple show no logo",
                    "Add the URL of the logo's certificate (VMC or CMC) as a=."))
        }
        return findings.isEmpty ? [.ok("BIMI_OK", domain, "\(record.name) names a logo")] : findings
    }

    /// The policy of the domain, and that of its subdomains, on which logos are shown as well.
    private static func isEnforced(_ policy: DMARCPolicy) -> Bool {
        guard let wish = policy.wish, wish > .nothing else { return false }
        return policy.record?["sp"].map { ASCII.lowercased($0) } != "none"
    }

    private static func isFile(_ url: String, _ end: String) -> Bool {
        let text = ASCII.lowercased(url)
        let path = text.prefix { $0 != "?" && $0 != "#" }
        return text.hasPrefix("https://") && path.hasSuffix(end)
            && path.utf8.count > "https://".utf8.count + end.utf8.count
    }
}
