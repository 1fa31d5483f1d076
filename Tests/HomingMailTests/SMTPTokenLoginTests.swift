// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
import HomingMail
import HomingTesting
import Testing

/// Mail through a relay that wants an access token.
@Suite(.timeLimit(.minutes(10)))
struct SMTPTokenLoginTests {
    private let endpoint = TokenEndpoint()

    private func withTokenRelay(
        _ mechanism: String = "xoauth2", offering extensions: [String] = ["AUTH PLAIN CRAM-MD5 XOAUTH2 OAUTHBEARER"],
        connections: Int = SMTPRelay.defaultConnections, _ body: (ScriptedRelay, SMTPTransport) async throws -> Void
    ) async throws {
        try await withRelay(
            extensions: extensions, fetch: endpoint.fetch,
            adjusting: { relay in
                let url =
                    "smtp://ann%40here.test:s3cret@127.0.0.1:\(relay.port)?oauth=custom"
                    + "&token-url=https://id.test/t&client=app&mechanism=\(mechanism)&connections=\(connections)"
                relay = (try? SMTPRelay(parsing: url)) ?? relay
                relay.security = .none
            }, body)
    }

    /// What stands behind `AUTH MECHANISM` in base64, with `^` for the control character that divides it.
    private func logins(_ relay: ScriptedRelay) -> [String] {
        relay.commands.filter { $0.hasPrefix("AUTH ") }.map { line in
            let words = line.split(separator: " ")
            let bytes = words.last.flatMap { Data(base64Encoded: String($0)) } ?? Data()
            return "\(words[1]) \(String(decoding: bytes, as: UTF8.self).replacing("\u{1}", with: "^"))"
        }
    }

