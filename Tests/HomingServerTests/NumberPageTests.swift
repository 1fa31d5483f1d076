// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingProjects
import HomingStore
import HomingTesting
import HomingWire
import Testing

/// The action page where a tap is not enough: it asks for two digits.
@Suite struct NumberPageTests {
    private func path(_ kind: ActionCodeKind, _ code: String) -> String {
        "/__/auth/action?mode=\(kind.mode.rawValue)&oobCode=\(code)&apiKey=\(TestHoming.apiKey)&lang=en"
    }

    /// A code for ``TestHoming/ann`` whose app wants her back.
    private func issue(
        _ kind: ActionCodeKind, isBound: Bool, _ homing: TestHoming
    ) async throws -> (code: String, issued: ActionCodes.Issued) {
        var asked = ActionCodeSettings.Asked()
        asked.continueURL = "https://shop.example/mine?a=1"
        let issued = try await homing.actionCodes.request(
            ActionCodes.Request(
                project: try homing.shop, kind: kind,
                subject: .address(try EmailAddress(parsing: TestHoming.ann)),
                settings: try ActionCodeSettings(asked, in: try homing.shop), language: "en", isMailed: false,
                isAdmin: true, challenge: isBound ? CodeChallenge(of: TestHoming.verifier) : nil))
        let code = try #require(issued.code)
        return (code, issued)
    }

    @Test(arguments: [ActionCodeKind.passwordReset, .verifyEmail, .verifyAndChangeEmail])
    func `the page says who asked, and acts with the number of the device that asked`(
        kind: ActionCodeKind
    ) async throws {
        try await withHoming { homing in
            let asked = AskedFrom(device: Device(browser: .firefox, system: .linux), network: "192.0.2.0/24")
            let bound = try await homing.bound(kind, from: asked)
            homing.clock.advance(seconds: 180)
            try await withServer(homing) { server in
                let page = try await server.client.get(path(kind, bound.code))
                #expect(page.status == 200)
                for fact in ["3 minutes ago", "Firefox on Linux", "192.0.2.0/24", "That is fraud"] {
                    #expect(page.text.contains(fact), "\(fact)")
                }
                #expect(!page.text.contains("<strong>\(bound.number)</strong>"), "only the asking device shows it")
                #expect(page.forms.count == 2)
                let form = try #require(page.form)
                let done = try await server.client.post(
                    form.action,
                    form: form.with("matchNumber", bound.number).with("newPassword", TestHoming.password).fields)
                #expect(done.status == 200 && done.form == nil)
                #expect(try await server.client.get(path(kind, bound.code)).status == 410)
            }
        }
    }

    @Test func `a wrong number costs a try, an empty one none, and the third ends the link`() async throws {
        try await withHoming { homing in
            let bound = try await homing.bound(.passwordReset)
            try await withServer(homing) { server in
                let target = path(.passwordReset, bound.code)
                let form = try #require(try await server.client.get(target).form)
                    .with("newPassword", TestHoming.password)
                for (number, says) in [
                    ("", "Type the two digits."), (bound.wrongNumber, "You can try 2 more times."),
                    (" ", "Type the two digits."), ("1", "Type the two digits."), ("x", "Type the two digits."),
                    (bound.wrongNumber, "You can try 1 more time."),
                ] {
                    let again = try await server.client.post(
                        form.action, form: form.with("matchNumber", number).fields)
                    #expect(again.status == 422, "\(number)")
                    #expect(again.text.contains(says), "\(number)")
                    #expect(again.value(of: "matchNumber") == "" && again.forms.count == 2)
                    #expect(!again.text.contains(TestHoming.password))
                }
                let without = try await server.client.post(form.action, form: form.fields)
                #expect(without.status == 422, "leaving the field out gets nobody past it")
                let third = try await server.client.post(
                    form.action, form: form.with("matchNumber", bound.wrongNumber).fields)
                #expect(third.status == 410 && third.form == nil)
                #expect(third.text.contains("A wrong number was typed too often"))
                #expect(third.text.contains("go back to the app and ask again to reset your password"))
                for late in [
                    try await server.client.get(target),
                    try await server.client.post(form.action, form: form.with("matchNumber", bound.number).fields),
                ] {
                    #expect(late.status == 410)
                    #expect(late.text.contains("A wrong number was typed too often"))
                }
            }
        }
    }

    @Test func `a password that the rules refuse leaves the number where it was typed`() async throws {
        try await withHoming { homing in
            let bound = try await homing.bound(.passwordReset)
            try await withServer(homing) { server in
                let form = try #require(try await server.client.get(path(.passwordReset, bound.code)).form)
                    .with("matchNumber", bound.number)
                let again = try await server.client.post(form.action, form: form.with("newPassword", "x").fields)
                #expect(again.status == 422 && again.text.contains("This password is too short"))
                #expect(again.value(of: "matchNumber") == bound.number)
                let done = try await server.client.post(
                    form.action, form: form.with("newPassword", TestHoming.password).fields)
                #expect(done.status == 200)
            }
        }
    }

