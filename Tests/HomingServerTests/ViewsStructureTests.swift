// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingPages
import HomingPasswords
import HomingTesting
import HomingTexts
import Testing

private func count(_ needle: String, in text: String) -> Int {
    text.ranges(of: needle).count
}

@Suite struct ViewsStructureTests {
    @Test(arguments: ViewsSamples.inLanguages)
    func `a page is complete, small and usable without scripts`(name: String, language: Language) throws {
        let samples = ViewsSamples()
        let sample = try #require(samples.sample(name))
        let frame = samples.frame(language)
        let page = sample.view.page(in: frame).utf8Text
        // Letters of most scripts have two or three bytes.
        #expect(page.utf8.count < (language.script == "Latn" ? 20_000 : 23_000))
        let direction = language.direction.rawValue
        #expect(page.hasPrefix("<!DOCTYPE html>\n<html lang=\"\(language.tag)\" dir=\"\(direction)\">"))
        #expect(page.contains("<meta name=\"robots\" content=\"noindex\">"))
        let title = sample.view.title(in: frame)
        // The title names the app once.
        let isNamed = !sample.view.namesAppInTitle || title.contains("ada@example.com")
        #expect(page.contains("<title>\(title)\(isNamed ? "" : " – ada@example.com")</title>"))
        #expect(count("<h1>", in: page) == 1)
        #expect(count("<main>", in: page) == 1)
        #expect(count("<form method=\"post\" action=\"/__/auth/action", in: page) == sample.forms)
        #expect(count("<form", in: page) == sample.forms)
        #expect(count("type=\"submit\"", in: page) == sample.forms)
        #expect(count("<button", in: page) == count("type=\"submit\"", in: page) + count("type=\"button\"", in: page))
        #expect(count("name=\"newPassword\"", in: page) == (sample.view is ResetPasswordView ? 1 : 0))
        #expect(openPlaceholders(page) == 0)
    }

    @Test(arguments: ViewsSamples.names)
    func `a page asks nobody else for anything and needs no unsafe policy`(name: String) throws {
        let samples = ViewsSamples()
        let page = try #require(samples.sample(name)).view.page(in: samples.frame(.english)).utf8Text
        for forbidden in [
            " style=", " src=", "<img", "<link", "<iframe", "@import", "url(", "javascript:", " onclick", " onload",
        ] {
            #expect(!page.contains(forbidden), "\(forbidden)")
        }
        #expect(count("<style>", in: page) == 1)
        #expect(count("<script>", in: page) == 1)
    }

    @Test(arguments: [
        "reset, rules broken", "reset, too short", "reset, common", "reset, an address", "reset, a name",
        "reset, too long", "number to reset, refused", "number to reset, password refused", "number to change, refused",
        "number to sign in, refused", "waiting, no code, refused", "waiting, wrong code, refused",
    ])
    func `a problem is announced and tied to its field`(name: String) throws {
        let samples = ViewsSamples()
        let page = try #require(samples.sample(name)).view.page(in: samples.frame(.english)).utf8Text
        #expect(count("id=\"problem\" role=\"alert\"", in: page) == 1)
        #expect(page.contains("aria-describedby=\"problem"))
        #expect(page.contains("aria-invalid=\"true\""))
    }

    @Test(arguments: ViewsSamples.inLanguages)
    func `every form's button has words for the time that it is under way`(name: String, language: Language) throws {
        let samples = ViewsSamples()
        let sample = try #require(samples.sample(name))
        let page = sample.view.page(in: samples.frame(language)).utf8Text
        let words = Texts.of(language).pages.shared.busy
        #expect(count("data-busy=\"\(words)\"", in: page) == sample.forms)
    }

    @Test(arguments: Language.allCases)
    func `the title of a refused form begins with that`(language: Language) throws {
        let samples = ViewsSamples()
        let error = Texts.of(language).pages.shared.error.replacing("%TITLE%", with: "")
        for sample in samples.all where sample.forms > 0 {
            let isRefused =
                sample.name.hasPrefix("reset, ") || sample.name.hasSuffix(", no address")
                || sample.name.hasSuffix("refused")
            #expect(sample.view.title(in: samples.frame(language)).hasPrefix(error) == isRefused, "\(sample.name)")
        }
    }

    @Test func `a form without a problem announces none`() throws {
        let samples = ViewsSamples()
        let page = try #require(samples.sample("reset")).view.page(in: samples.frame(.english)).utf8Text
        #expect(!page.contains("role=\"alert\""))
        #expect(!page.contains("aria-invalid=\""))
        #expect(page.contains("aria-describedby=\"rules\""))
        #expect(page.contains("autocomplete=\"new-password\""))
        #expect(page.contains("<label for=\"new-password\">"))
    }

