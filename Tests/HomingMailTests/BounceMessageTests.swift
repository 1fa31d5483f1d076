// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingMail
import HomingStore
import Testing

/// Messages of mail servers about mails that they could not deliver.
@Suite struct BounceMessageTests {
    /// As Postfix writes one, shortened.
    private static let postfix = """
        Return-Path: <>
        Delivered-To: bounces+token@shop.example
        Date: Sun, 22 Nov 2026 10:00:00 +0000 (UTC)
        From: MAILER-DAEMON@relay.example (Mail Delivery System)
        Subject: Undelivered Mail Returned to Sender
        To: bounces+other@shop.example
        Auto-Submitted: auto-replied
        MIME-Version: 1.0
        Content-Type: multipart/report; report-type=delivery-status;
        \tboundary="8A3F.1700000000/relay.example"
        Message-Id: <20261122100000.8A3F@relay.example>

        This is a MIME-encapsulated message.

        --8A3F.1700000000/relay.example
        Content-Description: Notification
        Content-Type: text/plain; charset=us-ascii

        I'm sorry to have to inform you that your message could not be delivered.

        Final-Recipient: rfc822; decoy@home.example
        Action: delivered
        Status: 2.0.0

        --8A3F.1700000000/relay.example
        Content-Description: Delivery report
        Content-Type: message/delivery-status

        Reporting-MTA: dns; relay.example
        X-Postfix-Queue-ID: 8A3F
        Arrival-Date: Sun, 22 Nov 2026 10:00:00 +0000 (UTC)

        Final-Recipient: rfc822; ann@home.example
        Original-Recipient: rfc822;ann@home.example
        Action: failed
        Status: 5.1.1
        Remote-MTA: dns; mx.home.example
        Diagnostic-Code: smtp; 550 5.1.1 <ann@home.example>: Recipient address
            rejected: User unknown

        --8A3F.1700000000/relay.example
        Content-Description: Undelivered Message
        Content-Type: message/rfc822

        Return-Path: <bounces+token@shop.example>
        Subject: Reset your password

        Final-Recipient: rfc822; decoy@home.example
        Action: delayed
        Status: 4.0.0

        --8A3F.1700000000/relay.example--

        """

    private static func read(_ text: String) -> BounceMessage { BounceMessage(Array(text.utf8)) }

    private static let expected = Bounce(
        action: .failed, status: Bounce.Status(parsing: "5.1.1"),
        diagnostic: "smtp; 550 5.1.1 <ann@home.example>: Recipient address    rejected: User unknown")

    @Test func `a report tells whom the message was for, and how the mail failed`() {
        let message = Self.read(Self.postfix)
        #expect(message.recipients == ["bounces+token@shop.example", "bounces+other@shop.example", "<>"])
        #expect(message.bounces == [Self.expected])
    }

    @Test func `lines that end in CRLF, LF or a mixture read the same`() {
        let lines = Self.postfix.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(Self.read(lines.joined(separator: "\r\n")).bounces == [Self.expected])
        let mixed = lines.enumerated().map { "\($1)\($0 % 2 == 0 ? "\r" : "")" }.joined(separator: "\n")
        #expect(Self.read(mixed).bounces == [Self.expected])
    }

    @Test func `the first line of a mailbox file is no field`() {
        #expect(Self.read("From MAILER-DAEMON Sun Nov 22 10:00:00 2026\n" + Self.postfix).bounces == [Self.expected])
    }

    @Test(arguments: [
        ("multipart/report", "MULTIPART/Report"), ("message/delivery-status", "Message/Delivery-Status; charset=x"),
        ("message/delivery-status", "message/global-delivery-status"),
        ("Final-Recipient: rfc822; ann", "FINAL-RECIPIENT: x; b"),
        ("Action: failed", "action:  Failed "), ("Status: 5.1.1", "Status: 5.1.1 (bad destination mailbox)"),
        ("Status: 5.1.1", "Status:5.1.1(no)"), ("\"8A3F.1700000000/relay.example\"", "8A3F.1700000000/relay.example"),
        ("; report-type=delivery-status;", "; x=\"a;b\" ;"),
    ])
    func `spellings that the standards allow are read`(text: String, other: String) {
        #expect(Self.postfix.contains(text))
        #expect(Self.read(Self.postfix.replacing(text, with: other)).bounces == [Self.expected])
    }

    @Test(arguments: [
        ("multipart/report", "multipart/mixed"), ("message/delivery-status", "text/plain"),
        ("boundary=", "border="), ("\"8A3F.1700000000/relay.example\"", "\"\""),
        ("Final-Recipient: rfc822; ann", "Last-Recipient: rfc822; ann"),
    ])
    func `a message of another shape has no report`(text: String, other: String) {
        #expect(Self.postfix.contains(text))
        #expect(Self.read(Self.postfix.replacing(text, with: other)).bounces.isEmpty)
    }

    @Test func `a report in words that nobody knows has neither action nor status`() {
        let message = Self.read(
            Self.postfix.replacing("Action: failed", with: "Action: gescheitert").replacing(
                "Status: 5.1.1", with: "Status: ?"))
        #expect(message.bounces.map(\.action) == [nil])
        #expect(message.bounces.map(\.status) == [nil])
        #expect(Bounce.verdict(message.bounces) == .noted)
    }

    @Test func `every recipient of a report counts`() {
        let message = Self.read(
            Self.postfix.replacing(
                "\n--8A3F.1700000000/relay.example\nContent-Description: Undelivered",
                with: """
                    \nFinal-Recipient: rfc822; bob@home.example
                    Action: delivered
                    Status: 2.0.0

                    --8A3F.1700000000/relay.example
                    Content-Description: Undelivered
                    """))
        #expect(message.bounces.map(\.action) == [.failed, .delivered])
    }

    @Test(arguments: [
        "", "\n", "\r\n\r\n", ":", "To", " folded\n", "\0\0\0", "Content-Type: multipart/report; boundary\n\n--\n",
    ])
    func `what is no message has neither recipients nor reports`(text: String) {
        let message = Self.read(text)
        #expect(message.recipients.isEmpty && message.bounces.isEmpty)
    }

    @Test func `a message that was cut off anywhere is read as far as it goes`() {
        let bytes = Array(Self.postfix.utf8)
        for end in bytes.indices {
            let verdict = Bounce.verdict(BounceMessage(bytes[..<end]).bounces)
            #expect([.noted, .suppressed].contains(verdict))
        }
    }

    @Test func `no more than a mebibyte is read`() {
        let filler = String(repeating: "X-Filler: \(String(repeating: "x", count: 90))\n", count: 11_000)
        #expect(filler.utf8.count > BounceMessage.longest)
        #expect(Self.read(filler + Self.postfix).bounces.isEmpty)
        #expect(Self.read(Self.postfix + filler).bounces == [Self.expected])
    }

    @Test func `a message of nothing but delimiters, blanks or colons is read in time`() {
        for piece in ["--b\n", "\n", ":\n", " \n", "a:b;\"\n"] {
            let head = "Content-Type: multipart/report; boundary=b\n\n--b\nContent-Type: message/delivery-status\n\n"
            _ = Self.read(head + String(repeating: piece, count: BounceMessage.longest / piece.utf8.count))
            _ = Self.read(String(repeating: piece, count: BounceMessage.longest / piece.utf8.count))
        }
    }
}
