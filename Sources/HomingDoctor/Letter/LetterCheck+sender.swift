// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import HomingWire

extension LetterCheck {
    /// What the receiver has found about DKIM, SPF and DMARC, and whether it is about the domain that people see.
    func senderFindings() -> [Finding] {
        guard let results = AuthenticationResults.ofReceiver(of: letter, recipient: recipient) else {
            return [
                .warning(
                    "LETTER_AUTH_UNKNOWN", subject, "the receiver has written down no verdict on DKIM, SPF and DMARC",
                    "Send one to a mailbox that does, such as Gmail, Outlook.com or Fastmail.")
            ]
        }
        let dkim = results.filter { $0.method == "dkim" }
        let spf = results.filter { $0.method == "spf" }
        let dmarc = results.first { $0.method == "dmarc" }
        let signed = dkim.filter { $0.verdict == "pass" }.compactMap(Self.signer)
        let sent = spf.filter { $0.verdict == "pass" }.compactMap(Self.envelopeDomain)
        let from = fromDomain ?? ""
        let isAligned = (signed + sent).contains { MailDomain.areAligned($0, from) }
        var findings = [judge(dkim: dkim, signed), judge(spf: spf, sent, isSigned: !signed.isEmpty)]
        // Microsoft's best guess is for domains without a policy.
        if let dmarc, !["pass", "bestguesspass", "none"].contains(dmarc.verdict) {
            findings.append(
                .problem(
                    "LETTER_DMARC_FAILED", subject, "dmarc=\(Self.shown(dmarc.verdict)) for \(Self.shown(from))",
                    "One of DKIM and SPF has to pass in the name of \(Self.shown(from)): publish the records that the relay "
                        + "or provider shows for it, or have Homing sign (homing mail domain add)."))
        }
        if !isAligned, !(signed + sent).isEmpty {
            findings.append(
                .problem(
                    "LETTER_NOT_ALIGNED", subject,
                    "what passed is in the name of \(Self.words(Set((signed + sent).map(Self.shown)))), and people see "
                        + "\(Self.shown(from))",
                    "Have the relay or provider sign in the name of \(Self.shown(from)), with its records published there, "
                        + "or have Homing sign (homing mail domain add)."))
        } else if isAligned, dmarc.map({ ["pass", "bestguesspass", "none"].contains($0.verdict) }) ?? true {
            findings.append(.ok("LETTER_DMARC_OK", subject, "what passed is in the name of \(Self.shown(from))"))
        }
        return findings
    }

    private func judge(dkim: [AuthenticationResults.Result], _ signed: [String]) -> Finding {
        if let domain = signed.first {
            return .ok("LETTER_DKIM_OK", subject, "the signature of \(Self.shown(domain)) holds")
        }
        guard let failed = dkim.first(where: { $0.verdict != "none" }) else {
            return .problem(
                "LETTER_DKIM_MISSING", subject, "the receiver found no signature",
                "Have the relay or provider sign for your domain, or have Homing sign (homing mail domain add).")
        }
        let domain = Self.signer(failed).map { " of \(Self.shown($0))" } ?? ""
        return .problem(
            "LETTER_DKIM_FAILED", subject, "the signature\(domain) does not hold: dkim=\(Self.shown(failed.verdict))",
            failed.verdict == "temperror" || failed.verdict == "permerror"
                ? "The receiver could not read the key: homing doctor looks for its record."
                : "Something changed the letter after it was signed, or the DNS has another key: what is said here about its "
                    + "text and links tells which.")
    }

    private func judge(spf: [AuthenticationResults.Result], _ sent: [String], isSigned: Bool) -> Finding {
        if let domain = sent.first {
            return .ok("LETTER_SPF_OK", subject, "the relay may send for \(Self.shown(domain))")
        }
        guard let failed = spf.first(where: { $0.verdict != "none" }) else {
            return .warning(
                "LETTER_SPF_MISSING", subject, "the envelope's domain says nothing about who may send",
                "Publish the SPF record that the relay or provider shows.")
        }
        let domain = Self.envelopeDomain(failed).map { " for \(Self.shown($0))" } ?? ""
        let seen = "the relay may not send\(domain): spf=\(Self.shown(failed.verdict))"
        let advice = "Put the relay's or provider's include into the domain's one SPF record."
        return isSigned
            ? .warning("LETTER_SPF_FAILED", subject, seen, advice)
            : .problem("LETTER_SPF_FAILED", subject, seen, advice)
    }

    private static func signer(_ result: AuthenticationResults.Result) -> String? {
        (result["header.d"] ?? result["header.i"]).map(bare)
    }

    private static func envelopeDomain(_ result: AuthenticationResults.Result) -> String? {
        (result["smtp.mailfrom"] ?? result["smtp.helo"]).map(bare)
    }

    /// The domain of an identity, which may have a name before it.
    private static func bare(_ text: String) -> String {
        ASCII.lowercased(text.split(separator: "@").last ?? "")
    }
}
