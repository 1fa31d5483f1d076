// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingDatabase
import HomingProjects
import HomingStore
import HomingTesting
import Testing

@Suite struct WaitPageTests {
    private static let nobody = "nobody@home.example"

    private func path(_ request: String) -> String {
        "/__/auth/wait?request=\(request)&apiKey=\(TestHoming.apiKey)&lang=en"
    }

    /// A page without what every request has of its own.
    private func said(_ answer: RESTAnswer, _ request: String) -> String {
        "\(answer.status) "
            + answer.text.replacing(request, with: "REQUEST")
            .replacing(/name="token" value="[^"]*"/, with: "TOKEN").replacing(/<strong>\d\d<\/strong>/, with: "NUMBER")
    }

    @Test(arguments: ["true", "false"])
    func `an address that nobody has waits on the same page, byte for byte`(hidesAddresses: String) async throws {
        try await withHoming(limits: Limits.safe) { homing in
            try await homing.account(TestHoming.ann)
            try await homing.projects.set("shop", "actionCodes.binding.PASSWORD_RESET", to: "required")
            try await homing.projects.set(
                "shop", "emailPrivacyConfig.enableImprovedEmailPrivacy", to: hidesAddresses)
            try await withServer(homing) { server in
                var pages: [[String]] = []
                for address in [TestHoming.ann, Self.nobody] {
                    let ask = "\(MailedLink.resetRequestPath)?apiKey=\(TestHoming.apiKey)&lang=en"
                    let form = try #require(try await server.client.get(ask).form).with("email", address)
                    let asked = try await server.client.post(form.action, form: form.fields)
                    #expect(asked.status == 303)
                    let location = try #require(asked.header("Location"))
                    let request = try #require(location.firstMatch(of: /request=([^&]+)/)).output.1
                    let page = try await server.client.get(location)
                    var answers = [page]
                    let forms = page.forms
                    try #require(forms.count == 2)
                    let typed = try homing.typedCode(of: String(request))
                    let wrong = (typed.hasPrefix("0") ? "1" : "0") + typed.dropFirst()
                    for code in ["", wrong, "123"] {
                        answers.append(
                            try await server.client.post(
                                forms[0].action, form: forms[0].with("typedCode", code).fields))
                    }
                    answers.append(try await server.client.post(forms[1].action, form: forms[1].fields))
                    homing.clock.advance(seconds: 61)
                    for _ in 0..<2 {
                        answers.append(try await server.client.post(forms[1].action, form: forms[1].fields))
                    }
                    answers.append(try await server.client.get(location))
                    homing.clock.advance(seconds: 86_400)
                    answers.append(try await server.client.get(location))
                    answers.append(try await server.client.get(location + "&look=1"))
                    pages.append(answers.map { said($0, String(request)) })
                }
                #expect(pages[0] == pages[1])
                let starts = pages[0].map { $0.prefix(3) }
                #expect(starts == ["200", "422", "422", "422", "422", "200", "422", "200", "200", "200"])
                #expect(pages[0][0].contains("NUMBER") && !pages[0][0].contains(TestHoming.ann))
                #expect(pages[0][2].contains("You can try 4 more times."))
                #expect(pages[0][4].contains("The email can be sent again in 1 minute."))
                #expect(pages[0][5].contains("the email is on its way once more"))
                #expect(pages[0][8].contains("<h1>This request has expired</h1>"))
                #expect(pages[0][9].contains("\"EXPIRED\""))
            }
        }
    }

    @Test func `looking changes nothing, and nobody frames the page`() async throws {
        try await withHoming { homing in
            let bound = try await homing.ask(.passwordReset)
            try await withServer(homing) { server in
                let commits = homing.database.counts.commits
                for _ in 0..<3 {
                    let page = try await server.client.get(path(bound.requestID))
                    #expect(page.status == 200 && page.text.contains("<strong>\(bound.matchNumber)</strong>"))
                    #expect(page.header("X-Frame-Options") == "DENY")
                    #expect(page.header("Content-Security-Policy")?.contains("frame-ancestors 'none'") == true)
                    #expect(page.header("Referrer-Policy") == "no-referrer")
                    #expect(page.body.count < 20_480)
                }
                #expect(homing.database.counts.commits == commits)
            }
        }
    }

