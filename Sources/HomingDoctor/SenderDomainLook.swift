// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingMail
internal import HomingStore
internal import HomingWire

extension SenderDomainLook {
    /// As the DNS has them now.
    package func records(by names: any NameService) async -> [SenderDomainRecord] {
        var looked: [SenderDomainRecord] = []
        for record in records {
            looked.append(record.selector == nil ? await policy(record, names) : await key(record, by: names))
        }
        return looked + [await logo(names)].compactMap(\.self)
    }

    /// The record of the domain's logo, which nobody needs: nil where there is none.
    private func logo(_ names: any NameService) async -> SenderDomainRecord? {
        let check = BIMICheck(domain: domain, names: names)
        guard let found = await check.record() else { return nil }
        let faults = await check.findings().filter { $0.level != .ok }
        return SenderDomainRecord(
            purpose: "bimi", name: found.name, value: found.text, state: .published,
            note: faults.map { "\($0.seen). \($0.advice)" }.joined(separator: " "))
    }

    /// The record of a key, as the DNS has it now.
    package func key(_ record: SenderDomainRecord, by names: any NameService) async -> SenderDomainRecord {
        var record = record
        let wanted = TagList(parsing: record.value)["p"]
        guard let texts = await names.look(up: record.name, .txt).found else {
            record.state = .unknown
            record.note = "no name server answers"
            return record
        }
        let found = texts.map { TagList(parsing: Self.unquoted($0))["p"].map(Self.withoutSpace) }
        if record.state == .obsolete {
            record.note = texts.isEmpty ? "" : "it may be deleted now"
        } else if found.contains(where: { $0 == wanted }) {
            record.state = .published
        } else if texts.isEmpty {
            record.state = .missing
            // The panels of many providers add the domain to each name by themselves.
            let doubled = "\(record.name).\(domain)"
            if let texts = await names.look(up: doubled, .txt).found, !texts.isEmpty {
                record.note = "it stands at \(doubled): enter the name without .\(domain)"
            }
        } else {
            record.state = .different
            record.note = "the DNS has: \(Printable.ascii(texts[0], atMost: 120))"
        }
        return record
    }

    /// A domain is covered by the policy of one above it, too (RFC 9989).
    private func policy(_ record: SenderDomainRecord, _ names: any NameService) async -> SenderDomainRecord {
        guard record.purpose != "spf" else { return await senderPolicy(record, names) }
        var record = record
        let findings = await DMARCCheck(domain: domain, names: names).findings()
        record.state =
            switch findings.first?.code {
            case "DMARC_MISSING": .missing
            case "DMARC_UNKNOWN": .unknown
            case "DMARC_SEVERAL": .different
            default: .published
            }
        record.note = findings.first.map(\.seen) ?? ""
        return record
    }

    /// A policy that is there and says something else is mended, not replaced: others may send for the domain, too.
    private func senderPolicy(_ record: SenderDomainRecord, _ names: any NameService) async -> SenderDomainRecord {
        var record = record
        guard let finding = await SPFCheck(domain: domain, names: names).findings().first else { return record }
        switch (finding.level, finding.code) {
        case (_, "SPF_MISSING"): record.state = .missing
        case (_, "SPF_UNKNOWN"):
            record.state = .unknown
            record.note = "no name server answers"
        case (.ok, _):
            let policy = SPFRecord(parsing: finding.seen)
            let include = SPFRecord(parsing: record.value).includes.first ?? SenderDomainRecord.anyRelay
            record.state = .published
            record.note = "the DNS has: \(finding.seen)"
            guard !ASCII.areEqual(include, SenderDomainRecord.anyRelay),
                !policy.includes.contains(where: { ASCII.areEqual($0, include) })
            else { return record }
            let isCovered = !policy.includes.isEmpty || policy.redirect != nil
            if !isCovered { record.state = .different }
            record.note += "; add include:\(include) to it\(isCovered ? ", unless what it includes says so" : "")"
        case (let level, _):
            record.state = level == .warning ? .published : .different
            record.note = "\(finding.seen). \(finding.advice)"
        }
        return record
    }

    /// Panels take the quotes of a zone file for part of the value.
    private static func unquoted(_ text: String) -> String { text.replacing("\"", with: "") }
    private static func withoutSpace(_ text: String) -> String { text.replacing(" ", with: "") }
}
