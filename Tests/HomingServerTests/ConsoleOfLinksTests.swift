// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingDatabase
import HomingLinkRules
import HomingProjects
import HomingServer
import HomingShortLinks
import HomingStore
import HomingTesting
import HomingWire
import Testing

@Suite struct `The console of links` {
    private static let page = "/console/projects/shop/links/go.shop.example/spring"

    private func withVisitor(
        _ role: Operator.Role = .editor, _ body: @Sendable (ConsoleVisitor, TestHoming) async throws -> Void
    ) async throws {
        try await withHoming(linkDomains: ["go.shop.example", "second.shop.example"]) { homing in
            try await withServer(homing) { server in
                try await body(try await ConsoleVisitor(role, homing, server), homing)
            }
        }
    }

    @discardableResult
    private func make(
        _ ending: String = "spring", _ target: String = "https://shop.example/a", name: String? = "Spring",
        in homing: TestHoming, _ details: LinkDetails = LinkDetails()
    ) async throws -> StoredLink {
        let domain = try #require(try homing.shop.linkDomains.first)
        let content = LinkContent(DynamicLinkParameters(link: target), name: name, details: details)
        return try await homing.links.create(
            content, on: domain, of: homing.shop, ending: .custom(LinkSuffix(ending)), by: .command)
    }

    private func link(_ ending: String = "spring", in homing: TestHoming) async throws -> StoredLink {
        let domain = try #require(try homing.shop.linkDomains.first)
        return try #require(try await homing.links.stored(LinkSuffix(ending), on: domain, of: homing.shop))
    }

    private func target(_ ending: String = "spring", in homing: TestHoming) async throws -> String {
        try await link(ending, in: homing).content().parameters.link
    }

    // MARK: Making

    @Test func `a pasted target becomes a link of seven characters, the same one when it is pasted again`() async throws
    {
        try await withVisitor { visitor, homing async throws in
            #expect(try await visitor.get("links").text.contains(">Make the link</button>"))
            let fields = [("do", "make"), ("link", " https://shop.example/sale "), ("domain", "go.shop.example")]
            let made = try await visitor.send("links", fields)
            let place = try #require(made.header("Location"))
            let found = try #require(place.firstMatch(of: /links\/go\.shop\.example\/(\w{7})\?saved=1$/))
            #expect(try await target(String(found.1), in: homing) == "https://shop.example/sale")
            #expect(try await link(String(found.1), in: homing).name == "https://shop.example/sale")
            #expect(try await visitor.send("links", fields).header("Location") == place)

            let domain = try #require(try homing.shop.linkDomains.first)
            try await homing.links.archive(
                LinkSuffix(String(found.1)), on: domain, of: homing.shop, true, by: .command)
            let again = try #require(try await visitor.send("links", fields).header("Location"))
            #expect(try await visitor.get(again).text.contains("was made before and is archived"))
        }
    }

    @Test(arguments: ["https://evil.example/", "javascript:alert(1)", "", "https://go.shop.example/other"])
    func `a target that no link may have is refused beside the field, and stays in it`(target: String) async throws {
        try await withVisitor { visitor, homing async throws in
            try await make("other", in: homing)
            let refused = try await visitor.send(
                "links", [("do", "make"), ("link", target), ("domain", "go.shop.example")])
            #expect(refused.status == 400 && Array(refused.faults.keys) == ["link"])
            #expect(refused.value(of: "link") == target)
            #expect(try await homing.number("SELECT COUNT(*) FROM links") == 1)
        }
    }

    @Test func `an ending that nobody guesses is there for whoever wants one`() async throws {
        try await withVisitor { visitor, _ async throws in
            let made = try await visitor.send(
                "links/new",
                [
                    ("do", "create"), ("link", "https://shop.example/a"), ("domain", "go.shop.example"),
                    ("length", "17"),
                ])
            #expect(try #require(made.header("Location")).contains(/go\.shop\.example\/\w{17}\?/))
        }
    }

    // MARK: Finding

