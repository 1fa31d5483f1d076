// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingMail
import HomingProjects
import HomingStore
import HomingTesting
import HomingWire
import Testing

/// What stands in the mail of a request: the code of one that is bound, the number of one that is not.
@Suite struct BoundMailTests {
    private static let asked = AskedFrom(device: Device(browser: .chrome, system: .windows), network: "192.0.2.0/24")

    private func shown(_ typed: String) -> String { "\(typed.prefix(4)) \(typed.dropFirst(4))" }

    /// A mail's text without what has digits of its own.
    private func words(_ mail: ReceivedMail, besides code: String) -> String {
        mail.links.reduce(mail.text) { $0.replacing($1, with: "") }.replacing(code, with: "")
            .replacing("192.0.2.0/24", with: "").replacing(/[0-9]{2}:[0-9]{2}:[0-9]{2}/, with: "")
    }

    @Test(arguments: ActionCodeKind.requested)
    func `the mail has the code that is typed where it was asked for, and never the number that is shown there`(
        kind: ActionCodeKind
    ) async throws {
        try await withHoming { homing in
            let bound = try await homing.bound(kind)
            let request = try await homing.ask(
                kind, newAddress: kind == .verifyAndChangeEmail ? "ann@newer.example" : nil, from: Self.asked)
            let mail = try #require(try await homing.deliver().last { $0.actionLink != nil })
            let code = shown(try homing.typedCode(of: request.requestID))
            #expect(mail.text.contains("Your code is \(code).\r\n"))
            #expect(mail.text.contains("Requested on: Chrome on Windows\r\n"))
            #expect(mail.text.contains("From the network: 192.0.2.0/24\r\n"))
            #expect(!words(mail, besides: code).contains(request.matchNumber))
            #expect(!mail.source.contains(request.requestID) && !mail.text.contains(shown(bound.typed)))
            #expect(mail.header("Subject")?.contains(code) == false)
        }
    }

    @Test func `a mail that is tried again has the same code`() async throws {
        try await withHoming { homing in
            try await homing.account(TestHoming.ann, isVerified: true)
            let request = try await homing.ask(.signIn)
            homing.transport.answer(.temporary(reply: "451 later"))
            try await homing.deliver()
            homing.clock.advance(seconds: 60)
            let mail = try #require(try await homing.deliver().first)
            #expect(homing.transport.attempts.count == 2)
            let code = shown(try homing.typedCode(of: request.requestID))
            #expect(mail.text.contains("Your code is \(code).\r\n"))
            let first = ReceivedMail(homing.transport.attempts[0])
            #expect(first.text == mail.text)
        }
    }

    @Test(arguments: ["subject", "preheader"])
    func `a project has the code shown before the mail is opened`(place: String) async throws {
        try await withHoming { homing in
            try await homing.projects.set("shop", "actionCodes.typedCodeIn", to: place)
            try await homing.account(TestHoming.ann, isVerified: true)
            let request = try await homing.ask(.signIn)
            let mail = try #require(try await homing.deliver().first)
            let sentence = "Your code is \(shown(try homing.typedCode(of: request.requestID)))."
            #expect(mail.header("Subject")?.hasPrefix("\(sentence) Sign in to ") == (place == "subject"))
            #expect(mail.text.ranges(of: sentence).count == 1)
        }
    }

    @Test func `the mail of an unbound request has no code, and a number where the page asks for it`() async throws {
        try await withHoming { homing in
            try await homing.account(TestHoming.ann, isVerified: true)
            let shop = try homing.shop
            try await homing.mail(.signIn, to: TestHoming.ann)
            let plain = try #require(try await homing.deliver().first)
            #expect(!plain.text.contains("Your code") && !plain.text.contains("number"))
            try await homing.projects.set("shop", "actionCodes.press.EMAIL_SIGNIN", to: "number")
            try await homing.mail(.signIn, to: TestHoming.ann)
            let mail = try #require(try await homing.deliver().first)
            #expect(!mail.text.contains("Your code") && !mail.text.contains("Requested on"))
            let line = try #require(mail.text.firstMatch(of: /The page asks for this number: ([1-9][0-9])/))
            let code = try #require(mail.actionLink).code
            _ = try await homing.actionCodes.check(code, number: String(line.output.1), in: try homing.shop)
            // A mail that is bound has no number, whatever the project's page asks others for.
            let request = try await homing.ask(.signIn)
            let bound = try #require(try await homing.deliver().first)
            #expect(!bound.text.contains("The page asks"))
            #expect(bound.text.contains(shown(try homing.typedCode(of: request.requestID, in: shop))))
        }
    }

    @Test func `three wrong numbers are told to the person whose link they were given for`() async throws {
        try await withHoming { homing in
            let bound = try await homing.bound(.signIn, from: Self.asked)
            for _ in 0..<3 {
                await #expect(throws: Refusal.self) {
                    try await homing.actionCodes.approve(
                        bound.code, number: bound.wrongNumber, in: try homing.shop,
                        on: Device(browser: .chrome, system: .windows))
                }
            }
            let mail = try #require(try await homing.deliver().first)
            #expect(mail.recipient == TestHoming.ann && mail.actionLink == nil)
            #expect(mail.header("Subject")?.hasPrefix("Someone entered wrong numbers for ") == true)
            #expect(mail.text.contains("The link was for: a sign-in\r\n"))
            // Of those who typed them.
            #expect(mail.text.contains("Device: Chrome on Windows\r\n") && mail.text.contains("When: "))
        }
    }
}
