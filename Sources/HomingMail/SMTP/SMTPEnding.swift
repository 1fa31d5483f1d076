// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingWire

/// The end of a dialogue, and its meaning for the mail. Pure, so that each row of the table can be tested.
struct SMTPEnding: Sendable {
    /// The end of the transfer from libcurl's point of view.
    enum Cause: Sendable, Equatable {
        case completed
        /// The relay's answer ended the dialogue, or the relay closed the connection, or TLS or the network failed.
        case failed
        /// The relay did not take the login, or offers none of the kind that we have.
        case loginDenied
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
    var relay: SMTPRelay?
    /// The access token of the login, which a relay might repeat.
    var token: String?
    /// Masked only when somebody asks: nearly all relays give a reply.
    private var reason: String { SMTPTranscript.printable(Array(libcurlSaid.utf8)) }

    /// Whether the relay did not take the access token, for which another token may be a remedy. Google says so with a
    /// 334, at which libcurl hangs up instead of asking for the 535 behind it.
    var refusesToken: Bool {
        guard relay?.tokenLogin != nil, cause == .loginDenied, stage == .authentication, let reply else { return false }
        return reply.code == 334 || reply.code == 535
    }

    var outcome: DeliveryOutcome {
        if let login = relay?.tokenLogin, cause == .loginDenied {
            if stage < .authentication { return .relayRefusesUs("the relay does not offer \(login.mechanism.name)") }
            if reply?.code == 334 { return .relayRefusesUs("334: the relay does not take the access token") }
        }
        if let reply {
            let text = token.map { reply.text.replacing($0, with: SecretMask.mask) } ?? reply.text
            switch (reply.code, stage) {
            // RFC 5321 names 250 only, but a 2xx is a promise, and asking again would make a copy.
            case (200...299, .message): return .accepted(reply: text)
            case (530, _), (534, _), (535, _), (538, _): return .relayRefusesUs(text)
            case (400...499, ..<SMTPStage.sender): return .relayUnavailable(text)
            case (500...599, ..<SMTPStage.sender): return .relayRefusesUs(text)
            case (400...599, _) where concernsAllMails(text): return .relayRefusesUs(text)
            case (400...499, _): return .temporary(reply: text)
            case (500...599, _): return .permanent(reply: text)
            default: break
            }
        }
        return outcomeWithoutVerdict
    }

    private func concernsAllMails(_ reply: String) -> Bool {
        relay.map { ProviderReply.find(reply, from: $0) != nil } ?? false
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
