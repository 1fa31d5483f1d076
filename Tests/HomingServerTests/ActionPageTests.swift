// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingDatabase
import HomingProjects
import HomingStore
import HomingTesting
import HomingTexts
import HomingWire
import Testing

@Suite struct ActionPageTests {
    private func path(_ kind: ActionCodeKind, _ code: String, lang: String = "en") -> String {
        "/__/auth/action?mode=\(kind.mode.rawValue)&oobCode=\(code)&apiKey=\(TestHoming.apiKey)&lang=\(lang)"
    }

    @Test(arguments: ActionCodeKind.allCases)
    func `GET, HEAD and prefetching change nothing`(kind: ActionCodeKind) async throws {
        try await withHoming { homing in
            let code = try await homing.liveCode(kind)
            try await withServer(homing) { server in
                let commits = homing.database.counts.commits
                for method in ["GET", "HEAD", "GET"] {
                    for header in [("Purpose", "prefetch"), ("Sec-Purpose", "prefetch"), ("User-Agent", "scanner")] {
                        let answer = try await server.client.send(method, path(kind, code), headers: [header])
                        #expect(answer.status == 200)
                        #expect(method == "GET" || answer.body.isEmpty)
                    }
                }
                for method in ["OPTIONS", "PUT", "DELETE", "PATCH"] {
                    #expect(try await server.client.send(method, path(kind, code)).status >= 400)
                }
                #expect(homing.database.counts.commits == commits)
                try await homing.redeem(code, kind)
            }
        }
    }

    @Test func `every page keeps the code to itself`() async throws {
        try await withHoming { homing in
            let code = try await homing.liveCode(.verifyEmail)
            try await withServer(homing) { server in
                for target in [path(.verifyEmail, code), path(.verifyEmail, "dead"), "/__/auth/action", "/nowhere"] {
                    let page = try await server.client.get(target)
                    #expect(page.header("Content-Security-Policy")?.hasPrefix("default-src 'none'") == true)
                    #expect(page.header("Content-Security-Policy")?.contains("unsafe-inline") == false)
                    #expect(page.header("Content-Security-Policy")?.contains("frame-ancestors 'none'") == true)
                    #expect(page.header("Referrer-Policy") == "no-referrer")
                    #expect(page.header("Cache-Control") == "no-store")
                    #expect(page.header("X-Content-Type-Options") == "nosniff")
                    #expect(page.header("Set-Cookie") == nil)
                    #expect(page.body.count < 20_480)
                }
            }
        }
    }

