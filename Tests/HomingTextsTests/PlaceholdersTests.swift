// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingTexts
import Testing

@Suite struct PlaceholdersTests {
    @Test func `every placeholder is filled`() {
        let values = Placeholders([
            .link: "L", .email: "E", .newEmail: "N", .appName: "A", .displayName: "D",
        ])
        #expect(values.fill("%LINK%%EMAIL% %NEW_EMAIL%,%APP_NAME%/%DISPLAY_NAME%%LINK%") == "LE N,A/DL")
    }

    @Test func `a value is not filled again`() {
        let values = Placeholders([.link: "secret", .displayName: "%LINK%", .appName: "%LI"])
        #expect(values.fill("%DISPLAY_NAME%") == "%LINK%")
        #expect(values.fill("%APP_NAME%NK%") == "%LINK%")
        #expect(values.fill("%%DISPLAY_NAME%%") == "%%LINK%%")
    }

    @Test(arguments: ["%UNKNOWN%", "%link%", "%LINK", "LINK%", "100 %", "%", "%%", "%NEW_EMAIL%", "% LINK%"])
    func `a text without a placeholder that has a value stays unchanged`(text: String) {
        #expect(Placeholders([.link: "x"]).fill(text) == text)
    }

    @Test func `an unclosed placeholder does not hide the next one`() {
        #expect(Placeholders([.link: "x"]).fill("50 %LINK %LINK%") == "50 %LINK x")
        #expect(Placeholders([.link: "x"]).fill("%FOO%LINK%") == "%FOOx")
    }

    @Test func `values are escaped for their context`() {
        let values = Placeholders([.email: "<a>\"\u{301}&"])
        let plain = "<<a>\"\u{301}&>"
        let markup = "<p>&lt;a&gt;&quot;\u{301}&amp;</p>"
        let escaped = "&lt;&lt;a&gt;&quot;\u{301}&amp;&gt;"
        #expect(values.fill("<%EMAIL%>").utf8.elementsEqual(plain.utf8))
        #expect(values.fill("<p>%EMAIL%</p>" as HTML).bytes == Array(markup.utf8))
        #expect(values.fillEscaping("<%EMAIL%>").bytes == Array(escaped.utf8))
    }

    @Test func `the full stop of a name is also that of a sentence that ends with it`() {
        for direction in [nil, Language.Direction.leftToRight, .rightToLeft] {
            let values = Placeholders([.appName: "Acme Inc.", .link: "a."], in: direction)
            let name = values.fill("%APP_NAME%")
            #expect(values.fill("At %APP_NAME%. You") == "At \(name) You")
            #expect(values.fill("At %APP_NAME%.\n") == "At \(name)\n")
            #expect(values.fill("At %APP_NAME%.") == "At \(name)")
            #expect(values.fill("<p>At %APP_NAME%.</p>" as HTML) == values.fill("<p>At %APP_NAME%</p>" as HTML))
            #expect(values.fill("%APP_NAME%, %APP_NAME%.example") == "\(name), \(name).example")
            #expect(values.fill("%LINK%.") == "a..")
        }
        #expect(Placeholders([.appName: "Acme"]).fill("At %APP_NAME%.") == "At Acme.")
    }

    @Test func `a value may have a markup of its own`() {
        var values = Placeholders()
        values.set(.email, to: "a&b", html: "<b>\("a&b")</b>")
        #expect(values.fill("%EMAIL%") == "a&b")
        #expect(values.fillEscaping("%EMAIL%").utf8Text == "<b>a&amp;b</b>")
    }

    @Test func `a text says whether it can be filled`() {
        let values = Placeholders([.email: "e"])
        #expect(values.canFill("100 % for %EMAIL%, %UNKNOWN%"))
        #expect(!values.canFill("%EMAIL% and %NEW_EMAIL%"))
        #expect(values.filling(.newEmail, with: "n").canFill("%EMAIL% and %NEW_EMAIL%"))
    }

    @Test func `a long run of percent signs is filled in one pass`() {
        let template = String(repeating: "%", count: 20_000) + "EMAIL%"
        #expect(Placeholders([.email: "e"]).fill(template) == String(repeating: "%", count: 19_999) + "e")
    }
}
