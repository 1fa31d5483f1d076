// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingMail
import HomingProjects
import HomingServer
import HomingStore
import HomingTesting
import Testing

/// Sender domains and transports of a project, as they are set in the console.
@Suite struct `Mail settings in the console` {
    private static let domains = "mail/domains"
    private static let transport = "mail/transport"

    /// The DNS has the records of all keys, and nothing else.
    private static let keysOnly: @Sendable (SenderDomainLook) async -> [SenderDomainRecord] = { look in
        look.records.map { record in
            var record = record
            record.state = record.selector == nil ? .missing : .published
            return record
        }
    }

    private static func allowPrivateAddresses(_ homing: TestHoming, _ isAllowed: Bool = true) {
        var mail = ServerMail()
        mail.sender = "Server <noreply@shop.example>"
        mail.reachesPrivateAddresses = isAllowed
        homing.core.serverMail.set(mail)
    }

    // MARK: Sender domains

    @Test func `a sender domain is added, its records are shown, and mails are signed once they were seen`()
        async throws
    {
        try await withHoming { homing in
            // Who hands mails over is known from then on.
            _ = try await homing.outbox.enqueueTest(
                to: try EmailAddress(parsing: TestHoming.ann), in: homing.shop, by: .command)
            try await homing.deliver()
            try await withServer(homing, senderDomains: Self.keysOnly) { server in
                let editor = try await ConsoleVisitor(.editor, homing, server)
                let added = try await editor.send(Self.domains, [("add", "Mail.Shop.Example")])
                #expect(added.status == 303)
                let keys = try homing.shop.senderDomainKeys
                #expect(keys.count == 2)
                let page = try await editor.get(Self.domains).text
                for key in keys {
                    #expect(page.contains("<code>\(key.selector)._domainkey</code>"))
                    #expect(page.contains("<code>\(key.recordName)</code>"))
                    #expect(page.contains("<code>\(key.record)</code>"))
                }
                #expect(page.contains("<code>_dmarc</code>") && page.contains("v=DMARC1; p=none"))
                #expect(page.contains("<code>@</code>") && page.contains("v=spf1 include:YOUR-RELAY ~all"))
                #expect(page.contains("not signed yet") && page.contains(">waiting<"))

                let looked = try await editor.send(Self.domains, [("look", "mail.shop.example")])
                #expect(looked.status == 200 && looked.text.contains("As the DNS has it now."))
                #expect(looked.text.contains(">published<") && looked.text.contains(">missing<"))
                #expect(looked.text.contains("Emails from this domain are signed."))
                #expect(try homing.shop.signingKeys(for: "mail.shop.example").count == 2)
                let log = try await homing.audit.list(project: "shop")
                let mine = log.filter { $0.author == "editor0@example.com" }.map(\.action)
                #expect(Set(mine).isSuperset(of: ["senderDomain.add", "senderDomain.use"]))
            }
        }
    }

    @Test func `keys of a sender domain are replaced and removed in the console`() async throws {
        try await withHoming { homing in
            try await withServer(homing, senderDomains: Self.keysOnly) { server in
                let editor = try await ConsoleVisitor(.editor, homing, server)
                #expect(try await editor.send(Self.domains, [("add", "shop.example")]).status == 303)
                #expect(try await !editor.get(Self.domains).text.contains("Make new keys"), "the first ones wait")
                _ = try await editor.send(Self.domains, [("look", "shop.example")])
                #expect(try await editor.get(Self.domains).text.contains("Make new keys for shop.example"))
                homing.clock.advance(seconds: 60)
                #expect(try await editor.send(Self.domains, [("rotate", "shop.example")]).status == 303)
                #expect(try homing.shop.senderDomainKeys.count == 4)
                #expect(try homing.shop.signingKeys(for: "shop.example").count == 2, "the present ones sign on")
                #expect(try await editor.send(Self.domains, [("remove", "shop.example")]).status == 303)
                #expect(try homing.shop.senderDomainKeys.isEmpty)
            }
        }
    }

