// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingMail

/// Judges the relay's replies.
package struct RelayCheck: Sendable {
    package let relay: SMTPRelay

    package init(relay: SMTPRelay) {
        self.relay = relay
    }

    /// The relay's URL without user and password.
    package var subject: String {
        "\(relay.speaksTLSAtOnce ? "smtps" : "smtp")://\(relay.host):\(relay.port)"
    }

    package func findings(_ look: RelayLook, now: Int64) -> [Finding] {
        switch look.ending {
        case .unreachable(let reason):
            return [
                .problem(
                    "RELAY_UNREACHABLE", subject, reason,
                    "Correct host and port in HOMING_MAIL_URL, and see that this network lets the port out.")
            ]
        case .refused(let reply):
            return [
                .problem(
                    "RELAY_REFUSES_US", subject, "the relay says: \(reply)",
                    "Allow this machine's address at the relay, or give the user and password that it wants.")
            ]
        case .tlsNotOffered:
            return [
                .problem(
                    "RELAY_TLS_NOT_OFFERED", subject, "the relay offers no STARTTLS, and without TLS nothing is sent",
                    "Use the relay's submission port (587) or smtps:// (465), or switch TLS on there.")
            ]
        case .tlsFailed(let reason):
            if let certificate = look.certificate {
                return certificate.findings(subject, prefix: "RELAY_CERTIFICATE", now: now)
            }
            return [
                .problem(
                    "RELAY_TLS_FAILED", subject, reason,
                    "Use smtp:// for a port that begins with plain text and smtps:// for one that does not; check ?ca=FILE."
                )
            ]
        case .passwordRefused(let reply):
            return encryption(look, now)
                + [
                    .problem(
                        "RELAY_AUTH_REFUSED", subject, "the relay says: \(reply)",
                        advice(for: reply)
                            ?? "Correct user and password in HOMING_MAIL_URL; special characters are percent-encoded.")
                ]
        case .noToken(let fault):
            return [
                (fault.isTemporary ? Finding.warning : Finding.problem)(
                    "RELAY_TOKEN_MISSING", tokenURL, fault.sentence,
                    "Correct the access to tokens in HOMING_MAIL_URL: docs/mail-oauth.md.")
            ]
        case .tokensNotOffered:
            return encryption(look, now)
                + [
                    .problem(
                        "RELAY_AUTH_NOT_OFFERED", subject, "the relay offers no AUTH with \(mechanism)",
                        "Use the relay's submission port (587 or 465), or the other mechanism "
                            + "(&mechanism=xoauth2, &mechanism=oauthbearer).")
                ]
        case .tokenRefused(let reply):
            return encryption(look, now)
                + [
                    .problem(
                        "RELAY_AUTH_REFUSED", subject, "to the access token the relay says: \(reply)",
                        advice(for: reply)
                            ?? "See that the user is the mailbox, and that the token's client may send for it.")
                ]
        case .senderRefused(let sender, let reply):
            return encryption(look, now) + authentication(look)
                + [
                    refusal(
                        "RELAY_REFUSES_SENDER", "MAIL FROM:<\(sender)>", reply,
                        "Set HOMING_MAIL_FROM to an address that this relay lets you send from, or allow it there.")
                ]
        case .recipientRefused(let recipient, let reply):
            return encryption(look, now) + authentication(look)
                + [
                    refusal(
                        "RELAY_REFUSES_RECIPIENT", "RCPT TO:<\(recipient)>", reply,
                        "Allow this server to send to everybody through the relay: with a user and a password, or by its "
                            + "address.")
                ]
        case .ready:
            return [.ok("RELAY_OK", subject, "the relay answers")] + encryption(look, now) + authentication(look)
                + tracking
        }
    }

    /// A temporary refusal, such as a greylist's, ends by itself.
    private func refusal(_ code: String, _ command: String, _ reply: String, _ advice: String) -> Finding {
        let known = self.advice(for: reply)
        let isTemporary = reply.utf8.first == UInt8(ascii: "4") && known == nil
        let finding = isTemporary ? Finding.warning : Finding.problem
        return finding(code, subject, "to \(command) the relay says: \(reply)", known ?? advice)
    }

    private func advice(for reply: String) -> String? { ProviderReply.find(reply, from: relay)?.advice }

    private var tokenURL: String { relay.tokenLogin?.grant.tokenURL ?? subject }
    private var mechanism: String { relay.tokenLogin?.mechanism.name ?? "PLAIN or LOGIN" }

    /// Mail services that count clicks: they put a host of their own into every link, unless told not to, which a mail
    /// tells some of them itself.
    private static let trackers = [
        "mandrillapp.com", "mailjet.com", "brevo.com",
        "sendinblue.com", "mailersend.net", "elasticemail.com",
    ]

    private var tracking: [Finding] {
        let host = relay.host.lowercased()
        guard Self.trackers.contains(where: { host == $0 || host.hasSuffix(".\($0)") }) else { return [] }
        return [
            .warning(
                "RELAY_MAY_REWRITE_LINKS", subject,
                "this service replaces the links in emails unless click tracking is off; such a link opens no app",
                "Switch click tracking off for these emails in the service's settings, then look at a link in one.")
        ]
    }

    private func encryption(_ look: RelayLook, _ now: Int64) -> [Finding] {
        guard look.isEncrypted else {
            guard relay.security != .none else { return [.ok("RELAY_LOCAL", subject, "on this machine, without TLS")] }
            return [
                .warning(
                    "RELAY_NOT_ENCRYPTED", subject, "the relay offers no TLS: codes travel as plain text",
                    "Switch TLS on there, and add ?tls=required to HOMING_MAIL_URL.")
            ]
        }
        let certificate = look.certificate?.findings(subject, prefix: "RELAY_CERTIFICATE", now: now) ?? []
        let encrypted = Finding.ok("RELAY_TLS_OK", subject, "the connection is encrypted")
        guard relay.security != .verified, look.certificate?.fault != nil else { return [encrypted] + certificate }
        return [
            encrypted,
            .warning(
                "RELAY_CERTIFICATE_UNCHECKED", subject,
                (certificate.first?.seen ?? "the certificate is not valid") + "; it is taken all the same",
                "Mend the certificate, then add ?tls=required to HOMING_MAIL_URL."),
        ]
    }

    private func authentication(_ look: RelayLook) -> [Finding] {
        guard relay.credentials != nil || relay.tokenLogin != nil else { return [] }
        guard look.hasSeenPassword else {
            return [
                .problem(
                    "RELAY_AUTH_NOT_OFFERED", subject, "the relay offers no AUTH with PLAIN or LOGIN",
                    "Take user and password out of HOMING_MAIL_URL, or use the port that wants them (587, 465).")
            ]
        }
        let isToken = relay.tokenLogin != nil
        return [
            .ok("RELAY_AUTH_OK", subject, isToken ? "the access token is accepted" : "user and password are accepted")
        ]
    }
}
