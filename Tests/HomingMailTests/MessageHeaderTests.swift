// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
import HomingMail
import Testing

extension MailMessage {
    static func plain(
        from: SenderAddress = SenderAddress(name: "App", address: "noreply@here.test"), to: String = "ann@there.test",
        subject: String = "Hello", text: String = "text\n", html: String = "<p>html</p>\n",
        messageID: String = "id-1@here.test", date: Int64 = 1_765_267_509, language: String = "en"
    ) -> MailMessage {
        MailMessage(
            from: from, to: to, subject: subject, text: text, html: html, messageID: messageID,
            date: date, language: language)
    }
}

/// Texts that could begin a second header, or a header that different readers read differently.
let hostileTexts = [
    "A\r\nBcc: x@y.test", "A\nX: 1", "A\rBcc: x@y.test", "=?utf-8?q?=0d=0aBcc:x?=", "A\u{2028}Bcc: x@y.test",
    "A\u{2029}B", "A\u{85}Bcc: x@y.test", "A\u{0}B", "A\r\n\r\nbody", "\r\n", "A\u{b}\u{c}B", "A\r\n B",
    String(repeating: "x", count: 2_000), String(repeating: "x ", count: 1_000), String(repeating: "中", count: 2_000),
    "\"Bcc: x@y.test", "A\\", "A\"\u{301}B", "a@b.test, mallory@evil.test", "(comment)", "<x@y.test>", "",
    String(repeating: "\u{301}", count: 500), "\u{202e}tset.ereht@nna",
]

struct MessageHeaderTests {
    private let names = [
        "from", "to", "subject", "date", "message-id", "references", "mime-version", "auto-submitted",
        "content-language", "content-type",
    ]

    private func expectOneCleanHead(_ message: MailMessage, sourceLocation: SourceLocation = #_sourceLocation) {
        let bytes = message.bytes()
        let reader = MessageReader(bytes)
        #expect(reader.fields.map(\.name) == names, sourceLocation: sourceLocation)
        #expect(reader.parts.count == 2, sourceLocation: sourceLocation)
        #expect(bytes.allSatisfy { (0x20...0x7e).contains($0) || $0 == 13 || $0 == 10 }, sourceLocation: sourceLocation)
        for line in String(decoding: bytes, as: UTF8.self).components(separatedBy: "\r\n") {
            #expect(line.utf8.count <= 78, sourceLocation: sourceLocation)
            #expect(!line.utf8.contains(10) && !line.utf8.contains(13), sourceLocation: sourceLocation)
            #expect(line.isEmpty || line.contains { $0 != " " }, sourceLocation: sourceLocation)
        }
    }

    @Test(arguments: hostileTexts)
    func `no value begins another header`(_ text: String) {
        expectOneCleanHead(.plain(subject: text))
        expectOneCleanHead(.plain(from: SenderAddress(name: text, address: "a@here.test")))
        expectOneCleanHead(.plain(language: String(text.prefix(60))))
        // Only addresses may be longer than a line, because they cannot be folded.
        let short = String(text.prefix(60))
        expectOneCleanHead(.plain(to: short, messageID: short))
        expectOneCleanHead(.plain(from: SenderAddress(address: short)))
    }

    @Test(arguments: hostileTexts)
    func `every text comes back without its control characters`(_ text: String) {
        let kept = String(
            String.UnicodeScalarView(
                text.unicodeScalars.filter {
                    !["\r", "\n", "\0", "\u{b}", "\u{c}", "\u{85}", "\u{2028}", "\u{2029}", "\u{202e}"].contains($0)
                }))
        let reader = MessageReader(MailMessage.plain(subject: text).bytes())
        let decoded = reader["subject"].flatMap(MessageReader.decoded)
        #expect(decoded.map { Array($0.utf8) } == Array(kept.utf8))
    }

    @Test(arguments: [
        "重置您的密码", "Şifrenizi sıfırlayın", "Restablece tu contraseña", "Reimposta la password di “App”",
        "请验证您的电子邮件地址，以便继续使用我们的服务，并返回到您离开的地方：" + String(repeating: "很长", count: 60),
        "👩‍👩‍👧‍👦 family " + String(repeating: "👍🏽", count: 30),
        "Plain words that are long enough to be folded once or twice on their way, "
            + "as subjects in a chatty product are", " leading", "trailing ", "two  spaces", "=?UTF-8?B?QQ==?=",
    ])
    func `a subject reads as it was written`(_ subject: String) {
        let reader = MessageReader(MailMessage.plain(subject: subject).bytes())
        #expect(reader["subject"].flatMap(MessageReader.decoded) == subject)
        expectOneCleanHead(.plain(subject: subject))
    }

    @Test(arguments: [
        ("App", "App <a@here.test>"), ("Lighthouse Letters", "Lighthouse Letters <a@here.test>"),
        ("App, Inc.", "\"App, Inc.\" <a@here.test>"),
        ("The \"App\" \\ Co", "\"The \\\"App\\\" \\\\ Co\" <a@here.test>"),
        ("Uygulamalarım", "=?UTF-8?B?VXlndWxhbWFsYXLEsW0=?= <a@here.test>"), ("", "a@here.test"),
        ("\r\n", "a@here.test"),
        ("=?x", "=?UTF-8?B?PT94?= <a@here.test>"),
    ])
    func `a sender's name is quoted or encoded as it needs`(_ name: String, _ value: String) {
        let message = MailMessage.plain(from: SenderAddress(name: name, address: "a@here.test"))
        #expect(MessageReader(message.bytes())["from"] == value)
    }

    @Test func `the fixed headers are there`() {
        let reader = MessageReader(MailMessage.plain(messageID: "<id-1@here.test>", language: "pt-BR").bytes())
        #expect(reader["auto-submitted"] == "auto-generated")
        #expect(reader["mime-version"] == "1.0")
        #expect(reader["message-id"] == "<id-1@here.test>")
        #expect(reader["content-language"] == "pt-BR")
        #expect(reader["to"] == "ann@there.test")
        #expect(reader["reply-to"] == nil)
        #expect(reader["content-type"]?.hasPrefix("multipart/alternative; boundary=") == true)
    }

    @Test(
        arguments: [
            (0, "Thu, 01 Jan 1970 00:00:00 +0000"), (951_782_399, "Mon, 28 Feb 2000 23:59:59 +0000"),
            (951_782_400, "Tue, 29 Feb 2000 00:00:00 +0000"), (1_765_267_509, "Tue, 09 Dec 2025 08:05:09 +0000"),
            (4_107_542_400, "Mon, 01 Mar 2100 00:00:00 +0000"), (4_107_542_399, "Sun, 28 Feb 2100 23:59:59 +0000"),
            (-1, "Wed, 31 Dec 1969 23:59:59 +0000"),
        ] as [(Int64, String)])
    func `a date is written in UTC`(_ seconds: Int64, _ text: String) {
        #expect(MessageReader(MailMessage.plain(date: seconds).bytes())["date"] == text)
    }
}
