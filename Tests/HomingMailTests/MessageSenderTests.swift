// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingMail
import Testing

struct MessageSenderTests {
    @Test(
        arguments: [
            ("a@b", nil, "a@b"), (" noreply@here.test ", nil, "noreply@here.test"), ("<a@b.test>", nil, "a@b.test"),
            ("App <a@b.test>", "App", "a@b.test"), ("\"App, Inc.\" <a@b.test>", "App, Inc.", "a@b.test"),
            ("App, Inc. <a@b.test>", "App, Inc.", "a@b.test"),
            ("\"a \\\"b\\\" \\\\\" <a@b.test>", "a \"b\" \\", "a@b.test"),
            ("Uygulamalarım <a@b.test>", "Uygulamalarım", "a@b.test"), ("\"\" <a@b.test>", nil, "a@b.test"),
        ] as [(String, String?, String)])
    func `a sender is read`(_ text: String, _ name: String?, _ address: String) throws {
        #expect(try Mailbox(parsing: text) == Mailbox(name: name, address: address))
    }

    @Test(arguments: [
        "", "App", "App <a@b", "App a@b>", "App <>", "App <a b@c>", "App\r\nBcc: x <a@b>", "App <a@b>\r\nBcc: x",
        "App <a@b> x", "\"App <a@b>", "App\" <a@b>", "\"A\"B\" <a@b>", "\"A\\\" <a@b>", "A <x> <a@b>", "a@b, c@d",
        "A\u{0} <a@b>", String(repeating: "x", count: 256) + " <a@b>", "a@[1.2.3.4]", "\"a\"@b",
    ])
    func `what is no sender is refused with what is accepted`(_ text: String) {
        let fault = #expect(throws: MailboxFault.self) { try Mailbox(parsing: text) }
        #expect(fault?.sentence.contains("App <a@example.com>") == true)
    }
}
