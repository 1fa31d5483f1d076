// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingMail
package import HomingStore
internal import HomingWire

/// Judges the keys with which this server signs mails in the name of a sender domain.
package struct SenderDomainCheck: Sendable {
    package let look: SenderDomainLook
    package let project: ProjectID
    /// The domain that mails come from; nil where it is not known.
    package let mailDomain: String?
    /// The provider that writes mails anew and signs them by itself; nil where ours arrive as they are.
    package let rewriter: String?

    package init(look: SenderDomainLook, project: ProjectID, mailDomain: String?, rewriter: String? = nil) {
        self.look = look
        self.project = project
        self.mailDomain = mailDomain
        self.rewriter = rewriter
    }

    /// Whether any mail is signed with the keys. A signature in the name of another domain proves nothing about the
    /// sender that people see (DMARC, RFC 9989), so such mails are not signed.
    package func settingFindings() -> [Finding] {
        if let rewriter {
            return [
                .warning(
                    "DKIM_UNUSED", look.domain,
                    "\(project) has keys for it, but \(rewriter) writes emails anew, and they are not signed with them",
                    "Publish the records that \(rewriter) shows for the domain; these keys may go: homing mail domain remove "
                        + "\(project) \(look.domain).")
            ]
        }
        guard let mailDomain, !ASCII.areEqual(mailDomain, look.domain) else { return [] }
        return [
            .warning(
                "DKIM_UNUSED", look.domain,
                "\(project) has keys for it, but emails come from \(mailDomain) and are not signed with them",
                "Make keys for that one (homing mail domain add \(project) \(mailDomain)), or set HOMING_MAIL_FROM to an "
                    + "address at \(look.domain).")
        ]
    }

    package func findings(by names: any NameService) async -> [Finding] {
        var findings: [Finding] = []
        for record in look.records where record.selector != nil && record.state != .obsolete {
            findings.append(judgement(await look.key(record, by: names), known: record))
        }
        return findings
    }

    /// - Parameter known: the record as the server knows it.
    private func judgement(_ record: SenderDomainRecord, known: SenderDomainRecord) -> Finding {
        switch record.state {
        case .published where known.state == .waiting:
            .warning(
                "DKIM_NOT_IN_USE", look.domain, "\(record.name) is published, and no email is signed with its key yet",
                "The server looks by itself within a quarter of an hour, or now: homing mail domain check \(project) "
                    + "\(look.domain).")
        case .unknown: MailDomainCheck.unanswered("DKIM_UNKNOWN", look.domain, "TXT of \(record.name)")
        case .missing: fault("DKIM_MISSING", record, "\(record.name) has no key")
        case .different: fault("DKIM_DIFFERS", record, "\(record.name) has another key")
        case .published, .waiting, .obsolete: .ok("DKIM_OK", look.domain, "\(record.name) has its key")
        }
    }

    /// A problem where mails are signed with the key: receivers then take the signature for a forged one.
    private func fault(_ code: String, _ record: SenderDomainRecord, _ seen: String) -> Finding {
        let seen = record.note.isEmpty ? seen : "\(seen); \(record.note)"
        let advice = "Publish there the TXT record that homing mail domain show \(project) \(look.domain) prints."
        return record.isInUse
            ? .problem(code, look.domain, seen, advice) : .warning(code, look.domain, seen, advice)
    }
}