    @Test func `every rule is shown and the broken ones are marked`() throws {
        let samples = ViewsSamples()
        let page = try #require(samples.sample("reset, rules broken")).view.page(in: samples.frame(.english)).utf8Text
        #expect(count("<li data-rule=", in: page) == ViewsSamples.everyRule.count)
        #expect(count("class=\"missing\"", in: page) == 2)
        #expect(page.contains("data-rule=\"min\" data-count=\"8\""))
        #expect(page.contains("at least 8 characters"))
        #expect(page.contains("data-rule=\"digit\" class=\"missing\""))
    }

    @Test(arguments: [
        ("reset, too short", "data-rule=\"min\" data-count=\"8\""), ("reset, common", "data-rule=\"guess\""),
        ("reset, an address", "data-rule=\"guess\""), ("reset, a name", "data-rule=\"guess\""),
        ("reset, too long", "data-rule=\"max\" data-count=\"1024\""),
    ])
    func `the one rule that a password breaks is marked`(name: String, rule: String) throws {
        let samples = ViewsSamples()
        let page = try #require(samples.sample(name)).view.page(in: samples.frame(.english)).utf8Text
        #expect(count("class=\"missing\"", in: page) == 1)
        #expect(page.contains("<li \(rule) class=\"missing\">"))
    }

    @Test(arguments: Language.allCases)
    func `each weakness has a sentence of its own`(language: Language) throws {
        let samples = ViewsSamples()
        let pages = try ["reset, too short", "reset, common", "reset, an address", "reset, a name", "reset, too long"]
            .map { try #require(samples.sample($0)).view.body(in: samples.frame(language)).utf8Text }
        #expect(Set(pages).count == pages.count)
    }

    @Test func `browsers and password managers are told the rules`() throws {
        let samples = ViewsSamples()
        let page = try #require(samples.sample("reset")).view.page(in: samples.frame(.english)).utf8Text
        #expect(page.contains(" minlength=\"8\""))
        #expect(
            page.contains(
                " passwordrules=\"minlength: 8; maxlength: 30; required: lower; required: upper; required: digit; "
                    + "required: special;\""))
    }

    @Test(arguments: Language.allCases)
    func `a screen reader reads the strength of a password in words`(language: Language) throws {
        let samples = ViewsSamples()
        let page = try #require(samples.sample("reset")).view.page(in: samples.frame(language)).utf8Text
        let said = try #require(page.firstMatch(of: /<p class="strength"[^>]*>/)).output
        #expect(said.contains("aria-live=\"polite\""))
        for word in ["weak", "fair", "strong"] { #expect(said.firstRange(of: "data-\(word)=\"") != nil, "\(word)") }
    }

    @Test func `a very long maximum is shown only when it is broken`() {
        let form = PageForm(action: "/x", fields: [])
        let frame = PageFrame(appName: "App", language: .english)
        let rules: [PasswordRule] = [.minimumLength(6), .maximumLength(1024)]
        let calm = ResetPasswordView(address: "a@b.c", form: form, rules: rules).page(in: frame).utf8Text
        let broken = ResetPasswordView(
            address: "a@b.c", form: form, rules: rules, problem: .rules([.maximumLength(1024)])
        ).page(in: frame).utf8Text
        #expect(!calm.contains("1024"))
        #expect(broken.contains("at most 1024 characters"))
    }

    @Test(arguments: Language.allCases)
    func `a few languages are offered beside a list of all, and the present one is not a link`(language: Language) {
        let page = ProblemView(reason: .notFound).page(in: ViewsSamples().frame(language)).utf8Text
        #expect(count("hreflang=", in: page) < 7 && count("languages=all", in: page) == 1)
        let direction = language.direction.rawValue
        #expect(
            page.contains(
                "<span lang=\"\(language.tag)\" dir=\"\(direction)\" aria-current=\"true\">\(language.name)</span>"))
    }

    @Test func `a page without an app has no brand and no switcher it was not given`() {
        let page = ProblemView(reason: .unknownApp).page(in: PageFrame(appName: nil, language: .turkish)).utf8Text
        #expect(page.contains("<header></header>"))
        #expect(page.contains("<footer></footer>"))
        #expect(page.contains("<title>Bu uygulamayı tanımıyoruz</title>"))
    }

    @Test func `after a second tap the page tells that the first may have worked, even beside a new link`() throws {
        let samples = ViewsSamples()
        let page = try #require(samples.sample("used, renewable")).view.page(in: samples.frame(.english)).utf8Text
        #expect(page.contains("If you have confirmed your address"))
    }

    @Test func `an expired link says how to get a new one by what it was for`() throws {
        let samples = ViewsSamples()
        let pages = try ["resetPassword", "verifyEmail", "signIn", "verifyAndChangeEmail", "recoverEmail", "unknown"]
            .map {
                try #require(samples.sample("expired \($0)")).view.body(in: samples.frame(.english)).utf8Text
            }
        #expect(Set(pages).count == pages.count)
    }

