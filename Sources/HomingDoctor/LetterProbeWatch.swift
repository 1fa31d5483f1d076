// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingCore
import HomingOperations
package import HomingStore
package import Logging
import ServiceLifecycle

/// Once a day mails letters of each kind to a mailbox of the operator's, fetches them back, and keeps what became of them
/// for the console and the metrics. One node does it for all.
package struct LetterProbeWatch: Service {
    private static let seconds: Int64 = 900

    let homing: Homing
    let address: EmailAddress
    let inbox: ProbeInbox
    let logger: Logger
    /// For how long the letters may be under way.
    let patience: Duration

    package init(
        homing: Homing, address: EmailAddress, inbox: ProbeInbox, patience: Duration = .seconds(600), logger: Logger
    ) {
        self.homing = homing
        self.address = address
        self.inbox = inbox
        self.patience = patience
        self.logger = logger
    }

    package func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                do {
                    if try await homing.nodes.isTurn(for: "letter probe", everySeconds: Self.seconds - 30),
                        try await DailyTurn(store: homing.store, name: "letter_probe_turn").isTime()
                    {
                        try await probe()
                    }
                } catch {
                    logger.error(
                        "the nightly letters could not be mailed; they are tomorrow",
                        metadata: ["error": "\(RefusalLine.text(of: error))"])
                }
                try? await Task.sleep(for: .seconds(Self.seconds))
            }
        }
    }

    /// One round.
    package func probe() async throws {
        let probe = LetterProbe(homing)
        let ids = try await probe.send(to: address, project: nil, by: .server)
        let letters = try await probe.letters(ids, waitingAtMost: .seconds(60))
        let outcome = await LetterRound(letters: letters, recipient: address.text)
            .fetch(from: inbox, waitingAtMost: patience)
        // A server that stops has not waited for them.
        guard !Task.isCancelled else { return }
        try await homing.outbox.keep(
            LetterProbeResult(outcome, sent: ids.count, at: homing.system.now().milliseconds))
        let problems = outcome.findings.filter { $0.level == .problem }
        guard !problems.isEmpty || outcome.arrived < ids.count else { return }
        logger.warning(
            "letters of the nightly probe did not arrive as they were written; the console has what became of them",
            metadata: [
                "arrived": "\(outcome.arrived) of \(ids.count)",
                "codes": "\(Set(problems.map(\.code)).sorted().joined(separator: " "))",
            ])
    }
}
