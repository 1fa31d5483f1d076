// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCommands
import HomingCore
import HomingDoctor
import HomingMail
import HomingProjects
import HomingTexts
import Testing

@Suite struct `The letter that arrived` {
    private static let kinds = MailKind.allCases.filter { !$0.isForOperator && $0 != .test }

    // MARK: Without a false alarm

    @Test(arguments: Receiver.all)
    func `an honest letter of any kind, language and encoding raises no alarm`(receiver: Receiver) {
        for kind in Self.kinds {
            for language in ["en", "de", "ar", "zh-Hans", "th", "ru"].compactMap({ Language(tag: $0) }) {
                for encoding in ArrivedLetter.Encoding.allCases {
                    var letter = ArrivedLetter(kind, language, receiver: receiver)
                    letter.encoding = encoding
                    let alarms = letter.findings().filter { $0.level != .ok }
                    #expect(alarms == [], "\(kind.rawValue) \(language.tag) \(encoding.rawValue)")
                }
            }
        }
    }

    @Test func `a mailbox that keeps line feeds alone, and a door that names the mail anew, change nothing`() {
        var letter = ArrivedLetter(.signIn, .english)
        letter.fields = letter.fields.map {
            $0.hasPrefix("Message-ID:") ? "Message-ID: <0102018f-another@eu-west-1.amazonses.example>" : $0
        }
        let bytes = letter.bytes().filter { $0 != 0x0d }
        #expect(letter.findings(bytes).filter { $0.level != .ok } == [])
        #expect(LetterCheck.mailID(of: MIMEPart(bytes)) == letter.written.id, "References has it still")
    }

    @Test func `what was found is said with its times`() {
        let found = ArrivedLetter().findings()
        let codes = [
            "LETTER_SPAM_OK", "LETTER_LINKS_OK", "LETTER_CONTENT_OK", "LETTER_DKIM_OK", "LETTER_SPF_OK",
            "LETTER_DMARC_OK",
            "LETTER_TLS_OK", "LETTER_TIMES_OK",
        ]
        #expect(found.map(\.code) == codes)
        #expect(found.last?.seen == "delivered to the relay 1 second after the request, arrived 3 seconds after it")
        #expect(found.allSatisfy { $0.subject == "PASSWORD_RESET of shop" })
    }

    // MARK: Named

    struct Mangling: CustomTestStringConvertible {
        let name: String
        let code: String
        /// A word of what is said.
        let word: String
        let findings: @Sendable () -> [Finding]

        init(
            _ name: String, _ code: String, _ word: String = "", letter: ArrivedLetter = ArrivedLetter(),
            folder: (String, Bool) = ("INBOX", false), _ change: @escaping @Sendable (inout ArrivedLetter) -> Void
        ) {
            (self.name, self.code, self.word) = (name, code, word)
            findings = {
                var letter = letter
                change(&letter)
                return letter.findings(folder: folder)
            }
        }

        init(
            _ name: String, _ code: String, _ word: String = "", letter: ArrivedLetter = ArrivedLetter(),
            bytes: @escaping @Sendable (String) -> String
        ) {
            (self.name, self.code, self.word) = (name, code, word)
            findings = {
                var letter = letter
                letter.encoding = .asSent
                return letter.findings(Array(bytes(String(decoding: letter.bytes(), as: UTF8.self)).utf8))
            }
        }

        /// Links through somebody's server.
        init(links: String, _ owner: String, _ code: String = "LETTER_LINKS_REWRITTEN") {
            self.init("links of \(owner)", code, owner) { $0 = $0.withLinks(links) }
        }

        /// Another word in what the receiver wrote.
        init(_ name: String, _ code: String, _ word: String = "", _ receiver: Receiver, _ text: String, _ other: String)
        {
            self.init(name, code, word, letter: ArrivedLetter(receiver: receiver.replacing(text, other))) { _ in }
        }

        var testDescription: String { name }
    }

