// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingMail
import HomingProjects
import HomingStore
import HomingTesting
import Testing

/// Whether mail works, as operators see it in the console.
@Suite struct MailStateTests {
    private static let banner = "Emails are queued. The relay has refused this server since "

    private func owe(_ homing: TestHoming) async throws -> String {
        try await homing.outbox.enqueueTest(
            to: try EmailAddress(parsing: TestHoming.ann), in: homing.shop, by: .command)
    }

    /// The figure that Prometheus reads; nil where there is none.
    private func isUp(_ server: LiveServer) async throws -> String? {
        let page = try await server.admin.get("/metrics", headers: [("Authorization", "Bearer owner")]).text
        return page.firstMatch(of: /\nhoming_mail_transport_up (\d)\n/).map { String($0.1) }
    }

    @Test func `what the last nightly probe found is a figure that Prometheus reads`() async throws {
        try await withHoming { homing in
            try await withServer(homing, acceptsOwner: true) { server in
                func figures() async throws -> [String] {
                    let page = try await server.admin.get("/metrics", headers: [("Authorization", "Bearer owner")]).text
                    return page.matches(of: /\nhoming_mail_probe_([a-z_]+ \d+)(?=\n)/).map { String($0.1) }
                }
                #expect(try await figures() == [])
                var result = LetterProbeResult(at: 0, sent: 8, arrived: 8, seconds: 7, findings: [])
                try await homing.outbox.keep(result)
                #expect(try await figures() == ["ok 1", "arrival_seconds 7"])
                let problem = LetterProbeResult.Finding(
                    level: "problem", code: "LETTER_SPAM", subject: "a", seen: "b", advice: "c")
                result = LetterProbeResult(at: 0, sent: 8, arrived: 8, seconds: 9, findings: [problem])
                try await homing.outbox.keep(result)
                #expect(try await figures() == ["ok 0", "arrival_seconds 9"])
                #expect(try await homing.outbox.lastProbe() == result)
                try await homing.outbox.keep(
                    LetterProbeResult(at: 0, sent: 8, arrived: 0, seconds: nil, findings: []))
                #expect(try await figures() == ["ok 0"])
            }
        }
    }

    @Test func `every page of a project says that mail is away, and stops when a mail goes again`() async throws {
        try await withHoming { homing in
            try await withServer(homing, acceptsOwner: true) { server in
                let editor = try await ConsoleVisitor(.editor, homing, server)
                _ = try await owe(homing)
                try await homing.deliver()
                for path in ["", "mail"] {
                    let text = try await editor.get(path).text
                    for word in ["relay.example", "noreply@shop.example", "works"] {
                        #expect(text.contains(word), "\(path): \(word)")
                    }
                    #expect(!text.contains("Emails are queued."))
                }
                #expect(try await isUp(server) == "1")

                homing.transport.answer(.relayRefusesUs("535 5.7.8 <b>no</b> to Ann@home.example"))
                _ = try await owe(homing)
                try await homing.deliver()
                for path in ["", "mail", "domains", "accounts", "templates"] {
                    #expect(try await editor.get(path).text.contains(Self.banner), "\(path)")
                }
                #expect(!(try await editor.get("/console/").text.contains("Emails are queued.")))
                #expect(try await isUp(server) == "0")
                let overview = try await editor.get("").text
                #expect(overview.contains("<bdi>535 5.7.8 &lt;b&gt;no&lt;/b&gt; to (an address)</bdi>"))
                #expect(overview.contains("refuses this server") && overview.contains("homing reload"))
                let viewer = try await ConsoleVisitor(.viewer, homing, server)
                let seen = try await viewer.get("").text
                #expect(seen.contains(Self.banner) && seen.contains("<bdi>535 5.7.8 …</bdi>"))

                homing.clock.advance(seconds: 60)
                try await homing.deliver()
                for path in ["", "mail", "domains"] {
                    #expect(!(try await editor.get(path).text.contains("Emails are queued.")), "\(path)")
                }
                #expect(try await editor.get("mail").text.contains(">works<"))
                #expect(try await isUp(server) == "1")
            }
        }
    }

    @Test func `the form for a test mail waits for the answer, and the page after it has the relay's words`()
        async throws
    {
        try await withHoming { homing in
            try await withServer(homing, consolePatience: .seconds(10)) { server in
                let editor = try await ConsoleVisitor(.editor, homing, server)
                homing.transport.answer(.temporary(reply: "451 <i>later</i>"))
                /// Where the form leads, and what the relay had said by then.
                func send() async throws -> (path: String?, reply: String?) {
                    let answer = try await editor.send("mail", [("do", "test"), ("address", "bob@home.example")])
                    let mail = try await homing.outbox.newest(in: homing.shop, limit: 1).first
                    return (answer.header("Location"), mail?.lastReply)
                }
                async let sent = send()
                while try await homing.outbox.newest(in: homing.shop, limit: 1).isEmpty {
                    try await Task.sleep(for: .milliseconds(5))
                }
                try await homing.deliver()
                let (path, reply) = try await sent
                #expect(reply == "451 <i>later</i>")
                let page = try await editor.get(try #require(path)).text
                #expect(page.contains("has not been taken yet; it is tried again."))
                #expect(page.contains("Last response: <bdi>451 &lt;i&gt;later&lt;/i&gt;</bdi>"))
            }
        }
    }

    @Test func `a relay that takes its time has a test mail under way, and its page says later what came of it`()
        async throws
    {
        try await withHoming { homing in
            try await withServer(homing, consolePatience: .milliseconds(1)) { server in
                let editor = try await ConsoleVisitor(.editor, homing, server)
                let sent = try await editor.send("mail", [("do", "test"), ("address", "bob@home.example")])
                let path = try #require(sent.header("Location"))
                #expect(try await editor.get(path).text.contains("This test email is under way: no answer yet."))
                try await homing.deliver()
                let page = try await editor.get(path).text
                #expect(page.contains("The relay has taken this test email. Last response: <bdi>250 kept</bdi>"))
            }
        }
    }
}
