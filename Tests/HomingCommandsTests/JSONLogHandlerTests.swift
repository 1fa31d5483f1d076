// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
import HomingCommands
import HomingCore
import HomingOperations
import HomingShortLinks
import HomingStore
import HomingWire
import Logging
import Synchronization
import Testing

@Suite struct `Log lines` {
    /// 40 bytes in base64url, as an action code.
    private static let code = "AQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHyAhIiMkJSYn_-"
    private static let token = "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl"

    @Test func `an entry is one JSON object on one line`() throws {
        let object = try json { logger in
            logger.warning("relay \"mail\" is\nslow", metadata: ["host": "a\r\nb", "list": ["1", "2"]])
        }
        #expect(object["message"] == "relay \"mail\" is\nslow")
        #expect(object["level"] == "warning")
        #expect(object["logger"] == "test")
        #expect(object["time"] == "2023-11-14T22:13:20.125Z")
        #expect(object["host"] == "a\r\nb")
        #expect(object["list"] == "[\"1\", \"2\"]" || object["list"] == "[1, 2]")
    }

    @Test func `control characters reach neither file nor terminal`() throws {
        let evil = "a\u{1b}[2J\r\n{\"level\":\"info\"}\u{0}\u{85}\u{2028}\u{202e}\u{9b}m\u{7f}z"
        for format in [LogFormat.json, .text] {
            let lines = lines(format) { $0.info("\(evil)", metadata: ["\(evil)": "\(evil)"]) }
            #expect(lines.count == 1)
            let line = try #require(lines.first)
            #expect(line.utf8.last == UInt8(ascii: "\n"))
            #expect(!line.unicodeScalars.dropLast().contains { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) })
            #expect(!line.unicodeScalars.contains("\u{2028}") && !line.unicodeScalars.contains("\u{202e}"))
        }
    }

    @Test func `a value of 100 KB is cut at one KiB, on a character's boundary`() throws {
        let object = try json { $0.info("m", metadata: ["long": "\(String(repeating: "ü ", count: 50_000))"]) }
        let value = try #require(object["long"])
        #expect((1_020...1_027).contains(value.utf8.count))
        #expect(value.utf8.starts(with: "ü ü ".utf8) && value.last == "…" && !value.contains("\u{fffd}"))
    }

    @Test(arguments: [
        (code, "***"),
        (
            "https://a.example/__/auth/action?mode=x&oobCode=\(code)&apiKey=k",
            "https://a.example/__/auth/action?mode=x&oobCode=***&apiKey=k"
        ),
        ("oobCode%3D\(code)%26x", "oobCode%3D***%26x"),
        ("Bearer \(token)", "Bearer ***"),
        ("\(token).", "***"),
        ("refresh=\(code)\(code)\(code)", "refresh=***"),
        ("(\(code)),\(code)", "(***),***"),
        (
            "reset for someone@example.com of project newsletter-of-the-lighthouse",
            "reset for someone@example.com of project newsletter-of-the-lighthouse"
        ),
        ("eyJ.a short one", "eyJ.a short one"),
        ("", ""),
    ])
    func `a text that looks like a code or a token is masked`(text: String, shown: String) {
        #expect(SecretMask.masked(text) == shown)
    }

    @Test func `codes are masked anywhere in message, metadata and errors`() {
        struct Fault: Error { let code: String }
        for format in [LogFormat.json, .text] {
            for padding in [0, 1_000, 1_023, 65_500] {
                let text = String(repeating: "x ", count: padding / 2) + Self.code
                let lines = lines(format) { logger in
                    logger.error(
                        "\(text)", error: Fault(code: text),
                        metadata: ["a": "\(text)", "\(Self.code)": ["k": "\(text)"]])
                }
                #expect(!lines.joined().contains(Self.code.prefix(20)), "\(format) \(padding)")
            }
        }
    }

    @Test func `a field named like one of ours does not become a second one`() throws {
        let object = try json { $0.info("m", metadata: ["level": "x", "message": "y"]) }
        #expect(object["level"] == "info" && object["level_"] == "x" && object["message_"] == "y")
    }

    @Test func `text for people has time, level, message and fields`() {
        let lines = lines(.text) { $0.notice("ready", metadata: ["public": "http://a b"]) }
        #expect(lines == ["2023-11-14T22:13:20.125Z notice ready public=\"http://a b\"\n"])
    }

    @Test func `entries below the level are not written`() {
        #expect(lines(.json) { $0.debug("quiet") }.isEmpty)
    }

    private func json(_ body: (Logger) -> Void) throws -> [String: String] {
        let lines = lines(.json, body)
        #expect(lines.count == 1 && lines.first?.utf8.count { $0 == 10 } == 1)
        let object = try JSONSerialization.jsonObject(with: Data(lines.joined().utf8))
        return try #require(object as? [String: String])
    }

    private func lines(_ format: LogFormat, _ body: (Logger) -> Void) -> [String] {
        let written = Lines()
        body(
            Logger(label: "test") { label in
                JSONLogHandler(
                    label: label,
                    level: Live(.info),
                    format: format,
                    now: { Date(timeIntervalSince1970: 1_700_000_000.125) },
                    write: { line in written.all.withLock { $0.append(line) } }
                )
            }
        )
        return written.all.withLock { $0 }
    }

    private final class Lines: Sendable {
        let all = Mutex<[String]>([])
    }
}
