// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingDatabase
import HomingMail
import HomingProjects
import HomingStore
import HomingTesting
import HomingWire
import Logging
import Testing

/// The story over real SMTP: the link is read from the bytes that a relay got.
@Suite struct RelayTests {
    private func deliver(_ homing: TestHoming, over transport: SMTPTransport, until isDone: () async throws -> Bool)
        async throws
    {
        let delivery = Delivery(
            homing: homing.core, way: .relay(transport),
            sender: SenderAddress(name: "Shop", address: "noreply@shop.example"),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await delivery.run() }
            while try await !isDone() { try await Task.sleep(for: .milliseconds(5)) }
            group.cancelAll()
            while let result = await group.nextResult() {
                if case .failure(let error) = result, !(error is CancellationError) { throw error }
            }
        }
    }

    @Test func `a mail that the relay turned away at first arrives later, with the code of the first try`() async throws
    {
        try await withHoming { homing in
            try await homing.account("ann@home.example")
            let relay = try await ScriptedRelay.start()
            let transport = SMTPTransport(
                relay: try SMTPRelay(parsing: relay.url), heloName: "homing.test",
                logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
            relay.behave(.reply(451, "greylisted, come back"), at: .message, times: 1)
            try await homing.mail(.passwordReset, to: "ann@home.example")
            try await deliver(homing, over: transport) {
                try await homing.outbox.list(project: nil).first?.attempts == 1
            }
            homing.clock.advance(seconds: 12)
            try await deliver(homing, over: transport) {
                try await homing.outbox.list(project: nil).first?.state == .sent
            }
            await transport.shutdown(grace: .zero)
            await relay.stop()
            let messages = relay.messages
            #expect(messages.map(\.isAccepted) == [false, true])
            #expect(messages[0].data == messages[1].data)
            let mail = ReceivedMail(recipient: messages[1].recipients[0], data: messages[1].data)
            #expect(mail.recipient == "ann@home.example")
            #expect(mail.header("Auto-Submitted") == "auto-generated")
            let code = try #require(mail.actionLink?.code)
            try await homing.redeem(code, .passwordReset)
        }
    }
}