    private static let german = ArrivedLetter(.passwordReset, Language.allCases.first { $0.tag == "de" } ?? .english)

    static let manglings: [Mangling] = [
        Mangling(
            links: "https://click.pstmrk.it/3s/auth.shop.example%2F__%2Fauth/aBcD/xyz", "Postmark at click.pstmrk.it"),
        Mangling(links: "https://u123.ct.sendgrid.net/ls/click?upn=u001.abc", "SendGrid at u123.ct.sendgrid.net"),
        Mangling(links: "https://url1234.shop.example/ls/click?upn=u001.abc", "SendGrid at url1234.shop.example"),
        Mangling(links: "https://email.shop.example/c/eJwVjUEKg", "Mailgun at email.shop.example"),
        Mangling(links: "https://abc.r.eu-west-1.awstrack.me/L0/https:%2F%2Fauth/1/01020/x=1", "Amazon SES at"),
        Mangling(links: "https://k1.r.ag.d.sendibm3.com/mk/cl/f/sh/xyz", "Brevo at"),
        Mangling(links: "https://x1k.mjt.lu/lnk/AAAA/1/abc/aHR0cHM", "Mailjet at x1k.mjt.lu"),
        Mangling(links: "https://go.shop.example/f/a/abc~~/AAA~/xyz~~/", "SparkPost at go.shop.example"),
        Mangling(links: "https://abc.resend-clicks.com/CL0/https:%2F%2Fauth/1/x", "Resend at"),
        Mangling(links: "https://links.shop.example/x/abc", "links.shop.example"),
        Mangling(
            links: "https://eur01.safelinks.protection.outlook.com/?url=https%3A%2F%2Fauth.shop.example&data=05",
            "Microsoft's Safe Links", "LETTER_LINKS_SCANNED"),
        Mangling(
            links: "https://urldefense.com/v3/__https://auth.shop.example/__;!!abc!xyz$", "Proofpoint's URL Defense",
            "LETTER_LINKS_SCANNED"),
        Mangling("a link cut in its middle", "LETTER_LINKS_BROKEN", "auth.shop.example") { letter in
            letter = letter.withLinks(String(ArrivedLetter.link.dropLast(20)))
        },
        Mangling(
            "a footer behind the text", "LETTER_TEXT_ADDED", "the text has more than was written: Sent by Relay Inc."
        ) {
            $0.text? += "\nSent by Relay Inc.\n"
        },
        Mangling("a footer in the HTML", "LETTER_TEXT_ADDED", "the HTML has more than was written: Sent by Relay Inc.")
        {
            $0.html = $0.html?.replacing("</body>", with: "<p>Sent by <b>Relay</b> Inc.</p></body>")
        },
        Mangling("a banner before both", "LETTER_TEXT_ADDED", "External mail: take care") { letter in
            letter.text = "External mail: take care\n\n" + (letter.text ?? "")
            letter.html = letter.html?.replacing("<body", with: "<div>External mail: take care</div><body")
        },
        Mangling("a footer with a link", "LETTER_LINKS_ADDED", "relay.example") {
            $0.html = $0.html?.replacing("</body>", with: "<a href=https://relay.example/why>Why?</a></body>")
        },
        Mangling("a pixel", "LETTER_PIXEL_ADDED", "SendGrid at url1234.shop.example") {
            $0.html = $0.html?.replacing(
                "</body>", with: "<img src=\"https://url1234.shop.example/wf/open?upn=x\" width=1 height=1></body>")
        },
        Mangling("a pixel of somebody unknown", "LETTER_PIXEL_ADDED", "metrics.example") {
            $0.html = $0.html?.replacing(
                "</body>", with: "<img src='https://metrics.example/a.gif' style='width: 1px'></body>")
        },
        Mangling("List-Unsubscribe", "LETTER_UNSUBSCRIBE_ADDED", "relay.example") {
            $0.fields.append("List-Unsubscribe: <https://relay.example/u/abc>")
        },
        Mangling(
            "a signature that does not hold", "LETTER_DKIM_FAILED", "shop.example", .gmail, "dkim=pass", "dkim=fail"),
        Mangling("no signature", "LETTER_DKIM_MISSING", "", .gmail, "dkim=pass header.i=@shop.example", "dkim=none"),
        Mangling("a relay that may not send", "LETTER_SPF_FAILED", "softfail", .rspamd, "spf=pass", "spf=softfail"),
        Mangling("a refused policy", "LETTER_DMARC_FAILED", "shop.example", .outlook, "dmarc=pass", "dmarc=fail"),
        Mangling(
            "all in the name of another domain", "LETTER_NOT_ALIGNED", "relay.example",
            .fastmail
                .replacing("smtp.mailfrom=bounces@shop.example", "smtp.mailfrom=bounces@relay.example"),
            "header.d=shop.example header.i=@shop.example", "header.d=relay.example header.i=@relay.example"),
        Mangling(
            "verdicts of a stranger alone", "LETTER_AUTH_UNKNOWN", "", .rspamd,
            "Authentication-Results: mx.home.example",
            "Authentication-Results: mx.google.com"),
        Mangling("UTF-8 read as another charset", "LETTER_CHARSET_BROKEN", "another charset", letter: german) {
            $0.charset = "iso-8859-1"
        },
        Mangling("question marks", "LETTER_CHARSET_BROKEN", "question marks", letter: german) { letter in
            letter.text = letter.text.map { String(decoding: $0.utf8.map { $0 < 0x80 ? $0 : 0x3f }, as: UTF8.self) }
        },
        Mangling("bytes that are no letters", "LETTER_CHARSET_BROKEN", "no letters", letter: german) { letter in
            letter.html = letter.html.map { html in
                String(String.UnicodeScalarView(html.unicodeScalars.map { $0.isASCII ? $0 : "\u{fffd}" }))
            }
        },
        Mangling("no HTML", "LETTER_HTML_MISSING") { $0.html = nil },
        Mangling("no text", "LETTER_TEXT_MISSING") { $0.text = nil },
        Mangling("soft line breaks lost", "LETTER_LINKS_BROKEN", "auth.shop.example") {
            // The delimiters of the parts stay.
            $0.replacing("=\r\n", with: "\r\n").replacing("alternative_\r\n", with: "alternative_=\r\n")
        },
        Mangling("words broken by line breaks", "LETTER_TEXT_CHANGED", "line breaks") {
            $0.text = $0.text?.replacing("Lighthouse", with: "Light\nhouse")
        },
        Mangling("quoted-printable taken off by half", "LETTER_ENCODING_BROKEN") { $0.replacing("=3D", with: "=") },
        Mangling("a text cut off", "LETTER_TEXT_CHANGED", "does not say") {
            $0.text = $0.text.map { String($0.dropLast(90)) }
        },
        Mangling("half an hour at the relay", "LETTER_SLOW", "mx.home.example", .rspamd, "06:00:03", "06:30:03"),
        Mangling(
            "no TLS", "LETTER_NOT_ENCRYPTED", "out.relay.example to mx.club.example", .spamAssassin,
            "by mx.club.example (Postfix) with ESMTPS", "by mx.club.example (Postfix) with ESMTP"),
        Mangling(
            "spam by its flag", "LETTER_SPAM", "X-Spam-Flag", .spamAssassin, "X-Spam-Flag: NO", "X-Spam-Flag: YES"),
        Mangling("spam by Microsoft", "LETTER_SPAM", "SCL: 5", .outlook, "SCL:1", "SCL:5"),
        Mangling("spam by rspamd", "LETTER_SPAM", "add header", .rspamd, "no action", "add header"),
        Mangling(
            "spam by rspamd's result", "LETTER_SPAM", "X-Spamd-Result", .rspamd, "default: False", "default: True"),
        Mangling("in the folder for spam", "LETTER_SPAM", "[Gmail]/Spam", folder: ("[Gmail]/Spam", true)) { _ in },
        Mangling("clipped", "LETTER_CLIPPED", "Gmail", letter: ArrivedLetter(padding: 10_000)) { _ in },
        Mangling("a mark in the subject", "LETTER_SUBJECT_CHANGED", "[SPAM?]") { letter in
            letter.fields = letter.fields.map { $0.replacing("Subject: ", with: "Subject: [SPAM?] ") }
        },
        Mangling("a code that calls a phone", "LETTER_CODE_CHANGED", "phone") { letter in
            letter.html = letter.html?.replacing("1234 5678", with: "<a href=\"tel:12345678\">1234 5678</a>")
        },
        Mangling("a code broken by a line break", "LETTER_CODE_CHANGED", "written in the text:") { letter in
            letter.text = letter.text?.replacing("1234 5678", with: "1234\n5678")
        },
        Mangling("a code that somebody masks", "LETTER_CODE_CHANGED", "in the text and the HTML") { letter in
            letter.text = letter.text?.replacing("1234 5678", with: "1234 XXXX")
            letter.html = letter.html?.replacing("1234 5678", with: "1234 XXXX")
        },
        Mangling("the logo dropped", "LETTER_PICTURE_MISSING", "logo", letter: ArrivedLetter(logo: [1, 2, 3])) { _ in },
    ]