    @Test func `a domain that cannot be is refused beside the field, and one of nobody is not there`() async throws {
        try await withHoming { homing in
            try await withServer(homing, senderDomains: Self.keysOnly) { server in
                let editor = try await ConsoleVisitor(.editor, homing, server)
                for text in ["", "https://shop.example/", "<b>.example"] {
                    let refused = try await editor.send(Self.domains, [("add", text)])
                    #expect(refused.status == 400 && refused.faults.keys.sorted() == ["add"], "\(text)")
                }
                #expect(try await editor.send(Self.domains, [("add", "shop.example")]).status == 303)
                let again = try await editor.send(Self.domains, [("add", "shop.example")])
                #expect(again.faults["add"]?.contains("has keys for shop.example") == true)
                for action in ["look", "rotate", "remove"] {
                    #expect(try await editor.send(Self.domains, [(action, "other.example")]).status == 404, "\(action)")
                }
            }
        }
    }

    @Test func `a viewer reads records and transports, and changes neither`() async throws {
        try await withHoming { homing in
            Self.allowPrivateAddresses(homing)
            let draft = OwnMailTransport.Draft(
                url: "resend:", destination: "resend", needsSecret: true, secret: "re_of_the_shop",
                sender: "Shop <mail@shop.example>")
            try await homing.projects.setMailTransport(draft, of: "shop", by: .command)
            let token = try #require(try homing.shop.ownTransport?.eventsToken)
            try await homing.core.makeSenderDomainKeys(
                for: "shop.example", of: "shop", isRotation: false, by: .command)
            try await withServer(homing, senderDomains: Self.keysOnly) { server in
                let viewer = try await ConsoleVisitor(.viewer, homing, server)
                let editor = try await ConsoleVisitor(.editor, homing, server)
                let records = try await viewer.get(Self.domains).text
                #expect(records.contains("_domainkey") && !records.contains(">Refresh<"))
                for path in ["mail", Self.transport] {
                    let page = try await viewer.get(path).text
                    #expect(page.contains("<code>resend:</code>") && page.contains("mail@shop.example"), "\(path)")
                    #expect(!page.contains(token) && !page.contains("Send a test email and keep"), "\(path)")
                    let full = try await editor.get(path).text
                    #expect(full.contains("/_/mail-events/\(token)") && !full.contains("re_of_the_shop"), "\(path)")
                }
                for (path, fields) in [
                    (Self.domains, [("add", "b.example")]), (Self.domains, [("look", "shop.example")]),
                    (Self.transport, [("do", "remove")]), (Self.transport, [("do", "set"), ("url", "resend:")]),
                ] {
                    #expect(try await viewer.send(path, fields).status == 403, "\(path) \(fields)")
                }
                #expect(try homing.shop.ownTransport != nil)
            }
        }
    }

    // MARK: Transports

    @Test func `a transport is in force once it has taken a test mail, and nothing is changed when it refuses`()
        async throws
    {
        let relay = try await ScriptedRelay.start()
        try await withHoming { homing in
            Self.allowPrivateAddresses(homing)
            try await withServer(homing) { server in
                let editor = try await ConsoleVisitor(.editor, homing, server)
                let wanted = [
                    ("do", "set"), ("url", relay.url), ("sender", "Shop <mail@shop.example>"), ("fallsBack", "true"),
                    ("address", "bob@home.example"),
                ]
                relay.behave(.reply(550, "<b>no</b>"), at: .recipient)
                let refused = try await editor.send(Self.transport, wanted)
                #expect(refused.status == 400 && refused.text.contains("nothing has been changed"))
                #expect(refused.text.contains("&lt;b&gt;no&lt;/b&gt;") && !refused.text.contains("<b>no</b>"))
                #expect(refused.value(of: "sender") == "Shop &lt;mail@shop.example&gt;", "what was typed stays")
                #expect(try homing.shop.ownTransport == nil)

                relay.behaveWell()
                let taken = try await editor.send(Self.transport, wanted)
                #expect(taken.status == 200 && taken.text.contains("The test email was taken"))
                let own = try #require(try homing.shop.ownTransport)
                #expect(own.url == relay.url && own.sender == "Shop <mail@shop.example>" && own.fallsBack)
                let mail = try #require(relay.messages.last { $0.isAccepted })
                #expect(mail.sender == "mail@shop.example" && mail.recipients == ["bob@home.example"])
                #expect(try await editor.get("mail").text.contains("<code>\(relay.url)</code>"))
                let log = try await homing.audit.list(project: "shop").map(\.action)
                #expect(log.count { $0 == "mail.test" } == 2 && log.count { $0 == "mailTransport.set" } == 1)

                #expect(try await editor.send(Self.transport, [("do", "remove")]).status == 303)
                #expect(try homing.shop.ownTransport == nil)
            }
        }
        await relay.stop()
    }

