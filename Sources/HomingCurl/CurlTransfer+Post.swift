// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import CLibCurl

extension CurlTransfer {
    /// Posts JSON to a server whose certificate is checked, and reads no more of the answer than its status.
    ///
    /// - Parameters:
    ///   - headers: without line breaks.
    ///   - isPublicOnly: whether only addresses of the internet are asked.
    ///   - isStopped: asked once a second; a request that is given up fails.
    package static func status(
        posting json: String, to url: String, _ headers: [(name: String, value: String)], by agent: String,
        seconds: Int, isPublicOnly: Bool, isStopped: @escaping () -> Bool
    ) -> Result<Int, Failure> {
        guard let transfer = CurlTransfer(url: url, seconds: seconds) else {
            return .failure(Failure(text: "libcurl does not start"))
        }
        transfer.bodyLimit = 0
        if isPublicOnly { transfer.staysOutside() }
        transfer.set(CURLOPT_USERAGENT, agent)
        transfer.trust(nil, isVerifying: true)
        // No waiting for "100 Continue".
        transfer.set(
            CURLOPT_HTTPHEADER,
            ["Content-Type: application/json", "Expect:"] + headers.map { "\($0.name): \($0.value)" })
        transfer.post(Array(json.utf8))
        transfer.stop(when: isStopped)
        let code = transfer.perform()
        guard code == CURLE_OK || transfer.isCut else { return .failure(Failure(text: transfer.reason(for: code))) }
        return .success(transfer.status)
    }
}
