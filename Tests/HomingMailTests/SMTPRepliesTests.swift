// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingMail
import HomingTesting
import Testing

@Suite(.timeLimit(.minutes(10)))
struct SMTPRepliesTests {
    @Test func `an accepted mail is handed over once with the relay's words`() async throws {
        try await withRelay { relay, transport in
            #expect(await transport.deliver(.plain()) == .accepted(reply: "250 queued as 0"))
            #expect(
                relay.commands.prefix(4) == [
                    "EHLO homing.test", "MAIL FROM:<noreply@here.test> SIZE=21", "RCPT TO:<ann@there.test>", "DATA",
                ])
            #expect(relay.messages.map(\.recipients) == [["ann@there.test"]])
        }
    }

    @Test(arguments: [
        (ScriptedRelay.Stage.greeting, 421, "relayUnavailable"), (.greeting, 554, "relayRefusesUs"),
        (.hello, 421, "relayUnavailable"), (.hello, 550, "relayRefusesUs"),
        (.sender, 421, "temporary"), (.sender, 451, "temporary"), (.sender, 530, "relayRefusesUs"),
        (.sender, 553, "permanent"),
        (.recipient, 450, "temporary"), (.recipient, 452, "temporary"), (.recipient, 550, "permanent"),
        (.recipient, 530, "relayRefusesUs"),
        (.data, 451, "temporary"), (.data, 554, "permanent"),
        (.message, 451, "temporary"), (.message, 552, "permanent"), (.message, 554, "permanent"),
        (.message, 251, "accepted"),
    ])
    func `each reply means what it should`(_ stage: ScriptedRelay.Stage, _ code: Int, _ kind: String) async throws {
        try await withRelay { relay, transport in
            relay.behave(.reply(code, "said \u{e9}\u{7} so"), at: stage)
            let outcome = await transport.deliver(.plain())
            #expect(outcome.kind == kind)
            #expect(outcome.words == "\(code) said  so")
            #expect(relay.messages.count == (stage == .message ? 1 : 0))
            relay.behaveWell()
            #expect(await transport.deliver(.plain()).kind == "accepted")
        }
    }

    @Test(arguments: [
        (ScriptedRelay.Stage.greeting, "relayUnavailable"), (.hello, "relayUnavailable"), (.sender, "temporary"),
        (.recipient, "temporary"), (.data, "temporary"), (.message, "temporary"),
    ])
    func `a dropped connection never loses the mail`(_ stage: ScriptedRelay.Stage, _ kind: String) async throws {
        try await withRelay { relay, transport in
            relay.behave(.drop, at: stage)
            #expect(await transport.deliver(.plain()).kind == kind)
            #expect(relay.connectionCount == 1)
            relay.behaveWell()
            #expect(await transport.deliver(.plain()).kind == "accepted")
        }
    }

    @Test(arguments: [
        (ScriptedRelay.Stage.greeting, "relayUnavailable"), (.hello, "relayUnavailable"),
        (.sender, "relayUnavailable"), (.recipient, "temporary"), (.data, "temporary"), (.message, "temporary"),
    ])
    func `a relay that hangs is left`(_ stage: ScriptedRelay.Stage, _ kind: String) async throws {
        // Enough for a busy machine to come as far as the stage.
        try await withRelay(timeout: .milliseconds(4_000)) { relay, transport in
            relay.behave(.hang, at: stage)
            let outcome = await transport.deliver(.plain())
            #expect(outcome.kind == kind, "\(outcome)")
            #expect(!outcome.words.isEmpty)
        }
    }

    @Test func `a relay that is not there is unavailable`() async throws {
        try await withRelay { relay, transport in
            await relay.stop()
            #expect(await transport.deliver(.plain()).kind == "relayUnavailable")
        }
    }

    @Test func `words that are too long are cut`() async throws {
        try await withRelay { relay, transport in
            relay.behave(.reply(550, String(repeating: "long ", count: 600)), at: .recipient)
            #expect(await transport.deliver(.plain()).words.utf8.count == 200)
        }
    }

    @Test func `a relay that quotes the link does not put its code among our records`() async throws {
        try await withRelay { relay, transport in
            let code = String(repeating: "aB3_x-", count: 9)
            relay.behave(.reply(554, "spam: https://id.test/?oobCode=\(code)&mode=signIn"), at: .message)
            #expect(
                await transport.deliver(.plain())
                    == .permanent(reply: "554 spam: https://id.test/?oobCode=***&mode=signIn"))
        }
    }

    @Test func `a refused mail does not wait for a relay that never says goodbye`() async throws {
        try await withRelay { relay, transport in
            relay.behave(.reply(550, "no such user"), at: .recipient)
            relay.behave(.hang, at: .farewell)
            #expect(await transport.deliver(.plain()) == .permanent(reply: "550 no such user"))
        }
    }
}
