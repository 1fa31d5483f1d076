// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingCore
package import HomingProjects
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

    /// `dkim`, `spf`, `dmarc`, `bimi`.
    package let purpose: String
    package let name: String
    package let value: String
    package var state: State
    /// One sentence about the state; empty where there is nothing to say.
    package var note: String
    /// The selector of a key.
    package var selector: String?
    /// Whether mails are signed with the key.
    package var isInUse: Bool

    package var type: String { "TXT" }

    package init(
        purpose: String, name: String, value: String, state: State, note: String = "", selector: String? = nil,
        isInUse: Bool = false
    ) {
        self.purpose = purpose
        self.name = name
        self.value = value
        self.state = state
        self.note = note
        self.selector = selector
        self.isInUse = isInUse
    }

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

    /// - Parameter state: who hands the project's mails over, for the record of its sender policy; nil to leave it out.
    package init(_ domain: String, of project: Project, at now: Moment, through state: MailState? = nil) {
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
                        ? "" : "a newer key signs; keep it for emails that are under way",
                    selector: key.selector, isInUse: key.signs)
            } + [state.flatMap { SenderDomainRecord(policyOf: domain, through: $0) }, policy].compactMap(\.self)
    }
}

extension SenderDomainRecord {
    /// Stands in the value of a sender policy for what an operator has to put there.
    package static let anyRelay = "YOUR-RELAY"

    /// What has to stand in the policy of a domain whose mails go through a host, by the end of the host's name.
    private static let includes = [
        ("gmail.com", "_spf.google.com"), ("googleapis.com", "_spf.google.com"),
        ("office365.com", "spf.protection.outlook.com"), ("graph.microsoft.com", "spf.protection.outlook.com"),
        ("mailjet.com", "spf.mailjet.com"), ("scaleway.com", "_spf.tem.scaleway.com"),
    ]

    /// Who may send for the domain (SPF, RFC 7208). Nil where the provider writes a return path of its own, which is
    /// the one that receivers ask about (section 2.4).
    fileprivate init?(policyOf domain: String, through state: MailState) {
        guard let host = state.host.map(ASCII.lowercased) else { return nil }
        let include = Self.includes.first { end, _ in
            ASCII.areEqual(host, end) || host.utf8.reversed().starts(with: ".\(end)".utf8.reversed())
        }?.1
        let isProvider = MailProvider.all.contains { $0.name.utf8.elementsEqual(state.transport.utf8) }
        guard include != nil || !isProvider else { return nil }
        self.init(
            purpose: "spf", name: domain, value: "v=spf1 include:\(include ?? Self.anyRelay) ~all", state: .waiting,
            note: include == nil
                ? "put what the relay's operator names in the place of include:\(Self.anyRelay), or a:\(host) where the relay "
                    + "is a machine of yours" : "")
    }
}

extension Homing {
    /// Makes and keeps keys for a sender domain: its first ones, or new ones beside those that sign.
    ///
    /// - Parameters:
    ///   - domain: in the form of ``Projects/senderDomain(_:)``.
    ///   - isSeen: whether mails are signed with them before anybody has seen their records.
    package func makeSenderDomainKeys(
        for domain: String, of project: ProjectID, isRotation: Bool, isSeen: Bool = false, by author: Authority
    ) async throws {
        let pair = try SenderDomainKey.pair(for: domain, ring: keys.ring, system: system, isSeen: isSeen)
        try await projects.addSenderDomainKeys(pair, to: project, isRotation: isRotation, by: author)
    }

    /// Signs from now on with the keys whose records the DNS has.
    package func useSenderDomainKeys(
        in records: [SenderDomainRecord], of domain: String, in project: ProjectID, by author: Authority
    ) async throws {
        let seen = records.filter { $0.state == .published }.compactMap(\.selector)
        try await projects.useSenderDomainKeys(seen, of: domain, in: project, by: author)
    }
}
