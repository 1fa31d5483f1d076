// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingDatabase
import HomingProjects
import HomingStore
import HomingTesting
import HomingWire
import Testing

@Suite struct NoticeTests {
    private static let chrome =
        "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36"

    /// The notice of a password that was set by a thief with a session.
    private func notice(_ homing: TestHoming, _ server: LiveServer) async throws -> ReceivedMail {
        let (_, tokens) = try await homing.signUp(TestHoming.ann)
        let changed = try await server.call(
            "accounts:update", [("idToken", tokens.idToken), ("password", "the thief's own 1")],
            headers: [("User-Agent", Self.chrome)])
        #expect(changed.status == 200)
        return try #require(try await homing.deliver().first)
    }

    @Test func `whoever did not change the password gets back in from the notice`() async throws {
        try await withHoming { homing in
            try await withServer(homing) { server in
                let notice = try await notice(homing, server)
                #expect(notice.text.contains("Device: Chrome on Windows\r\n"))
                #expect(notice.text.contains("When: "))
                let link = try #require(notice.links.first)
                let commits = homing.database.counts.commits
                let page = try await server.open(link)
                #expect(page.status == 200)
                #expect(page.text.contains("Reset your password"))
                #expect(homing.database.counts.commits == commits)
                let form = try #require(page.form)
                let asked = try await server.client.post(form.action, form: form.with("email", TestHoming.ann).fields)
                #expect(asked.status == 200)
                let mail = try #require(try await homing.deliver().first)
                #expect(mail.recipient == TestHoming.ann)
                let reset = try #require(try await server.open(mail.links.first).form)
                let done = try await server.client.post(
                    reset.action, form: reset.with("newPassword", "mine again 22").fields)
                #expect(done.status == 200)
                await #expect(throws: Refusal.self) {
                    try await homing.signIn(TestHoming.ann, password: "the thief's own 1")
                }
                _ = try await homing.signIn(TestHoming.ann, password: "mine again 22")
            }
        }
    }

    @Test func `a notice's link carries no code and names nobody`() async throws {
        try await withHoming { homing in
            try await withServer(homing) { server in
                let notice = try await notice(homing, server)
                #expect(notice.actionLink == nil)
                let link = try #require(notice.links.first)
                #expect(link.hasSuffix("/__/auth/reset?apiKey=\(TestHoming.apiKey)"))
                #expect(try await homing.number("SELECT COUNT(*) FROM codes") == 0)
            }
        }
    }

    @Test(arguments: [("silent", ["known@home.example"]), ("tell", ["known@home.example", "nobody@home.example"])])
    func `asking for a reset tells nobody but the address itself whether it has an account`(
        setting: String, mailed: [String]
    ) async throws {
        try await withHoming(limits: Limits.safe) { homing in
            try await homing.projects.set("shop", "mail.unknownAddress", to: setting)
            try await homing.account("known@home.example")
            try await withServer(homing) { server in
                var pages: [[String]] = []
                for address in ["known@home.example", "nobody@home.example"] {
                    let path = "\(MailedLink.resetRequestPath)?apiKey=\(TestHoming.apiKey)"
                    let form = try #require(try await server.client.get(path).form).with("email", address)
                    var said: [String] = []
                    for _ in 0..<2 {
                        let answer = try await server.client.post(form.action, form: form.fields)
                        said.append("\(answer.status) " + answer.text.replacing(address, with: "ADDRESS"))
                    }
                    homing.clock.advance(seconds: 61)
                    for _ in 0..<2 {
                        let answer = try await server.call(
                            "accounts:sendOobCode", [("requestType", "PASSWORD_RESET"), ("email", address)])
                        said.append("\(answer.status) " + answer.text.replacing(address, with: "ADDRESS"))
                    }
                    pages.append(said)
                }
                #expect(pages[0] == pages[1])
                #expect(pages[0][2].hasPrefix("200 ") && pages[0][3].hasPrefix("400 "))
                #expect(pages[0][0].contains("ADDRESS"))
                #expect(pages[0][1].contains("A link is on its way already"))
                #expect(try await homing.deliver().map(\.recipient).sorted() == mailed)
            }
        }
    }

    @Test func `a notice of a change that nobody wanted leads to a reset that stops it`() async throws {
        try await withHoming { homing in
            let (_, tokens) = try await homing.signUp(TestHoming.ann)
            try await withServer(homing) { server in
                let asked = try await server.call(
                    "accounts:sendOobCode",
                    [
                        ("requestType", "VERIFY_AND_CHANGE_EMAIL"), ("idToken", tokens.idToken),
                        ("newEmail", "eve@thief.example"),
                    ], headers: [("User-Agent", Self.chrome)])
                #expect(asked.status == 200)
                let mails = try await homing.deliver()
                let toThief = try #require(mails.first { $0.recipient == "eve@thief.example" })
                #expect(!toThief.text.contains("Chrome"))
                let notice = try #require(mails.first { $0.recipient == TestHoming.ann })
                #expect(notice.text.contains("Device: Chrome on Windows\r\n"))
                let form = try #require(try await server.open(notice.links.first).form)
                _ = try await server.client.post(form.action, form: form.with("email", TestHoming.ann).fields)
                let code = try await homing.mailedCode(to: TestHoming.ann)
                try await homing.redeem(code, .passwordReset)
                #expect(try await server.open(toThief.links.first).status == 410)
            }
        }
    }

    @Test func `what is no address is refused on the page, and a form of another page does nothing`() async throws {
        try await withHoming { homing in
            try await homing.account(TestHoming.ann)
            try await withServer(homing) { server in
                let path = "\(MailedLink.resetRequestPath)?apiKey=\(TestHoming.apiKey)&lang=it"
                let form = try #require(try await server.client.get(path).form)
                for typed in ["", "ann", "ann@home.example, eve@thief.example", "a\"><script>@x.example"] {
                    let answer = try await server.client.post(form.action, form: form.with("email", typed).fields)
                    #expect(answer.status == 422)
                    #expect(answer.text.contains("role=\"alert\""))
                    #expect(!answer.text.contains("><script>@"))
                }
                let filled = form.with("email", TestHoming.ann)
                for broken in [filled.with("token", ""), filled.with("apiKey", "no")] {
                    #expect(try await server.client.post(broken.action, form: broken.fields).status >= 400)
                }
                let foreign = try await server.client.post(
                    filled.action, form: filled.fields, headers: [("Sec-Fetch-Site", "cross-site")])
                #expect(foreign.status == 403)
                homing.clock.advance(seconds: 7201)
                #expect(try await server.client.post(filled.action, form: filled.fields).status == 403)
                #expect(try await homing.deliver().isEmpty)
            }
        }
    }

    @Test func `of a header only the kinds of browser and system are kept, with the mail`() async throws {
        try await withHoming { homing in
            try await withServer(homing) { server in
                _ = try await notice(homing, server)
                let facts = try await homing.rows("SELECT facts FROM outbox WHERE kind = 'PASSWORD_CHANGED'")
                let text = try #require(try facts.firstText())
                #expect(text.contains("Chrome") && text.contains("Windows"))
                #expect(!text.contains("Mozilla") && !text.contains("141") && !text.contains("NT"))
            }
        }
    }
}
