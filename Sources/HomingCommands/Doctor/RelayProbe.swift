// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import CLibCurl
package import HomingMail

/// Talks to the relay as a delivery does, up to the point where a mail would begin, and leaves: EHLO, STARTTLS, AUTH,
/// NOOP, QUIT.
package struct RelayProbe: Sendable {
    package let relay: SMTPRelay
    package let heloName: String

    package init(relay: SMTPRelay, heloName: String) {
        self.relay = relay
        self.heloName = heloName
    }

    /// Relays let strangers wait for their greeting on purpose, often six seconds.
    private static let seconds = 15

    package func look() async -> RelayLook {
        await OwnThread.run { talk() }
    }

    private func talk() -> RelayLook {
        guard let transfer = transfer(isVerifying: relay.security == .verified, isGivingPassword: true) else {
            return RelayLook(ending: .unreachable(reason: "libcurl does not start"))
        }
        let code = transfer.perform()
        return RelayLook(
            ending: ending(of: transfer, code),
            isEncrypted: transfer.certificateEnd != nil,
            hasSeenPassword: transfer.verbs.contains("AUTH"),
            certificate: certificate(of: transfer, code))
    }

    private func transfer(isVerifying: Bool, isGivingPassword: Bool) -> CurlTransfer? {
        let scheme = relay.speaksTLSAtOnce ? "smtps" : "smtp"
        let url = "\(scheme)://\(relay.host):\(relay.port)/\(heloName)"
        guard let transfer = CurlTransfer(url: url, seconds: Self.seconds) else { return nil }
        let level =
            switch relay.security {
            case .none: CURLUSESSL_NONE
            case .opportunistic: isVerifying ? CURLUSESSL_ALL : CURLUSESSL_TRY
            case .verified: CURLUSESSL_ALL
            }
        transfer.set(CURLOPT_USE_SSL, Int(level.rawValue))
        transfer.set(CURLOPT_CUSTOMREQUEST, "NOOP")
        transfer.trust(relay.authorityFile, isVerifying: isVerifying)
        if isGivingPassword, let credentials = relay.credentials {
            transfer.set(CURLOPT_LOGIN_OPTIONS, "AUTH=PLAIN;AUTH=LOGIN")
            transfer.set(CURLOPT_SASL_IR, 1)
            transfer.set(CURLOPT_USERNAME, credentials.user)
            transfer.set(CURLOPT_PASSWORD, credentials.password)
        }
        return transfer
    }

    private func ending(of transfer: CurlTransfer, _ code: CURLcode) -> RelayLook.Ending {
        let reply = PrintableText.of(transfer.replies.last ?? [])
        switch code {
        case CURLE_OK: return .ready
        case CURLE_USE_SSL_FAILED: return .tlsNotOffered
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CACERT_BADFILE:
            return .tlsFailed(reason: transfer.reason(for: code))
        case CURLE_LOGIN_DENIED where transfer.verbs.contains("AUTH"): return .passwordRefused(reply: reply)
        default:
            return transfer.replies.isEmpty
                ? .unreachable(reason: transfer.reason(for: code)) : .refused(reply: reply)
        }
    }

    /// A relay that is taken with any certificate is asked once more by somebody who checks it, without a password.
    private func certificate(of transfer: CurlTransfer, _ code: CURLcode) -> CertificateLook? {
        if let fault = CertificateLook.Fault(of: transfer, code) {
            let lenient = self.transfer(isVerifying: false, isGivingPassword: false)
            _ = lenient?.perform()
            return CertificateLook(fault: fault, end: lenient?.certificateEnd)
        }
        guard let end = transfer.certificateEnd else { return nil }
        guard relay.security != .verified, let strict = self.transfer(isVerifying: true, isGivingPassword: false) else {
            return CertificateLook(fault: nil, end: end)
        }
        return CertificateLook(fault: CertificateLook.Fault(of: strict, strict.perform()), end: end)
    }
}
