// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingMail
import Testing

struct MessageSenderTests {
    @Test(
        arguments: [
            ("noreply@Here.test", nil, "noreply@here.test"), ("a@localhost", nil, "a@localhost"),
            ("App <a@b.test>", "App", "a@b.test"), ("App   <a@b.test>", "App", "a@b.test"),
            ("\"App, Inc.\" <a@b.test>", "App, Inc.", "a@b.test"), ("App, Inc. <a@b.test>", "App, Inc.", "a@b.test"),
            ("Uygulamalarım <a@b.test>", "Uygulamalarım", "a@b.test"),
        ] as [(String, String?, String)])
    func `a sender is read`(_ text: String, _ name: String?, _ address: String) {
        #expect(SenderAddress(parsing: text) == SenderAddress(name: name, address: address))
    }

    @Test(arguments: [
        "", "App", "a@b", " a@b.test", "<a@b.test>", "\"\" <a@b.test>", "App <a@b.test", "App a@b.test>", "App <>",
        "App <a b@c.test>", "App\r\nBcc: x <a@b.test>", "App <a@b.test>\r\nBcc: x", "App <a@b.test> x",
        "\"App <a@b.test>", "App\" <a@b.test>", "\"A\"B\" <a@b.test>", "\"A\\\" <a@b.test>", "A <x> <a@b.test>",
        "a@b.test, c@d.test", "A\u{0} <a@b.test>", String(repeating: "x", count: 320) + " <a@b.test>", "a@[1.2.3.4]",
        "\"a\"@b.test",
    ])
    func `a text that is no sender is refused`(_ text: String) {
        #expect(SenderAddress(parsing: text) == nil)
    }
}
