// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingStore
import Testing

/// What the report of a mail server changes, row by row.
@Suite struct BounceTests {
    private static func bounce(_ action: String?, _ status: String?, _ diagnostic: String = "") -> Bounce {
        Bounce(
            action: action.flatMap(Bounce.Action.init), status: status.flatMap { Bounce.Status(parsing: $0) },
            diagnostic: diagnostic)
    }

    @Test(arguments: [
        "5.0.0", "5.1.0", "5.1.1", "5.1.2", "5.1.3", "5.1.4", "5.1.6", "5.1.9", "5.1.10", "5.2.0", "5.2.1", "5.2.4",
        "5.4.0", "5.4.1", "5.4.4",
    ])
    func `an address that takes no mail is suppressed`(status: String) {
        #expect(Self.bounce("failed", status).verdict == .suppressed)
    }

    @Test(arguments: [
        "5.1.7", "5.1.8", "5.2.2", "5.2.3", "5.3.0", "5.3.4", "5.4.2", "5.4.3", "5.4.5", "5.4.6", "5.4.7", "5.5.0",
        "5.5.4", "5.6.0",
        "5.6.6", "5.7.0", "5.7.1", "5.7.26", "4.2.2", "4.4.1", "4.7.0",
    ])
    func `a mail that failed for another reason has failed, and its address is not suppressed`(status: String) {
        #expect(Self.bounce("failed", status).verdict == .failed)
    }

    @Test(arguments: ["delayed", "delivered", "relayed", "expanded"], ["4.4.1", "2.0.0", "5.1.1", nil])
    func `a mail that may still arrive, or has arrived, is left as it is`(action: String, status: String?) {
        #expect(Self.bounce(action, status).verdict == .nothing)
    }

    @Test(arguments: [nil, "", "5", "5.1", "5.1.1.1", "5.1.x", "5..1", "3.1.1", "9.1.1", "5.1.1000", " 5.1.1", "５.1.1"])
    func `a status that cannot be read suppresses nobody`(status: String?) {
        #expect(Self.bounce("failed", status).verdict == .noted)
    }

    @Test(arguments: ["5.1.1", "4.4.1", nil])
    func `a report without an action suppresses nobody`(status: String?) {
        #expect(Self.bounce(nil, status).verdict == .noted)
        #expect(Self.bounce("Failed!", status).verdict == .noted)
    }

    @Test func `a success that is called a failure suppresses nobody`() {
        #expect(Self.bounce("failed", "2.1.5").verdict == .noted)
    }

    @Test func `an address of several people is suppressed only when none of them gets the mail`() {
        let (gone, arrived) = (Self.bounce("failed", "5.1.1"), Self.bounce("delivered", "2.1.5"))
        #expect(Bounce.verdict([gone, gone]) == .suppressed)
        #expect(Bounce.verdict([gone, arrived]) == .nothing)
        #expect(Bounce.verdict([Self.bounce("failed", "5.7.1"), gone]) == .failed)
        #expect(Bounce.verdict([]) == .noted)
    }

    @Test func `the words are one short printable line without a code`() {
        let code = String(repeating: "aB3_", count: 14)
        let words = Bounce.words([
            Self.bounce("failed", "5.1.1", "550 \u{1B}[2J\r\nno\u{202E} https://x.example/?oobCode=\(code) such user")
        ])
        #expect(words == "5.1.1 550 [2Jno https://x.example/?oobCode=*** such user")
        #expect(Bounce.words([Self.bounce("failed", "5.1.1", String(repeating: "no ", count: 900))]).utf8.count == 300)
        #expect(!Bounce.words([]).isEmpty)
    }
}