    @Test(arguments: manglings)
    func `what was done to a letter is named`(mangling: Mangling) {
        let found = mangling.findings().filter { $0.level != .ok }
        let named = found.filter { $0.code == mangling.code }
        #expect(!named.isEmpty, "found \(found.map(\.code))")
        #expect(named.contains { $0.seen.contains(mangling.word) }, "said \(named.map(\.seen))")
        #expect(found.allSatisfy { !$0.advice.isEmpty && !$0.seen.contains("xxxxxx") }, "advice, and never a code")
    }

    @Test func `a logo that came along is no alarm`() {
        var letter = ArrivedLetter(logo: [1, 2, 3])
        letter.encoding = .asSent
        #expect(letter.findings().filter { $0.level != .ok } == [])
    }

    // MARK: Not known here

    @Test func `a letter that is not known is judged by where its links lead`() {
        func findings(_ letter: ArrivedLetter) -> [Finding] {
            LetterCheck(MIMEPart(letter.bytes()), written: nil, ownHosts: ["auth.shop.example"]).findings()
                .filter { $0.level != .ok }
        }
        let letter = ArrivedLetter()
        #expect(findings(letter) == [])
        #expect(
            findings(letter.withLinks("https://x.ct.sendgrid.net/ls/click?upn=a")).map(\.code) == [
                "LETTER_LINKS_REWRITTEN"
            ])
        let elsewhere = findings(letter.withLinks("https://other.example/a"))
        #expect(elsewhere.map(\.code) == ["LETTER_LINKS_ELSEWHERE"])
        #expect(elsewhere.first?.seen.contains("other.example") == true)
    }

    @Test(arguments: [
        "", "\r\n", "hello", "From: a@b.example",
        String(repeating: "Content-Type: multipart/mixed; boundary=a\r\n\r\n--a\r\n", count: 50),
        "Subject: =?utf-8?Q?=?=\r\nContent-Type: text/html; charset=\"x\r\n\r\n<a href=\"https://a<img src=<!--&#99999999999;",
        "From: x\r\nReceived: from [ by (( with ;\r\nAuthentication-Results: ;=;(\r\n\r\nhttps://",
    ])
    func `rubbish is read to its end and never known for a letter of ours`(source: String) {
        let letter = MIMEPart(Array(source.utf8))
        #expect(LetterCheck.mailID(of: letter) == nil)
        let found = LetterCheck(letter, written: nil, ownHosts: []).findings()
        #expect(!found.isEmpty)
    }

    @Test func `a letter of many parts, each in the other, ends`() {
        var source = "From: a@b.example\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n"
        for _ in 0..<2_000 { source += "--b\r\nContent-Type: text/plain\r\n\r\nword\r\n" }
        let found = LetterCheck(MIMEPart(Array(source.utf8)), written: nil, ownHosts: []).findings()
        #expect(found.contains { $0.code == "LETTER_HTML_MISSING" })
    }

    @Test(
        arguments: [
            (0, 0), (253_402_300_799, 253_402_300_799), (-1, nil), (253_402_300_800, nil), (.min, nil), (.max, nil),
        ] as [(Int64, Int64?)])
    func `a date counts within the years of four digits`(seconds: Int64, date: Int64?) {
        #expect(LetterCheck.date(ofSeconds: seconds) == date)
    }

    @Test(arguments: [
        "Fri, 31 Dec 9999 23:59:59 +0000", "Fri, 27 Nov 99999999999 06:00:00 +0000",
        "Fri, 27 Nov 292277026596 06:00:00 +0000", "Fri, 27 Nov 1600 06:00:00 +0000",
    ])
    func `a date that a forger writes is judged like any other`(date: String) {
        let source = "Received: from a.example by b.example with ESMTPS; \(date)\r\n"
        let check = LetterCheck(
            MIMEPart(Array(source.utf8) + ArrivedLetter().bytes()), written: ArrivedLetter().written, ownHosts: [])
        #expect(!check.findings().isEmpty)
        #expect(check.secondsUnderWay.map { $0 >= 0 } != false)
    }

    @Test func `the body of a letter is found behind more fields than are read`() {
        let letter = ArrivedLetter()
        let above = String(repeating: "X-More: 1\r\n more\r\n", count: 1_500)
        let head = letter.fields.map { $0 + "\r\n" }.joined()
        let source = "\(head)\(above)\r\nhttps://elsewhere.example/"
        let found = LetterCheck(MIMEPart(Array(source.utf8)), written: nil, ownHosts: []).findings()
        #expect(found.contains { $0.code == "LETTER_LINKS_ELSEWHERE" && $0.seen.contains("elsewhere.example") })
    }

    @Test func `a letter of very many links ends`() {
        let links = (0..<5_000).map { "<a href=\"https://a\($0).example/\">https://b\($0).example/</a>" }.joined()
        var letter = ArrivedLetter()
        letter.html = links
        #expect(letter.findings().contains { $0.code == "LETTER_LINKS_REWRITTEN" })
    }

    // MARK: Where it is fetched

    @Test(
        arguments: [
            ("imaps://probe%40example.com@imap.example.com", "imaps://imap.example.com/", "probe@example.com", nil),
            (
                "imaps://probe@example.com@imap.example.com:1993/Junk%20Mail", "imaps://imap.example.com:1993/",
                "probe@example.com", "Junk Mail"
            ),
            ("imap://ann@127.0.0.1:143/", "imap://127.0.0.1:143/", "ann", nil),
            ("pop3s://ann@[::1]:995", "pop3s://[::1]:995/", "ann", nil),
        ] as [(String, String, String, String?)])
    func `the URL of a mailbox`(text: String, base: String, user: String, folder: String?) throws {
        let url = try #require(InboxURL(parsing: text))
        #expect((url.base, url.user, url.folder) == (base, user, folder))
        #expect(!url.description.contains("%"))
    }

    @Test(arguments: [
        "", "imaps://imap.example.com", "imap://ann@imap.example.com", "imaps://ann:secret@imap.example.com",
        "pop3s://ann@pop.example.com/Junk", "https://ann@imap.example.com", "imaps://ann@imap.example.com?x=1",
        "imaps://ann@imap.example.com:0", "imaps://ann%0d@imap.example.com", "imaps://@imap.example.com",
        "imaps://ann@",
    ])
    func `what is no mailbox, or would give a password away, is refused`(text: String) {
        #expect(InboxURL(parsing: text) == nil)
    }
}
