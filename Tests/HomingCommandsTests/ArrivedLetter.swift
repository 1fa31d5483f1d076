// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
import HomingCore
import HomingDoctor
import HomingMail
import HomingProjects
import HomingTexts
import Testing

/// A letter of ours as somebody's mail server has it: what it wrote above, our fields, and both parts, each of which a
/// test may change.
struct ArrivedLetter {
    static let publicURL = "https://auth.shop.example"
    static let link =
        "\(publicURL)/__/auth/action?mode=resetPassword&oobCode=\(String(repeating: "x", count: 54))&apiKey=AIza&lang=en"
    static let handedOver: Int64 = 1_795_759_202_000

    let written: WrittenLetter
    let message: MailMessage
    var receiver: Receiver
    /// Ours, each with its name.
    var fields: [String]
    var text: String?
    var html: String?
    var charset = "utf-8"
    var encoding = Encoding.bit8

    enum Encoding: String, CaseIterable {
        /// As it left, byte for byte.
        case asSent
        case base64, bit8
        /// In windows-1252, where it has all the letters.
        case western
    }

    init(
        _ kind: MailKind = .passwordReset, _ language: Language = .english, receiver: Receiver = .gmail,
        padding: Int = 0, logo: [UInt8]? = nil
    ) {
        let facts = LetterFacts(
            appName: "Lighthouse", address: "ada@example.com",
            newAddress: kind.namesNewAddress ? "ada.lovelace@example.com" : nil, displayName: "Ada",
            link: kind.codeKind != nil || kind.leadsToReset ? Self.link : "https://www.shop.example/",
            language: language,
            lifetime: kind.codeKind == nil ? nil : 3_600, sentAt: Int(Self.handedOver / 1_000) - 1,
            device: Device(browser: .firefox, system: .android), network: kind.canBeBound ? "192.0.2.0/24" : nil,
            code: kind.canBeBound ? LetterCode(digits: "12345678", place: .body) : nil)
        let letter = Letter(kind, about: facts)
        var html = letter.html
        if padding > 0 {
            html = html.replacing("</body>", with: String(repeating: "<p>word</p>", count: padding) + "</body>")
        }
        if logo != nil { html = html.replacing("</body>", with: "<img src=\"cid:logo\"></body>") }
        let id = "BmWh7GKpbM0xXc6jVf2tQA"
        written = WrittenLetter(
            id: id, project: "shop", kind: kind.rawValue, subject: letter.subject, text: letter.text, html: html,
            code: kind.canBeBound ? "1234 5678" : nil, requestedAt: Self.handedOver - 1_000,
            handedOverAt: Self.handedOver, reply: "250 OK")
        message = MailMessage(
            from: SenderAddress(name: "Lighthouse", address: "noreply@shop.example"), to: receiver.mailbox,
            subject: letter.subject, text: letter.text, html: html, logo: logo, messageID: "<\(id)@shop.example>",
            date: Self.handedOver / 1_000, language: language.tag)
        self.receiver = receiver
        let bytes = message.bytes()
        let head = bytes.firstRange(of: Array("\r\n\r\n".utf8)).map { bytes[..<$0.lowerBound] } ?? []
        fields = String(decoding: head, as: UTF8.self).split(separator: "\r\n").reduce(into: []) { fields, line in
            if line.first == " ", !fields.isEmpty {
                fields[fields.count - 1] += "\r\n" + line
            } else {
                fields.append(String(line))
            }
        }.filter { !$0.hasPrefix("Content-Type:") }
        text = letter.text
        self.html = html
    }

    func bytes() -> [UInt8] {
        let above = receiver.fields.map { $0 + "\r\n" }.joined()
        guard encoding != .asSent else { return Array(above.utf8) + message.bytes() }
        var bytes = Array((above + fields.map { $0 + "\r\n" }.joined()).utf8)
        bytes +=
            "Content-Type: multipart/alternative; charset=utf-8;\r\n boundary=\"--=_another 1\"\r\n\r\npreamble\r\n"
            .utf8
        for (type, body) in [("text/plain", text), ("text/html", html)] {
            guard let body else { continue }
            let western = encoding == .western ? body.data(using: .windowsCP1252) : nil
            let charset = western == nil ? charset : "Windows-1252"
            bytes += "----=_another 1\r\nContent-Type: \(type); charset=\"\(charset)\"\r\n".utf8
            let content = (western ?? Data(body.utf8)).flatMap { $0 == 0x0a ? [0x0d, 0x0a] : [$0] }
            if encoding == .base64 {
                bytes += "Content-Transfer-Encoding: BASE64\r\n\r\n".utf8
                let encoded = Array(Data(content).base64EncodedData())
                for start in stride(from: 0, to: encoded.count, by: 60) {
                    bytes += encoded[start..<min(start + 60, encoded.count)] + Array("\r\n".utf8)
                }
            } else {
                bytes += "Content-Transfer-Encoding: 8bit\r\n\r\n".utf8 + content + Array("\r\n".utf8)
            }
        }
        return bytes + Array("----=_another 1--\r\n".utf8)
    }

