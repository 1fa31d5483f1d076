// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingMail
internal import Synchronization

/// A relay that keeps every mail, and answers as a test wants.
package final class RecordingTransport: MailTransport {
    private struct State {
        var answers: [DeliveryOutcome] = []
        var attempts: [MailEnvelope] = []
        var accepted: [ReceivedMail] = []
    }

    private let state = Mutex(State())

    package init() {}

    package let concurrency = 4
    package let relayHost = "relay.example"

    package var keepsOurBytes: Bool { true }

    package func deliver(_ envelope: MailEnvelope) async -> DeliveryOutcome {
        state.withLock { state in
            state.attempts.append(envelope)
            let answer = state.answers.isEmpty ? .accepted(reply: "250 kept") : state.answers.removeFirst()
            if case .accepted = answer { state.accepted.append(ReceivedMail(envelope)) }
            return answer
        }
    }

    /// Sets the answers to the next deliveries, in order; later deliveries are accepted.
    package func answer(_ outcomes: DeliveryOutcome...) {
        state.withLock { $0.answers += outcomes }
    }

    /// All envelopes that were handed over, accepted or not.
    package var attempts: [MailEnvelope] { state.withLock { $0.attempts } }

    /// The mails that were accepted.
    package var mails: [ReceivedMail] { state.withLock { $0.accepted } }
}
