// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
import HomingCommands
import HomingCore
import HomingMail
import HomingOperations
import HomingStore
import HomingWire
import Testing

@Suite struct `How settings are shown` {
    @Test(arguments: [
        ("smtp://user:hunter2@mail.example.com:587?tls=required", "smtp://user:***@mail.example.com:587?tls=required"),
        ("smtp://token:token@mail.example.com", "smtp://***:***@mail.example.com"),
        ("smtp://mail.example.com", "smtp://mail.example.com"),
        ("mailbox:", "mailbox:"),
        ("smtp://token@mail.example.com", "smtp://***@mail.example.com"),
        ("smtp://a:b:c@mail.example.com", "smtp://a:***@mail.example.com"),
        ("postgresql://h/d?user=a&PASSWORD=b&x=c", "postgresql://h/d?user=a&PASSWORD=***&x=c"),
    ])
    func `the password of a URL is masked`(url: String, shown: String) {
        #expect(SecretMask.password(inURL: url) == shown)
    }

    @Test func `text and JSON have every setting, its value and its source, and no secret`() throws {
        let given = GivenSettings(
            flags: ["listen": "127.0.0.1:7"],
            environment: ["HOMING_SMTP_URL": "smtp://user:hunter2@mail.example.com"],
            yaml: "mail:\n  from: 'Süß <a@example.com>'\n"
        )
        let settings = try given.load()
        #expect(settings.relay == .smtp(try SMTPRelay(parsing: "smtp://user:hunter2@mail.example.com")))
        for rendering in [settings.text, settings.json] {
            #expect(!rendering.contains("hunter2"))
            #expect(rendering.contains("smtp://user:***@mail.example.com"))
            for setting in Setting.all { #expect(rendering.contains(setting.key)) }
        }
        let lines = settings.text.split(separator: "\n")
        #expect(lines.count == Setting.all.count)
        let listen = try #require(lines.first { $0.hasPrefix("listen ") })
        #expect(listen.split(separator: " ") == ["listen", "127.0.0.1:7", "--listen"])
        #expect(try #require(lines.first { $0.hasPrefix("tls.key ") }).contains("none"))

        let object = try JSONSerialization.jsonObject(with: Data(settings.json.utf8))
        let rows = try #require((object as? [String: Any])?["settings"] as? [[String: Any]])
        #expect(rows.compactMap { $0["key"] as? String } == Setting.all.map(\.key))
        let sender = try #require(rows.first { $0["key"] as? String == "mail.from" })
        #expect(sender["value"] as? String == "Süß <a@example.com>")
        #expect(sender["source"] as? String == "file")
        #expect((sender["from"] as? String)?.hasSuffix("homing.yaml, line 2") == true)
        let certificate = try #require(rows.first { $0["key"] as? String == "tls.certificate" })
        #expect(certificate["value"] is NSNull)
    }

    @Test func `the committed page is what the table says`() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let file = root.appendingPathComponent("docs/configuration.md")
        let committed = try String(contentsOf: file, encoding: .utf8)
        #expect(committed == SettingsDocument.markdown, "write SettingsDocument.markdown into docs/configuration.md")
    }

    @Test func `the file that the page shows is taken`() throws {
        let parts = SettingsDocument.markdown.split(separator: "```", omittingEmptySubsequences: false)
        let yaml = String(try #require(parts.first { $0.hasPrefix("yaml\n") }).dropFirst(5))
        let settings = try GivenSettings(yaml: yaml).load()
        #expect(settings.publicURL?.description == "https://auth.example.com")
        #expect(settings.limits.mailPerAddressHour == 10)
    }

    @Test func `the example of a file has every setting as a comment, which takes effect without its sign`() throws {
        let lines = SettingsDocument.example.split(separator: "\n")
        #expect(lines.allSatisfy { $0.hasPrefix("#") && $0.utf8.count <= 120 })
        // Comments have a space behind the sign, or stand indented with a sign of their own.
        let settings = lines.map { $0.dropFirst() }.filter {
            !$0.drop { $0 == " " }.hasPrefix("#") && ($0.first != " " || $0.hasPrefix("  "))
        }
        let given = settings.filter { !$0.hasSuffix(":") || Self.hasPart(below: $0, in: settings) }
        _ = try GivenSettings(yaml: given.joined(separator: "\n")).load()
        for setting in Setting.all {
            let name = setting.key.split(separator: ".").last ?? ""
            #expect(settings.contains { $0.drop { $0 == " " }.hasPrefix("\(name):") }, "\(setting.key)")
        }
    }

    /// Whether a section keeps a setting with a value.
    private static func hasPart(below section: Substring, in lines: [Substring]) -> Bool {
        func indent(_ line: Substring) -> Int { line.prefix { $0 == " " }.count }
        guard let index = lines.firstIndex(of: section) else { return false }
        return lines[(index + 1)...].prefix { indent($0) > indent(section) }.contains { !$0.hasSuffix(":") }
    }

    @Test func `the page has every key and variable, and says no secret`() {
        for setting in Setting.all {
            #expect(SettingsDocument.markdown.contains("| `\(setting.key)` | `\(setting.variable)` |"))
        }
    }

    @Test func `control characters in a value cannot end the line`() throws {
        let settings = try GivenSettings(flags: ["key-file": "/a\u{9b}31m\u{2028}\u{202e}b"]).load()
        #expect(try settings.entry("keyFile").shown == "/a\\u{9b}31m\\u{2028}\\u{202e}b")
    }
}
