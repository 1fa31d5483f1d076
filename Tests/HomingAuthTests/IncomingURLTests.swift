// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
import HomingAuth
import HomingWire
import Testing

@Suite struct IncomingURLTests {
    private func handle(_ link: String, domains: [String]? = nil) throws -> IncomingURL {
        let auth = try domains.map { try LinkSamples.auth(domains: $0) } ?? LinkSamples.auth()
        return auth.handle(try #require(URL(string: link)))
    }

    @Test(arguments: ActionMode.allCases, [ActionLink.Order.web, .inApp])
    func `an action is told from every form of its link, its continue URL byte for byte`(
        mode: ActionMode, order: ActionLink.Order
    ) throws {
        let link = LinkSamples.action(mode, order: order)
        for form in LinkSamples.forms(of: link) + LinkSamples.scanned(link) {
            guard case .action(let url) = try handle(form) else {
                Issue.record("not an action: \(form)")
                continue
            }
            #expect(url.code == LinkSamples.code, "\(form)")
            #expect(url.operation == ActionCodeURL(link: link)?.operation)
            #expect(url.continueURL?.absoluteString == LinkSamples.state)
            #expect(url.languageCode == "pt-BR")
            #expect(ActionCodeURL(link: form) == url)
        }
    }

    @Test func `every wrapped form behind every scanner is read`() throws {
        let wanted = try #require(ActionCodeURL(link: LinkSamples.action()))
        // Mails have no custom schemes for a scanner to find.
        for form in LinkSamples.forms(of: LinkSamples.action()) where form.hasPrefix("https:") {
            for link in LinkSamples.scanned(form) {
                #expect(ActionCodeURL(link: link) == wanted, "\(link)")
                #expect(try handle(link) == .action(wanted))
            }
        }
    }

    @Test func `a continue URL that comes back through a link domain is recognised`() throws {
        let url = try #require(URL(string: "https://www.shop.example/articles/7?mode=dark&oobCode=7&lang=xx#comments"))
        for base in [LinkSamples.domain, "https://shop.example/app", "https://auth.shop.example"] {
            let link = WrappedLink.authLink(url.absoluteString, base: base)
            #expect(try handle(link) == .continueURL(url))
            #expect(try handle(try #require(LinkSamples.scanned(link).first)) == .continueURL(url))
        }
        #expect(try handle(WrappedLink.authLink(url.absoluteString, base: "https://elsewhere.example")) == .notOurs)
    }

    @Test func `the continue URL of an action is where the person was, whatever leads there`() throws {
        for wrapped in [
            WrappedLink.authLink(LinkSamples.state, base: LinkSamples.domain), LinkSamples.dynamic(LinkSamples.state),
        ] {
            let link = LinkSamples.action(.verifyEmail, order: .web, state: wrapped)
            for form in [link] + LinkSamples.scanned(link) {
                guard case .action(let url) = try handle(form) else {
                    Issue.record("not an action: \(form)")
                    continue
                }
                #expect(url.continueURL?.absoluteString == LinkSamples.state)
            }
        }
        let page = "https://elsewhere.example/__/auth/links?link=https%3A%2F%2Fa.example%2F"
        guard case .action(let url) = try handle(LinkSamples.action(.verifyEmail, order: .web, state: page)) else {
            Issue.record("not an action")
            return
        }
        #expect(url.continueURL?.absoluteString == page)
    }

    @Test(arguments: [
        "javascript:alert(1)", "javascript://www.shop.example/%0aalert(1)", "file:///etc/passwd", "otherapp://pay",
        "//evil.example", "https://evil%2f.shop.example/", "https://www.shop.example@evil.example/",
        "https://evil.example\\@www.shop.example/",
    ])
    func `nobody is led to what readers read differently, or out of the web`(target: String) throws {
        let link = LinkSamples.action(.verifyEmail, order: .web, state: target)
        #expect(ActionCodeURL(link: link)?.continueURL == nil)
        if let url = URL(string: link), case .action(let action) = try LinkSamples.auth().handle(url) {
            #expect(action.continueURL == nil)
        }
        switch try handle(WrappedLink.authLink(target, base: LinkSamples.domain)) {
        case .damaged, .notOurs: break
        case let other: Issue.record("\(other)")
        }
    }

    @Test func `a link's code is used for what the link is for, and never one of another project`() async throws {
        let transport = ScriptedTransport()
        let auth = try HomingApp.of(transport)
        let own = try #require(ActionCodeURL(link: LinkSamples.action(.signIn)))
        try await auth.applyActionCode(own)
        try await auth.confirmPasswordReset(with: own, newPassword: "long enough")
        _ = try await auth.checkActionCode(own)
        try await auth.signIn(withEmail: "ann@home.example", link: own)
        #expect(
            transport.calls.filter { $0.operation != "lookup" }.allSatisfy { $0.string("oobCode") == LinkSamples.code })
        #expect(
            transport.calls.map(\.operation)
                == ["update", "resetPassword", "resetPassword", "signInWithEmailLink", "lookup"])
        let other = try #require(ActionCodeURL(link: LinkSamples.action(.signIn, apiKey: "hk_key_of_others")))
        let reset = try #require(ActionCodeURL(link: LinkSamples.action(.resetPassword)))
        let calls: [() async throws -> Void] = [
            { try await auth.applyActionCode(other) }, { _ = try await auth.checkActionCode(other) },
            { try await auth.confirmPasswordReset(with: other, newPassword: "long enough") },
            { _ = try await auth.verifyPasswordResetCode(other) },
            { try await auth.signIn(withEmail: "ann@home.example", link: other) },
            { try await auth.signIn(withEmail: "ann@home.example", link: reset) },
        ]
        for call in calls {
            let error = await #expect(throws: HomingAuthError.self) { try await call() }
            #expect(error?.code == .invalidActionCode)
        }
        #expect(transport.calls.count == 5)
    }

    @Test func `a long dynamic link is told with its deep link, under a prefix with a path too`() throws {
        let url = try #require(URL(string: "https://www.shop.example/articles/7?from=mail#comments"))
        for base in [LinkSamples.domain, "https://shop.example/app", "https://example.page.link"] {
            #expect(try handle(LinkSamples.dynamic(url.absoluteString, base: base)) == .dynamicLink(url))
        }
        #expect(try handle(LinkSamples.hop(url.absoluteString)) == .dynamicLink(url))
        #expect(try handle(LinkSamples.hop(LinkSamples.dynamic(url.absoluteString))) == .dynamicLink(url))
        #expect(try handle(LinkSamples.dynamic(url.absoluteString, base: "https://elsewhere.example")) == .notOurs)
    }

    @Test func `a short dynamic link is for DynamicLinks to resolve`() throws {
        for link in [
            "https://links.shop.example/Ab12", "https://shop.example/app/Ab12", "https://example.page.link/Ab12",
        ] {
            let url = try #require(URL(string: link))
            #expect(try handle(link) == .shortLink(url))
            #expect(try handle(WrappedLink.authLink(link, base: LinkSamples.domain)) == .shortLink(url))
        }
    }

    @Test(arguments: [
        "https://www.shop.example/articles/7", "https://shop.example/", "https://auth.shop.example/healthz",
        "https://links.shop.example/", "https://links.shop.example.evil.example/Ab12",
        "https://links.shop.example@evil.example/Ab12", "https://user@links.shop.example/Ab12",
        "mailto:ann@home.example",
        "another.app://google/link/?deep_link_id=https%3A%2F%2Fwww.shop.example%2F", "example.shop.ios://settings",
        "example.shop.ios://google/link/dismiss", "example.shop.ios://google/link/?match_type=none",
        "example.shop.ios://google/link/?deep_link_id=https%3A%2F%2Fwww.shop.example%2F&match_type=weak",
        "https://protect-us.mimecast.com/s/4rXYCpYzk?domain=auth.shop.example",
        "https://nam02.safelinks.protection.outlook.com/?url=https%3A%2F%2Fwww.shop.example%2F&data=x",
        "https://evil.example/?next=https%3A%2F%2Flinks.shop.example%2FAb12", "file:///etc/passwd", "https://", "x:",
    ])
    func `what is not ours is left alone`(link: String) throws {
        #expect(try handle(link) == .notOurs)
        #expect(try handle(link).error == nil)
    }

    @Test func `a link that somebody else's app may have been meant for is not used`() throws {
        #expect(try handle(LinkSamples.hop(LinkSamples.action()) + "&match_type=weak") == .notOurs)
        #expect(try handle(LinkSamples.hop(LinkSamples.action()) + "&match_type=default") == .notOurs)
        guard case .action = try handle(LinkSamples.hop(LinkSamples.action()) + "&match_type=unique") else {
            Issue.record("an exact match was refused")
            return
        }
    }

    @Test func `a link of another project is named as such and never sent`() async throws {
        let transport = ScriptedTransport()
        let auth = try LinkSamples.auth(transport)
        let link = LinkSamples.action(apiKey: "hk_key_of_another")
        let url = try #require(ActionCodeURL(link: link))
        for form in LinkSamples.forms(of: link) + LinkSamples.scanned(link) {
            #expect(auth.handle(try #require(URL(string: form))) == .otherProject(url))
            let error = await #expect(throws: HomingAuthError.self) {
                try await auth.signIn(withEmail: "ann@home.example", link: form)
            }
            #expect(error?.code == .invalidActionCode)
            #expect(error?.message.contains("another project") == true)
        }
        let error = await #expect(throws: HomingAuthError.self) { try await auth.applyActionCode(url) }
        #expect(error?.message.contains("another project") == true)
        #expect(auth.handle(try #require(URL(string: link))).error?.message == error?.message)
        #expect(transport.calls.isEmpty)
    }

    @Test func `a link of this project is applied with its code`() async throws {
        let transport = ScriptedTransport()
        let auth = try LinkSamples.auth(transport)
        try await auth.applyActionCode(try #require(ActionCodeURL(link: LinkSamples.action(.verifyEmail))))
        #expect(transport.calls.map(\.operation) == ["update"])
        #expect(transport.calls.first?.string("oobCode") == LinkSamples.code)
    }

    @Test(arguments: ["mode", "oobCode", "apiKey", "continueUrl", "lang", "tenantId"])
    func `a link that says something twice is refused`(name: String) throws {
        for value in ["same", "signIn", LinkSamples.code] {
            let links = [
                LinkSamples.action(state: nil) + "&tenantId=t&\(name)=\(value)",
                LinkSamples.action(state: nil)
                    + "&tenantId=t&%\(String(name.utf8.first ?? 0, radix: 16))\(name.dropFirst())=\(value)",
            ]
            for link in links {
                let isTwice = name == "continueUrl"
                for form in LinkSamples.forms(of: isTwice ? link + "&continueUrl=x" : link) {
                    #expect(try handle(form) == .damaged, "\(form)")
                    #expect(ActionCodeURL(link: form) == nil)
                }
            }
        }
        #expect(try handle(LinkSamples.dynamic(LinkSamples.action()) + "&link=https%3A%2F%2Fx.example") == .damaged)
    }

    @Test func `a link that was decoded too early is refused, not torn apart`() throws {
        for mode in ActionMode.allCases {
            for order in [ActionLink.Order.web, .inApp] {
                let link = LinkSamples.action(mode, order: order)
                for form in LinkSamples.forms(of: link) + LinkSamples.scanned(link) {
                    var torn = form
                    while let next = percentDecoded(torn), next != torn {
                        torn = next
                        guard let url = URL(string: torn) else { break }
                        let answer = try LinkSamples.auth().handle(url)
                        if case .action(let action) = answer {
                            // One decoding fewer than the link had is harmless: Firebase's service wrote such links.
                            #expect(action.code == LinkSamples.code, "\(torn)")
                            #expect(action.continueURL?.absoluteString == LinkSamples.state, "\(torn)")
                        }
                    }
                }
            }
        }
    }

    @Test func `a continue URL in the clear is refused, for nobody knows where it ends`() throws {
        let link = LinkSamples.action(state: nil)
        for state in ["https://www.shop.example/?cart=12&item=7", "https://www.shop.example/?cart=12"] {
            #expect(try handle("\(link)&continueUrl=\(state)") == .damaged)
        }
        let unnamed = link.replacingOccurrences(of: "&lang=pt-BR", with: "")
        #expect(try handle("\(unnamed)&continueUrl=https://www.shop.example/a#b&lang=pt-BR") == .damaged)
    }

    @Test(arguments: [ActionLink.Order.web, .inApp])
    func `a link that names no language is read whole`(order: ActionLink.Order) throws {
        let link = LinkSamples.action(.verifyEmail, order: order).replacingOccurrences(of: "&lang=pt-BR", with: "")
        #expect(!link.contains("lang=pt"))
        for form in LinkSamples.forms(of: link) + LinkSamples.scanned(link) {
            guard case .action(let url) = try handle(form) else {
                Issue.record("not an action: \(form)")
                continue
            }
            #expect(url.code == LinkSamples.code && url.languageCode == nil, "\(form)")
            #expect(url.continueURL?.absoluteString == LinkSamples.state, "\(form)")
        }
    }

    // Nobody can tell a continue URL that was cut from a shorter one in a link that names no language.
    @Test func `a link that was cut short anywhere is refused or has only its own parameters`() throws {
        for order in [ActionLink.Order.web, .inApp] {
            for form in LinkSamples.forms(of: LinkSamples.action(order: order)).filter({ !$0.hasSuffix("#top") }) {
                for length in 1..<form.utf8.count {
                    guard let url = URL(string: String(decoding: form.utf8.prefix(length), as: UTF8.self)) else {
                        continue
                    }
                    switch try LinkSamples.auth().handle(url) {
                    case .action(let action):
                        // A cut code is the last part of the link; the server refuses it by its length.
                        #expect(action.code.map(LinkSamples.code.hasPrefix) == true)
                        #expect(action.continueURL == nil || action.code == LinkSamples.code)
                        #expect(action.continueURL.map { LinkSamples.state.hasPrefix($0.absoluteString) } ?? true)
                    case .otherProject: Issue.record("a part of our key is not another project's: \(url)")
                    case .damaged, .notOurs: break
                    case .continueURL(let url), .dynamicLink(let url):
                        // Cut before any part of an action; nobody can tell that more was to follow.
                        #expect(
                            ["https://auth.shop.example/__/auth/action", LinkSamples.domain + "/__/auth/links?link="]
                                .contains { $0.hasPrefix(url.absoluteString) })
                    case .shortLink: Issue.record("not a short link: \(url)")
                    }
                }
            }
        }
    }

    @Test func `damage is described in words`() throws {
        let link = LinkSamples.action().replacingOccurrences(of: "apiKey=hk_key_of_the_shop&", with: "")
        let answer = try handle(link)
        #expect(answer == .damaged)
        #expect(answer.error?.code == .invalidActionCode)
        #expect(answer.error?.message.contains("incomplete") == true)
    }

    @Test(arguments: [
        "https://nam02.safelinks.protection.outlook.com/?url=INNER&url=INNER",
        "https://nam02.safelinks.protection.outlook.com/?url=&data=x",
        "https://nam02.safelinks.protection.outlook.com.evil.example/?url=INNER",
        "https://safelinks.protection.outlook.com/?url=INNER", "https://www.google.com/url?q=INNER&url=INNER",
        "https://www.google.com/search?q=INNER", "https://www.google.example/url?q=INNER",
        "https://urldefense.proofpoint.com/v2/url?u=INNER&d=x", "https://urldefense.com/v3/__INNER__;!!x!y$",
        "https://urldefense.com/v3/__https://auth.shop.example/*__;!!x!y$",
        "https://urldefense.com/v3/__https://auth.shop.example/__;Kw!!x!y$",
        "https://urldefense.com/v3/__https://auth.shop.example/**__;Kw!!x!y$",
        "https://urldefense.com/v3/__https://auth.shop.example/*__;A!!x$", "https://urldefense.com/v3/__;!",
        "https://urldefense.com/v3/__",
        "https://secure-web.cisco.com/token/INNER?x=1", "https://secure-web.cisco.com/INNER",
        "https://linkprotect.cudasvc.com/url?b=INNER", "https://linkprotect.cudasvc.com/other?a=INNER",
        "https://protect-us.mimecast.com/s/INNER",
    ])
    func `a scanner's wrapper that can be read in two ways stays closed`(wrapper: String) throws {
        let link = wrapper.replacingOccurrences(of: "INNER", with: percentEncoded(LinkSamples.action()))
        #expect(ActionCodeURL(link: link) == nil)
        #expect(try handle(link) == .notOurs)
    }

    @Test func `a scanner's wrapper with the inner link in the clear stays closed`() throws {
        for prefix in [
            "https://nam02.safelinks.protection.outlook.com/?url=", "https://www.google.com/url?q=",
            "https://linkprotect.cudasvc.com/url?a=", "https://urldefense.proofpoint.com/v1/url?u=",
        ] {
            #expect(ActionCodeURL(link: prefix + LinkSamples.action()) == nil)
        }
    }

    @Test func `Proofpoint's third spelling is read as its own documentation reads it`() {
        let link =
            "https://urldefense.com/v3/__https://google.com:443/search?q=a*test&gs=ps__;Kw!-612Flbf0JvQ3kNJkRi5Jg!Ue6tQudNKaShHg93trcdjqDP8se2ySE65jyCIe2K1D_uNjZ1Lnf6YLQERujngZv9UWf66ujQIQ$"
        #expect(ScannedLink(link) == .holding("https://google.com:443/search?q=a+test&gs=ps"))
    }

    @Test func `wrappers within wrappers have an end`() throws {
        var link = LinkSamples.action()
        for _ in 0..<6 { link = WrappedLink.authLink(link, base: LinkSamples.domain) }
        #expect(ActionCodeURL(link: link) != nil)
        #expect(ActionCodeURL(link: WrappedLink.authLink(link, base: LinkSamples.domain)) == nil)
        #expect(ActionCodeURL(link: LinkSamples.action(state: String(repeating: "a", count: 16_384))) == nil)
    }

    @Test func `a page's own parameter named link is no wrapper`() throws {
        let link = LinkSamples.action(state: nil)
            .replacingOccurrences(of: "/__/auth/action?", with: "/page?link=home&")
        #expect(ActionCodeURL(link: link)?.code == LinkSamples.code)
        let page =
            "https://www.shop.example/share?link=https%3A%2F%2Fother.example%2F&mode=signIn&oobCode=\(LinkSamples.code)"
        #expect(ActionCodeURL(link: "\(page)&apiKey=\(LinkSamples.apiKey)&lang=en")?.code == LinkSamples.code)
        #expect(ActionCodeURL(link: page) == nil)
    }
}