    @Test func `a tenant has a transport of its own, and without one its project's`() async throws {
        let relay = try await ScriptedRelay.start()
        try await withHoming { homing in
            Self.allowPrivateAddresses(homing)
            let tenant = try await homing.projects.createTenant("retail", named: "Retail", in: "shop", by: .command)
            let path = "/console/projects/shop%2F\(try #require(tenant.tenant).id)/mail/transport"
            let draft = OwnMailTransport.Draft(
                url: "smtp://of-the-shop.example", destination: "shop", needsSecret: false, secret: nil)
            try await homing.projects.setMailTransport(draft, of: "shop", by: .command)
            try await withServer(homing) { server in
                let editor = try await ConsoleVisitor(.editor, homing, server)
                let before = try await editor.get(path).text
                #expect(before.contains("smtp://of-the-shop.example") && before.contains("<code>shop</code>"))
                #expect(!before.contains("Remove the transport"), "it is its project's")
                let taken = try await editor.send(
                    path, [("do", "set"), ("url", relay.url), ("address", "bob@home.example")])
                #expect(taken.status == 200 && taken.text.contains("Remove the transport"))
                #expect(homing.projects.projectOrTenant(tenant.scope)?.ownTransport?.url == relay.url)
                #expect(try homing.shop.ownTransport?.url == "smtp://of-the-shop.example")
                #expect(relay.messages.last?.sender == "noreply@shop.example", "the server's sender")
            }
        }
        await relay.stop()
    }

    @Test func `a relay is set up in fields, and the page shows them again`() async throws {
        let relay = try await ScriptedRelay.start()
        try await withHoming { homing in
            Self.allowPrivateAddresses(homing)
            try await withServer(homing) { server in
                let editor = try await ConsoleVisitor(.editor, homing, server)
                let port = try #require(relay.url.split(separator: ":").last)
                let taken = try await editor.send(
                    Self.transport,
                    [
                        ("do", "set"), ("kind", "smtp"), ("host", "127.0.0.1"), ("port", "\(port)"),
                        ("encryption", "offered"), ("address", "bob@home.example"),
                    ])
                #expect(taken.status == 200, "\(taken.faults)")
                #expect(try homing.shop.ownTransport?.url == "smtp://127.0.0.1:\(port)")
                #expect(taken.value(of: "host") == "127.0.0.1" && taken.value(of: "port") == "\(port)")
                #expect(taken.text.contains("<option value=\"smtp\" selected>SMTP relay"))
            }
        }
        await relay.stop()
    }