    @Test(arguments: [0x30, 0x660, 0x966, 0xFF10])
    func `digits of any script are read, whatever stands between them`(zero: UInt32) async throws {
        try await withHoming { homing in
            let bound = try await homing.bound(.verifyEmail)
            let digits = bound.number.utf8.compactMap { Unicode.Scalar(zero + UInt32($0) - 0x30).map { String($0) } }
            try await withServer(homing) { server in
                let form = try #require(try await server.client.get(path(.verifyEmail, bound.code)).form)
                let done = try await server.client.post(
                    form.action, form: form.with("matchNumber", " \(digits.joined(separator: " ")) ").fields)
                #expect(done.status == 200)
            }
        }
    }

    @Test func `a sign-in is approved for the device that asked, and nobody is signed in on the page`() async throws {
        try await withHoming { homing in
            let (code, issued) = try await issue(.signIn, isBound: true, homing)
            let bound = try #require(issued.bound)
            try await withServer(homing) { server in
                let page = try await server.client.get(path(.signIn, code))
                let here = "<a class=\"open\" href=\"https://shop.example/mine?a=1&amp;mode=signIn&amp;oobCode=\(code)"
                let link = try #require(page.text.firstRange(of: here), "for who asked in this browser")
                let start = try #require(page.text.firstRange(of: "<form"))
                #expect(link.lowerBound < start.lowerBound)
                let form = try #require(page.form)
                #expect(page.text.contains(">Approve</button>"))
                let done = try await server.client.post(
                    form.action, form: form.with("matchNumber", bound.matchNumber).fields)
                #expect(done.status == 200 && done.continueHref == nil)
                #expect(done.forms.count == 1 && done.form?["step"] == "decline")
                #expect(done.text.contains("You are signed in on the device where you asked"))
                let late = try await server.client.get(path(.signIn, code))
                #expect(late.status == 410 && late.forms.count == 1)
                #expect(late.text.contains("This is finished on the device that asked"))
                guard
                    case .approved(let account, _, _) = try await homing.actionCodes.awaited(
                        bound.requestID, verifier: TestHoming.verifier, wait: 0, in: try homing.shop)
                else {
                    Issue.record("the asking device is not signed in")
                    return
                }
                #expect(account.email?.text == TestHoming.ann)
                let decline = try #require(done.form)
                for collected in [
                    try await server.client.get(path(.signIn, code)),
                    try await server.client.post(decline.action, form: decline.fields),
                ] {
                    #expect(collected.status == 410 && collected.form == nil, "too late to stop it")
                    #expect(collected.text.contains("This is finished on the device that asked"))
                }
            }
        }
    }

    @Test(arguments: [true, false])
    func `whoever was talked into approving a sign-in ends it before it happens`(isOnPageOfApproval: Bool) async throws
    {
        try await withHoming { homing in
            let bound = try await homing.bound(.signIn)
            try await withServer(homing) { server in
                let form = try #require(try await server.client.get(path(.signIn, bound.code)).form)
                let approved = try await server.client.post(
                    form.action, form: form.with("matchNumber", bound.number).fields)
                let page =
                    isOnPageOfApproval ? approved : try await server.client.get(path(.signIn, bound.code))
                #expect(page.text.contains("I didn’t ask for this</button>"))
                let decline = try #require(page.form)
                let ended = try await server.client.post(decline.action, form: decline.fields)
                #expect(ended.status == 200 && ended.text.contains("<h1>This request has been ended</h1>"))
                guard
                    case .declined = try await homing.actionCodes.awaited(
                        bound.requestID, verifier: TestHoming.verifier, wait: 0, in: try homing.shop)
                else {
                    Issue.record("the asking device is signed in all the same")
                    return
                }
            }
        }
    }

