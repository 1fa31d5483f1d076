// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingMail
import HomingTesting
import Testing

struct SMTPAddressTests {
    static let unsafe = [
        "ann@there.test\r\nRCPT TO:<mallory@evil.test>", "ann@there.test\nDATA", "ann\r@there.test",
        "ann@there.test>\r\nDATA", "ann@there.test\u{0}", "\"ann\"@there.test", "\"a b\"@there.test", "a b@there.test",
        " ann@there.test", "ann@there.test ", "<ann@there.test>", "ann@there.test>",
        "ann@there.test,mallory@evil.test", "ann@there.test;mallory@evil.test", "ann@[1.2.3.4]", "ann@[IPv6:::1]",
        "ann@@there.test", "ann@there.test@evil.test", "@there.test", "ann@", "ann", "", ".ann@there.test",
        "ann.@there.test", "a..b@there.test", "ann@there..test", "ann@.test", "ann@-there.test", "ann@there-.test",
        "ann@there.test.", "m\u{131}ke@there.test", "ann@th\u{e9}re.test", "ann@there.test SIZE=1", "ann(c)@there.test",
        "@evil.test:ann@there.test", "ann@there_test", String(repeating: "a", count: 65) + "@there.test",
        "ann@" + String(repeating: "b", count: 64) + ".test",
        // 321 bytes, one more than the longest path's local part, @ and domain together.
        "ann@" + String(repeating: "b123456789.", count: 28) + "c12345.te",
    ]

    @Test(arguments: unsafe)
    func `a recipient that is no plain address never reaches the wire`(_ address: String) async throws {
        try await withRelay { relay, transport in
            #expect(await transport.deliver(.plain(to: address)).kind == "permanent")
            #expect(relay.connectionCount == 0)
        }
    }

    @Test(arguments: unsafe)
    func `a sender that is no plain address never reaches the wire`(_ address: String) async throws {
        try await withRelay { relay, transport in
            var envelope = MailEnvelope.plain()
            envelope.sender = address
            #expect(await transport.deliver(envelope).kind == "permanent")
            #expect(relay.connectionCount == 0)
        }
    }

    @Test func `the longest test address has 321 bytes`() {
        #expect(Self.unsafe.last?.utf8.count == 321)
    }

    @Test(arguments: [
        "a@b", "noreply@localhost", "ann+tag@there.test", "a.b.c@x-y.there.test", "o'neil@there.test",
        "{}|~^_`=?/-+*&$#@there.test", String(repeating: "a", count: 64) + "@there.test", "1@2.test",
    ])
    func `plain addresses reach the wire as they are`(_ address: String) async throws {
        try await withRelay { relay, transport in
            #expect(await transport.deliver(.plain(to: address)).kind == "accepted")
            #expect(relay.commands.filter { $0.hasPrefix("RCPT") } == ["RCPT TO:<\(address)>"])
            #expect(relay.commands.count { $0.hasPrefix("MAIL") } == 1)
        }
    }
}