    /// What the doctor finds in it, or in what a test has made of its bytes.
    func findings(_ bytes: [UInt8]? = nil, folder: (String, Bool)? = ("INBOX", false)) -> [Finding] {
        LetterCheck(
            MIMEPart(bytes ?? self.bytes()), written: written, ownHosts: [], recipient: receiver.mailbox,
            folder: folder.map { (name: $0.0, isSpam: $0.1) }
        ).findings()
    }

    /// Puts another link in the place of ours.
    func withLinks(_ link: String) -> ArrivedLetter {
        var letter = self
        letter.text = text?.replacing(Self.link, with: link)
        letter.html = html?.replacing(Self.link.replacing("&", with: "&amp;"), with: link.replacing("&", with: "&amp;"))
        return letter
    }
}

/// What a receiver writes above a letter, the last server's words first.
struct Receiver: CustomTestStringConvertible {
    let name: String
    let mailbox: String
    var fields: [String]

    var testDescription: String { name }

    func replacing(_ text: String, _ other: String) -> Receiver {
        var receiver = self
        receiver.fields = fields.map { $0.replacing(text, with: other) }
        return receiver
    }

    private static func date(_ second: Int) -> String { "Fri, 27 Nov 2026 06:00:0\(second) -0000 (UTC)" }

    private static let fromUs =
        "Received: from auth.shop.example (auth.shop.example [198.51.100.4])\r\n\tby out.relay.example with ESMTPSA id 1a2b\r\n"
        + "\tfor <probe@example.net>; \(date(2))"

    private static let signed = "DKIM-Signature: v=1; a=rsa-sha256; d=shop.example; s=s1; h=from:to; bh=abc=; b=def="

    static let gmail = Receiver(
        name: "Gmail", mailbox: "probe@gmail.com",
        fields: [
            "Delivered-To: probe@gmail.com",
            "Received: by 2002:a05:6512:3b91:b0:53d:abcd with SMTP id g17csp1;\r\n        \(date(4))",
            "ARC-Authentication-Results: i=1; mx.google.com;\r\n       dkim=pass header.i=@shop.example",
            "Return-Path: <bounces@shop.example>",
            "Received: from out.relay.example (out.relay.example. [203.0.113.7])\r\n        by mx.google.com with ESMTPS id x1\r\n"
                + "        for <probe@gmail.com>\r\n        (version=TLS1_3 cipher=TLS_AES_256_GCM_SHA384 bits=256/256);\r\n"
                + "        \(date(3))",
            "Received-SPF: pass (google.com: domain of bounces@shop.example designates 203.0.113.7)",
            "Authentication-Results: mx.google.com;\r\n       dkim=pass header.i=@shop.example header.s=s1 header.b=abc;\r\n"
                + "       spf=pass (google.com: domain of bounces@shop.example designates 203.0.113.7 as permitted sender)"
                + " smtp.mailfrom=bounces@shop.example;\r\n       dmarc=pass (p=NONE sp=NONE dis=NONE) header.from=shop.example",
            fromUs, signed,
        ])

    static let outlook = Receiver(
        name: "Outlook", mailbox: "probe@contoso.example",
        fields: [
            "Received: from A1.eurprd05.prod.outlook.com (2603:10a6:20b::1) by\r\n B2.eurprd05.prod.outlook.com with HTTPS; "
                + date(4),
            "Received: from out.relay.example (203.0.113.7) by\r\n C3.mail.protection.outlook.com (10.167.242.1) with Microsoft\r\n"
                + " SMTP Server (version=TLS1_3, cipher=TLS_AES_256_GCM_SHA384) id\r\n 15.20.1; \(date(3))",
            "Authentication-Results: spf=pass (sender IP is 203.0.113.7)\r\n smtp.mailfrom=shop.example; dkim=pass (signature was"
                + " verified)\r\n header.d=shop.example;dmarc=pass action=none\r\n"
                + " header.from=shop.example;compauth=pass reason=100",
            "X-Forefront-Antispam-Report:\r\n CIP:203.0.113.7;CTRY:DE;LANG:en;SCL:1;SRV:;IPV:NLI;SFV:NSPM;H:out.relay.example;",
            "X-Microsoft-Antispam: BCL:0;", fromUs, signed,
        ])

