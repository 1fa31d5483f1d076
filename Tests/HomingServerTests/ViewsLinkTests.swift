// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingLinkRules
import HomingPages
import HomingShortLinks
import HomingStore
import HomingTexts
import Testing

private func count(_ needle: String, in text: String) -> Int {
    text.ranges(of: needle).count
}

/// The pages of the link service.
@Suite struct ViewsLinkTests {
    private let frame = PageFrame(appName: "App", language: .english)
    private let universal = "https://links.example.com/a?b=c&_open=1"

    private func body(_ view: some PageView) -> String { view.body(in: frame).utf8Text }

    @Test(arguments: [
        "https://links.example.com/a?b=c&_open=1",
        "com.example.app://google/link/?deep_link_id=https%3A%2F%2Fa.example",
        "my-app+1.x://google/link/",
    ])
    func `the one large button leads to the app`(href: String) {
        let page = body(OpenAppView(openHref: href))
        #expect(count("<a ", in: page) == 1)
        #expect(
            page.contains("<a class=\"button large\" href=\"\(href.replacing("&", with: "&amp;"))\">Open App</a>"))
    }

    @Test(arguments: [
        "javascript://google/link/?%0aalert(1)", "JavaScript://google/link/?x", "data://google/link/",
        "intent://google/link/",
        "FILE://google/link/", "com.example.app://evil/link/", "com.example.app:alert(1)", "1app://google/link/",
        "app://google/link/ x", "app://google/link/\u{301}", "\u{301}app://google/link/", "app://google/lin",
        "//google/link/",
        " app://google/link/", "http:alert(1)", "",
    ])
    func `an address that opens no app gets no button`(href: String) {
        #expect(!body(OpenAppView(openHref: href)).contains("<a "))
    }

    @Test func `whoever has no app is offered one quiet link`() {
        let store = body(OpenAppView(openHref: universal, otherwise: .appStore(href: "https://apps.apple.com/app/id1")))
        #expect(count("<a ", in: store) == 2)
        #expect(store.contains("class=\"button quiet\" href=\"https://apps.apple.com/app/id1\""))
        #expect(store.contains(">Get App on the App Store</a>"))
        let web = body(OpenAppView(openHref: universal, otherwise: .browser(href: "https://www.example.com/")))
        #expect(web.contains(">Continue in the browser</a>") && web.contains("Takes you to www.example.com<"))
        #expect(!body(OpenAppView(openHref: universal, otherwise: .browser(href: "javascript:x"))).contains("quiet"))
    }

    @Test(arguments: [nil, "javascript://google/link/"])
    func `where there is no way into the app the page does not promise one`(href: String?) {
        let view = OpenAppView(openHref: href, otherwise: .browser(href: "https://www.example.com/"))
        let page = body(view)
        #expect(count("<a ", in: page) == 1)
        #expect(page.contains("<a class=\"button\" href=\"https://www.example.com/\""))
        #expect(page.contains("<h1>Continue in the browser</h1>"))
        #expect(!page.contains("the app"))
    }

    @Test func `where there is nothing but the app the page says so`() {
        let page = body(OpenAppView(openHref: nil))
        #expect(!page.contains("<a "))
        #expect(page.contains("<h1>Open in App</h1>"))
        #expect(page.contains("This link only works in App."))
    }

    @Test(arguments: Language.allCases)
    func `in another app's window words and a picture say how to come out`(language: Language) throws {
        let samples = ViewsSamples()
        let frame = samples.frame(language)
        func page(_ name: String) throws -> String {
            try #require(samples.sample(name)).view.page(in: frame).utf8Text
        }
        let text = Texts.of(language).pages.link
        let phone = try page("in another app on an iPhone")
        #expect(count("<li>\(text.inApp.menu)</li><li>\(text.inApp.safari)</li>", in: phone) == 1)
        #expect(phone.contains("<div class=\"way\">") && phone.contains("<svg viewBox=\"0 0 120 64\" aria-hidden"))
        #expect(!phone.contains("class=\"button large\""), "no tap on a link opens an app from there")
        #expect(phone.contains("class=\"button quiet\" href=\"https://www.example.com:8443/a?state=ada@example.com2\""))
        let scheme = try page("in another app, with a scheme")
        #expect(scheme.contains("class=\"button large\" href=\"com.example.app://google/link/?a\""))
        let android = try page("in another app on Android")
        #expect(android.contains("class=\"button large\" href=\"intent://a.example/b#Intent;scheme=https;package=c.d;"))
        #expect(android.contains("<li>\(text.inApp.browser)</li>") && !android.contains("App Store"))
        for page in [phone, scheme, android] {
            #expect(
                page.contains(
                    "<button type=\"button\" class=\"button quiet\" "
                        + "data-copy=\"https://www.example.com:8443/a?state=ada@example.com\" "
                        + "data-copied=\"\(text.open.copied)\" aria-live=\"polite\" hidden>\(text.open.copyButton)</button>"
                ))
        }
    }

    @Test func `Safari offers the app, or its clip, above the page`() {
        let link = "https://links.example.com/?link=https://a.example/,b"
        var view = OpenAppView(openHref: universal, copyHref: link)
        #expect(!view.page(in: frame).utf8Text.contains("apple-itunes-app"))
        view.banner = AppBanner(RegisteredApp(platform: .apple, id: "a.b", appStoreID: "123456789"))
        let tag = "<meta name=\"apple-itunes-app\" content=\"app-id=123456789, app-"
        #expect(
            view.page(in: frame).utf8Text.contains(
                tag + "argument=https://links.example.com/?link=https://a.example/%2Cb\">"))
        view.banner = AppBanner(
            RegisteredApp(platform: .apple, id: "a.b", appStoreID: "123456789", clipBundleID: "a.b.Clip"))
        #expect(view.page(in: frame).utf8Text.contains(tag + "clip-bundle-id=a.b.Clip, app-clip-display=card\">"))
        #expect(
            MacOrIPadView(iPad: view, desktopHref: "https://www.example.com/").page(in: frame).utf8Text.contains(tag))
        #expect(AppBanner(RegisteredApp(platform: .apple, id: "a.b", clipBundleID: "a.b.Clip")) == nil)
    }

    @Test(arguments: [
        "intent://a/b#Intent;scheme=https;package=c.d;S.browser_fallback_url=https%3A%2F%2Fe;component=x;end",
        "intent://a/b#Intent;scheme=javascript;package=c.d;S.browser_fallback_url=https%3A%2F%2Fe;end",
        "intent://a/b#Intent;scheme=https;package=c.d;S.browser_fallback_url=javascript:x;end",
        "intent://a/b#Intent;package=c.d;end", "intent://a/b#c#Intent;scheme=https;package=c.d;end", "intent:x",
    ])
    func `an intent that we would not have made gets no button`(href: String) {
        #expect(!body(OpenAppView(openHref: href)).contains("<a "))
    }

    @Test(arguments: Language.allCases)
    func `the page names the app in its heading, its sentence and its buttons`(language: Language) {
        let frame = PageFrame(appName: "The <Shop>", language: language)
        let store = OpenAppView.Otherwise.appStore(href: "https://apps.apple.com/app/id1")
        let page = OpenAppView(openHref: universal, otherwise: store).page(in: frame).utf8Text
        #expect(count("The &lt;Shop&gt;", in: page) == 6, "title, brand, heading, sentence and two buttons: \(page)")
        let only = OpenAppView(openHref: nil).body(in: frame).utf8Text
        #expect(count("The &lt;Shop&gt;", in: only) == 2)
        #expect(!(page + only).contains("%APP_NAME%"))
    }

    @Test func `what a link says about itself is quoted, cut and never a heading`() {
        let long = String(repeating: "a\u{301}", count: 4000)
        let page = body(OpenAppView(openHref: universal, linkTitle: "  \u{0}Spring\nsale ", linkDescription: long))
        #expect(page.contains("<strong dir=\"auto\">Spring sale</strong>"))
        #expect(page.contains("…</p></blockquote>"))
        #expect(page.utf8.count < 3000)
        #expect(count("<h1>Open in App</h1>", in: page) == 1)
        #expect(!body(OpenAppView(openHref: universal, linkTitle: " \n", linkDescription: "")).contains("blockquote"))
    }

    @Test func `a Mac or an iPad is offered both and only a web address is gone on to`() {
        let iPad = OpenAppView(openHref: universal, otherwise: .browser(href: "https://www.example.com/a"))
        let both = body(MacOrIPadView(iPad: iPad, desktopHref: "https://www.example.com/desk?a&b"))
        #expect(both.contains("<div data-desktop=\"https://www.example.com/desk?a&amp;b\"><a "))
        #expect(count("<a ", in: both) == 3)
        #expect(count("id=\"leads-to\"", in: both) == 1 && count("id=\"desktop-leads-to\"", in: both) == 1)
        let same = body(MacOrIPadView(iPad: iPad, desktopHref: "https://www.example.com/a"))
        #expect(same.contains("<div data-desktop=\"https://www.example.com/a\"></div>"))
        #expect(count("<a ", in: same) == 2)
        for href in ["javascript:alert(1)", "/a", "//evil.example", "https://a@evil.example", ""] {
            #expect(!body(MacOrIPadView(iPad: iPad, desktopHref: href)).contains("data-desktop"), "\(href)")
        }
    }

    @Test func `only the page for a Mac or an iPad goes anywhere by itself`() {
        let samples = ViewsSamples()
        for sample in samples.all where !sample.name.hasPrefix("Mac or iPad") {
            #expect(!sample.view.body(in: frame).utf8Text.contains("data-desktop"), "\(sample.name)")
        }
    }

    @Test func `a report has a row for each platform and its warnings`() throws {
        let page = try #require(ViewsSamples().sample("link report")).view.page(in: frame).utf8Text
        #expect(count("<th scope=\"row\">", in: page) == 11)
        #expect(Set(page.matches(of: /<th scope="row">[^<]+/).map { String($0.output) }).count == 11)
        #expect(Set(page.matches(of: /<td>[^<]+/).map { String($0.output) }).count == 10)
        #expect(page.contains("<th scope=\"row\">Computer</th>"))
        #expect(count("</code></th>", in: page) == 10)
        #expect(page.contains("<th scope=\"row\">iPhone, app installed<code>ada@example.com</code></th>"))
        #expect(count("<td>", in: page) == 11 && count("<code>https://www.example.com", in: page) == 11)
        let warning = "<code>ada@example.com</code><span lang=\"en\" dir=\"ltr\">ada@example.com</span>"
        #expect(page.contains("<li>\(warning)</li>"))
        #expect(count("<div>→ Goes to the App Store</div><code>", in: page) == 1)
        #expect(page.contains("doesn’t count as a click"))
        #expect(page.contains("<body class=\"wide\">"))
        #expect(!page.contains("No warnings."))
    }

    @Test func `a report without warnings says so`() throws {
        let page = try #require(ViewsSamples().sample("link report, no warnings")).view.page(in: frame).utf8Text
        #expect(page.contains("No warnings."))
        #expect(!page.contains("<ul class=\"warnings\">"))
    }

    @Test func `a dead link has the title that Dynamic Links gave it`() {
        let invalid = LinkProblemView(reason: .invalid, detail: "afl is no URL").page(in: frame).utf8Text
        let unknown = LinkProblemView(reason: .notFound).page(in: frame).utf8Text
        #expect(invalid.contains("<title>Invalid Dynamic Link</title>"))
        #expect(invalid.contains("<b>For the developer</b><span lang=\"en\" dir=\"ltr\">afl is no URL</span>"))
        #expect(unknown.contains("<title>Dynamic Link Not Found</title>"))
        #expect(!unknown.contains("class=\"developer\""))
    }
}
