// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
import HomingCore
import HomingDatabase
import HomingProjects
import HomingStore
import HomingTesting
import Testing

/// The mails of a project in the console.
@Suite struct MailPagesTests {
    private static let mail = "/console/projects/shop/mail"

    private func cookie(_ role: Operator.Role, _ homing: TestHoming, _ server: LiveServer) async throws -> [(
        String, String
    )] {
        let address = "\(role.rawValue)@example.com"
        _ = try await homing.operators.add(address, role: role, projects: nil)
        let link = try await homing.operators.newLink(for: address)
        let entered = try await server.admin.post("/enter", form: [("ticket", link)])
        return [("Cookie", String(try #require(entered.header("Set-Cookie")).prefix { $0 != ";" }))]
    }

    private func send(
        _ fields: [(String, String)], to path: String, _ cookie: [(String, String)], _ server: LiveServer
    ) async throws -> RESTAnswer {
        let page = try await server.admin.get(path, headers: cookie)
        let token = String(try #require(page.text.firstMatch(of: /name="token" value="([^"]*)"/)?.1))
        return try await server.admin.post(path, form: [("token", token)] + fields, headers: cookie)
    }

    private func newest(_ homing: TestHoming) async throws -> Outbox.Entry {
        try #require(try await homing.outbox.newest(in: homing.shop, limit: 1).first)
    }

    @Test func `a mail is found by its address and by its id, and its life is told`() async throws {
        try await withHoming { homing in
            try await homing.account(TestHoming.ann)
            try await homing.mail(.passwordReset, to: TestHoming.ann)
            try await withServer(homing) { server in
                let viewer = try await cookie(.viewer, homing, server)
                let editor = try await cookie(.editor, homing, server)
                let code = try await homing.mailedCode(to: TestHoming.ann)
                let id = try await newest(homing).id
                let list = try await server.admin.get(Self.mail, headers: editor)
                #expect(list.text.contains("\(Self.mail)/\(id)") && list.text.contains(TestHoming.ann))
                let found = try await server.admin.get("\(Self.mail)?q=%20ann%40home.example", headers: editor)
                #expect(found.text.contains("\(Self.mail)/\(id)"))
                let other = try await server.admin.get("\(Self.mail)?q=bob%40home.example", headers: editor)
                #expect(!other.text.contains(id))
                let named = try await server.admin.get("\(Self.mail)?q=\(id)", headers: editor)
                #expect(named.status == 303 && named.header("Location") == "\(Self.mail)/\(id)")
                let nonsense = try await server.admin.get("\(Self.mail)?q=%3Cscript%3E", headers: editor)
                #expect(nonsense.status == 200 && nonsense.text.contains("neither a whole address"))

                for person in [viewer, editor] {
                    for path in [Self.mail, "\(Self.mail)/\(id)", "\(Self.mail)?q=ann%40home.example"] {
                        let page = try await server.admin.get(path, headers: person)
                        #expect(page.status == 200 && !page.text.contains(code))
                        let isShown = page.text.replacing("value=\"ann@", with: "").contains(TestHoming.ann)
                        #expect(isShown == (person[0].1 == editor[0].1), "\(path)")
                    }
                }
                let life = try await server.admin.get("\(Self.mail)/\(id)", headers: viewer)
                #expect(life.text.contains("delivered to relay") && life.text.contains("250 …"))
            }
        }
    }

    @Test func `a viewer reads no address in the words of other servers either`() async throws {
        try await withHoming { homing in
            try await homing.account(TestHoming.ann)
            try await homing.mail(.passwordReset, to: TestHoming.ann)
            try await homing.deliver()
            try await homing.rows("UPDATE outbox SET last_reply = '550 <Ann@HOME.example> is unknown'")
            try await withServer(homing) { server in
                let viewer = try await cookie(.viewer, homing, server)
                for path in [Self.mail, "\(Self.mail)/\(try await newest(homing).id)"] {
                    let text = try await server.admin.get(path, headers: viewer).text
                    #expect(text.contains("550 …") && !text.lowercased().contains("ann@"))
                }
            }
        }
    }

    @Test func `the mail of another project is not there`() async throws {
        try await withHoming { homing in
            let other = try await homing.projects.create(
                id: "other", name: nil, apiKey: nil, authorizedDomains: [], linkDomains: [], language: nil)
            _ = other
            let id = try await homing.outbox.enqueueTest(
                to: try EmailAddress(parsing: TestHoming.ann), in: try homing.projects.existing("other"), by: .command)
            try await withServer(homing) { server in
                let editor = try await cookie(.editor, homing, server)
                for mail in [id, "0000000000000000000000", "nothing"] {
                    let page = try await server.admin.get("\(Self.mail)/\(mail)", headers: editor)
                    #expect(page.status == 404, "\(mail)")
                }
                let path = "/console/projects/other/mail/\(id)"
                #expect(try await server.admin.get(path, headers: editor).status == 200)
            }
        }
    }

    @Test func `an editor tries a mail again, sends a test and lifts a suppression; the log says so`() async throws {
        try await withHoming { homing in
            try await homing.account(TestHoming.ann)
            try await homing.mail(.passwordReset, to: TestHoming.ann)
            try await homing.deliver()
            let id = try await newest(homing).id
            let gone = Bounce(action: .failed, status: Bounce.Status(parsing: "5.1.1"), diagnostic: "")
            homing.clock.advance(seconds: 60)
            _ = try await homing.suppressions.take([gone], about: id, by: .command)
            homing.clock.advance(seconds: 1)
            try await withServer(homing) { server in
                let viewer = try await cookie(.viewer, homing, server)
                let editor = try await cookie(.editor, homing, server)
                let page = try await server.admin.get("\(Self.mail)/\(id)", headers: viewer)
                #expect(page.text.contains("bounced") && !page.text.contains("Try again"))
                let refused = try await server.admin.post("\(Self.mail)/\(id)", form: [], headers: viewer)
                #expect(refused.status == 403)

                #expect(try await send([], to: "\(Self.mail)/\(id)", editor, server).status == 303)
                #expect(try await homing.outbox.show(id).state == .queued)
                homing.clock.advance(seconds: 1)
                let lifted = try await send(
                    [("do", "lift"), ("address", TestHoming.ann)], to: Self.mail, editor, server)
                #expect(lifted.status == 303)
                #expect(try await homing.suppressions.count(in: homing.shop) == 0)

                homing.clock.advance(seconds: 1)
                let test = try await send(
                    [("do", "test"), ("address", "bob@home.example")], to: Self.mail, editor, server)
                #expect(test.header("Location")?.hasPrefix("\(Self.mail)/") == true)
                #expect(try await newest(homing).recipient == "bob@home.example")
                let wrong = try await send([("do", "test"), ("address", "bob@\r\nx")], to: Self.mail, editor, server)
                #expect(wrong.status == 400 && wrong.text.contains("aria-invalid"))
                let log = try await homing.audit.list(project: "shop")
                #expect(log.prefix(3).map(\.action) == ["mail.test", "suppression.lift", "mail.retry"])
                #expect(log.prefix(3).allSatisfy { $0.author == "editor@example.com" })
            }
        }
    }

    @Test func `how far mails came is a picture, a table and comma-separated values`() async throws {
        try await withHoming { homing in
            try await homing.account(TestHoming.ann)
            try await homing.mail(.verifyEmail, to: TestHoming.ann, language: "it")
            try await homing.redeem(try await homing.mailedCode(to: TestHoming.ann), .verifyEmail)
            try await withServer(homing) { server in
                let viewer = try await cookie(.viewer, homing, server)
                let page = try await server.admin.get("\(Self.mail)/funnel", headers: viewer)
                #expect(page.status == 200)
                #expect(page.text.contains("1 accepted, 1 delivered to relay, 0 opened, 1 applied"))
                #expect(page.text.contains("<option value=\"it\">it</option>"))
                #expect(page.text.utf8.count < 60_000)
                let none = try await server.admin.get(
                    "\(Self.mail)/funnel?days=7&kind=TEST&language=it", headers: viewer)
                #expect(none.text.contains("No emails in the last 7 days"))
                let csv = try await server.admin.get("\(Self.mail)/funnel.csv?days=90", headers: viewer)
                #expect(csv.header("Content-Type") == "text/csv; charset=utf-8")
                #expect(csv.header("Content-Disposition") == "attachment; filename=\"mail-shop-90-days.csv\"")
                let lines = csv.text.components(separatedBy: "\r\n")
                #expect(lines.count == 3 && lines[1].hasSuffix(",VERIFY_EMAIL,it,1,1,0,0,0,0,1,0"))
            }
        }
    }

    @Test func `older mails are read on from the last one`() async throws {
        try await withHoming { homing in
            for number in 0..<60 {
                _ = try await homing.outbox.enqueueTest(
                    to: try EmailAddress(parsing: "n\(number)@home.example"), in: homing.shop, by: .command)
                homing.clock.advance(seconds: 1)
            }
            try await withServer(homing) { server in
                let editor = try await cookie(.editor, homing, server)
                let page = try await server.admin.get(Self.mail, headers: editor)
                #expect(page.text.contains("n59@home.example") && !page.text.contains(">n9@home.example"))
                let before = try #require(page.text.firstMatch(of: /\?before=(\w+)/)?.1)
                let rest = try await server.admin.get("\(Self.mail)?before=\(before)", headers: editor)
                #expect(rest.text.contains(">n9@home.example") && !rest.text.contains("n59@home.example"))
            }
        }
    }
}
