// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingMail
import HomingTesting
import Testing

@Suite(.timeLimit(.minutes(10)))
struct SMTPSecurityTests {
    /// Base64 of NUL, `ann`, NUL, `secret` (RFC 4616).
    private let plainSecret = "AGFubgBzZWNyZXQ="

    @Test(arguments: [false, true])
    func `credentials go over TLS to a relay whose certificate is valid`(_ atOnce: Bool) async throws {
        let certificate = try ScriptedRelay.Certificate()
        try await certificate.withFile { file in
            try await withRelay(
                "?ca=\(file)", certificate: certificate, speaksTLSAtOnce: atOnce, extensions: ["AUTH PLAIN LOGIN"],
                adjusting: { $0 = $0.signingIn() }
            ) { relay, transport in
                #expect(await transport.deliver(.plain()) == .accepted(reply: "250 queued as 0"))
                #expect(relay.commands.contains("AUTH PLAIN \(plainSecret)"))
                let secure = relay.commands.firstIndex(of: "STARTTLS") ?? -1
                #expect(atOnce ? secure == -1 : secure == 1)
            }
        }
    }

    @Test(arguments: [false, true])
    func `credentials never go to a relay whose certificate is not valid`(_ atOnce: Bool) async throws {
        try await withRelay(
            certificate: try .init(), speaksTLSAtOnce: atOnce, extensions: ["AUTH PLAIN LOGIN"],
            adjusting: { $0 = $0.signingIn() }
        ) { relay, transport in
            #expect(await transport.deliver(.plain()).kind == "relayUnavailable")
            #expect(!relay.commands.contains { $0.hasPrefix("AUTH") || $0.hasPrefix("MAIL") })
        }
    }

    @Test func `a relay that offers no TLS gets neither credentials nor a mail that demands it`() async throws {
        for parameters in ["", "?tls=required"] {
            try await withRelay(
                parameters, extensions: ["AUTH PLAIN LOGIN"],
                adjusting: { if parameters.isEmpty { $0 = $0.signingIn() } }
            ) { relay, transport in
                #expect(await transport.deliver(.plain()).kind == "relayUnavailable")
                #expect(!relay.commands.contains { $0.hasPrefix("AUTH") || $0.hasPrefix("MAIL") })
            }
        }
    }

    @Test func `a certificate for another host is not valid`() async throws {
        let certificate = try ScriptedRelay.Certificate(host: "other.test", address: [127, 0, 0, 2])
        try await certificate.withFile { file in
            try await withRelay("?tls=required&ca=\(file)", certificate: certificate) { relay, transport in
                let outcome = await transport.deliver(.plain())
                #expect(outcome.kind == "relayUnavailable")
                #expect(outcome.words.contains("certificate"))
                #expect(relay.commands == ["EHLO homing.test", "STARTTLS"])
            }
        }
    }

    @Test func `TLS is used where it is offered, whatever the certificate`() async throws {
        try await withRelay(certificate: try .init(), adjusting: { $0.security = .opportunistic }) { relay, transport in
            #expect(await transport.deliver(.plain()).kind == "accepted")
            #expect(relay.commands.prefix(3) == ["EHLO homing.test", "STARTTLS", "EHLO homing.test"])
        }
        try await withRelay(adjusting: { $0.security = .opportunistic }) { relay, transport in
            #expect(await transport.deliver(.plain()).kind == "accepted")
        }
    }

    @Test func `a relay on this machine is not asked for TLS`() async throws {
        try await withRelay(certificate: try .init()) { relay, transport in
            #expect(await transport.deliver(.plain()).kind == "accepted")
            #expect(!relay.commands.contains("STARTTLS"))
        }
    }

    @Test(arguments: [(535, "relayRefusesUs"), (534, "relayRefusesUs"), (454, "relayUnavailable")])
    func `the relay's answer to the password concerns no mail`(_ code: Int, _ kind: String) async throws {
        try await withRelay(
            extensions: ["AUTH PLAIN"],
            adjusting: {
                $0 = $0.signingIn()
                $0.security = .none
            }
        ) { relay, transport in
            relay.behave(.reply(code, "5.7.8 no"), at: .authentication)
            let outcome = await transport.deliver(.plain())
            #expect(outcome.kind == kind)
            #expect(outcome.words == "\(code) 5.7.8 no")
            #expect(!relay.commands.contains { $0.hasPrefix("MAIL") })
        }
    }

    @Test func `a relay that knows only AUTH LOGIN is served too`() async throws {
        try await withRelay(
            extensions: ["AUTH LOGIN CRAM-MD5"],
            adjusting: {
                $0 = $0.signingIn()
                $0.security = .none
            }
        ) { relay, transport in
            #expect(await transport.deliver(.plain()).kind == "accepted")
            #expect(relay.commands.contains("c2VjcmV0"))
        }
    }
}

extension SMTPRelay {
    /// The same relay with a user `ann` and a password in its address.
    fileprivate func signingIn() -> SMTPRelay {
        let ca = authorityFile.map { "?ca=\($0)" } ?? ""
        let scheme = speaksTLSAtOnce ? "smtps" : "smtp"
        return (try? SMTPRelay(parsing: "\(scheme)://ann:secret@\(host):\(port)\(ca)")) ?? self
    }
}
