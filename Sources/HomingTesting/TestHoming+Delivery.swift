// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import HomingCore
internal import HomingDatabase
package import HomingMail
internal import HomingWire
internal import Logging

extension TestHoming {
    /// Runs delivery until no mail is due or under way, and answers the mails that the transport accepted meanwhile.
    ///
    /// - Throws: ``DeliveryStuck`` when mails stay due for too long.
    @discardableResult
    package func deliver() async throws -> [ReceivedMail] {
        let before = transport.mails.count
        try await deliver(by: delivery)
        return Array(transport.mails.dropFirst(before))
    }

    /// Runs a delivery until no mail is due or under way.
    package func deliver(by delivery: Delivery) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await delivery.run() }
            try await waitUntilNothingIsDue()
            group.cancelAll()
            while let result = await group.nextResult() {
                if case .failure(let error) = result, !(error is CancellationError) { throw error }
            }
        }
    }

    /// Runs delivery for a time, whatever is due then.
    package func deliver(for duration: Duration) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { try? await delivery.run() }
            try? await Task.sleep(for: duration)
            group.cancelAll()
        }
    }

    private func waitUntilNothingIsDue() async throws {
        for _ in 0..<6000 {
            let now = core.outbox.now()
            let due = try await number(
                "SELECT COUNT(*) FROM outbox WHERE state = 0 AND (next_at <= \(now) OR lease IS NOT NULL)")
            if due == 0 { return }
            try await Task.sleep(for: .milliseconds(5))
        }
        throw DeliveryStuck()
    }

    /// The code in the newest mail to an address, after all due mails were delivered.
    package func mailedCode(to address: String) async throws -> String {
        try await deliver()
        guard let link = transport.mails.last(where: { $0.recipient == address && $0.actionLink != nil })?.actionLink
        else { throw DeliveryStuck() }
        return link.code
    }
}

/// A mail that a test waited for did not come.
package struct DeliveryStuck: Error {}

extension TestHoming {
    /// Runs delivery into the development mailbox until no mail is due or under way.
    package func deliverToMailbox() async throws {
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        let mailbox = Delivery(
            homing: core, way: .mailbox(), sender: SenderAddress(name: nil, address: "noreply@shop.example"),
            logger: logger)
        try await deliver(by: mailbox)
    }
}
