// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import CLibCurl
package import HomingCurl

extension WebFetcher {
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

    private func look(at url: String) -> CertificateLook {
        guard let strict = transfer(url, isVerifying: true), let lenient = transfer(url, isVerifying: false) else {
            return CertificateLook(fault: .noTLS(reason: "libcurl does not start"), end: nil)
        }
        strict.set(CURLOPT_CONNECT_ONLY, 1)
        let code = strict.perform()
        guard code != CURLE_OK else {
            return CertificateLook(fault: nil, end: strict.certificateEnd.map(CertificateEnd.init(seconds:)))
        }
        guard let fault = CertificateLook.Fault(of: strict, code) else {
            return CertificateLook(fault: .noTLS(reason: strict.reason(for: code)), end: nil)
        }
        lenient.set(CURLOPT_CONNECT_ONLY, 1)
        _ = lenient.perform()
        return CertificateLook(fault: fault, end: lenient.certificateEnd.map(CertificateEnd.init(seconds:)))
    }
}

extension CertificateLook.Fault {
    /// The reason why a certificate was refused; nil when the transfer failed for another reason.
    package init?(of transfer: CurlTransfer, _ code: CURLcode) {
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
