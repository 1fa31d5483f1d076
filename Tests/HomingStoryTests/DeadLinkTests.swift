// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingProjects
import HomingStore
import HomingTesting
import HomingWire
import Testing

@Suite struct DeadLinkTests {
    private func ask(_ server: LiveServer) async throws {
        let answer = try await server.call(
            "accounts:sendOobCode",
            [
                ("requestType", "PASSWORD_RESET"), ("email", "ann@home.example"),
                ("continueUrl", "https://shop.example/back"),
            ])
        #expect(answer.status == 200)
    }

    @Test func `an expired link says so and mails a new one that leads to the same place`() async throws {
        try await withHoming { homing in
            try await homing.account("ann@home.example")
            try await withServer(homing) { server in
                try await ask(server)
                let link = try #require(try await homing.deliver().first?.links.first)
                homing.clock.advance(seconds: 3601)
                let dead = try await server.open(link)
                #expect(dead.status == 410)
                #expect(dead.text.contains("This link has expired"))
                let renew = try #require(dead.form)
                #expect(try await server.client.post(renew.action, form: renew.fields).status == 200)
                let fresh = try #require(try await homing.deliver().first)
                #expect(fresh.recipient == "ann@home.example")
                #expect(fresh.actionLink?.continueURL == "https://shop.example/back")
                let form = try #require(try await server.open(fresh.links.first).form)
                let done = try await server.client.post(form.action, form: form.with("newPassword", "a new one").fields)
                #expect(done.continueHref == "https://shop.example/back")
            }
        }
    }

    @Test func `an older link points to the newer one, and a broken one offers nothing`() async throws {
        try await withHoming { homing in
            try await homing.account("ann@home.example")
            try await withServer(homing) { server in
                try await ask(server)
                let old = try #require(try await homing.deliver().first?.links.first)
                try await ask(server)
                let dead = try await server.open(old)
                #expect(dead.status == 410)
                #expect(dead.text.contains("There is a newer link"))
                let code = try #require(ActionLink(parsing: old)?.code)
                let broken = try await server.open(old.replacing(code, with: String(code.dropLast()) + "."))
                #expect(broken.status == 400)
                #expect(broken.form == nil && broken.continueHref == nil)
            }
        }
    }

    @Test(arguments: [ActionCodeKind.passwordReset, .verifyEmail, .signIn])
    func `a used link leads on to where the person was, as long as that is allowed`(kind: ActionCodeKind) async throws {
        try await withHoming { homing in
            try await homing.account(TestHoming.ann, isVerified: true)
            var asked = ActionCodeSettings.Asked()
            asked.continueURL = "https://shop.example/back?step=3#top"
            let settings = try ActionCodeSettings(asked, in: try homing.shop)
            try await withServer(homing) { server in
                let code = try await homing.code(kind, for: TestHoming.ann, settings: settings)
                let path =
                    "/__/auth/action?mode=\(kind.mode.rawValue)&oobCode=\(code)&apiKey=\(TestHoming.apiKey)"
                    + "&continueUrl=https%3A%2F%2Fwww.shop.example%2Fother"
                try await homing.redeem(code, kind)
                let used = try await server.client.get(path)
                #expect(used.status == 410)
                #expect(used.continueHref == "https://shop.example/back?step=3#top")
                #expect(used.text.contains("Takes you to shop.example<"))
                #expect((used.form == nil) == (kind == .verifyEmail))
                try await homing.projects.removeDomain("shop.example", from: "shop")
                #expect(try await server.client.get(path).continueHref == nil)
            }
        }
    }

    @Test func `an expired sign-in link is renewed, for the known and the unknown alike`() async throws {
        try await withHoming { homing in
            try await homing.account("ann@home.example")
            try await homing.projects.set("shop", "client.permissions.disabledUserSignup", to: "true")
            try await withServer(homing) { server in
                var pages: [String] = []
                var mails: [ReceivedMail] = []
                for address in ["ann@home.example", "gone@home.example"] {
                    if address == "gone@home.example" { try await homing.account(address) }
                    let code = try await homing.code(.signIn, for: address)
                    homing.clock.advance(seconds: 3601)
                    if let gone = try await homing.found("gone@home.example") {
                        var moved = AccountChange()
                        moved.email = .set(try EmailAddress(parsing: "moved@home.example"))
                        _ = try await homing.accounts.change(gone.id, moved, in: try homing.shop)
                    }
                    let dead = try await server.client.get(
                        "/__/auth/action?mode=signIn&oobCode=\(code)&apiKey=\(TestHoming.apiKey)")
                    #expect(dead.status == 410)
                    #expect(dead.text.contains("This link has expired"))
                    let form = try #require(dead.form)
                    let answer = try await server.client.post(form.action, form: form.fields)
                    #expect(answer.status == 200)
                    pages.append(answer.text)
                    mails += try await homing.deliver()
                }
                #expect(pages[0] == pages[1])
                #expect(mails.map(\.recipient) == ["ann@home.example"])
                let link = try #require(mails.first?.actionLink)
                #expect(link.mode == .signIn)
            }
        }
    }

    @Test func `where links sign nobody in an expired one offers no other`() async throws {
        try await withHoming { homing in
            let code = try await homing.liveCode(.signIn)
            homing.clock.advance(seconds: 3601)
            let path = "/__/auth/action?mode=signIn&oobCode=\(code)&apiKey=\(TestHoming.apiKey)"
            try await withServer(homing) { server in
                let form = try #require(try await server.client.get(path).form)
                try await homing.projects.set("shop", "signIn.email.passwordRequired", to: "true")
                #expect(try await server.client.get(path).form == nil)
                #expect(try await server.client.post(form.action, form: form.fields).status == 400)
                #expect(try await homing.deliver().isEmpty)
            }
        }
    }

    @Test(arguments: [ActionCodeKind.passwordReset, .verifyEmail, .signIn, .recoverEmail])
    func `a second request for a new link is answered that one is on its way`(kind: ActionCodeKind) async throws {
        try await withHoming(limits: Limits.safe) { homing in
            let code = try await homing.liveCode(kind)
            homing.clock.advance(seconds: 30)
            if kind != .recoverEmail { homing.clock.advance(seconds: 259_200) }
            try await homing.deliver()
            try await withServer(homing) { server in
                let path = "/__/auth/action?mode=\(kind.mode.rawValue)&oobCode=\(code)&apiKey=\(TestHoming.apiKey)"
                var form = try #require(try await server.client.get(path).form)
                if kind == .recoverEmail {
                    form = try #require(try await server.client.post(form.action, form: form.fields).form)
                }
                let first = try await server.client.post(form.action, form: form.fields)
                #expect(first.status == 200)
                #expect(first.text.contains("Check your inbox"))
                let second = try await server.client.post(form.action, form: form.fields)
                #expect(second.status == 200)
                #expect(second.text.contains("A link is on its way already"))
                #expect(try await homing.deliver().count == 1)
                homing.clock.advance(seconds: 61)
                let third = try await server.client.post(form.action, form: form.fields)
                #expect(third.text.contains("Check your inbox"))
                #expect(try await homing.deliver().count == 1)
            }
        }
    }
}