    @Test func `a form acts only with the token of its own page, for two hours`() async throws {
        try await withHoming { homing in
            let code = try await homing.liveCode(.verifyEmail)
            let other = try await homing.code(.signIn, for: "bob@home.example")
            try await withServer(homing) { server in
                let form = try #require(try await server.client.get(path(.verifyEmail, code)).form)
                for wrong in [
                    form.with("token", ""), form.with("token", "x"), form.with("oobCode", other),
                    form.with("step", "renew"),
                ] {
                    #expect(try await server.client.post(form.action, form: wrong.fields).status == 403)
                }
                #expect(
                    try await server.client.post(form.action, form: form.with("step", "other").fields).status == 400)
                homing.clock.advance(seconds: 7200)
                let late = try await server.client.post(form.action, form: form.fields)
                #expect(late.status == 403)
                let again = try #require(late.continueHref, "a page that was open for too long leads on")
                let onward = try #require(try await server.client.get(again).form)
                #expect(onward["oobCode"] == code && onward["token"] != form["token"])
                let fresh = try #require(try await server.client.get(path(.verifyEmail, code)).form)
                homing.clock.advance(seconds: 7199)
                #expect(try await server.client.post(fresh.action, form: fresh.fields).status == 200)
            }
        }
    }

    @Test func `a form that another site sends is refused`() async throws {
        try await withHoming { homing in
            let code = try await homing.liveCode(.verifyEmail)
            try await withServer(homing) { server in
                let form = try #require(try await server.client.get(path(.verifyEmail, code)).form)
                for header in [("Origin", "https://evil.example"), ("Sec-Fetch-Site", "cross-site")] {
                    let answer = try await server.client.post(form.action, form: form.fields, headers: [header])
                    #expect(answer.status == 403)
                }
                let own = try await server.client.post(
                    form.action, form: form.fields, headers: [("Origin", "null"), ("Sec-Fetch-Site", "same-origin")])
                #expect(own.status == 200)
            }
        }
    }

    @Test func `the mode of the query has to be the code's own`() async throws {
        try await withHoming { homing in
            let code = try await homing.liveCode(.verifyEmail)
            try await withServer(homing) { server async throws in
                for kind in ActionCodeKind.allCases where kind != .verifyEmail {
                    #expect(try await server.client.get(path(kind, code)).status == 400)
                }
                #expect(try await server.client.get(path(.verifyEmail, code)).status == 200)
            }
        }
    }

    @Test func `a repeated, an unknown or a missing parameter gives a page that says so`() async throws {
        try await withHoming { homing in
            let code = try await homing.liveCode(.verifyEmail)
            let good = path(.verifyEmail, code)
            try await withServer(homing) { server in
                for wrong in [
                    good + "&oobCode=x", good + "&apiKey=x", good + "&mode=resetPassword", "/__/auth/action",
                    good.replacing("verifyEmail", with: "verifyemail"), good.replacing("verifyEmail", with: "other"),
                    good.replacing(TestHoming.apiKey, with: "nobody"), good.replacing(code, with: ""),
                    good.replacing(code, with: "%"), good.replacing(code, with: "%3Cscript%3E"),
                ] {
                    let page = try await server.client.get(wrong)
                    #expect(page.status == 400, "\(wrong)")
                    #expect(page.form == nil)
                    #expect(!page.text.contains("<script>alert"))
                }
                let notOffered = good.replacing("verifyEmail", with: "revertSecondFactorAddition")
                #expect(try await server.client.get(notOffered).status == 410)
            }
        }
    }

    @Test func `a link with separators that were written for HTML, or with its path in upper case, is mended`()
        async throws
    {
        try await withHoming { homing in
            let code = try await homing.liveCode(.verifyEmail)
            let good = path(.verifyEmail, code)
            try await withServer(homing) { server in
                for damaged in [
                    good.replacing("&", with: "&amp;"), good.replacing("&", with: "&amp;amp;"),
                    good.replacing("&", with: "&%23038;"), good.replacing("&", with: "&AMP%3B"),
                    good.replacing("/__/auth/action", with: "/__/AUTH/ACTION"),
                ] {
                    let page = try await server.client.get(damaged)
                    #expect(page.status == 200, "\(damaged)")
                    #expect(page.form?["oobCode"] == code)
                }
                let reset = "/__/Auth/RESET?amp;apiKey=\(TestHoming.apiKey)&amp;lang=es"
                let page = try await server.client.get(reset)
                #expect(page.status == 200 && page.pageLanguage == "es")
                // The page needs no continue URL, so that one that was cut costs nothing.
                #expect(try await server.client.get(good + "&continueUrl=https%3A%2").status == 200)
            }
        }
    }

    @Test func `a link of which a part was lost says so, and not that its app is unknown`() async throws {
        try await withHoming { homing in
            let code = try await homing.liveCode(.verifyEmail)
            let good = path(.verifyEmail, code)
            let key = "&apiKey=\(TestHoming.apiKey)"
            let cut = try #require(good.firstRange(of: key)).lowerBound
            try await withServer(homing) { server in
                for damaged in [
                    good.replacing("=", with: "=3D"), String(good[..<cut]),
                    good.replacing(key, with: ""), good + key, "/__/auth/action?mode=verifyEmail&",
                    "/__/auth/action", String(good.prefix(60)), "/__/auth/reset", "/__/auth/reset?apiKey=%",
                    good + "&amp;oobCode=other", "/__/auth/links",
                    "/__/auth/links?link=https%3A%2F%2Fauth.shop.example%2",
                    "/__/auth/links?link=https%3A%2F%2Fauth.shop.example%2F__%2Fauth%2Faction%3Fmode%3DverifyEmail",
                ] {
                    let page = try await server.client.get(damaged)
                    #expect(page.status == 400, "\(damaged)")
                    #expect(page.text.contains("<h1>This link is incomplete</h1>"), "\(damaged)")
                    #expect(page.form == nil)
                }
                let foreign = try await server.client.get(good.replacing(TestHoming.apiKey, with: "nobody"))
                #expect(foreign.status == 400 && foreign.text.contains("We don’t know this app"))
            }
        }
    }

    @Test func `a mended link leads nowhere that the same link would not lead undamaged`() async throws {
        try await withHoming(linkDomains: ["links.example"]) { homing in
            try await withServer(homing) { server async throws in
                for (link, status) in [("https%3A%2F%2Fshop.example%2F", 302), ("https%3A%2F%2Fevil.example%2F", 400)] {
                    for query in [
                        "apn=a.b&link=\(link)", "apn=a.b&amp;link=\(link)", "amp;link=\(link)", "%2338;link=\(link)",
                    ] {
                        let answer = try await server.open("https://links.example/?\(query)")
                        #expect(answer.status == status, "\(query)")
                        #expect(answer.header("Location")?.contains("evil") != true)
                    }
                    let fallen = try await server.open(
                        "https://links.example/?link=https%3A%2F%2Fshop.example%2F&amp;ofl=\(link)")
                    #expect(fallen.header("Location") == "https://shop.example/")
                    for path in ["/__/auth/links?amp;link=", "/__/AUTH/Links?link="] {
                        #expect(
                            try await server.open("https://links.example\(path)\(link)").status == status, "\(path)")
                    }
                }
            }
        }
    }

    @Test func `Continue leads to a link domain of the project, and no further when it is taken away`() async throws {
        try await withHoming(linkDomains: ["links.example"]) { homing in
            try await homing.account(TestHoming.ann)
            let target = "https://links.example/finish?cart={7}|8"
            var asked = ActionCodeSettings.Asked()
            asked.continueURL = target
            let settings = try ActionCodeSettings(asked, in: try homing.shop)
            try await withServer(homing) { server in
                for isThere in [true, false] {
                    let code = try await homing.code(.verifyEmail, for: TestHoming.ann, settings: settings)
                    if !isThere { try await homing.projects.removeLinkDomain("links.example", from: "shop") }
                    let form = try #require(try await server.client.get(path(.verifyEmail, code)).form)
                    let done = try await server.client.post(form.action, form: form.fields)
                    #expect(done.status == 200)
                    #expect(done.continueHref == (isThere ? target : nil))
                }
            }
        }
    }

    @Test func `lang wins over Accept-Language, and that over the project's language`() async throws {
        try await withHoming { homing in
            try await homing.projects.set("shop", "notification.defaultLocale", to: "tr")
            let code = try await homing.liveCode(.verifyEmail)
            try await withServer(homing) { server in
                for (lang, accepted, page) in [
                    ("es", "it", "es"), ("xx", "it;q=0.9,es;q=0.1", "it"), ("", "xx", "tr"), ("", "", "tr"),
                    ("pt-BR", "", "pt-BR"), ("zh-CN", "", "zh-Hans"),
                ] {
                    let headers = accepted.isEmpty ? [] : [("Accept-Language", accepted)]
                    let answer = try await server.client.get(path(.verifyEmail, code, lang: lang), headers: headers)
                    #expect(answer.pageLanguage?.lowercased().hasPrefix(page.prefix(2)) == true, "\(lang) \(accepted)")
                }
            }
        }
    }

    @Test func `Continue follows the code's row and not the query, and not when the domain was taken off the list`()
        async throws
    {
        try await withHoming { homing in
            try await homing.account(TestHoming.ann)
            var asked = ActionCodeSettings.Asked()
            asked.continueURL = "https://shop.example/mine"
            let settings = try ActionCodeSettings(asked, in: try homing.shop)
            try await withServer(homing) { server in
                for isListed in [true, false] {
                    let code = try await homing.code(.verifyEmail, for: TestHoming.ann, settings: settings)
                    if !isListed { try await homing.projects.removeDomain("shop.example", from: "shop") }
                    let target = path(.verifyEmail, code) + "&continueUrl=https%3A%2F%2Fwww.shop.example%2Fother"
                    let form = try #require(try await server.client.get(target).form)
                    let done = try await server.client.post(
                        form.action, form: form.with("continueUrl", "https://www.shop.example/other").fields)
                    #expect(done.status == 200)
                    #expect(done.continueHref == (isListed ? "https://shop.example/mine" : nil))
                }
            }
        }
    }

    @Test func `a link that was mailed with a key still works after the key was revoked, and apps with it do not`()
        async throws
    {
        try await withHoming(linkDomains: ["go.shop.example"]) { homing in
            let code = try await homing.liveCode(.verifyEmail)
            _ = try await homing.projects.createAPIKey(named: nil, in: "shop")
            try await homing.projects.revokeAPIKey(TestHoming.apiKey, in: "shop")
            try await withServer(homing) { server in
                let refused = try await server.call("accounts:resetPassword", [("oobCode", code)])
                #expect(refused.status == 400)
                #expect(refused.errorMessage == "API key not valid. Please pass a valid API key.")
                let wrapped =
                    "/__/auth/links?link=" + percentEncoded("https://auth.shop.example" + path(.verifyEmail, code))
                #expect(try await server.client.get(wrapped).status == 302)
                let page = try await server.client.get(path(.verifyEmail, code))
                let form = try #require(page.form)
                #expect(try await server.client.post(form.action, form: form.fields).status == 200)
                #expect(try await homing.found(TestHoming.ann)?.isEmailVerified == true)
                let notice = try await server.client.get("/__/auth/reset?apiKey=\(TestHoming.apiKey)")
                #expect(notice.status == 200)
            }
        }
    }
}
