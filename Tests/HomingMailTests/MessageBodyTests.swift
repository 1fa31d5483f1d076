// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
import HomingMail
import Testing

struct MessageBodyTests {
    private static let texts =
        [
            "plain\n", "no end", "", "\n\n\n", "trailing space \nand tab\t\n", ".\n..\n.leading dot\n",
            "From me\nFrom  \n",
            "a=b =3D\n", "Şifrenizi sıfırlamak için bağlantıya dokunun.\n", "点击链接以重置您的密码。\n\n忽略此邮件。\n",
            "--=_homing_alternative_=--\n", "a\r\nb\rc\nd", "nul \u{0} bell \u{7}\n", "“quotes” and – dashes\n",
        ] + linesThatFold + (1...300).map { text(seed: $0) }

    /// Around the length at which a line is folded, with plain letters and with others.
    private static let linesThatFold: [String] =
        (70...160).map { String(repeating: "x", count: $0) + ".\n" }
        + (70...84).map { "\(String(repeating: "x", count: $0))é\(String(repeating: ".", count: 90)) \n" }

    @Test(arguments: texts)
    func `both parts read as they were written`(_ text: String) {
        let message = MailMessage.plain(text: text, html: "<pre>\(text)</pre>")
        let parts = MessageReader(message.bytes()).parts
        #expect(parts.map { $0["content-type"] } == ["text/plain; charset=utf-8", "text/html; charset=utf-8"])
        #expect(parts.first?.text == withCRLF(text))
        #expect(parts.last?.text == withCRLF("<pre>\(text)</pre>"))
        let lines = String(decoding: message.bytes(), as: UTF8.self).components(separatedBy: "\r\n")
        for line in lines {
            #expect(line.utf8.count <= 76)
            #expect(line.utf8.allSatisfy { (0x20...0x7e).contains($0) })
            #expect(line.utf8.first != UInt8(ascii: ".") && !line.hasPrefix("From "))
            #expect(line.utf8.last != 0x20)
        }
    }

    @Test func `base64 ends after its last line, full or not`() {
        // A scalar of three bytes is a line's nineteenth part: every third text fills its last line.
        for count in 1...80 {
            let text = String(repeating: "点", count: count) + "\n"
            let bytes = MailMessage.plain(text: text, html: text).bytes()
            #expect(bytes.allSatisfy { (0x20...0x7e).contains($0) || $0 == 0x0d || $0 == 0x0a }, "\(count) scalars")
            #expect(MessageReader(bytes).parts.first?.text == withCRLF(text))
        }
        for count in 0...171 {
            var message = MailMessage.plain(text: "a", html: "b")
            message.logo = Array(repeating: 0x41, count: count)
            #expect(!message.bytes().contains(0), "a logo of \(count) bytes")
        }
    }

    /// A text of pieces that an encoder treats each in its own way.
    private static func text(seed: Int) -> String {
        let pieces = ["word", " ", ".", "From ", "F", "=", "é", "\n", "\r\n", "\r", "x", "~", "\u{7f}", "\u{0}"]
        var state = UInt64(seed)
        return (0..<(seed * 2)).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return pieces[Int(state >> 33) % pieces.count]
        }.joined()
    }

    @Test func `a link with equals signs stays readable and whole`() {
        let link =
            "https://id.here.test/__/auth/action?mode=resetPassword&oobCode=" + String(repeating: "aB3-_", count: 11)
        let message = MailMessage.plain(text: "Tap: \(link)\n")
        #expect(MessageReader(message.bytes()).parts.first?.text == "Tap: \(link)\r\n")
    }

    @Test func `mostly foreign text is base64, mostly plain text is not`() {
        let parts = MessageReader(MailMessage.plain(text: "重置您的密码\n", html: "<p>contraseña</p>").bytes()).parts
        #expect(parts.map { $0["content-transfer-encoding"] } == ["base64", "quoted-printable"])
    }

    @Test func `the same values give the same bytes`() {
        #expect(MailMessage.plain().bytes() == MailMessage.plain().bytes())
    }

    /// The text that a reader gets: every line ends in CRLF, as SMTP demands.
    private func withCRLF(_ text: String) -> String {
        var result = ""
        var previous: Unicode.Scalar = " "
        for scalar in text.unicodeScalars {
            if scalar == "\n" && previous == "\r" {
                result.unicodeScalars.append(scalar)
            } else if scalar == "\n" {
                result += "\r\n"
            } else {
                if previous == "\r" { result.unicodeScalars.append("\n") }
                result.unicodeScalars.append(scalar)
            }
            previous = scalar
        }
        if previous == "\r" { result += "\n" } else if previous != "\n", !text.isEmpty { result += "\r\n" }
        return result
    }
}