    @Test(arguments: [
        "https://go.shop.example/spring", "http://go.shop.example/spring/", "go.shop.example/spring?utm_source=a#b",
        "https://second.shop.example/spring", "spring", "https://shop.example/landing?a=1", "shop.example/landing",
        "garden LETTER",
    ])
    func `one field finds a link by any spelling, by its target and by words of its name`(typed: String) async throws {
        try await withVisitor(.viewer) { visitor, homing async throws in
            let second = try #require(try homing.shop.linkDomains.last)
            let onSecond = typed.contains("second")
            _ = try await homing.links.create(
                LinkContent(
                    DynamicLinkParameters(link: "https://shop.example/landing?a=1"), name: "Letter of the Garden"),
                on: onSecond ? second : try #require(try homing.shop.linkDomains.first), of: homing.shop,
                ending: .custom("spring"), by: .command)
            try await make("other", name: "Other", in: homing)
            let list = try await visitor.get("links?search=\(percentEncoded(typed))")
            let domain = onSecond ? "second.shop.example" : "go.shop.example"
            #expect(list.status == 200 && list.text.contains("/links/\(domain)/spring\""), "\(typed)")
            #expect(!list.text.contains("/links/go.shop.example/other\""), "\(typed)")
        }
    }

    @Test func `the list is filtered by tag and state, and says what it has`() async throws {
        try await withVisitor(.viewer) { visitor, homing async throws in
            var details = LinkDetails()
            details.setTags(["print", "March"])
            try await make(in: homing, details)
            details.isOn = false
            try await make("off", in: homing, details)
            try await make("plain", in: homing)
            func endings(_ query: String) async throws -> Set<String> {
                let text = try await visitor.get("links?\(query)").text
                return Set(
                    text.matches(of: /href="\/console\/projects\/shop\/links\/go\.shop\.example\/(\w+)"/).map {
                        String($0.1)
                    })
            }
            #expect(try await endings("") == ["spring", "off", "plain"])
            #expect(try await endings("tag=March") == ["spring", "off"])
            #expect(try await endings("tag=March&state=DISABLED") == ["off"])
            #expect(try await endings("state=ENDED").isEmpty)
            #expect(try await endings("order=oldest&domain=second.shop.example").isEmpty)
            let page = try await visitor.get("links?tag=March").text
            #expect(page.contains("https://go.shop.example/spring<") && page.contains(">disabled</span>"))
            #expect(page.contains("data-text=\"https://go.shop.example/spring\""), "it is copied with a click")
            #expect(page.contains("/spring#qr\"") && !page.contains("/spring/edit"), "a viewer edits nothing")
        }
    }

