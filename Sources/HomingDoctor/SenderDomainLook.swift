// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingCore
internal import HomingMail
package import HomingStore
package import HomingWire

/// A record that an operator publishes so that mails of a sender domain are believed, and what is known of it.
package struct SenderDomainRecord: Sendable, Equatable, Codable {
    package enum State: String, Sendable, Codable {
        /// Nobody has looked yet, or the look before found nothing.
        case waiting
        case published
        case missing
        /// There is a record, with another value.
        case different
        /// It has to be there no more.
        case obsolete
        /// No name server answers.
        case unknown
    }

    /// `dkim`, `dmarc`, `bimi`.
    package let purpose: String
    package let name: String
    package let value: String
    package var state: State
    /// One sentence about the state; empty where there is nothing to say.
    package var note = ""
    /// The selector of a key.
    package var selector: String?
    /// Whether mails are signed with the key.
    package var isInUse = false

    package var type: String { "TXT" }

    package var json: JSON {
        [
            "purpose": .string(purpose), "name": .string(name), "type": .string(type), "value": .string(value),
            "state": .string(state.rawValue), "note": note.isEmpty ? .null : .string(note),
        ]
    }

    /// For an operator who copies it: a value of more than 255 bytes is several strings in one record (RFC 6376,
    /// section 3.6.2.2), which most panels split by themselves.
    package var lines: [String] {
        ["\(state.rawValue)  \(name)  \(type)", "  \(value)"] + (note.isEmpty ? [] : ["  \(note)"])
    }
}

/// The records of one sender domain, as they are known and as the DNS has them.
package struct SenderDomainLook: Sendable, Equatable, Codable {
    package let domain: String
    /// Without asking anybody.
    package let records: [SenderDomainRecord]

    package init(_ domain: String, of project: Project, at now: Moment) {
        self.domain = domain
        let keys = project.senderDomainKeys.filter { ASCII.areEqual($0.domain, domain) }
        let policy = SenderDomainRecord(
            purpose: "dmarc", name: "_dmarc.\(domain)", value: "v=DMARC1; p=none; rua=mailto:postmaster@\(domain)",
            state: .waiting)
        records =
            keys.map { key in
                SenderDomainRecord(
                    purpose: "dkim", name: key.recordName, value: key.record,
                    state: !key.isPublished(at: now) ? .obsolete : key.signsSince == nil ? .waiting : .published,
                    note: key.replacedAt == nil || !key.isPublished(at: now)
                        ? "" : "a newer key signs; keep it for mails that are under way",
                    selector: key.selector, isInUse: key.signs)
            } + [policy]
    }

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

    /// Panels take the quotes of a zone file for part of the value.
    private static func unquoted(_ text: String) -> String { text.replacing("\"", with: "") }
    private static func withoutSpace(_ text: String) -> String { text.replacing(" ", with: "") }
}