    static let yahoo = Receiver(
        name: "Yahoo", mailbox: "probe@yahoo.com",
        fields: [
            "Authentication-Results: atlas-production.v2-mail-prod1-gq1.omega.yahoo.com;\r\n dkim=pass header.i=@shop.example"
                + " header.s=s1;\r\n spf=pass smtp.mailfrom=shop.example;\r\n dmarc=pass(p=NONE) header.from=shop.example;",
            "Received: from 203.0.113.7 (EHLO out.relay.example)\r\n by 10.217.150.39 with SMTPs\r\n (version=TLS1_3"
                + " cipher=TLS_AES_256_GCM_SHA384);\r\n \(date(3))",
            fromUs, signed,
        ])

    static let icloud = Receiver(
        name: "iCloud", mailbox: "probe@icloud.com",
        fields: [
            "Received: from ci-prod.me.com by p1.me.com (mailgateway) with SMTP id 7; \(date(4))",
            "Authentication-Results: bimi.icloud.com; bimi=skipped reason=\"insufficient dmarc\"",
            "Authentication-Results: dmarc.icloud.com; dmarc=pass header.from=shop.example",
            "Authentication-Results: dkim-verifier.icloud.com;\r\n dkim=pass (2048-bit key) header.d=shop.example header.s=s1",
            "Authentication-Results: spf.icloud.com; spf=pass (spf.icloud.com: domain of bounces@shop.example)"
                + " smtp.mailfrom=bounces@shop.example",
            "Received: from out.relay.example (out.relay.example [203.0.113.7])\r\n by p2-mailgateway.me.com (Postfix) with ESMTPS"
                + " id 8; \(date(3))",
            fromUs, signed,
        ])

    static let fastmail = Receiver(
        name: "Fastmail", mailbox: "probe@family.example",
        fields: [
            "Received: from phl-mx-07.internal (phl-mx-07.phl.internal [10.202.2.41])\r\n by sloti1n1.internal (Cyrus) with LMTPA;"
                + " \(date(4))",
            "X-Spam-Score: 0.1",
            "Received: from mx1.messagingengine.com ([10.202.2.201])\r\n by phl-compute-07.internal (LMTPProxy); \(date(4))",
            "Authentication-Results: mx1.messagingengine.com;\r\n dkim=pass (2048-bit rsa key sha256) header.d=shop.example"
                + " header.i=@shop.example header.b=abc header.a=rsa-sha256 header.s=s1 x-bits=2048;\r\n dmarc=pass"
                + " policy.published-domain-policy=none header.from=shop.example;\r\n iprev=pass"
                + " smtp.remote-ip=203.0.113.7;\r\n spf=pass smtp.mailfrom=bounces@shop.example smtp.helo=out.relay.example",
            "Received: from out.relay.example (out.relay.example [203.0.113.7])\r\n (using TLSv1.3 with cipher"
                + " TLS_AES_256_GCM_SHA384 (256/256 bits))\r\n (No client certificate requested)\r\n"
                + " by mx1.messagingengine.com (Postfix) with ESMTPS id 4B5C; \(date(3))",
            fromUs, signed,
        ])

    static let rspamd = Receiver(
        name: "rspamd", mailbox: "probe@home.example",
        fields: [
            "Received: from mx.home.example by mx.home.example (Dovecot) with LMTP id 9 for <probe@home.example>; \(date(4))",
            "Received: from out.relay.example (out.relay.example [203.0.113.7])\r\n\t(using TLSv1.3 with cipher"
                + " TLS_AES_256_GCM_SHA384 (256/256 bits))\r\n\tby mx.home.example (Postfix) with ESMTPS id 4B5C;\r\n\t\(date(3))",
            "Authentication-Results: mx.home.example;\r\n\tdkim=pass header.d=shop.example header.s=s1 header.b=abc;\r\n"
                + "\tdmarc=pass (policy=none) header.from=shop.example;\r\n\tspf=pass (mx.home.example: domain of"
                + " bounces@shop.example designates 203.0.113.7) smtp.mailfrom=bounces@shop.example",
            "X-Spamd-Result: default: False [-0.10 / 15.00];\r\n\tR_SPF_ALLOW(-0.20)[+ip4:203.0.113.7]",
            "X-Rspamd-Action: no action",
            fromUs, signed,
        ])

    static let spamAssassin = Receiver(
        name: "SpamAssassin", mailbox: "probe@club.example",
        fields: [
            "X-Spam-Flag: NO",
            "X-Spam-Status: No, score=-0.1 required=5.0 tests=[DKIM_SIGNED=0.1,\r\n\tDKIM_VALID=-0.1] autolearn=ham",
            "Authentication-Results: mx.club.example (amavisd-new); dkim=pass (2048-bit key)\r\n header.d=shop.example;"
                + " spf=pass smtp.mailfrom=bounces@shop.example; dmarc=none",
            "Received: from out.relay.example (unknown [203.0.113.7])\r\n\tby mx.club.example (Postfix) with ESMTPS id 4B5C;"
                + " \(date(3))",
            fromUs, signed,
        ])

    static let all = [gmail, outlook, yahoo, icloud, fastmail, rspamd, spamAssassin]
}
