// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
import HomingCurl
import HomingWire

extension ACMEClient {
    /// Seconds for one request; a server that is stopped waits no longer for it.
    private static let seconds = 15

    /// - Parameters:
    ///   - authorityFile: a PEM file with the authorities to trust for the connection, instead of the system's.
    ///   - agent: this program and its version, which RFC 8555 section 6.1 asks for.
    package convenience init(directory: String, authorityFile: String?, agent: String) {
        self.init(directory: directory) { (request) async throws(ACMEFault) -> Answer in
            let result = await OwnThread.run { Self.perform(request, of: directory, authorityFile, agent) }
            return try result.get()
        }
    }

    private static func perform(
        _ request: Request, of directory: String, _ authorityFile: String?, _ agent: String
    ) -> Result<Answer, ACMEFault> {
        // Nothing that we sign leaves over plain http, whatever URL an authority names.
        guard isAllowed(request.url, by: directory) else {
            return .failure(.unexpected("a URL that is not https: \(Printable.ascii(request.url))"))
        }
        let post: String? =
            if case .post(let body) = request.method { String(decoding: body, as: UTF8.self) } else { nil }
        return CurlTransfer.ask(
            request.url, posting: post, as: "application/jose+json", wantsBody: request.method != .head,
            by: agent, trusting: authorityFile, seconds: seconds
        )
        .map { transfer in
            Answer(
                status: transfer.status, body: transfer.body, location: transfer.header("location"),
                nonce: transfer.header("replay-nonce"),
                retryAfter: transfer.header("retry-after").flatMap { seconds(in: $0) })
        }
        .mapError { .unreachable($0.text) }
    }

    /// https; plain http on this machine alone, where nobody listens in, and only for a directory that is read so: no
    /// other authority may name what runs here.
    package static func isAllowed(_ url: String, by directory: String) -> Bool {
        if url.lowercased().hasPrefix("https://") { return true }
        guard directory.lowercased().hasPrefix("http://") else { return false }
        guard let parts = URLComponents(string: url), parts.scheme == "http", let host = parts.host else {
            return false
        }
        return ["localhost", "127.0.0.1", "::1", "[::1]"].contains(host)
    }

    /// `Retry-After`: seconds or a date (RFC 9110 section 10.2.3).
    private static func seconds(in field: String) -> Int64? {
        if let seconds = ASCII.number(field[...], atMost: 31_536_000) { return Int64(seconds) }
        return CurlTransfer.date(field).map { max(0, $0 - Int64(Date().timeIntervalSince1970)) }
    }
}
