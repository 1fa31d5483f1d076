// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingMail
import HomingTesting
import Testing

@Suite(.timeLimit(.minutes(10)))
struct SMTPConnectionsTests {
    private static func greetings(_ relay: ScriptedRelay) -> Int { relay.commands.count { $0.hasPrefix("EHLO") } }

    @Test func `mails one after the other share a connection`() async throws {
        try await withRelay { relay, transport in
            // A machine that is busy elsewhere may give the next mail out before the connection is back, but not each
            // time.
            for _ in 0..<50 {
                let (connections, greetings) = (relay.connectionCount, Self.greetings(relay))
                for _ in 0..<5 { #expect(await transport.deliver(.plain()).kind == "accepted") }
                if relay.connectionCount <= max(connections, 1) {
                    #expect(Self.greetings(relay) <= max(greetings, 1))
                    return
                }
            }
            Issue.record("five mails had more than one connection each time")
        }
    }

    @Test(arguments: [nil, "421 4.4.2 idle for too long"])
    func `a connection that the relay closed while idle costs nothing`(_ notice: String?) async throws {
        try await withRelay("?connections=1") { relay, transport in
            #expect(await transport.deliver(.plain("first\r\n")).kind == "accepted")
            try await relay.closeConnections(notice: notice)
            #expect(await transport.deliver(.plain("second\r\n")).kind == "accepted")
            #expect(relay.connectionCount == 2)
            #expect(relay.messages.count == 2)
        }
    }

    @Test func `a relay that ends a kept connection at MAIL is asked again at once, but only once`() async throws {
        try await withRelay("?connections=1") { relay, transport in
            #expect(await transport.deliver(.plain()).kind == "accepted")
            relay.behave(.reply(421, "enough for one connection"), at: .sender, times: 1)
            #expect(await transport.deliver(.plain()).kind == "accepted")
            #expect(relay.connectionCount == 2)
            relay.behave(.drop, at: .sender)
            #expect(await transport.deliver(.plain()).kind == "temporary")
            #expect(relay.connectionCount == 3)
        }
    }

    @Test func `a connection lost after the message is not asked again`() async throws {
        try await withRelay("?connections=1") { relay, transport in
            #expect(await transport.deliver(.plain()).kind == "accepted")
            relay.behave(.drop, at: .message)
            #expect(await transport.deliver(.plain()).kind == "temporary")
            #expect(relay.messages.count == 2)
            #expect(relay.connectionCount == 1)
        }
    }

    @Test func `a kept connection serves longer than one mail may take`() async throws {
        try await withRelay(timeout: .milliseconds(5_000)) { relay, transport in
            for _ in 0..<4 {
                #expect(await transport.deliver(.plain()).kind == "accepted")
                try await Task.sleep(for: .milliseconds(2_000))
            }
            #expect(relay.connectionCount == 1)
        }
    }

    @Test func `a mail that comes while the only connection says goodbye is sent over a new one`() async throws {
        try await withRelay("?connections=1", idleTimeout: .milliseconds(50)) { relay, transport in
            relay.behave(.hang, at: .farewell)
            #expect(await transport.deliver(.plain()).kind == "accepted")
            while relay.commands.last != "QUIT" { try await Task.sleep(for: .milliseconds(5)) }
            #expect(await transport.deliver(.plain()).kind == "accepted")
            #expect(relay.connectionCount == 2)
        }
    }

    @Test func `mails at the same time use as many connections as are allowed`() async throws {
        try await withRelay("?connections=3") { relay, transport in
            #expect(transport.concurrency == 3)
            relay.delayFinalReply(by: .milliseconds(100))
            await withTaskGroup(of: String.self) { group in
                for index in 0..<12 { group.addTask { await transport.deliver(.plain("mail \(index)\r\n")).kind } }
                for await kind in group { #expect(kind == "accepted") }
            }
            #expect(relay.connectionCount == 3)
            #expect(Set(relay.messages.map(\.data)).count == 12)
        }
    }

    @Test func `a relay that is to get fewer connections gets no more at once`() async throws {
        try await withRelay("?connections=3") { relay, transport in
            relay.delayFinalReply(by: .milliseconds(20))
            func deliver(_ count: Int) async {
                await withTaskGroup(of: String.self) { group in
                    for _ in 0..<count { group.addTask { await transport.deliver(.plain()).kind } }
                    for await kind in group { #expect(kind == "accepted") }
                }
            }
            await deliver(6)
            transport.use(try SMTPRelay(parsing: "smtp://127.0.0.1:\(relay.port)?connections=1"))
            await deliver(6)
            #expect(Set(relay.messages.dropFirst(6).map(\.connection)).count == 1)
        }
    }

    @Test func `what the former relay says late concerns its mail and no other`() async throws {
        try await withRelay { relay, transport in
            relay.behave(.reply(530, "5.7.0 authenticate first"), at: .message)
            #expect(await transport.deliver(.plain()).kind == "relayRefusesUs")
            relay.delayFinalReply(by: .seconds(1))
            let late = Task { await transport.deliver(.plain()) }
            while relay.messages.count < 2 { try await Task.sleep(for: .milliseconds(5)) }
            transport.use(try SMTPRelay(parsing: "smtp://127.0.0.1:1"))
            let outcome = await late.value
            #expect(outcome.kind == "temporary" && outcome.words.contains("530 5.7.0"))
        }
    }

    @Test func `a cancelled caller does not wait for a relay that hangs`() async throws {
        try await withRelay("?connections=1") { relay, transport in
            relay.behave(.hang, at: .recipient)
            let hanging = Task { await transport.deliver(.plain()) }
            while !relay.commands.contains(where: { $0.hasPrefix("RCPT") }) {
                try await Task.sleep(for: .milliseconds(5))
            }
            let waiting = Task { await transport.deliver(.plain()) }
            waiting.cancel()
            #expect(await waiting.value.kind == "relayUnavailable")
            hanging.cancel()
            #expect(await hanging.value.kind == "relayUnavailable")
        }
    }

    @Test func `a cancelled caller whose message has gone learns that it may have arrived`() async throws {
        try await withRelay { relay, transport in
            relay.behave(.hang, at: .message)
            let hanging = Task { await transport.deliver(.plain()) }
            while relay.messages.isEmpty { try await Task.sleep(for: .milliseconds(5)) }
            hanging.cancel()
            #expect(await hanging.value.kind == "temporary")
        }
    }

    @Test func `a mail that is given in after the shutdown is not begun`() async throws {
        try await withRelay { relay, transport in
            await transport.shutdown()
            #expect(await transport.deliver(.plain()).kind == "relayUnavailable")
            #expect(relay.connectionCount == 0)
        }
    }

    @Test func `a shutdown lets mails under way end and sends QUIT`() async throws {
        try await withRelay { relay, transport in
            relay.delayFinalReply(by: .milliseconds(300))
            let delivery = Task { await transport.deliver(.plain()) }
            while relay.messages.isEmpty { try await Task.sleep(for: .milliseconds(5)) }
            await transport.shutdown(grace: .seconds(20))
            #expect(await delivery.value.kind == "accepted")
            #expect(relay.commands.last == "QUIT")
        }
    }

    @Test func `a shutdown gives up a mail that hangs, and a relay that never answers QUIT`() async throws {
        try await withRelay { relay, transport in
            #expect(await transport.deliver(.plain()).kind == "accepted")
            relay.behave(.hang, at: .farewell)
            await transport.shutdown(grace: .zero)
            #expect(relay.messages.count == 1)
        }
        try await withRelay { relay, transport in
            relay.behave(.hang, at: .data)
            let delivery = Task { await transport.deliver(.plain()) }
            while !relay.commands.contains("DATA") { try await Task.sleep(for: .milliseconds(5)) }
            await transport.shutdown(grace: .zero)
            #expect(await delivery.value.kind == "relayUnavailable")
        }
    }
}
