// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import CryptoExtras
internal import Foundation
internal import HomingCurl
import HomingStore
internal import Synchronization

/// The certificates by which a service signs its notices, as it shows them at URLs of its own. Whoever asks for one has
/// made sure that the URL is the service's.
package final class SigningCertificates: Sendable {
    /// GETs a URL; nil where it does not answer 200.
    package typealias Fetch = @Sendable (_ url: String) async -> [UInt8]?

    private struct Kept {
        /// Nil where there is none to be had now.
        let key: _RSA.Signing.PublicKey?
        let until: Moment
    }

    private struct State {
        var kept: [String: Kept] = [:]
        var underWay = 0
    }

    private let fetch: Fetch
    private let state = Mutex(State())

    private static let most = 8
    private static let mostUnderWay = 4
    private static let life: Int64 = 86_400
    /// Requests that come after a fault share it.
    private static let faultLife: Int64 = 30

    /// - Parameter fetch: by libcurl, unless a test says otherwise.
    package init(fetch: Fetch? = nil) {
        self.fetch = fetch ?? Self.ask
    }

    /// The key of the certificate at a URL; nil where it cannot be had now.
    func key(at url: String, now: Moment) async -> _RSA.Signing.PublicKey? {
        let kept = state.withLock { $0.kept[url] }
        if let kept, now < kept.until { return kept.key }
        guard let body = await get(url) else { return nil }
        let key = CertificateKey.rsa(inPEM: body)
        state.withLock { state in
            if state.kept.count >= Self.most { state.kept = [:] }
            state.kept[url] = Kept(key: key, until: now.adding(seconds: key == nil ? Self.faultLife : Self.life))
        }
        return key
    }

    /// Tells a service that its notices are wanted.
    func confirm(_ url: String) async -> Bool { await get(url) != nil }

    /// At most a few at a time: each holds a thread for some seconds.
    private func get(_ url: String) async -> [UInt8]? {
        let hasRoom = state.withLock { state in
            guard state.underWay < Self.mostUnderWay else { return false }
            state.underWay += 1
            return true
        }
        guard hasRoom else { return nil }
        defer { state.withLock { $0.underWay -= 1 } }
        return await fetch(url)
    }

    private static let seconds = 5
    private static let longest = 64 * 1_024

    /// Certificates are verified, redirects are not followed.
    private static let ask: Fetch = { url in
        await OwnThread.run {
            let answer = CurlTransfer.ask(
                url, posting: nil, as: "", wantsBody: true, by: "homing", trusting: nil, seconds: seconds,
                bodyLimit: longest)
            guard case .success(let transfer) = answer, transfer.status == 200 else { return nil }
            return transfer.body
        }
    }
}

/// Just enough of ITU-T X.690 to find the key in a certificate (RFC 5280, section 4.1). The certificate itself is
/// believed: it came over HTTPS from the service whose key it holds.
enum CertificateKey {
    static func rsa(inPEM bytes: [UInt8]) -> _RSA.Signing.PublicKey? {
        let lines = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
        let begin = lines.firstIndex { $0.utf8.elementsEqual("-----BEGIN CERTIFICATE-----".utf8) }
        let end = lines.firstIndex { $0.utf8.elementsEqual("-----END CERTIFICATE-----".utf8) }
        guard let begin, let end, begin < end,
            let der = Data(base64Encoded: lines[(begin + 1)..<end].joined()), let info = keyInfo(in: Array(der)[...])
        else { return nil }
        return try? _RSA.Signing.PublicKey(derRepresentation: Data(info))
    }

    private static func keyInfo(in der: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard let certificate = element(der), let body = element(certificate.content), certificate.tag == 0x30,
            body.tag == 0x30
        else { return nil }
        var rest = body.content
        // The version may be missing.
        if rest.first == 0xA0, let version = element(rest) { rest = version.rest }
        // Serial number, algorithm, issuer, validity, subject.
        for tag: UInt8 in [0x02, 0x30, 0x30, 0x30, 0x30] {
            guard let part = element(rest), part.tag == tag else { return nil }
            rest = part.rest
        }
        guard let info = element(rest), info.tag == 0x30 else { return nil }
        return rest[..<info.rest.startIndex]
    }

    private static func element(
        _ bytes: ArraySlice<UInt8>
    ) -> (tag: UInt8, content: ArraySlice<UInt8>, rest: ArraySlice<UInt8>)? {
        guard bytes.count >= 2, let tag = bytes.first else { return nil }
        var start = bytes.startIndex + 2
        var length = Int(bytes[start - 1])
        if length >= 0x80 {
            let digits = length - 0x80
            guard (1...3).contains(digits), bytes.endIndex - start >= digits else { return nil }
            length = bytes[start..<(start + digits)].reduce(0) { $0 << 8 | Int($1) }
            start += digits
        }
        guard bytes.endIndex - start >= length else { return nil }
        return (tag, bytes[start..<(start + length)], bytes[(start + length)...])
    }
}
