// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingWire
import Testing

@Suite struct ActionLinkTests {
    private let link = ActionLink(
        handler: "https://p.example/__/auth/action", mode: .resetPassword, code: "abc-_1", apiKey: "K",
        continueURL: "http://localhost?a=1&b=5#f=1", language: "pt-BR", tenantID: "t1")

    @Test func `a web link has the mode first`() {
        #expect(
            link.url(order: .web) == "https://p.example/__/auth/action?mode=resetPassword&oobCode=abc-_1&apiKey=K"
                + "&continueUrl=http%3A%2F%2Flocalhost%3Fa%3D1%26b%3D5%23f%3D1&lang=pt-BR&tenantId=t1")
    }

    @Test func `a link for an app has the key first`() {
        #expect(
            link.url(order: .inApp) == "https://p.example/__/auth/action?apiKey=K&mode=resetPassword&oobCode=abc-_1"
                + "&continueUrl=http%3A%2F%2Flocalhost%3Fa%3D1%26b%3D5%23f%3D1&lang=pt-BR&tenantId=t1")
    }

    @Test func `absent values are left out`() {
        let bare = ActionLink(handler: "https://p.example/a", mode: .recoverEmail, code: "c", apiKey: "k")
        #expect(bare.url(order: .web) == "https://p.example/a?mode=recoverEmail&oobCode=c&apiKey=k")
        #expect(ActionLink(parsing: bare.url(order: .web)) == bare)
    }

    @Test func `a handler keeps its own query`() {
        var link = link
        link.handler = "https://p.example/act?theme=a%20b&x"
        #expect(link.url(order: .web).utf8.starts(with: "https://p.example/act?theme=a%20b&x&mode=resetPassword&".utf8))
        #expect(ActionLink(parsing: link.url(order: .web)) == link)
    }

    @Test(arguments: ActionMode.allCases, [ActionLink.Order.web, .inApp])
    func `a link comes back from every form byte for byte`(mode: ActionMode, order: ActionLink.Order) {
        var link = link
        link.mode = mode
        let url = link.url(order: order)
        let base = "https://links.example/x"
        let hop = "com.example.ios://google/link/?deep_link_id="
        for form in [
            url,
            url + "#top",
            WrappedLink.authLink(url, base: base),
            WrappedLink.dynamicLink(
                url, base: base, apps: .init(androidPackageName: "com.example.android", iosBundleID: "b")),
            "https://links.example?link=\(percentEncoded(url))",
            hop + percentEncoded(url),
            hop + percentEncoded(WrappedLink.authLink(url, base: base)),
            "https://links.example/?link=" + percentEncoded(hop + percentEncoded(url)),
        ] {
            let parsed = ActionLink(parsing: form)
            #expect(parsed == link, "\(form)")
            #expect(parsed?.continueURL.map { Array($0.utf8) } == Array("http://localhost?a=1&b=5#f=1".utf8))
        }
    }

    @Test func `a half-encoded link of the old service is read`() {
        let parsed = ActionLink(
            parsing: "https://d.app.goo.gl/?link=https://p.firebaseapp.com/__/auth/action"
                + "?apiKey%3Dfoo%26mode%3DsignIn%26oobCode%3Dbar")
        #expect(
            parsed
                == ActionLink(
                    handler: "https://p.firebaseapp.com/__/auth/action", mode: .signIn, code: "bar", apiKey: "foo"))
    }

    @Test func `deep_link_id wins over link`() {
        func action(_ code: String) -> String { "https://p.example/a?apiKey=k&mode=signIn&oobCode=\(code)" }
        func enc(_ text: String) -> String { percentEncoded(text) }
        let both = "app://google/link?link=\(enc(action("outer")))&deep_link_id="
        #expect(ActionLink(parsing: both + enc(action("deep")))?.code == "deep")
        #expect(ActionLink(parsing: both + enc("https://l.example/?link=" + enc(action("inner"))))?.code == "inner")
        #expect(ActionLink(parsing: action("self") + "&link=" + enc(action("outer")))?.code == "outer")
        #expect(ActionLink(parsing: both + enc("https://l.example/") + "&link=x") == nil)
    }

    @Test func `only one level of each is unwrapped`() {
        let url = link.url(order: .inApp)
        let twice = WrappedLink.authLink(
            WrappedLink.authLink(url, base: "https://a.example"), base: "https://b.example")
        #expect(ActionLink(parsing: twice) == nil)
    }

    @Test func `a continue URL's own parameters are never taken for the link's`() {
        var link = link
        link.continueURL =
            "https://shop.example/?mode=verifyEmail&oobCode=stolen&apiKey=x&lang=xx&link=https%3A%2F%2Fe.test"
        for order in [ActionLink.Order.web, .inApp] {
            #expect(ActionLink(parsing: link.url(order: order)) == link)
            #expect(
                ActionLink(parsing: WrappedLink.authLink(link.url(order: order), base: "https://l.example")) == link)
        }
        // A mail client that decoded the continue URL does not change the code either.
        let torn =
            "https://p.example/a?mode=signIn&oobCode=real&apiKey=k&continueUrl=https://x.test/?a=1&oobCode=other&mode=x"
        #expect(ActionLink(parsing: torn)?.code == "real")
        #expect(ActionLink(parsing: torn)?.mode == .signIn)
        #expect(ActionLink(parsing: torn)?.continueURL == "https://x.test/?a=1")
    }

    @Test func `a continue URL that is an action link is not the link`() {
        let nested = "https://shop.example/?" + percentEncoded("mode") + "=signIn&oobCode=c&apiKey=k"
        #expect(ActionLink(parsing: "https://p.example/a?continueUrl=\(percentEncoded(nested))") == nil)
    }

    @Test(arguments: [
        "", "?", "https://p.example/a", "https://p.example/a?mode=signIn",
        "https://p.example/a?mode=signIn&oobCode=c", "https://p.example/a?mode=signIn&apiKey=k",
        "https://p.example/a?oobCode=c&apiKey=k", "https://p.example/a?mode=signin&oobCode=c&apiKey=k",
        "https://p.example/a?mode=signIn&oobCode=&apiKey=k", "https://p.example/a?mode=signIn&oobCode=c&apiKey=",
        "https://p.example/a#mode=signIn&oobCode=c&apiKey=k", "https://p.example/a?mode=signIn&oobCode=%zz&apiKey=k",
        "https://p.example/a?mode=signIn&oobCode=c&api\u{212A}ey=k",
    ])
    func `without a key, a code and a known mode there is no link`(url: String) {
        #expect(ActionLink(parsing: url) == nil)
    }

    @Test func `no text brings the parser down`() {
        let seed = UInt64.random(in: .min ... .max)
        print("action links, seed \(seed)")
        var random = SeededGenerator(seed: seed)
        let pieces = [
            "?", "&link=", "&deep_link_id=", "&mode=signIn", "&oobCode=c", "&apiKey=k", "?apiKey=k&mode=signIn",
            "%3FapiKey%3Dk%26mode%3DsignIn%26oobCode%3Dc", "&", "#", "=", "%", "%26", "é", "\u{0}",
        ]
        var found = 0
        for round in 0..<20_000 {
            let count = Int.random(in: 0...12, using: &random)
            let url = (0..<count).compactMap { _ in pieces.randomElement(using: &random) }.joined()
            guard let parsed = ActionLink(parsing: url) else { continue }
            found += 1
            #expect(
                parsed.code.utf8.first == UInt8(ascii: "c") && parsed.mode == .signIn, "seed \(seed), round \(round)")
        }
        #expect(found > 0)
    }
}
