// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingMail
import HomingTesting
import Logging

/// Runs the body with a relay that the test scripts and a transport to it; both end afterwards.
func withRelay(
    _ parameters: String = "", certificate: ScriptedRelay.Certificate? = nil, speaksTLSAtOnce: Bool = false,
    extensions: [String] = ["SIZE 10485760"], timeout: Duration = .seconds(20), idleTimeout: Duration = .seconds(30),
    fetch: OAuthTokens.Fetch? = nil, adjusting adjust: (inout SMTPRelay) -> Void = { _ in },
    _ body: (ScriptedRelay, SMTPTransport) async throws -> Void
) async throws {
    let relay = try await ScriptedRelay.start(
        certificate: certificate, speaksTLSAtOnce: speaksTLSAtOnce, extensions: extensions)
    let scheme = speaksTLSAtOnce ? "smtps" : "smtp"
    var address = try SMTPRelay(parsing: "\(scheme)://127.0.0.1:\(relay.port)\(parameters)")
    adjust(&address)
    let transport = SMTPTransport(
        relay: address, heloName: "homing.test", timeout: timeout, idleTimeout: idleTimeout, fetch: fetch,
        logger: Logger(label: "test"))
    do {
        try await body(relay, transport)
    } catch {
        await transport.shutdown(grace: .zero)
        await relay.stop()
        throw error
    }
    await transport.shutdown(grace: .zero)
    await relay.stop()
}

extension MailEnvelope {
    /// A mail without any fault.
    static func plain(to recipient: String = "ann@there.test", _ text: String = "hello\r\n") -> MailEnvelope {
        MailEnvelope(
            sender: "noreply@here.test", recipient: recipient, message: Array("Subject: x\r\n\r\n\(text)".utf8))
    }
}

extension DeliveryOutcome {
    /// The outcome without its text.
    var kind: String {
        switch self {
        case .accepted: "accepted"
        case .temporary: "temporary"
        case .permanent: "permanent"
        case .relayUnavailable: "relayUnavailable"
        case .relayAsksToWait: "relayAsksToWait"
        case .relayRefusesUs: "relayRefusesUs"
        }
    }

    var words: String {
        switch self {
        case .accepted(let words), .temporary(let words), .permanent(let words), .relayUnavailable(let words, _),
            .relayRefusesUs(let words, _), .relayAsksToWait(let words, _):
            words
        }
    }
}