    @Test func `the token is given as XOAUTH2, or as OAUTHBEARER where that is wanted`() async throws {
        try await withTokenRelay { relay, transport in
            #expect(await transport.deliver(.plain()).kind == "accepted")
            #expect(logins(relay) == ["XOAUTH2 user=ann@here.test^auth=Bearer token-1^^"])
        }
        try await withTokenRelay("oauthbearer") { relay, transport in
            #expect(await transport.deliver(.plain()).kind == "accepted")
            #expect(
                logins(relay) == [
                    "OAUTHBEARER n,a=ann@here.test,^host=127.0.0.1^port=\(relay.port)^auth=Bearer token-2^^"
                ])
        }
    }

    @Test func `a kept connection wants no further login, and twenty mails want one token`() async throws {
        // With room for another one, a mail that comes before the first connection is at rest opens it.
        try await withTokenRelay(connections: 1) { relay, transport in
            #expect(await transport.deliver(.plain()).kind == "accepted")
            #expect(await transport.deliver(.plain()).kind == "accepted")
            #expect(logins(relay).count == 1)
            let kinds = await withTaskGroup(of: String.self) { group in
                for _ in 0..<20 { group.addTask { await transport.deliver(.plain()).kind } }
                return await group.reduce(into: Set()) { $0.insert($1) }
            }
            #expect(kinds == ["accepted"])
            #expect(endpoint.forms.count == 1)
        }
    }

    @Test(arguments: [334, 535])
    func `a token that is refused is bought again, once`(_ code: Int) async throws {
        try await withTokenRelay { relay, transport in
            relay.behave(.reply(code, "eyJzdGF0dXMiOiI0MDAifQ=="), at: .authentication, times: 1)
            #expect(await transport.deliver(.plain()).kind == "accepted")
            #expect(logins(relay).map { $0.contains("token-2") } == [false, true])
        }
    }

    @Test(arguments: [334, 535])
    func `where the new one is refused as well an operator has to look`(_ code: Int) async throws {
        try await withTokenRelay { relay, transport in
            relay.behave(.reply(code, "5.7.3 no token-2"), at: .authentication)
            let outcome = await transport.deliver(.plain())
            #expect(outcome.kind == "relayRefusesUs")
            #expect(!outcome.words.contains("token-2"))
            #expect(logins(relay).count == 2 && endpoint.forms.count == 2)
            // The next mails buy none, until a while has gone.
            #expect(await transport.deliver(.plain()).kind == "relayRefusesUs")
            #expect(endpoint.forms.count == 2)
        }
    }

    @Test(arguments: [454, 432, 451])
    func `a relay that is busy at the login is asked later, with the same token`(_ code: Int) async throws {
        try await withTokenRelay { relay, transport in
            relay.behave(.reply(code, "4.7.0 later"), at: .authentication, times: 1)
            #expect(await transport.deliver(.plain()).kind == "relayUnavailable")
            #expect(await transport.deliver(.plain()).kind == "accepted")
            #expect(endpoint.forms.count == 1)
        }
    }

    @Test func `a relay that takes no tokens gets none`() async throws {
        try await withTokenRelay(offering: ["AUTH PLAIN LOGIN"]) { relay, transport in
            #expect(await transport.deliver(.plain()) == .relayRefusesUs("the relay does not offer XOAUTH2"))
            #expect(logins(relay).isEmpty)
        }
    }

    @Test func `without a token no relay is asked`() async throws {
        try await withTokenRelay { relay, transport in
            endpoint.answer(.json(401, #"{"error":"invalid_client","error_codes":[7000222]}"#))
            let outcome = await transport.deliver(.plain())
            #expect(outcome.kind == "relayRefusesUs")
            #expect(outcome.words.contains("AADSTS7000222") && outcome.words.utf8.count <= 200)
            #expect(relay.connectionCount == 0)
        }
        try await withTokenRelay { relay, transport in
            endpoint.answer(.json(503, "<html>"))
            #expect(await transport.deliver(.plain()).kind == "relayUnavailable")
            #expect(relay.connectionCount == 0)
        }
    }

    @Test(arguments: [
        (ScriptedRelay.Stage.sender, 550, "5.7.60 SMTP; Client does not have permissions", "relayRefusesUs"),
        (.message, 554, "5.2.252 SendAsDenied; ann not allowed to send as bob", "relayRefusesUs"),
        (.message, 554, "5.2.0 STOREDRV.Submission.Exception:SendAsDeniedException", "relayRefusesUs"),
        (.message, 430, "4.2.0 STOREDRV; mailbox logon failure", "relayRefusesUs"),
        (.message, 550, "5.7.708 Service unavailable", "relayRefusesUs"),
        (.message, 550, "5.4.5 Daily user sending limit exceeded", "relayRefusesUs"),
        (.message, 554, "5.2.0 mailbox unavailable", "permanent"),
        (.recipient, 550, "5.1.1 no such user", "permanent"), (.recipient, 550, "5.7.601 no", "permanent"),
        (.recipient, 451, "4.7.500 busy", "temporary"), (.message, 430, "4.2.0 later", "temporary"),
    ])
    func `what concerns all mails is not taken for a dead recipient`(
        _ stage: ScriptedRelay.Stage, _ code: Int, _ words: String, _ kind: String
    ) async throws {
        try await withTokenRelay { relay, transport in
            relay.behave(.reply(code, words), at: stage)
            #expect(await transport.deliver(.plain()).kind == kind)
        }
    }

    @Test func `only a provider's own host can stop all mails with such words`() throws {
        func advice(_ url: String, _ reply: String) throws -> String? {
            ProviderReply.find(reply, from: try SMTPRelay(parsing: url))?.advice
        }
        #expect(try advice("smtp://u:p@smtp.office365.com:587", "550 5.7.60 no")?.contains("SendAs") == true)
        #expect(try advice("smtp://u:p@smtp.gmail.com:587", "550 5.4.5 limit") != nil)
        #expect(try advice("smtp://u:p@smtp.gmail.com:587", "550 5.7.60 no") == nil)
        #expect(try advice("smtp://u:p@relay.test", "550 5.7.60 no") == nil)
        #expect(try advice("smtp://u:p@notgmail.com", "550 5.4.5 limit") == nil)
        let disabled = "535 5.7.139 Authentication unsuccessful, SmtpClientAuthentication is disabled for the Tenant."
        #expect(try advice("smtp://u:p@smtp.office365.com", disabled)?.contains("Set-CASMailbox") == true)
    }

    @Test(arguments: [
        ("smtp.postmarkapp.com", "X-PM-TrackLinks: None\r\n"), ("SMTP.eu.Mailgun.org", "X-Mailgun-Track: no\r\n"),
        ("smtp.sendgrid.net", #""unique_args":{"homing":"mail-1"}}"#),
        ("smtp.resend.com", "Resend-Idempotency-Key: mail-1\r\n"),
        ("email-smtp.eu-west-1.amazonaws.com", "X-SES-MESSAGE-TAGS: homing=mail-1\r\n"),
        ("smtp.sparkpostmail.com", #""click_tracking":false"#),
        ("smtp-relay.brevo.com", "X-Mailin-custom: mail-1\r\n"), ("in-v3.mailjet.com", "X-MJ-CustomID: mail-1\r\n"),
        ("live.smtp.mailtrap.io", #"X-MT-Custom-Variables: {"homing":"mail-1"}"#),
        ("smtp.tem.scaleway.com", "X-Homing-Mail: mail-1\r\n"),
        ("smtp.mailersend.net", "X-MailerSend-Tags: \"mail-1\"\r\n"),
    ])
    func `a provider's relay is told to leave links alone and what our id is`(host: String, field: String) {
        let message = Array("Subject: x\r\n\r\nhello\r\n".utf8)
        let text = String(decoding: RelayHeaders.add(to: message, of: "mail-1", through: host), as: UTF8.self)
        #expect(text.contains(field) && text.hasSuffix("\r\nSubject: x\r\n\r\nhello\r\n"))
    }

    @Test func `no other relay is told, nor is an id that could be a header`() {
        let message = Array("Subject: x\r\n\r\n".utf8)
        for host in [
            "relay.test", "notpostmarkapp.com", "ec2-1-2-3-4.compute.amazonaws.com", "postmarkapp.com.evil.test",
        ] {
            #expect(RelayHeaders.add(to: message, of: "mail-1", through: host) == message)
        }
        #expect(RelayHeaders.add(to: message, of: "a\r\nBcc: b", through: "smtp.resend.com") == message)
        #expect(RelayHeaders.add(to: message, of: nil, through: "smtp.resend.com") == message)
    }
}
