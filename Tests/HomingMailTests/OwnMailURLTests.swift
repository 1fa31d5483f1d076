// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingMail
import HomingTesting
import Testing

@Suite struct `The URL of a project's transport` {
    @Test(arguments: [
        ("resend:key@", "resend:", "key"), ("resend://key@?connections=2", "resend://?connections=2", "key"),
        ("resend:", "resend:", nil),
        ("ses://AKIA:s%2Fx@eu-west-1", "ses://AKIA@eu-west-1", "s/x"),
        ("ses:AKIA@eu-west-1", "ses:AKIA@eu-west-1", nil),
        ("mailgun://key@mg.example?region=eu", "mailgun://mg.example?region=eu", "key"),
        ("gmail://s@ann@shop.example", "gmail://ann@shop.example", "s"),
        ("smtps://ann:p%40ss@smtp.example:465", "smtps://ann@smtp.example:465", "p@ss"),
        ("smtp://smtp.example", "smtp://smtp.example", nil),
    ])
    func `gives its secret away, and is read again as the same place`(text: String, bare: String, secret: String?)
        throws
    {
        let url = try OwnMailURL(parsing: text, isPublicOnly: true)
        #expect(url.text == bare && url.secret == secret)
        #expect(url.needsSecret == (bare != "smtp://smtp.example"))
        if secret != nil { #expect(!"\(url) \(String(reflecting: url))".contains("key@")) }
        let again = try OwnMailURL(parsing: bare, isPublicOnly: true)
        #expect(again.destination == url.destination && again.secret == nil)
    }

    @Test func `is one place however many connections there are, and however its host is written`() throws {
        let places = try ["smtps://ann@smtp.example", "smtps://ann@SMTP.Example:465?connections=3"].map {
            try OwnMailURL(parsing: $0, isPublicOnly: true).destination
        }
        #expect(places[0] == places[1])
    }

    @Test(arguments: [
        ("smtps://ann@smtp.example", "smtp://ann@smtp.example:465"),
        ("smtps://ann@smtp.example", "smtps://bob@smtp.example"),
        ("smtps://ann@smtp.example", "smtps://ann@smtp.example:2465"),
        ("smtps://ann@smtp.example", "smtps://ann@smtp.example.evil"),
        (
            "smtps://ann@smtp.example?oauth=custom&client=c&token-url=https://a.example/t",
            "smtps://ann@smtp.example?oauth=custom&client=c&token-url=https://b.example/t"
        ),
        ("mailgun://mg.example", "mailgun://mg.example?region=eu"), ("resend:", "postmark:"),
        ("resend:", "resend:?endpoint=https://evil.example"), ("ses://AKIA@eu-west-1", "ses://AKIB@eu-west-1"),
        ("ses://AKIA@eu-west-1", "ses://AKIA@us-east-1"),
        ("webhook+https://h.example/a", "webhook+https://h.example/b"),
    ])
    func `is another place for another host, user or endpoint`(one: String, other: String) throws {
        let places = try [one, other].map { try OwnMailURL(parsing: $0, isPublicOnly: true).destination }
        #expect(places[0] != places[1])
    }

    @Test(arguments: [
        "resend:?secret-file=/etc/passwd", "smtp://ann@smtp.example?secret-file=/etc/passwd",
        "smtp://ann:hunter2@smtp.example?ca=/etc/passwd", "webhook+https://h.example/x?ca=/etc/passwd", "mailbox:",
        "none", "", "pigeon:hunter2@", "file:///etc/passwd",
    ])
    func `names no file of the server, and keeps or drops no mail`(text: String) throws {
        let fault = #expect(throws: MailURLFault.self) { try OwnMailURL(parsing: text, isPublicOnly: false) }
        #expect(try !#require(fault).sentence.contains("hunter2"))
    }

    @Test(arguments: [
        "smtp://127.0.0.1", "smtp://localhost:25", "smtp://[::1]", "smtp://10.1.2.3", "smtps://ann@[fd00::1]",
        "webhook+https://192.168.0.1/x", "resend:?endpoint=http://127.0.0.1:8",
        "resend:?endpoint=https://169.254.169.254",
        "smtp://ann@smtp.example?oauth=custom&client=c&token-url=https://169.254.169.254/token",
    ])
    func `leads to no private address unless the server's operator allows it`(text: String) throws {
        let fault = #expect(throws: MailURLFault.self) { try OwnMailURL(parsing: text, isPublicOnly: true) }
        #expect(try #require(fault).sentence.contains("mail.privateAddresses"))
        _ = try OwnMailURL(parsing: text, isPublicOnly: false)
    }

    @Test func `makes a way with its secret, of the form that the provider's secrets have`() throws {
        let hook = try OwnMailURL(parsing: "webhook+https://h.example/x", isPublicOnly: true)
        #expect(throws: MailURLFault.self) { try hook.relay(secret: nil) }
        #expect(throws: MailURLFault.self) { try hook.relay(secret: "hunter2") }
        guard case .provider(let url, _) = try hook.relay(secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw") else {
            Issue.record("no provider")
            return
        }
        #expect(url.isPublicOnly)
    }

    @Test func `a relay is not reached at a private address, whatever name leads there`() async throws {
        try await withRelay(adjusting: { $0 = $0.publicOnly }) { relay, transport in
            guard case .relayUnavailable(let reason, _) = await transport.deliver(.plain()) else {
                Issue.record("a connection was made")
                return
            }
            #expect(reason.contains("its host leads to no address of the internet"))
            #expect(relay.connectionCount == 0)
        }
    }
}
