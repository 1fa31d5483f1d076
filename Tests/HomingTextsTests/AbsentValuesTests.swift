// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingTexts
import Testing

@Suite struct AbsentValuesTests {
    private let values = AbsentValues([.code, .network], needed: [.link, .number])

    @Test(arguments: [
        ("Hallo,\n\nCode:\n%CODE%\n\nBis bald", "Hallo,\n\nBis bald"),
        ("Code %CODE%\n\nHallo", "Hallo"),
        ("Hallo\n\nCode %CODE%", "Hallo\n"),
        ("Code %CODE%\nZahl %NUMBER%\n%LINK%", "Zahl %NUMBER%\n%LINK%"),
        ("Code %CODE% oder\n%LINK% oder %CODE%", "%LINK% oder"),
        ("Code %code% %CODES%", "Code %code% %CODES%"),
        ("Hallo,\n \nhier %NUMBER%", "Hallo,\n \nhier %NUMBER%"),
        ("", ""),
    ])
    func `a paragraph around nothing is not said`(text: String, left: String) {
        #expect(values.leftOut(of: text) == left)
    }

    @Test(arguments: [
        ("Hallo\n\nGerät: %DEVICE%\n\nBis bald", "Hallo\n\nBis bald"),
        ("Hallo\n\nGerät: %DEVICE%\nUm %TIME%", "Hallo\n\nGerät: %DEVICE%\nUm %TIME%"),
        ("Um %TIME% auf %DEVICE%\n\nauf %DEVICE%.", "Um %TIME% auf %DEVICE%\n\nauf %DEVICE%."),
    ])
    func `of some values only a line for them alone is not said`(text: String, left: String) {
        let values = AbsentValues([.code], needed: [.link], labelled: [.device])
        #expect(values.leftOut(of: text) == left)
    }

    @Test(arguments: [
        ("Anmelden – Code %CODE%", "Anmelden"), ("%CODE% · Anmelden · bald", "Anmelden · bald"),
        ("Anmelden - %CODE% | jetzt", "Anmelden | jetzt"), ("Code %CODE%", "Code"), ("%CODE%", ""),
        ("Anmelden %NUMBER% – heute", "Anmelden %NUMBER% – heute"),
    ])
    func `nor is a part of a subject`(line: String, left: String) {
        #expect(values.leftOut(ofLine: line) == left)
    }

    @Test(arguments: [
        ("<p>Hallo</p><p>Code <b>%CODE%</b></p>", "<p>Hallo</p>"),
        ("<div>Hallo<p title=\"%CODE%\">x</p></div>", "<div>Hallo</div>"),
        ("<div>Code %CODE%<p>Hallo</p><p>%NETWORK%</p></div><p>x</p>", "<p>x</p>"),
        ("<p>%CODE% <a href=\"%LINK%\">Los</a></p>", "<p> <a href=\"%LINK%\">Los</a></p>"),
        ("<p>%CODE%<br>%NUMBER%</p>", "<p><br>%NUMBER%</p>"),
        ("<table><tr><td>%CODE%</td></tr><tr><td>x</td></tr></table>", "<table><tr><td>x</td></tr></table>"),
        ("Code %CODE%<br>Hallo", "Code<br>Hallo"), ("<p>Hallo &amp; mehr</p>", "<p>Hallo &amp; mehr</p>"),
        ("<p>ä %CODE%</p><p>ö</p>", "<p>ö</p>"), ("<p>%COD&#69;%</p>x %CODE%", "x"),
    ])
    func `nor is a block of markup`(html: String, left: String) {
        #expect(values.leftOut(ofMarkup: html) == left)
    }
}
