// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingMail
import Testing

/// URLs of transports in parts, as a form shows them.
@Suite struct MailURLPartsTests {
    @Test(arguments: [
        "ses://AKIA%2F1@eu-west-1", "graph://noreply@shop.example?tenant=T&client=C", "gmail://noreply@shop.example",
        "resend:", "mailgun://mg.shop.example?region=eu", "sendgrid:", "sendgrid:?region=eu",
        "scaleway://P?region=fr-par", "webhook+https://hooks.shop.example/mail",
    ])
    func `a provider's URL is that of its parts`(url: String) throws {
        let provider = try #require(MailProvider.of(url))
        let parts = try #require(provider.parts(of: url))
        #expect(provider.url(of: parts) == url)
        #expect(provider.parts.allSatisfy { !$0.isRequired || parts[$0.name]?.isEmpty == false })
    }

    @Test(arguments: ["resend:?endpoint=http://127.0.0.1:9", "ses://KEY@eu-west-1?connections=3", "mailgun:"])
    func `a provider's URL that says more than its parts has none`(url: String) throws {
        #expect(try #require(MailProvider.of(url)).parts(of: url) == nil)
    }

    @Test func `every provider's URL can be made of its parts`() throws {
        for provider in MailProvider.all {
            let value = provider.scheme.hasPrefix("webhook") ? "hooks.shop.example/mail" : "eu"
            let parts = Dictionary(uniqueKeysWithValues: provider.parts.map { ($0.name, value) })
            let url = provider.url(of: parts)
            #expect(MailProvider.of(url)?.scheme == provider.scheme && !url.isEmpty, "\(url)")
        }
    }

    @Test(arguments: [
        ("smtps://u%40shop.example@smtp.example.net", SMTPRelayParts.Encryption.tls, ""),
        ("smtp://user@smtp.example.net:587", SMTPRelayParts.Encryption.startTLS, "587"),
        ("smtp://smtp.example.net:2525?tls=required", SMTPRelayParts.Encryption.startTLS, "2525"),
        ("smtp://smtp.example.net", SMTPRelayParts.Encryption.offered, ""),
        ("smtp://[2001:db8::1]:25", SMTPRelayParts.Encryption.offered, "25"),
    ])
    func `a relay's URL is that of its parts`(
        url: String, encryption: SMTPRelayParts.Encryption, port: String
    ) throws {
        let parts = try #require(SMTPRelayParts(of: url))
        #expect(parts.encryption == encryption && parts.port == port)
        #expect(parts.url == url)
    }

    @Test(arguments: [
        "smtp://relay.example?connections=2", "smtps://u@relay.example?oauth=google", "smtp://u:p@relay.example",
        "mailbox:",
    ])
    func `a relay's URL that says more than its parts has none`(url: String) {
        #expect(SMTPRelayParts(of: url) == nil)
    }
}
