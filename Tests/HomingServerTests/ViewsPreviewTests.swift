// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingPages
import HomingTexts
import Testing

private let hostile = "\"\u{301}x'\u{301}<script>alert(1)</script></style><!--<a href=//evil.example>%HOST%&quot;"

@Suite struct ViewsPreviewTests {
    private func page(
        _ language: Language = .english, app: String? = "App", title: String? = "Spring",
        description: String? = "Plants",
        image: String? = "https://www.example.com/a.png", url: String = "https://links.example.com/a",
        destination: String = "https://www.example.com/a?b=c&d=e"
    ) -> String {
        PreviewTagsView(
            title: title, description: description, imageURL: image, url: url, destination: destination
        ).page(in: PageFrame(appName: app, language: language)).utf8Text
    }

    @Test(arguments: Language.allCases)
    func `a crawler finds every tag in a small document that leads nowhere`(language: Language) {
        let page = page(language)
        for (name, content) in [
            ("title", "Spring"), ("description", "Plants"), ("image", "https://www.example.com/a.png"),
            ("url", "https://links.example.com/a"), ("type", "website"), ("site_name", "App"),
        ] {
            #expect(page.contains("<meta property=\"og:\(name)\" content=\"\(content)\">"), "\(name)")
        }
        #expect(page.contains("<meta name=\"twitter:card\" content=\"summary_large_image\">"))
        #expect(page.contains("<title>Spring</title>"))
        #expect(page.contains("<a href=\"https://www.example.com/a?b=c&amp;d=e\""))
        #expect(page.utf8.count < 4000)
        for forbidden in ["<script", "<style", "<link", "http-equiv", " style=", " src="] {
            #expect(!page.contains(forbidden), "\(forbidden)")
        }
    }

    @Test(arguments: [
        "http://www.example.com/a.png", "data:image/png;base64,AA", "//www.example.com/a.png", "https://",
        "HTTP://a.example", "https://a@evil.example/a.png", "",
    ])
    func `an image that is no https address is left out`(image: String) {
        let page = page(image: image)
        #expect(!page.contains("og:image"))
        #expect(page.contains("<meta name=\"twitter:card\" content=\"summary\">"))
    }

    @Test func `a link without a title is named by its app, else by its host`() {
        #expect(page(title: nil).contains("<title>App</title>"))
        #expect(page(app: nil, title: " ").contains("<title>www.example.com</title>"))
        #expect(!page(description: nil).contains("og:description"))
    }

    @Test(arguments: ["javascript:alert(1)", "intent://a", "//evil.example", ""])
    func `a preview links to nothing but a web address`(destination: String) {
        #expect(!page(destination: destination).contains("<a "))
    }

    @Test func `no value adds a quote or a tag to a preview`() {
        func all(_ value: String) -> String {
            page(
                app: value, title: value, description: value, image: "https://a.example/\(value)",
                url: "https://a.example/?\(value)", destination: "https://a.example/?\(value)")
        }
        let expected = all("plain")
        let attacked = all(hostile)
        for byte in ["\"", "'", "<", ">"].compactMap(\.utf8.first) {
            #expect(attacked.utf8.count { $0 == byte } == expected.utf8.count { $0 == byte }, "byte \(byte)")
        }
    }

    @Test func `a preview stays small whatever a link says about itself`() {
        let long = String(repeating: "\"", count: 100_000)
        #expect(page(title: long, description: long).utf8.count < 4000)
    }

    @Test func `the policy of a preview allows nothing`() {
        #expect(PreviewTagsView.contentSecurityPolicy.hasPrefix("default-src 'none'"))
        #expect(!PreviewTagsView.contentSecurityPolicy.contains("unsafe"))
    }
}