    @Test func `the code in the mail finishes a sign-in for the app that waits, and it alone`() async throws {
        try await withHoming { homing in
            try await homing.account(TestHoming.ann)
            let bound = try await homing.ask(.signIn)
            let typed = try homing.typedCode(of: bound.requestID)
            try await withServer(homing) { server in
                let form = try #require(try await server.client.get(path(bound.requestID)).form)
                let done = try await server.client.post(
                    form.action, form: form.with("typedCode", "\(typed.prefix(4)) \(typed.dropFirst(4))").fields)
                #expect(done.status == 200 && done.text.contains("<h1>That worked</h1>"))
                #expect(done.form == nil && !done.text.contains("data-look="))
                let look = try await server.client.get(path(bound.requestID) + "&look=1")
                #expect(look.string("state") == "APPROVED")
                guard
                    case .approved = try await homing.actionCodes.awaited(
                        bound.requestID, verifier: TestHoming.verifier, wait: 0, in: try homing.shop)
                else {
                    Issue.record("the app that waits is not signed in")
                    return
                }
                let late = try await server.client.post(form.action, form: form.with("typedCode", typed).fields)
                #expect(late.status == 200 && late.text.contains("<h1>That worked</h1>"))
            }
        }
    }

    @Test func `the code of another mail leads on to its page, with the number filled in`() async throws {
        try await withHoming { homing in
            let bound = try await homing.bound(.passwordReset)
            try await withServer(homing) { server in
                let page = try await server.client.get(path(bound.requestID))
                #expect(!page.text.contains(bound.code))
                let typing = try #require(page.form).with("typedCode", bound.typed)
                let next = try await server.client.post(typing.action, form: typing.fields)
                #expect(next.status == 200 && next.value(of: "matchNumber") == bound.number)
                let form = try #require(next.form)
                #expect(form.action == "/__/auth/action" && form["oobCode"] == bound.code)
                let done = try await server.client.post(
                    form.action,
                    form: form.with("matchNumber", bound.number).with("newPassword", TestHoming.password).fields)
                #expect(done.status == 200)
                #expect(try await server.client.get(path(bound.requestID)).text.contains("<h1>That worked</h1>"))
            }
        }
    }

    @Test func `the fifth wrong code ends typing, and not the link`() async throws {
        try await withHoming { homing in
            let bound = try await homing.bound(.verifyEmail)
            try await withServer(homing) { server in
                let form = try #require(try await server.client.get(path(bound.requestID)).form)
                for left in [4, 3, 2, 1, 0] {
                    let wrong = try await server.client.post(
                        form.action, form: form.with("typedCode", bound.wrongTyped).fields)
                    #expect(wrong.status == 422)
                    let says =
                        left == 0
                        ? "The code doesn’t work anymore." : "You can try \(left) more time\(left == 1 ? "" : "s")."
                    #expect(wrong.text.contains(says), "\(left)")
                }
                let right = try await server.client.post(
                    form.action, form: form.with("typedCode", bound.typed).fields)
                #expect(right.status == 422 && right.text.contains("The code doesn’t work anymore."))
                let link =
                    "/__/auth/action?mode=verifyEmail&oobCode=\(bound.code)&apiKey=\(TestHoming.apiKey)&lang=en"
                #expect(try await server.client.get(link).status == 200)
            }
        }
    }

    @Test func `the same mail is sent again, and it is the same code`() async throws {
        try await withHoming { homing in
            try await homing.account(TestHoming.ann)
            let bound = try await homing.ask(.passwordReset)
            let first = try await homing.mailedCode(to: TestHoming.ann)
            try await withServer(homing) { server in
                let forms = try await server.client.get(path(bound.requestID)).forms
                try #require(forms.count == 2)
                let sent = try await server.client.post(forms[1].action, form: forms[1].fields)
                #expect(sent.status == 200 && sent.text.contains("the email is on its way once more"))
                #expect(sent.text.contains("role=\"status\""))
                #expect(try await homing.mailedCode(to: TestHoming.ann) == first)
            }
        }
    }

