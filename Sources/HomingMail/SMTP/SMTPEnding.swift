// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// The end of a dialogue, and its meaning for the mail. Pure, so that each row of the table can be tested.
struct SMTPEnding: Sendable {
    /// The end of the transfer from libcurl's point of view.
    enum Cause: Sendable, Equatable {
        case completed
        /// The relay's answer ended the dialogue, or the relay closed the connection, or TLS or the network failed.
        case failed
        case timedOut
        /// We stopped the transfer: the caller was cancelled, or the server ends.
        case stopped
    }

    var cause: Cause
    var stage: SMTPStage
    /// The relay's reply to the last stage, if there was one.
    var reply: SMTPTranscript.Reply?
    /// The reason in libcurl's words, for a relay that gave none.
    var libcurlSaid: String
    /// Masked only when somebody asks: nearly all relays give a reply.
    private var reason: String { SMTPTranscript.printable(Array(libcurlSaid.utf8)) }

    var outcome: DeliveryOutcome {
        if let reply {
            switch (reply.code, stage) {
            // RFC 5321 names 250 only, but a 2xx is a promise, and asking again would make a copy.
            case (200...299, .message): return .accepted(reply: reply.text)
            case (530, _), (534, _), (535, _), (538, _): return .relayRefusesUs(reply.text)
            case (400...499, ..<SMTPStage.sender): return .relayUnavailable(reply.text)
            case (500...599, ..<SMTPStage.sender): return .relayRefusesUs(reply.text)
            case (400...499, _): return .temporary(reply: reply.text)
            case (500...599, _): return .permanent(reply: reply.text)
            default: break
            }
        }
        return outcomeWithoutVerdict
    }

    /// The outcome without a reply: before the recipient is named, silence means nothing for this mail; later it might
    /// (a relay may call another host to check the recipient), so that the attempt counts.
    private var outcomeWithoutVerdict: DeliveryOutcome {
        switch (cause, stage) {
        case (_, ..<SMTPStage.sender), (.timedOut, .sender), (.stopped, ..<SMTPStage.message): .relayUnavailable(reason)
        default: .temporary(reply: reason)
        }
    }
}
