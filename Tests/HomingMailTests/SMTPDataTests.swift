// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingMail
import HomingTesting
import Testing

struct SMTPDataTests {
    /// The bytes of a message that the relay got between DATA and the final dot.
    private func wire(of message: String) async throws -> String {
        var data = ""
        try await withRelay { relay, transport in
            let envelope = MailEnvelope(sender: "a@here.test", recipient: "b@there.test", message: Array(message.utf8))
            #expect(await transport.deliver(envelope).kind == "accepted")
            #expect(relay.messages.count == 1)
            #expect(relay.commands.count { $0.hasPrefix("MAIL") } == 1)
            #expect(relay.commands.count { $0.hasPrefix("RCPT") } == 1)
            data = String(decoding: relay.messages.first?.data ?? [], as: UTF8.self)
        }
        return data
    }

    @Test func `dots at the start of a line are doubled`() async throws {
        #expect(try await wire(of: "A: b\r\n\r\n.\r\n..\r\n.x\r\na.\r\n") == "A: b\r\n\r\n..\r\n...\r\n..x\r\na.\r\n")
    }

    @Test func `a message that begins with a dot stays whole`() async throws {
        #expect(try await wire(of: ".\r\nQUIT\r\n") == "..\r\nQUIT\r\n")
    }

    @Test(arguments: ["\n.\n", "\r.\r", "\n.\r\n", "\r\n.\n", "\r.\r\n", "\r\n.\r", "\r\r\n.\r\n", "\n\r\n.\r"])
    func `no line end smuggles a second mail`(_ end: String) async throws {
        let data = try await wire(of: "A: b\r\n\r\none\(end)MAIL FROM:<x@evil.test>\r\n")
        #expect(data.contains("\r\n..\r\nMAIL FROM:<x@evil.test>\r\n"))
        let bytes = Array(data.utf8)
        for (index, byte) in bytes.enumerated() {
            if byte == 13 { #expect(index + 1 < bytes.count && bytes[index + 1] == 10) }
            if byte == 10 { #expect(index > 0 && bytes[index - 1] == 13) }
        }
    }

    @Test func `a last line without an end gets one`() async throws {
        #expect(try await wire(of: "A: b\r\n\r\nend") == "A: b\r\n\r\nend\r\n")
    }

    @Test func `a large message arrives byte for byte`() async throws {
        let body = (0..<20_000).map { "line \($0) .\r\n" }.joined()
        #expect(try await wire(of: body) == body)
    }
}