    @Test(arguments: [ActionCodeKind.passwordReset, .signIn, .verifyEmail, .verifyAndChangeEmail])
    func `whoever did not ask ends it at once, and reads what to do`(kind: ActionCodeKind) async throws {
        try await withHoming { homing in
            let bound = try await homing.bound(kind)
            try await withServer(homing) { server in
                let page = try await server.client.get(path(kind, bound.code))
                let forms = page.forms
                try #require(forms.count == 2)
                let mixed = try await server.client.post(forms[0].action, form: forms[0].with("step", "decline").fields)
                #expect(mixed.status == 403, "each step has a token of its own")
                let done = try await server.client.post(forms[1].action, form: forms[1].fields)
                #expect(done.status == 200)
                #expect(done.text.contains("<h1>This request has been ended</h1>"))
                #expect(done.text.contains("If the account is yours") == (kind == .verifyAndChangeEmail))
                #expect(done.continueHref?.contains("/__/auth/reset?apiKey=\(TestHoming.apiKey)") == true)
                let late = try await server.client.post(
                    forms[0].action,
                    form: forms[0].with("matchNumber", bound.number).with("newPassword", TestHoming.password).fields)
                #expect(late.status == 410 && late.form == nil)
                guard
                    case .declined = try await homing.actionCodes.awaited(
                        bound.requestID, verifier: TestHoming.verifier, wait: 0, in: try homing.shop)
                else {
                    Issue.record("the asking device hears nothing of it")
                    return
                }
            }
        }
    }

    @Test func `an unbound link has nothing to decline`() async throws {
        try await withHoming { homing in
            let code = try await homing.liveCode(.verifyEmail)
            try await withServer(homing) { server in
                let page = try await server.client.get(path(.verifyEmail, code))
                #expect(page.forms.count == 1 && !page.text.contains("matchNumber"))
                let form = try #require(page.form)
                #expect(
                    try await server.client.post(form.action, form: form.with("matchNumber", "x").fields).status == 200)
            }
        }
    }

    @Test(arguments: [ActionCodeKind.verifyEmail, .passwordReset])
    func `where the project wants it, the page asks for the number in the mail`(kind: ActionCodeKind) async throws {
        try await withHoming { homing in
            try await homing.account(TestHoming.ann)
            try await homing.projects.set("shop", "actionCodes.press.\(kind.name)", to: "number")
            let (code, issued) = try await issue(kind, isBound: false, homing)
            let number = try #require(issued.pressNumber)
            try await withServer(homing) { server in
                let page = try await server.client.get(path(kind, code))
                #expect(page.text.contains("The two digits in the email") && page.forms.count == 1)
                let form = try #require(page.form).with("newPassword", TestHoming.password)
                let wrong = try await server.client.post(form.action, form: form.with("matchNumber", "00").fields)
                #expect(wrong.status == 422 && wrong.text.contains("You can try 2 more times."))
                #expect(try await server.client.post(form.action, form: form.fields).status == 422)
                let done = try await server.client.post(form.action, form: form.with("matchNumber", number).fields)
                #expect(done.status == 200 && done.continueHref == "https://shop.example/mine?a=1")
            }
        }
    }

    @Test func `the number in the mail uncovers the way into the app, and uses no code`() async throws {
        try await withHoming { homing in
            try await homing.account(TestHoming.ann)
            try await homing.projects.set("shop", "actionCodes.press.EMAIL_SIGNIN", to: "number")
            let (code, issued) = try await issue(.signIn, isBound: false, homing)
            let number = try #require(issued.pressNumber)
            try await withServer(homing) { server in
                let page = try await server.client.get(path(.signIn, code))
                #expect(!page.text.contains("shop.example/mine"), "whatever presses links does not find it")
                let form = try #require(page.form)
                let wrong = try await server.client.post(form.action, form: form.with("matchNumber", "00").fields)
                #expect(wrong.status == 422 && !wrong.text.contains("shop.example/mine"))
                let right = try await server.client.post(form.action, form: form.with("matchNumber", number).fields)
                #expect(right.status == 200 && right.form == nil)
                #expect(
                    right.continueHref?.hasPrefix("https://shop.example/mine?a=1&mode=signIn&oobCode=\(code)") == true)
                try await homing.redeem(code, .signIn)
            }
        }
    }

    @Test func `an expired link of a bound reset is mailed anew, and the page waits for it`() async throws {
        try await withHoming { homing in
            let bound = try await homing.bound(.passwordReset)
            let signIn = try await homing.bound(.signIn)
            homing.clock.advance(seconds: 30 * 86_400)
            try await withServer(homing) { server in
                let expired = try await server.client.get(path(.passwordReset, bound.code))
                #expect(expired.status == 410)
                let form = try #require(expired.form)
                let sent = try await server.client.post(form.action, form: form.fields)
                let waiting = try #require(sent.header("Location"))
                #expect(sent.status == 303 && waiting.hasPrefix("/__/auth/wait?request="))
                #expect(try await server.client.get(waiting).text.contains("<h1>Check your email</h1>"))
                #expect(try await homing.deliver().map(\.recipient) == [TestHoming.ann])
                let nobodyWaits = try await server.client.get(path(.signIn, signIn.code))
                #expect(nobodyWaits.status == 410 && nobodyWaits.form == nil)
                #expect(nobodyWaits.text.contains("go back to the app and ask again for a sign-in link"))
            }
        }
    }
}
