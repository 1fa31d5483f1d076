// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import CLibCurl
internal import HomingCurl
package import HomingMail
internal import HomingWire

/// Talks to the relay as a delivery does, up to the point where a mail would begin, and ends: EHLO, STARTTLS, AUTH,
/// NOOP, MAIL FROM, RCPT TO, RSET, QUIT.
package struct RelayProbe: Sendable {
    package let relay: SMTPRelay
    package let heloName: String
    /// The sender of mails; nil leaves out MAIL and RCPT.
    package let sender: String?

    package init(relay: SMTPRelay, heloName: String, sender: String?) {
        self.relay = relay
        self.heloName = heloName
        self.sender = sender.flatMap { EnvelopeAddress.isSafe($0) ? $0 : nil }
    }

    /// Relays delay their greeting to strangers on purpose, often six seconds.
    private static let seconds = 15

    package func look() async -> RelayLook {
        guard let login = relay.tokenLogin else { return await OwnThread.run { talk(nil) } }
        do throws(OAuthFault) {
            let token = try await OAuthTokens(login.grant).token()
            return await OwnThread.run { talk(token) }
        } catch {
            return RelayLook(ending: .noToken(error))
        }
    }

    private func talk(_ token: String?) -> RelayLook {
        guard
            let transfer = transfer(
                isVerifying: relay.security == .verified, isGivingPassword: true, token: token)
        else {
            return RelayLook(ending: .unreachable(reason: "libcurl does not start"))
        }
        let code = transfer.perform()
        var look = RelayLook(
            ending: ending(of: transfer, code),
            isEncrypted: transfer.certificateEnd != nil,
            hasSeenPassword: transfer.verbs.contains("AUTH"),
            certificate: certificate(of: transfer, code))
        if case .ready = look.ending { look.ending = envelope(transfer) ?? .ready }
        return look
    }

    private func transfer(isVerifying: Bool, isGivingPassword: Bool, token: String? = nil) -> CurlTransfer? {
        let scheme = relay.speaksTLSAtOnce ? "smtps" : "smtp"
        let url = "\(scheme)://\(relay.host):\(relay.port)/\(heloName)"
        guard let transfer = CurlTransfer(url: url, seconds: Self.seconds) else { return nil }
        let level =
            switch relay.security {
            case .none: homing_curl_ssl_none
            case .opportunistic: isVerifying ? homing_curl_ssl_all : homing_curl_ssl_try
            case .verified: homing_curl_ssl_all
            }
        transfer.set(CURLOPT_USE_SSL, level)
        transfer.set(CURLOPT_CUSTOMREQUEST, "NOOP")
        transfer.trust(relay.authorityFile, isVerifying: isVerifying)
        if isGivingPassword, let credentials = relay.credentials {
            transfer.set(CURLOPT_LOGIN_OPTIONS, "AUTH=PLAIN;AUTH=LOGIN")
            transfer.set(CURLOPT_SASL_IR, 1)
            transfer.set(CURLOPT_USERNAME, credentials.user)
            transfer.set(CURLOPT_PASSWORD, credentials.password)
        }
        if let token, let login = relay.tokenLogin {
            transfer.set(CURLOPT_LOGIN_OPTIONS, "AUTH=\(login.mechanism.name)")
            transfer.set(CURLOPT_SASL_IR, 1)
            transfer.set(CURLOPT_USERNAME, login.user)
            transfer.set(CURLOPT_XOAUTH2_BEARER, token)
        }
        return transfer
    }

    /// Begins a mail and resets it, over the same connection; nil when the relay accepts.
    ///
    /// The recipient is the sender's postmaster, which every domain has to have (RFC 5321, section 4.5.1).
    private func envelope(_ transfer: CurlTransfer) -> RelayLook.Ending? {
        guard let sender, let domain = sender.split(separator: "@").last else { return nil }
        let recipient = "postmaster@\(domain)"
        if let reply = refusal(of: "MAIL FROM:<\(sender)>", transfer) {
            return .senderRefused(sender: sender, reply: reply)
        }
        let reply = refusal(of: "RCPT TO:<\(recipient)>", transfer)
        _ = refusal(of: "RSET", transfer)
        return reply.map { .recipientRefused(recipient: recipient, reply: $0) }
    }

    /// The relay's refusal of a command; nil when the relay accepts.
    private func refusal(of command: String, _ transfer: CurlTransfer) -> String? {
        let before = transfer.replies.count
        transfer.set(CURLOPT_CUSTOMREQUEST, command)
        let code = transfer.perform()
        // libcurl sends QUIT after a refusal, so that the refusal is not the last reply; it takes 553 for a success.
        let reply = transfer.replies[before...].first { $0.first == UInt8(ascii: "4") || $0.first == UInt8(ascii: "5") }
        return reply.map { Printable.ascii($0) } ?? (code == CURLE_OK ? nil : transfer.reason(for: code))
    }

    private func ending(of transfer: CurlTransfer, _ code: CURLcode) -> RelayLook.Ending {
        let reply = Printable.ascii(transfer.replies.last ?? [])
        switch code {
        case CURLE_OK: return .ready
        case CURLE_USE_SSL_FAILED: return .tlsNotOffered
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CACERT_BADFILE:
            return .tlsFailed(reason: transfer.reason(for: code))
        case CURLE_LOGIN_DENIED where relay.tokenLogin != nil:
            guard transfer.verbs.contains("AUTH") else { return .tokensNotOffered }
            // With a 334 a relay asks for an empty line before it says 535; what it says there is not for people.
            return .tokenRefused(reply: reply.utf8.starts(with: "334".utf8) ? "334" : reply)
        case CURLE_LOGIN_DENIED where transfer.verbs.contains("AUTH"): return .passwordRefused(reply: reply)
        default:
            return transfer.replies.isEmpty
                ? .unreachable(reason: transfer.reason(for: code)) : .refused(reply: reply)
        }
    }

    /// Where the relay is accepted with any certificate, a second transfer checks the certificate, without a password.
    private func certificate(of transfer: CurlTransfer, _ code: CURLcode) -> CertificateLook? {
        if let fault = CertificateLook.Fault(of: transfer, code) {
            let lenient = self.transfer(isVerifying: false, isGivingPassword: false)
            _ = lenient?.perform()
            return CertificateLook(fault: fault, end: lenient?.certificateEnd.map(CertificateEnd.init(seconds:)))
        }
        guard let end = transfer.certificateEnd.map(CertificateEnd.init(seconds:)) else { return nil }
        guard relay.security != .verified, let strict = self.transfer(isVerifying: true, isGivingPassword: false) else {
            return CertificateLook(fault: nil, end: end)
        }
        return CertificateLook(fault: CertificateLook.Fault(of: strict, strict.perform()), end: end)
    }
}
