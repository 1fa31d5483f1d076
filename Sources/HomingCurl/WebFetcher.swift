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

    package func transfer(_ url: String, isVerifying: Bool) -> CurlTransfer? {
        guard let transfer = CurlTransfer(url: url, seconds: seconds) else { return nil }
        transfer.set(CURLOPT_USERAGENT, "homing-doctor")
        transfer.set(CURLOPT_RESOLVE, resolutions)
        transfer.trust(authorityFile, isVerifying: isVerifying)
        return transfer
    }

    package func ask(
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
}
