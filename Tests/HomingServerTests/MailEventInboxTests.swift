// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
import HomingCore
import HomingDatabase
import HomingProjects
import HomingStore
import HomingTesting
import Testing

/// The path at which providers tell of mails.
@Suite struct MailEventInboxTests {
    private static let key = "homing:secret"

    /// A server whose mails leave by Postmark, and one mail that has.
    private func withMail(
        _ body: (TestHoming, LiveServer, _ mail: String) async throws -> Void
    ) async throws {
        try await withHoming { homing in
            var mail = homing.serverMail.value
            mail.url = "postmark:"
            mail.eventsKey = Self.key
            homing.serverMail.set(mail)
            try await homing.account(TestHoming.ann)
            try await homing.mail(.passwordReset, to: TestHoming.ann)
            try await homing.deliver()
            let id = try #require(try await homing.outbox.list(project: "shop").first).id
            try await withServer(homing, acceptsOwner: true) { try await body(homing, $0, id) }
        }
    }

    private func tell(
        _ server: LiveServer, _ token: String, _ json: String, key: String = Self.key
    ) async throws -> RESTAnswer {
        let credentials = Data(key.utf8).base64EncodedString()
        return try await server.client.post(
            "/_/mail-events/\(token)", json: json, headers: [("Authorization", "Basic \(credentials)")])
    }

    private static func bounce(_ mail: String) -> String {
        """
        {"RecordType":"Bounce","Type":"HardBounce","Email":"\(TestHoming.ann)","Details":"550 5.1.1 no such user",
        "Metadata":{"homing":"\(mail)"}}
        """
    }

    private func steps(_ homing: TestHoming, _ mail: String) async throws -> [MailTimeline.Step] {
        MailTimeline(try await homing.outbox.show(mail)).events.map(\.step)
    }

    private func counted(_ homing: TestHoming) -> [String: Int] {
        Dictionary(uniqueKeysWithValues: homing.mailEvents.counts.map { ("\($0.provider) \($0.outcome)", $0.count) })
    }

    @Test func `a provider tells that a mail came back: its life and the suppressed addresses say so`() async throws {
        try await withMail { homing, server, mail in
            for outcome in ["taken", "unchanged"] {
                #expect(try await tell(server, homing.core.mailEventsToken, Self.bounce(mail)).status == 200)
                #expect(counted(homing)["postmark \(outcome)"] == 1)
            }
            #expect(try await steps(homing, mail) == [.accepted, .handedOver, .bounced])
            let suppressed = try await homing.suppressions.list(in: homing.shop, limit: 10)
            #expect(suppressed.map(\.reason) == ["550 5.1.1 no such user"])
            let page = try await server.admin.get("/metrics", headers: [("Authorization", "Bearer owner")]).text
            let line = page.firstMatch(of: /\nhoming_mail_events_total\{[^}]*taken[^}]*\} 1\n/)
            #expect(line?.output.contains("postmark") == true)
        }
    }

    @Test func `what is forged, unreadable or about no mail changes nothing, and is counted`() async throws {
        try await withMail { homing, server, mail in
            let token = homing.core.mailEventsToken
            let forged = try await tell(server, token, Self.bounce(mail), key: "homing:guess")
            // A 403 would have Postmark give up, and the key may be mistyped here.
            #expect(forged.status == 401 && forged.header("WWW-Authenticate")?.hasPrefix("Basic") == true)
            #expect(try await tell(server, token, Self.bounce("0000000000000000000000")).status == 200)
            #expect(try await tell(server, token, #"{"RecordType":"Open"}"#).status == 200)
            #expect(try await tell(server, token, "no JSON").status == 200)
            let long = String(repeating: " ", count: 1 << 20) + "{}"
            #expect(try await tell(server, token, long).status == 413)
            #expect(
                counted(homing) == [
                    "postmark forged": 1, "postmark unknown": 1, "postmark ignored": 1, "postmark unreadable": 1,
                ])
            #expect(try await steps(homing, mail) == [.accepted, .handedOver])
        }
    }

    @Test func `a path that nobody knows is answered like any other, and so is a browser`() async throws {
        try await withMail { homing, server, mail in
            let token = homing.core.mailEventsToken
            let unknown = try await server.client.post("/_/nothing/here", json: "{}")
            #expect(unknown.status == 404)
            for guess in ["x", String(token.dropLast()), token.uppercased(), String(repeating: "0", count: 32)] {
                let answer = try await tell(server, guess, Self.bounce(mail))
                #expect(answer.status == 404 && answer.text == unknown.text, "\(guess)")
            }
            let page = try await server.client.get("/_/nothing/here")
            let shown = try await server.client.get("/_/mail-events/\(token)")
            #expect(page.status == 404 && shown.status == 404)
            // Without a key nobody could show that an event is genuine.
            var own = homing.serverMail.value
            own.eventsKey = nil
            homing.serverMail.set(own)
            #expect(try await tell(server, token, Self.bounce(mail)).status == 404)
            #expect(counted(homing) == [:])
        }
    }

    @Test func `a provider tells of the mails of its own projects alone`() async throws {
        try await withMail { homing, server, mail in
            _ = try await homing.projects.create(
                id: "other", name: nil, apiKey: nil, authorizedDomains: [], linkDomains: [], language: nil)
            func use(_ owner: Scope, fallsBack: Bool = false) async throws -> String {
                let draft = OwnMailTransport.Draft(
                    url: "postmark:", destination: "postmark:", needsSecret: true, secret: "s3cret",
                    fallsBack: fallsBack, eventsKey: "\(owner):key")
                try await homing.projects.setMailTransport(draft, of: owner, by: .command)
                return try #require(homing.projects.projectOrTenant(owner)?.ownTransport).eventsToken
            }
            let other = try await use("other")
            #expect(try await tell(server, other, Self.bounce(mail), key: "other:key").status == 200)
            // Among the mails of other projects it is not looked for.
            #expect(counted(homing) == ["postmark unknown": 1])
            let own = try await use("shop")
            #expect(try await tell(server, homing.core.mailEventsToken, Self.bounce(mail)).status == 200)
            #expect(counted(homing) == ["postmark unknown": 1, "postmark foreign": 1])
            #expect(try await tell(server, own, Self.bounce(mail), key: "other:key").status == 401)
            #expect(try await steps(homing, mail) == [.accepted, .handedOver])

            // One that falls back has mails at the server's as well.
            _ = try await use("shop", fallsBack: true)
            #expect(try await tell(server, homing.core.mailEventsToken, Self.bounce(mail)).status == 200)
            #expect(try await tell(server, own, Self.bounce(mail), key: "shop:key").status == 200)
            #expect(counted(homing)["postmark taken"] == 1 && counted(homing)["postmark unchanged"] == 1)
            #expect(try await steps(homing, mail) == [.accepted, .handedOver, .bounced])
        }
    }

    @Test func `a token has a hundred requests a second, and the next one is told when to come again`() async throws {
        try await withMail { homing, server, _ in
            // The clock of tests stands still.
            for _ in 0..<100 {
                #expect(try await tell(server, homing.core.mailEventsToken, #"{"RecordType":"Open"}"#).status == 200)
            }
            let answer = try await tell(server, homing.core.mailEventsToken, #"{"RecordType":"Open"}"#)
            #expect(answer.status == 429 && answer.header("Retry-After") == "1")
            homing.clock.advance(seconds: 1)
            #expect(try await tell(server, homing.core.mailEventsToken, #"{"RecordType":"Open"}"#).status == 200)
        }
    }
}