    private static let wrong: [(fields: [(String, String)], field: String, sentence: String)] = [
        ([("url", "smtp://127.0.0.1:2525")], "url", "private network"),
        ([("url", "mailbox:")], "url", "Accepted is smtp://"),
        ([("url", "smtps://user@smtp.example.net?secret-file=/etc/passwd")], "url", "a file of the server"),
        ([("url", "resend:")], "secret", "The secret is missing"),
        ([("kind", "smtp")], "host", "Type the relay's name alone"),
        ([("kind", "smtp"), ("host", "u:hunter22@smtp.example.net")], "host", "Type the relay's name alone"),
        ([("kind", "smtp"), ("host", "127.0.0.1")], "host", "private network"),
        ([("kind", "smtp"), ("host", "smtp.example.net"), ("port", "99999")], "port", "from 1 to 65535"),
        ([("kind", "smtp"), ("host", "smtp.example.net"), ("secret", "hunter22")], "user", "Type the user"),
        ([("kind", "smtp"), ("host", "smtp.example.net"), ("user", "u")], "secret", "The secret is missing"),
        ([("kind", "ses"), ("part:region", "eu-west-1"), ("secret", "hunter22")], "part:access key id", "needs this"),
        ([("url", "resend:"), ("secret", "hunter22"), ("sender", "nobody")], "sender", "A sender is an address"),
        ([("url", "smtps://user:hunter22@smtp.example.net"), ("sender", "no")], "sender", "A sender is an address"),
        ([("url", "smtps://user:hunter22@smtp.example.net:99999")], "url", " "),
        (
            [("url", "smtps://user:hunter22@smtp.example.net"), ("secret", "hunter22")], "secret",
            "There are two secrets"
        ),
    ]

    @Test func `what cannot be is said beside its field, and no secret comes back`() async throws {
        try await withHoming { homing in
            Self.allowPrivateAddresses(homing, false)
            try await withServer(homing) { server in
                let editor = try await ConsoleVisitor(.editor, homing, server)
                for (fields, field, sentence) in Self.wrong {
                    let page = try await editor.send(
                        Self.transport, [("do", "set"), ("address", "bob@home.example")] + fields)
                    #expect(page.status == 400, "\(fields)")
                    #expect(page.faults[field]?.contains(sentence) == true, "\(fields): \(page.faults)")
                    #expect(!page.text.contains("hunter22"), "\(fields)")
                }
                #expect(try homing.shop.ownTransport == nil)
                #expect(try await homing.audit.list(project: "shop").allSatisfy { $0.action != "mail.test" })
            }
        }
    }

    // MARK: Whether mail works

    @Test func `a template's test mail is waited for, and its page has the relay's words`() async throws {
        try await withHoming { homing in
            try await withServer(homing, consolePatience: .milliseconds(1)) { server in
                let editor = try await ConsoleVisitor(.editor, homing, server)
                let sent = try await editor.send(
                    "templates/PASSWORD_RESET/de", [("way", "test"), ("address", "bob@home.example")])
                let path = try #require(sent.header("Location"))
                #expect(try await editor.get(path).text.contains("This test email is under way: no answer yet."))
                try await homing.deliver()
                #expect(try await editor.get(path).text.contains("Last response: <bdi>250 kept</bdi>"))
            }
        }
    }

    @Test func `only the pages of a project whose transport is away say that its mails wait`() async throws {
        try await withHoming { homing in
            _ = try await homing.projects.create(
                id: "other", name: nil, apiKey: nil, authorizedDomains: [], linkDomains: [], language: nil)
            let draft = OwnMailTransport.Draft(
                url: "smtp://smtp.example.net", destination: "shop", needsSecret: false, secret: nil)
            try await homing.projects.setMailTransport(draft, of: "shop", by: .command)
            let now = homing.clock.now
            homing.outbox.describesMail {
                [
                    MailState(
                        transport: "the relay", host: "relay.example", sender: "a@b.example", hasAnswered: true,
                        away: nil),
                    MailState(
                        owner: "shop", transport: "the relay", host: "smtp.example.net", sender: "a@b.example",
                        hasAnswered: true, away: MailState.Away(since: now, .silent, reply: "no route")),
                ]
            }
            try await withServer(homing) { server in
                let editor = try await ConsoleVisitor(.editor, homing, server)
                for path in ["", "mail", "apps", Self.domains, Self.transport] {
                    #expect(try await editor.get(path).text.contains("Emails are queued."), "\(path)")
                    let other = try await editor.get("/console/projects/other/\(path)").text
                    #expect(other.contains("<h1>") && !other.contains("Emails are queued."), "\(path)")
                }
            }
        }
    }
}
