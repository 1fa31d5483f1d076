// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingTexts
import Testing

/// Markup around a link, so that nothing else is missing.
private func letter(_ markup: String) -> String { "<p><a href=\"%LINK%\">Go</a></p>\(markup)" }

@Suite struct LetterMarkupTests {
    private static let refused: [(String, MarkupFault.Reason)] = [
        ("<script>alert(1)</script>", .script), ("<SCRIPT SRC=\"https://e.example\"></SCRIPT>", .script),
        ("<scr<script>ipt>", .malformed), ("<p onclick=\"x()\">a</p>", .script),
        ("<p OnMouseOver='x()'>a</p>", .script),
        ("<svg onload=\"x()\"></svg>", .script), ("<svg/onload=x>", .malformed), ("<math></math>", .script),
        ("<a href=\"javascript:alert(1)\">a</a>", .script), ("<a href=\"JaVaScRiPt:alert(1)\">a</a>", .script),
        ("<a href=\"jav&#x61;script:alert(1)\">a</a>", .script), ("<a href=\"jav&#97;script:x\">a</a>", .script),
        ("<a href=\" javascript:x\">a</a>", .script), ("<a href=\"java\tscript:x\">a</a>", .script),
        ("<a href=\"java\nscript:x\">a</a>", .script), ("<a href=\"javascript&colon;x\">a</a>", .malformed),
        ("<a href=\"data:text/html,x\">a</a>", .script), ("<a href=\"vbscript:x\">a</a>", .script),
        ("<object data=\"x\"></object>", .script), ("<embed src=\"x\">", .script), ("<noscript></noscript>", .script),
        ("<div style=\"width:expression(alert(1))\">a</div>", .style),
        ("<p style=\"-moz-binding:none\">a</p>", .script),
        ("<form action=\"https://e.example\"></form>", .form), ("<INPUT type=\"text\">", .form),
        ("<button>a</button>", .form), ("<textarea></textarea>", .form), ("<select></select>", .form),
        ("<img src=\"https://e.example/pixel.gif\" width=\"1\" height=\"1\" alt=\"\">", .remote),
        ("<img src=\"//e.example/pixel.gif\" alt=\"\">", .remote),
        ("<img src=\"data:image/png;base64,AA\" alt=\"\">", .remote),
        ("<img alt=\"\">", .remote), ("<image href=\"x\">", .remote), ("<iframe src=\"x\"></iframe>", .remote),
        ("<link rel=\"stylesheet\" href=\"https://e.example/a.css\">", .remote),
        ("<base href=\"https://e.example/\">", .remote),
        ("<table background=\"https://e.example/a\"></table>", .remote), ("<video></video>", .remote),
        ("<div style=\"background:url(https://e.example/a)\">a</div>", .remote),
        ("<div style=\"background:u/**/rl(https://e.example/a)\">a</div>", .style),
        ("<div style=\"background:u\\72l(https://e.example/a)\">a</div>", .style),
        ("<div style=\"background:URL(https://e.example/a)\">a</div>", .remote),
        ("<div style=\"background:&#117;rl(https://e.example/a)\">a</div>", .remote),
        ("<div style=\"background:image-set('https://e.example/a' 1x)\">a</div>", .remote),
        ("<style>@import 'https://e.example/a.css';</style>", .remote),
        ("<style>@font-face{font-family:x}</style>", .remote), ("<style>p{color:red}/*</style>", .style),
        ("<style>p{background:url(x)}</style>", .remote), ("<style></style><script></style></script>", .script),
        ("<meta http-equiv=\"refresh\" content=\"0;url=https://e.example\">", .attribute),
        ("<meta name=\"referrer\" content=\"unsafe-url\">", .attribute),
        ("<a href=\"http://shop.example/\">a</a>", .link), ("<a href=\"mailto:a@b.example\">a</a>", .link),
        ("<a href=\"/relative\">a</a>", .link), ("<a href=\"https://shop.example@e.example/\">a</a>", .link),
        ("<a href=\"https://e.example/?u=%LINK%\">a</a>", .link), ("<a href=\"%LINK%#x\">a</a>", .link),
        ("<a href=\"%LIN\u{212A}%\">a</a>", .link), ("<a href=\"https:///\">a</a>", .link),
        ("<a href=\"https://e.example\\@shop.example/\">a</a>", .link),
        ("<p title=\"%LINK%\">a</p>", .placeholder), ("<p class=\"%APP_NAME%\">a</p>", .placeholder),
        ("<style>p{content:'%LINK%'}</style>", .placeholder),
        ("<marquee>a</marquee>", .element), ("<my-part></my-part>", .element), ("<p srcdoc=\"a\">a</p>", .attribute),
        ("<p>a", .malformed), ("<p>a</div>", .malformed), ("</p>", .malformed), ("<b><i>a</b></i>", .malformed),
        ("<p a>b</p>", .malformed), ("<p class=a>b</p>", .malformed), ("<p class=\"a\"id=\"b\">c</p>", .malformed),
        ("<p class=\"a\" class=\"b\">c</p>", .malformed), ("<p class=\"a>b</p>", .malformed), ("<p", .malformed),
        ("<!-- a -->", .malformed), ("<!--[if mso]><script></script><![endif]-->", .malformed), ("<!-->", .malformed),
        ("<![CDATA[a]]>", .malformed), ("<?php echo 1 ?>", .malformed), ("<!DOCTYPE html>", .malformed),
        ("a & b", .malformed), ("&lt", .malformed), ("&NewLine;", .malformed), ("&#0;", .malformed),
        ("a < b", .malformed),
        ("a\u{0}b", .malformed), ("<title><b>a</b></title>", .malformed), ("<title><br></title>", .malformed),
        ("<p/>", .malformed), (String(repeating: "<div>", count: 200), .malformed),
    ]