    @Test func `links come page by page, each once`() async throws {
        try await withVisitor(.viewer) { visitor, homing async throws in
            for number in 0..<120 { try await make("e\(number)", name: "Letter \(number)", in: homing) }
            var (path, seen, pages): (String?, [String], Int) = ("links?search=letter", [], 0)
            while let next = path, pages < 9 {
                let page = try await visitor.get(next)
                #expect(page.status == 200)
                seen += page.text.matches(of: /<th scope="row"[^>]*><a href="[^"]*\/(e\d+)"/).map { String($0.1) }
                path = page.text.firstMatch(of: /<a class="button quiet" href="([^"]*)">More links/)
                    .map { String($0.1).replacing("&amp;", with: "&") }
                pages += 1
            }
            #expect(pages == 4 && seen.count == 120 && Set(seen).count == 120)
            #expect(try await visitor.get("links?search=letter&pageToken=nonsense").status == 400)
        }
    }

    @Test func `the list is sorted by clicks`() async throws {
        try await withVisitor(.viewer) { visitor, homing async throws in
            for ending in ["one", "two", "three"] { try await make(ending, in: homing) }
            for (ending, clicks) in [("one", 1), ("two", 2), ("three", 3)] {
                for _ in 0..<clicks {
                    homing.links.counts.count(
                        .click, on: .ios, of: LinkSuffix(ending), at: "go.shop.example", project: "shop")
                }
            }
            try await homing.links.counts.flush()
            let text = try await visitor.get("links?order=clicks").text
            let order = text.matches(of: /<th scope="row"[^>]*><a href="[^"]*\/(\w+)"/).map { String($0.1) }
            #expect(order == ["three", "two", "one"])
            #expect(text.contains("data-label=\"Clicks\">3</td>"))
        }
    }

    // MARK: Changing

    @Test func `everything of a link is edited at once, and a preview changes nothing`() async throws {
        try await withVisitor { visitor, homing async throws in
            try await make(in: homing)
            let form = try await visitor.get("\(Self.page)/edit")
            #expect(form.status == 200 && form.text.split(separator: "<h1>").count == 2)
            #expect(form.value(of: "link") == "https://shop.example/a" && form.value(of: "name") == "Spring")
            let typed = [
                ("link", "https://shop.example/b"), ("name", "March"), ("on", "true"), ("tags", "print, letter"),
                ("afl", "https://shop.example/android"), ("st", "A title"), ("utm_source", "letter"),
                ("languages", "de https://shop.example/de\r\nfr-CA https://shop.example/fr"),
                ("starts", "2027-01-01T08:00"), ("ends", "2027-02-01T08:00"), ("clicks", "500"),
                ("after", "https://shop.example/over"),
            ]
            let preview = try await visitor.send("\(Self.page)/edit", typed + [("do", "preview")])
            #expect(preview.status == 200 && preview.text.contains("https://shop.example/b"))
            #expect(try await link(in: homing).version == 1)

            let saved = try await visitor.send("\(Self.page)/edit", typed + [("do", "save")])
            #expect(saved.status == 303 && saved.header("Location") == Self.page + "?saved=1")
            let content = try await link(in: homing).content()
            #expect(content.parameters.link == "https://shop.example/b" && content.name == "March")
            #expect(content.parameters.android.fallbackLink == "https://shop.example/android")
            #expect(content.parameters.social.title == "A title" && content.parameters.campaign.source == "letter")
            let details = content.details
            #expect(details.tags == ["letter", "print"] && details.isOn && details.maxClicks == 500)
            #expect(details.languageLinks.map(\.tag) == ["de", "fr-CA"])
            #expect(details.startsAt == Moment(timestamp: "2027-01-01T08:00:00Z"))
            #expect(details.endsAt == Moment(timestamp: "2027-02-01T08:00:00Z"))
            #expect(details.afterEnd == "https://shop.example/over")
            let page = try await visitor.get(Self.page).text
            #expect(page.contains("<h1>March</h1>") && page.contains("by <bdi>editor0@example.com</bdi>"))
            #expect(page.contains("after 500 clicks of people"))
        }
    }

    @Test(arguments: [
        ("link", "https://evil.example/"), ("languages", "de https://evil.example/"), ("languages", "nonsense"),
        ("after", "https://evil.example/"), ("starts", "soon"), ("clicks", "0"),
        ("tags", String(repeating: "x", count: 51)), ("name", ""),
    ])
    func `an edit that cannot be is refused beside its field, and changes nothing`(
        name: String, text: String
    ) async throws {
        try await withVisitor { visitor, homing async throws in
            try await make(in: homing)
            let refused = try await visitor.send("\(Self.page)/edit", [("do", "save"), (name, text)])
            #expect(refused.status == 400 && Array(refused.faults.keys) == [name])
            #expect(refused.value(of: name) == text, "what was typed stays")
            #expect(try await link(in: homing).version == 1)
        }
    }

    @Test func `of two editors the second sees what the first has saved, and loses nothing`() async throws {
        try await withVisitor { visitor, homing async throws in
            try await make(in: homing)
            let owner = try await ConsoleVisitor(.owner, homing, visitor.server)
            let edit = "\(Self.page)/edit"
            let first = [("was:link", "https://shop.example/a"), ("link", "https://shop.example/first")]
            #expect(try await owner.send(edit, [("do", "save")] + first).status == 303)

            let mine = [("was:link", "https://shop.example/a"), ("link", "https://shop.example/second")]
            let refused = try await visitor.send(edit, [("do", "save")] + mine)
            #expect(refused.status == 409 && refused.text.contains("owner0@example.com has changed the link"))
            #expect(refused.value(of: "link") == "https://shop.example/second")
            #expect(refused.faults["link"]?.contains("https://shop.example/first by now") == true)
            #expect(refused.value(of: "was:link") == "https://shop.example/first")
            #expect(try await target(in: homing) == "https://shop.example/first")

            // What the other one has not touched is nobody's loss.
            let name = [("was:name", "Spring"), ("name", "March"), ("was:link", "https://shop.example/a")]
            let other = try await visitor.send(
                edit, [("do", "save"), ("link", "https://shop.example/a")] + name)
            #expect(other.status == 303)
            #expect(try await target(in: homing) == "https://shop.example/first")
            let again = [("was:link", "https://shop.example/first"), ("link", "https://shop.example/second")]
            #expect(try await visitor.send(edit, [("do", "save")] + again).status == 303)
            #expect(try await target(in: homing) == "https://shop.example/second")
        }
    }

    @Test func `a code in a target is shown to nobody, and outlives an edit`() async throws {
        try await withVisitor { visitor, homing async throws in
            let code = String(repeating: "c0De", count: 15)
            let url = "https://shop.example/reset?oobCode=\(code)&lang=de"
            try await make("spring", url, in: homing)
            let form = try await visitor.get("\(Self.page)/edit")
            let shown = try #require(form.value(of: "link")?.replacing("&amp;", with: "&"))
            #expect(shown == "https://shop.example/reset?oobCode=***&lang=de")
            for path in ["links", Self.page, "\(Self.page)/versions", "\(Self.page)/edit", "\(Self.page)/delete"] {
                #expect(try await !visitor.get(path).text.contains(code), "\(path)")
            }
            let saved = try await visitor.send(
                "\(Self.page)/edit",
                [
                    ("do", "save"), ("was:link", shown), ("link", shown), ("was:name", "Spring"), ("name", "March"),
                ])
            #expect(saved.status == 303)
            #expect(try await target(in: homing) == url)
        }
    }

    @Test func `a link is disabled, deleted by a page that asks, and brought back by its versions`() async throws {
        try await withVisitor { visitor, homing async throws in
            try await make(in: homing)
            #expect(try await visitor.send(Self.page, [("do", "disable")]).status == 303)
            #expect(try await !link(in: homing).details.isOn)
            #expect(try await visitor.get(Self.page).text.contains(">disabled</span>"))
            #expect(try await visitor.send(Self.page, [("do", "enable")]).status == 303)

            let question = try await visitor.get("\(Self.page)/delete")
            #expect(question.status == 200 && question.text.contains("never given to another link"))
            #expect(try await link(in: homing).deletedAt == nil, "a page that is looked at deletes nothing")
            let gone = try await visitor.send("\(Self.page)/delete", [])
            #expect(gone.header("Location") == Self.page + "?saved=deleted")
            #expect(try await link(in: homing).deletedAt != nil)
            let page = try await visitor.get(Self.page)
            #expect(page.status == 200 && page.text.contains(">deleted</span>"))
            #expect(try await !visitor.get("links").text.contains("\(Self.page)\""))
            #expect(try await visitor.get("links?state=DELETED").text.contains("\(Self.page)\""))

            let versions = try await visitor.get("\(Self.page)/versions")
            #expect(versions.text.contains("Restore 1</button>"))
            let back = try await visitor.send("\(Self.page)/versions", [("do", "restore"), ("version", "1")])
            #expect(back.header("Location") == Self.page + "?saved=restored")
            let restored = try await link(in: homing)
            #expect(restored.deletedAt == nil && restored.details.isOn)
            #expect(
                try await visitor.send("\(Self.page)/versions", [("do", "restore"), ("version", "99")]).status == 400)
            #expect(
                try await visitor.send("\(Self.page)/versions", [("do", "restore"), ("version", "x")]).status == 404)
        }
    }

    @Test func `a version whose target is not authorised any more is not restored`() async throws {
        try await withVisitor { visitor, homing async throws in
            _ = try await homing.projects.addDomain("former.example", to: "shop", by: .command)
            try await make("spring", "https://former.example/", in: homing)
            let changed = try await visitor.send(
                "\(Self.page)/edit", [("do", "save"), ("link", "https://shop.example/b")])
            #expect(changed.status == 303)
            try await homing.projects.removeDomain("former.example", from: "shop", by: .command)
            #expect(try await visitor.get("\(Self.page)/versions").text.contains("https://former.example/"))
            let refused = try await visitor.send("\(Self.page)/versions", [("do", "restore"), ("version", "1")])
            #expect(refused.status == 400 && refused.text.contains("role=\"alert\""))
            #expect(try await target(in: homing) == "https://shop.example/b")
        }
    }

    @Test func `a viewer sees everything of a link, and changes nothing`() async throws {
        try await withVisitor(.viewer) { visitor, homing async throws in
            try await make(in: homing)
            for path in ["links", Self.page, "\(Self.page)/versions", "links/clicks"] {
                let page = try await visitor.get(path)
                #expect(page.status == 200 && !page.text.contains("method=\"post\""), "\(path)")
                #expect(page.text.split(separator: "<h1>").count == 2, "\(path)")
            }
            for path in ["\(Self.page)/edit", "\(Self.page)/delete", "links/new"] {
                #expect(try await visitor.get(path).status == 403, "\(path)")
            }
            let attempts: [(String, [(String, String)])] = [
                ("links", [("do", "make"), ("link", "https://shop.example/x")]), (Self.page, [("do", "disable")]),
                ("\(Self.page)/edit", [("do", "save"), ("link", "https://shop.example/x")]),
                ("\(Self.page)/delete", []),
                ("\(Self.page)/versions", [("do", "restore"), ("version", "1")]),
            ]
            for (path, fields) in attempts {
                #expect(try await visitor.send(path, fields).status == 403, "\(path)")
            }
            #expect(try await link(in: homing).version == 1)
        }
    }

    // MARK: Numbers and pictures

    @Test func `a link's page begins with its clicks, of people and of machines`() async throws {
        try await withVisitor(.viewer) { visitor, homing async throws in
            var details = LinkDetails()
            details.setTags(["print"])
            try await make(in: homing, details)
            let (people, machine) = (VisitorClass(.ios, .instagram), VisitorClass(.desktop, isMachine: true))
            for seen in [people, people, machine] {
                homing.links.counts.count(.click, by: seen, of: "spring", at: "go.shop.example", project: "shop")
            }
            let page = try await visitor.get(Self.page).text
            let (clicks, devices) = (page.firstRange(of: "<h2>Clicks"), page.firstRange(of: "<h2>What each device"))
            #expect(try #require(clicks).lowerBound < #require(devices).lowerBound)
            #expect(page.contains("2 clicks in the last 30 days") && page.contains("machines fetched it once"))
            #expect(page.contains("<bdi>Instagram</bdi>") && page.contains(LinkStatistics.rule.prefix(40)))
            for query in ["", "?tag=print", "?days=7"] {
                #expect(try await visitor.get("links/clicks\(query)").text.contains("2 clicks in the last"), "\(query)")
            }
            let csv = try await visitor.get("\(Self.page)/statistics.csv?by=browser")
            #expect(csv.status == 200 && csv.text.contains("Instagram,2,0"))
            #expect(try await visitor.get("links/clicks.csv?by=platform&tag=print").text.contains("IOS,2,0"))
        }
    }

    @Test func `a QR code comes in the size that is wanted, with the project's logo in its middle`() async throws {
        try await withVisitor(.viewer) { visitor, homing async throws in
            try await make(in: homing)
            #expect(try await !visitor.get(Self.page).text.contains("name=\"logo\""), "there is no logo yet")
            let logo = try QRCode("a logo", size: 64).png
            try await homing.projects.setBrand(BrandChange(logo: logo), of: "shop", by: .command)
            #expect(try await visitor.get(Self.page).text.contains("name=\"logo\""))
            let svg = try await visitor.get("\(Self.page)/qr.svg?size=1200&logo=true").text
            #expect(svg.contains("width=\"1200\"") && svg.contains("href=\"data:image/png;base64,"))
            let plain = try await visitor.get("\(Self.page)/qr.png?size=200")
            let drawn = try await visitor.get("\(Self.page)/qr.png?size=200&logo=true")
            #expect(plain.status == 200 && drawn.status == 200 && plain.body != drawn.body)
            #expect(try await visitor.get("\(Self.page)/qr.png?size=100000").status == 400)
        }
    }

    // MARK: Link domains

    @Test func `a domain by which links live is removed by whoever has read how many die`() async throws {
        try await withVisitor { visitor, homing async throws in
            try await make(in: homing)
            try await make("other", "https://shop.example/b", in: homing)
            let removals: [(page: String, thing: String)] = [
                ("domains", "shop.example"), ("link-domains", "go.shop.example"),
            ]
            for (page, thing) in removals {
                let asked = try await visitor.send(page, [("remove", thing)])
                #expect(asked.status == 409 && asked.text.contains("2 links lead nowhere any more"), "\(page)")
                #expect(asked.text.contains("name=\"remove\" value=\"\(thing)\""))
            }
            #expect(try homing.shop.linkDomains.count == 2)
            #expect(try await visitor.send("link-domains", [("remove", "second.shop.example")]).status == 303)
            let gone = try await visitor.send("link-domains", [("remove", "go.shop.example"), ("agreed", "true")])
            #expect(gone.status == 303)
            #expect(try homing.shop.linkDomains.isEmpty)
        }
    }

    @Test func `the default link domain is chosen, and case stops to count with the endings that differ by it`()
        async throws
    {
        try await withVisitor { visitor, homing async throws in
            for ending in ["spring", "SPRING", "autumn"] { try await make(ending, in: homing) }
            #expect(try await visitor.send("link-domains", [("standard", "second.shop.example")]).status == 303)
            #expect(try homing.shop.defaultLinkDomain?.text == "second.shop.example")
            let ignored = try await visitor.send("link-domains", [("ignore", "go.shop.example")])
            #expect(ignored.status == 200 && ignored.text.contains("<code>SPRING spring</code>"))
            #expect(!ignored.text.contains("<code>autumn") && ignored.text.contains("Let case count"))
            #expect(try await visitor.send("link-domains", [("match", "go.shop.example")]).status == 303)
            #expect(try !homing.shop.ignoresCase(on: "go.shop.example"))
        }
    }

    @Test func `whoever may only look sees a webhook's URL without its query`() async throws {
        try await withVisitor(.viewer) { visitor, homing async throws in
            try await homing.projects.setLinkWebhook(
                "https://shop.example/hook?token=s3cret", secret: "whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIz", of: "shop",
                reachesPrivateAddresses: false, by: .command)
            let page = try await visitor.get("links/webhook").text
            #expect(page.contains("https://shop.example/hook?…") && !page.contains("s3cret"))
        }
    }

    @Test func `a webhook is set with a secret that is shown once, and removed`() async throws {
        try await withVisitor { visitor, homing async throws in
            let set = [("do", "set"), ("url", "https://shop.example/hook")]
            let made = try await visitor.send("links/webhook", set)
            #expect(made.status == 200 && made.text.contains("whsec_"))
            #expect(try await !visitor.get("links/webhook").text.contains("whsec_"))
            #expect(try await visitor.send("links/webhook", set).status == 303, "the same place keeps its secret")
            let foreign = try await visitor.send("links/webhook", [("do", "set"), ("url", "https://evil.example/")])
            #expect(foreign.status == 400 && Array(foreign.faults.keys) == ["url"])
            #expect(try homing.shop.linkWebhook?.url == "https://shop.example/hook")
            #expect(try await visitor.send("links/webhook", [("do", "remove")]).status == 303)
            #expect(try homing.shop.linkWebhook == nil)
        }
    }
}