    @Test(arguments: Language.allCases)
    func `whoever is asked for a number reads who asked, that a number from others is fraud, and can decline`(
        language: Language
    ) throws {
        let samples = ViewsSamples()
        let text = Texts.of(language).pages.number
        let warning = text.fraud.replacing("%APP_NAME%", with: samples.value)
        for name in ["number to reset", "number to verify", "number to change, refused", "number to sign in"] {
            let page = try #require(samples.sample(name)).view.page(in: samples.frame(language)).utf8Text
            let field = try #require(page.firstMatch(of: /<input [^>]*name="matchNumber"[^>]*>/)).output
            for attribute in [
                "inputmode=\"numeric\"", "maxlength=\"2\"", "pattern=\"\\p{Nd}{2}\"", "autocomplete=\"off\"",
                "required",
                "id=\"match-number\"",
            ] { #expect(field.contains(attribute), "\(name): \(attribute)") }
            #expect(page.contains("<label for=\"match-number\">"), "\(name)")
            let described = try #require(field.firstMatch(of: /aria-describedby="([^"]*)"/)).output.1
            #expect(described.split(separator: " ").last == "fraud", "\(name)")
            let first = try #require(page.split(separator: "</form>").first)
            #expect(first.contains("name=\"matchNumber\""), "\(name)")
            #expect(String(first).readPlainly.contains(warning.readPlainly), "\(name)")
            #expect(page.contains(">\(text.decline)</button>"), "\(name)")
            #expect(page.contains("<dt>\(text.when)</dt>"), "\(name)")
        }
        let page = try #require(samples.sample("number to reset")).view.page(in: samples.frame(language)).utf8Text
        #expect(page.contains("Chrome") && page.contains("<dt>\(text.network)</dt><dd>ada@example.com</dd>"))
        let unknown = try #require(samples.sample("number to verify")).view.page(in: samples.frame(language)).utf8Text
        #expect(!unknown.contains("<dt>\(text.network)</dt>") && !unknown.contains("<dt>\(text.device)</dt>"))
    }

    @Test func `a number from the mail hides where a sign-in goes on to, and nobody is warned of it`() throws {
        let samples = ViewsSamples()
        let page = try #require(samples.sample("number in the mail to sign in")).view.page(
            in: samples.frame(.english)
        ).utf8Text
        #expect(!page.contains("www.example.com") && !page.contains("id=\"fraud\""))
        #expect(page.contains("<label for=\"match-number\">The two digits in the email</label>"))
        let bound = try #require(samples.sample("number to sign in")).view.page(in: samples.frame(.english)).utf8Text
        let link = try #require(bound.firstRange(of: "<a class=\"open\" href=\"https://www.example.com"))
        #expect(link.lowerBound < (try #require(bound.firstRange(of: "<form"))).lowerBound)
        for warning in ["id=\"asked\"", "id=\"fraud\""] {
            let place = try #require(bound.firstRange(of: warning))
            #expect(place.lowerBound < link.lowerBound, "\(warning) is read before anything is followed")
        }
    }

    @Test func `nothing that was declined looks like a success`() throws {
        let samples = ViewsSamples()
        for name in ["declined by its person", "change declined by its person", "request declined"] {
            let page = try #require(samples.sample(name)).view.page(in: samples.frame(.english)).utf8Text
            #expect(page.contains("<div class=\"sign warning\">") && !page.contains("class=\"sign good\""), "\(name)")
        }
    }

    @Test func `the page that waits leads to mail services without telling them whence`() throws {
        let samples = ViewsSamples()
        let page = try #require(samples.sample("waiting")).view.page(in: samples.frame(.english)).utf8Text
        for service in ["mail.google.com", "outlook.live.com", "mail.yahoo.com", "www.icloud.com"] {
            #expect(page.firstMatch(of: try Regex("<a href=\"https://\(service)/[^>]* rel=\"noreferrer\"")) != nil)
        }
        #expect(page.contains("name=\"typedCode\" inputmode=\"numeric\""))
        #expect(page.contains("autocomplete=\"one-time-code\""))
        #expect(count("data-look=", in: page) == 1)
        #expect(page.contains("<a href=\"/__/auth/wait?ada@example.com\">Look again</a>"), "without scripts")
        for name in ["finished", "request declined", "request expired"] {
            let ended = try #require(samples.sample(name)).view.page(in: samples.frame(.english)).utf8Text
            #expect(!ended.contains("data-look="), "\(name)")
        }
    }

    private func openPlaceholders(_ page: String) -> Int {
        page.matches(of: /%[A-Z_]+%/).count
    }
}