    @Test(arguments: refused)
    func `what runs, loads, asks or is read differently is refused`(markup: String, reason: MarkupFault.Reason) {
        #expect(throws: MarkupFault.self) { try LetterMarkup(checking: letter(markup)) }
        do {
            _ = try LetterMarkup(checking: letter(markup))
        } catch {
            #expect(error.reason == reason, "\(error)")
            #expect(!error.sentence.isEmpty)
        }
    }

    @Test func `a laid-out letter is taken, and says the same as text`() throws {
        let markup = try LetterMarkup(
            checking: """
                <!DOCTYPE html>
                <html lang="de" dir="ltr"><head><meta charset="utf-8">
                <meta name="viewport" content="width=device-width, initial-scale=1">
                <title>%APP_NAME%</title>
                <style>@media (max-width:480px){.a{width:100% !important}} .b{color:rgb(1 2 3)}</style></head>
                <body style="margin:0;font-family:'Segoe UI',sans-serif">
                <table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"><tr>
                <td align="center" bgcolor="#ffffff"><img src="cid:logo" alt="%APP_NAME%" width="36" height="36"></td>
                </tr></table>
                <h1>Hallo %DISPLAY_NAME%,</h1>
                <p>für <b>%EMAIL%</b> &amp; Co.<br>zweite&nbsp;Zeile</p>
                <ul><li>eins</li><li>zwei</li></ul>
                <p><a href="%LINK%" target="_blank">Neues Passwort</a></p>
                <p>Hilfe: <a href="https://shop.example/hilfe?a=b&amp;c=d">https://shop.example/hilfe?a=b&amp;c=d</a></p>
                </body></html>
                """)
        #expect(markup.hasLink && markup.isDocument)
        let text = """
            Hallo %DISPLAY_NAME%,

            für %EMAIL% & Co.
            zweite\u{A0}Zeile

            - eins
            - zwei

            Neues Passwort:
            %LINK%

            Hilfe: https://shop.example/hilfe?a=b&c=d
            """
        #expect(markup.text == text)
    }

    @Test(arguments: [
        "https://evil.example/?u=%LINK%", "https://evil.example/?u=<b>%LINK%</b>",
        "<b>https://evil.example/?u=</b><i><b>%LINK%</b></i>", "https://evil.example/?u=&#37;LINK%",
        "https://evil.example/?u&#x3D;%LINK%", "https://evil.example/?u=%LI<b>NK%</b>", "//evil.example/%LINK%",
        "https://evil.example/?u=(%LINK%)", "https://evil.example/?u=((%LINK%", "%LINK%.evil.example",
        "%LINK%<b>@e</b>",
        "https://evil.example/&nbsp;%LINK%", "https://evil.example/&shy;%LINK%", "a\u{200B}%LINK%", "%LINK%\u{301}",
        "<a href=\"https://evil.example/\">https://evil.example/?u=</a>%LINK%",
        "<span>https://evil.example/?u=</span><a href=\"%LINK%\">%LINK%</a>", "%LINK%%LINK%", "%EMAIL%%LINK%",
        "<img src=\"cid:logo\" alt=\"https://evil.example/?u=\">%LINK%",
        "https://evil.example/?u=<img src=\"cid:logo\" alt=\" \">%LINK%",
        "<title>https://evil.example/?u=%LINK%</title>",
    ])
    func `a link is never part of another URL, however the two are put side by side`(markup: String) {
        let fault = #expect(throws: MarkupFault.self) { try LetterMarkup(checking: letter("\n\n\(markup)\n")) }
        #expect(fault?.reason == .placeholder && fault?.line == 3, "\(String(describing: fault))")
        #expect(fault?.sentence == LinkNeighbours.advice)
    }

    @Test(arguments: [
        "%LINK%", "<b>%LINK%</b>", "Go: %LINK%", "(%LINK%)", "&lt;%LINK%&gt;", "https://shop.example/<br>%LINK%",
        "<p>https://shop.example/</p>%LINK%<p>a</p>", "<table><tr><td>a</td><td>%LINK%</td></tr></table>",
        "<ul><li>https://shop.example/</li></ul>%LINK%", "<a href=\"%LINK%\">%LINK%</a>", "a\t(%LINK%)\r\nb",
    ])
    func `a link that stands alone may be read as well`(markup: String) throws {
        let taken = try LetterMarkup(checking: letter(markup))
        #expect(LinkNeighbours.lineOfBoundLink(in: taken.text) == nil, "\(taken.text)")
    }

