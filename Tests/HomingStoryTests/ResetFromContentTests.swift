// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingTesting
import HomingWire
import Testing

/// A reset that began at content behind a sign-in leads back to that content.
@Suite struct ResetFromContentTests {
    private static let content = "https://www.shop.example/articles/7?from=newsletter&email=ann@home.example#comments"

    @Test func `a person who forgot the password is back at the article they wanted to read`() async throws {
        try await withHoming { homing in
            try await homing.signUp("ann@home.example", password: "the forgotten one")
            try await withServer(homing) { server in
                let asked = try await server.call(
                    "accounts:sendOobCode",
                    [("requestType", "PASSWORD_RESET"), ("email", "Ann@Home.example"), ("continueUrl", Self.content)])
                #expect(asked.status == 200)
                #expect(asked.string("email") == "ann@home.example")
                #expect(asked.string("oobCode") == nil)

                let mail = try #require(try await homing.deliver().first)
                #expect(mail.recipient == "ann@home.example")
                let link = try #require(mail.links.first)
                let page = try await server.open(link)
                #expect(page.status == 200)
                let form = try #require(page.form)
                let weak = try await server.client.post(form.action, form: form.with("newPassword", "short").fields)
                #expect(weak.status == 422)
                let again = try #require(weak.form)
                let done = try await server.client.post(
                    again.action, form: again.with("newPassword", "a new one + more").fields)
                #expect(done.status == 200)
                #expect(done.continueHref?.utf8.elementsEqual(Self.content.utf8) == true)

                let signedIn = try await server.call(
                    "accounts:signInWithPassword", [("email", "ann@home.example"), ("password", "a new one + more")])
                #expect(signedIn.status == 200)
                let old = try await server.call(
                    "accounts:signInWithPassword", [("email", "ann@home.example"), ("password", "the forgotten one")])
                #expect(old.errorMessage == "INVALID_LOGIN_CREDENTIALS")
                let notice = try #require(try await homing.deliver().first)
                #expect(notice.recipient == "ann@home.example")
                #expect(notice.actionLink == nil)

                let dead = try await server.open(link)
                #expect(dead.status == 410)
                #expect(dead.text.contains("already been used"))
            }
        }
    }

    @Test func `a page on somebody else's domain is refused and nothing is mailed`() async throws {
        try await withHoming { homing in
            try await homing.account("ann@home.example")
            try await withServer(homing) { server in
                for (url, message) in [
                    ("https://evil.example/", "UNAUTHORIZED_DOMAIN : Domain not allowlisted by project"),
                    ("https://shop.example.evil.example/", "UNAUTHORIZED_DOMAIN : Domain not allowlisted by project"),
                    ("http://shop.example/", "INVALID_CONTINUE_URI"),
                    ("https://shop.example@evil.example/", "INVALID_CONTINUE_URI"),
                    ("https://evil.example\\@shop.example/", "INVALID_CONTINUE_URI"),
                    ("javascript:alert(1)", "INVALID_CONTINUE_URI"),
                    ("//shop.example/", "INVALID_CONTINUE_URI"), ("", "INVALID_CONTINUE_URI"),
                ] {
                    let answer = try await server.call(
                        "accounts:sendOobCode",
                        [("requestType", "PASSWORD_RESET"), ("email", "ann@home.example"), ("continueUrl", url)])
                    #expect(answer.status == 400, "\(url)")
                    #expect(answer.errorMessage?.hasPrefix(message) == true, "\(url): \(answer.errorMessage ?? "")")
                }
                #expect(try await homing.deliver().isEmpty)
            }
        }
    }

    @Test func `an address without an account gets the same answer and no mail`() async throws {
        try await withHoming { homing in
            try await homing.account("ann@home.example")
            try await withServer(homing) { server in
                var answers: [String] = []
                for address in ["ann@home.example", "bob@home.example"] {
                    let answer = try await server.call(
                        "accounts:sendOobCode", [("requestType", "PASSWORD_RESET"), ("email", address)])
                    #expect(answer.status == 200)
                    answers.append(answer.text.replacing(address, with: "ADDRESS"))
                }
                #expect(answers[0] == answers[1])
                #expect(try await homing.deliver().map(\.recipient) == ["ann@home.example"])
            }
        }
    }
}
