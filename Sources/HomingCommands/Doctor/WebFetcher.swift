// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import CLibCurl
import HomingWire

/// Asks web servers as a stranger would: five seconds each, no redirects, no proxy, no cookies.
package struct WebFetcher: Sendable {
    /// A PEM file with the authorities to trust instead of the system's.
    package var authorityFile: String?
    /// `HOST:PORT:ADDRESS`, in the form of curl's `--resolve`.
    package var resolutions: [String]
    package var seconds: Int

    package init(authorityFile: String? = nil, resolutions: [String] = [], seconds: Int = 5) {
        self.authorityFile = authorityFile
        self.resolutions = resolutions
        self.seconds = seconds
    }

    /// Whether a text is `HOST:PORT:ADDRESS`; its use shows whether the address is good.
    package static func isResolution(_ text: String) -> Bool {
        let parts = text.utf8.split(separator: UInt8(ascii: ":"), maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, let port = Int(String(Substring(parts[1]))) else { return false }
        return (1...65_535).contains(port)
            && parts.allSatisfy { part in !part.isEmpty && part.allSatisfy(ASCII.isVisible) }
    }

    /// - Parameter isVerifying: false where the certificate's faults are reported already and the files are checked all
    ///   the same, so that one run shows every fault.
    package func fetch(_ url: String, isVerifying: Bool = true) async -> WebAnswer {
        await OwnThread.run { ask(url, isVerifying) }
    }

    /// Follows a link as a device does. Uses HEAD, which is answered like a GET and is no click in the statistics.
    package func follow(_ url: String, as device: DoctorDevice, isVerifying: Bool = true) async -> WebAnswer {
        await OwnThread.run {
            ask(url, isVerifying) { transfer in
                transfer.set(CURLOPT_USERAGENT, device.userAgent)
                transfer.set(CURLOPT_NOBODY, 1)
            }
        }
    }

    /// Makes the TLS handshake and sends no request.
    package func certificate(of url: String) async -> CertificateLook {
        await OwnThread.run { look(at: url) }
    }

    private func transfer(_ url: String, isVerifying: Bool) -> CurlTransfer? {
        guard let transfer = CurlTransfer(url: url, seconds: seconds) else { return nil }
        transfer.set(CURLOPT_USERAGENT, "homing-doctor")
        transfer.set(CURLOPT_RESOLVE, resolutions)
        transfer.trust(authorityFile, isVerifying: isVerifying)
        return transfer
    }

    private func ask(
        _ url: String, _ isVerifying: Bool, _ prepare: (CurlTransfer) -> Void = { _ in }
    ) -> WebAnswer {
        guard let transfer = transfer(url, isVerifying: isVerifying) else {
            return .unreachable(reason: "libcurl does not start")
        }
        prepare(transfer)
        let code = transfer.perform()
        guard code == CURLE_OK || transfer.isCut else { return .unreachable(reason: transfer.reason(for: code)) }
        return .answered(
            WebAnswer.Response(
                status: transfer.number(CURLINFO_RESPONSE_CODE), contentType: transfer.text(CURLINFO_CONTENT_TYPE),
                location: transfer.text(CURLINFO_REDIRECT_URL), target: transfer.header("location"),
                body: transfer.body, isCut: transfer.isCut))
    }

    private func look(at url: String) -> CertificateLook {
        guard let strict = transfer(url, isVerifying: true), let lenient = transfer(url, isVerifying: false) else {
            return CertificateLook(fault: .noTLS(reason: "libcurl does not start"), end: nil)
        }
        strict.set(CURLOPT_CONNECT_ONLY, 1)
        let code = strict.perform()
        guard code != CURLE_OK else { return CertificateLook(fault: nil, end: strict.certificateEnd) }
        guard let fault = CertificateLook.Fault(of: strict, code) else {
            return CertificateLook(fault: .noTLS(reason: strict.reason(for: code)), end: nil)
        }
        lenient.set(CURLOPT_CONNECT_ONLY, 1)
        _ = lenient.perform()
        return CertificateLook(fault: fault, end: lenient.certificateEnd)
    }
}

extension CertificateLook.Fault {
    /// The reason why a certificate was refused; nil when the transfer failed for another reason.
    init?(of transfer: CurlTransfer, _ code: CURLcode) {
        guard code == CURLE_PEER_FAILED_VERIFICATION else { return nil }
        // OpenSSL's numbers, X509_V_ERR_…. libcurl compares the host's name itself, after the chain was found good and
        // before it asks for a number, so that there is none, or "unspecified".
        switch transfer.number(CURLINFO_SSL_VERIFYRESULT) {
        case 0, 1, 62, 64: self = .otherHost
        case 9: self = .notYetValid
        case 10: self = .ended
        default: self = .notTrusted(reason: transfer.reason(for: code))
        }
    }
}