    @Test func `what became of a request is said, and the way back is where the app is`() async throws {
        try await withHoming { homing in
            try await homing.account(TestHoming.ann)
            var asked = ActionCodeSettings.Asked()
            asked.continueURL = "https://shop.example/mine"
            let settings = try ActionCodeSettings(asked, in: try homing.shop)
            func request() async throws -> (code: String, id: String) {
                let issued = try await homing.actionCodes.request(
                    ActionCodes.Request(
                        project: try homing.shop, kind: .signIn,
                        subject: .address(try EmailAddress(parsing: TestHoming.ann)), settings: settings,
                        language: "en", isMailed: false, isAdmin: true,
                        challenge: CodeChallenge(of: TestHoming.verifier)))
                let code = try #require(issued.code)
                let bound = try #require(issued.bound)
                return (code, bound.requestID)
            }
            try await withServer(homing) { server in
                let (code, id) = try await request()
                let waiting = try await server.client.get(path(id))
                #expect(waiting.text.contains("<a class=\"open\" href=\"https://shop.example/mine\""))
                try await homing.actionCodes.decline(code, in: try homing.shop)
                let declined = try await server.client.get(path(id))
                #expect(declined.text.contains("<h1>This request has been ended</h1>"))
                #expect(declined.continueHref == "https://shop.example/mine" && declined.form == nil)
                let look = try await server.client.get(path(id) + "&look=1")
                #expect(look.string("state") == "DECLINED")
                let older = try await request().id
                _ = try await request()
                #expect(try await server.client.get(path(older)).text.contains("<h1>This request has expired</h1>"))
                try await homing.projects.removeDomain("shop.example", from: "shop")
                #expect(try await server.client.get(path(id)).continueHref == nil, "checked again")
            }
        }
    }

    @Test func `whoever is sent to somebody else's page that waits is warned, and helps nobody`() async throws {
        try await withHoming { homing in
            let asked = AskedFrom(device: Device(browser: .chrome, system: .windows), network: "198.51.100.0/24")
            let bound = try await homing.bound(.signIn, from: asked)
            let windows = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36"
            let phone = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Safari/604.1"
            try await withServer(homing) { server in
                let victim = try await server.client.get(path(bound.requestID), headers: [("User-Agent", phone)])
                #expect(victim.status == 200 && victim.forms.isEmpty && victim.text.contains("That is fraud"))
                #expect(victim.text.contains("Chrome on Windows") && victim.text.contains("198.51.100.0/24"))
                #expect(!victim.text.contains("<strong>\(bound.number)</strong>"))
                for agent in [windows, "curl/8"] {
                    let own = try await server.client.get(path(bound.requestID), headers: [("User-Agent", agent)])
                    #expect(own.forms.count == 2, "a network may have changed")
                    #expect(own.text.contains("Chrome on Windows") && own.text.contains("id=\"fraud\""))
                }
            }
        }
    }

    @Test func `whoever looks is answered as soon as something happens`() async throws {
        try await withHoming { homing in
            let bound = try await homing.bound(.signIn)
            try await withServer(homing) { server in
                async let look = server.client.get(path(bound.requestID) + "&look=1")
                while homing.actionCodes.waitingRoom.count == 0 { try await Task.sleep(for: .milliseconds(5)) }
                try await homing.actionCodes.approve(bound.code, number: bound.number, in: try homing.shop)
                #expect(try await look.string("state") == "APPROVED")
            }
        }
    }

    @Test func `whoever asks for no more than the head is not held`() async throws {
        try await withHoming { homing in
            let bound = try await homing.bound(.signIn)
            try await withServer(homing) { server in
                async let look = server.client.get(path(bound.requestID) + "&look=1")
                while homing.actionCodes.waitingRoom.count == 0 { try await Task.sleep(for: .milliseconds(5)) }
                let head = try await server.client.send("HEAD", path(bound.requestID) + "&look=1")
                #expect(head.status == 200)
                try await homing.actionCodes.approve(bound.code, number: bound.number, in: try homing.shop)
                #expect(try await look.string("state") == "APPROVED", "the look from before it has not ended meanwhile")
            }
        }
    }

    @Test func `a request that is forged, of a tenant or of nobody has no page`() async throws {
        try await withHoming { homing in
            let bound = try await homing.bound(.signIn)
            let forged = String(bound.requestID.dropLast(4)) + "AAAA"
            try await withServer(homing) { server in
                for target in [
                    path(forged), path(""), path("x"), path(bound.code), path(bound.requestID) + "&request=x",
                    path(bound.requestID) + "&tenantId=none", "/__/auth/wait",
                    path(bound.requestID).replacing(TestHoming.apiKey, with: "nobody"),
                ] {
                    let page = try await server.client.get(target)
                    #expect(page.status == 400 && page.form == nil, "\(target)")
                }
                let look = try await server.client.get(path(forged) + "&look=1")
                #expect(look.status == 400 && look.text.contains("INVALID_REQUEST_ID"))
                let form = try #require(try await server.client.get(path(bound.requestID)).form)
                for wrong in [form.with("token", "x"), form.with("step", "resend"), form.with("request", forged)] {
                    #expect(try await server.client.post(wrong.action, form: wrong.fields).status == 403)
                }
            }
        }
    }
}