    @Test(arguments: [
        "<a href=\"https://evil.example/?u=\"></a>%LINK%", "<ul><li>https://evil.example/?u=</li>%LINK%</ul>",
        "<table>https://evil.example/?u=<td>%LINK%</td></table>",
    ])
    func `plain text puts nothing together that HTML keeps apart`(markup: String) throws {
        let taken = try LetterMarkup(checking: letter(markup))
        #expect(LinkNeighbours.lineOfBoundLink(in: taken.text) == nil, "\(taken.text)")
    }

    @Test func `a fault names its line`() {
        let fault = #expect(throws: MarkupFault.self) { try LetterMarkup(checking: "<p>a</p>\n\n<form></form>") }
        #expect(fault?.line == 3)
        let lines = "<p title=\"a\nb\">a\nb</p\n>\r\n<br\n>"
        for count in [0, 1, 100] {
            let markup = String(repeating: lines, count: count) + "\n<form></form>"
            let late = #expect(throws: MarkupFault.self) { try LetterMarkup(checking: markup) }
            #expect(late?.line == 5 * count + 2)
        }
        let broken = #expect(throws: MarkupFault.self) { try LetterMarkup(checking: "<p>a</p>\n\n<p\n\na=b></p>") }
        #expect(broken?.line == 5)
    }

    @Test func `bytes at random never crash the reader, and what it takes holds no script`() {
        let seed = UInt64.random(in: .min ... .max)
        print("markup at random, seed \(seed)")
        var state = seed
        func next(_ count: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % count
        }
        let pieces = [
            "<", ">", "</", "/>", "p", "script", "a", " href=", "\"", "'", "%LINK%", "&", ";", "#x61", "<!--", "-->",
            "style",
            " ", "\n", "url(", ")", "svg", " on", "=", "é", "\u{301}", "img", "br", "title", "<p>", "</p>",
        ]
        for _ in 0..<20_000 {
            let markup = (0..<(1 + next(12))).map { _ in pieces[next(pieces.count)] }.joined()
            guard let taken = try? LetterMarkup(checking: markup) else { continue }
            #expect(!markup.contains("<script") && !markup.contains("<svg"), "\(markup) seed \(seed)")
            _ = taken.text
        }
    }
}

@Suite struct PictureMarkupTests {
    private static let head = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 8 8\">"

    @Test func `a picture of comments alone is no deep one`() throws {
        try PictureMarkup.check(Self.head + String(repeating: "<!---->", count: 9000) + "</svg>")
    }

    @Test func `a drawn picture is taken`() throws {
        try PictureMarkup.check(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <!-- drawn by hand -->
            <svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 8 8">
            <title>Logo</title><style>.a{fill:#0a7d55}</style>
            <defs><linearGradient id="g" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="#fff"/></linearGradient></defs>
            <g transform="translate(1 1) rotate(45)"><path class="a" d="M0 0L8 8" stroke-width="2"/></g>
            <circle cx="4" cy="4" r="2" fill="url(#g)"/>
            </svg>
            """)
    }

    @Test(arguments: [
        ("<script>x</script>", MarkupFault.Reason.script), ("<path onload=\"x\" d=\"\"/>", .script),
        ("<foreignObject></foreignObject>", .script), ("<animate attributeName=\"href\"/>", .script),
        ("<image href=\"https://e.example/a\"/>", .remote), ("<use href=\"https://e.example/a#b\"/>", .remote),
        ("<path fill=\"url(https://e.example/a)\"/>", .remote), ("<path style=\"fill:url(//e.example)\"/>", .remote),
        ("<style>@import 'a';</style>", .remote), ("<style>p{a:ur&#108;(b)}</style>", .malformed),
        ("<path xlink:href=\"a\"/>", .remote), ("<a href=\"javascript:x\"></a>", .remote), ("<text>a</text>", .element),
        ("<sodipodi:namedview/>", .element), ("<svg></svg>", .malformed), ("<![CDATA[a]]>", .malformed),
        ("<path>", .malformed), ("<!-- a -- b -->", .malformed), ("&xxe;", .malformed),
    ])
    func `a picture that runs or loads something is refused`(content: String, reason: MarkupFault.Reason) {
        let fault = #expect(throws: MarkupFault.self) { try PictureMarkup.check("\(Self.head)\(content)</svg>") }
        #expect(fault?.reason == reason, "\(String(describing: fault))")
    }

    @Test(arguments: [
        "", "text", "<html></html>", "<svg></svg>", "<svg xmlns=\"http://e.example\"></svg>",
        "<!DOCTYPE svg [<!ENTITY a \"b\">]><svg xmlns=\"http://www.w3.org/2000/svg\"></svg>",
        "<svg xmlns=\"http://www.w3.org/2000/svg\"></svg>x",
        "<svg xmlns=\"http://www.w3.org/2000/svg\"></svg><svg xmlns=\"http://www.w3.org/2000/svg\"></svg>",
    ])
    func `what is not one svg is refused`(picture: String) {
        #expect(throws: MarkupFault.self) { try PictureMarkup.check(picture) }
    }
}
