// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import Crypto
internal import Foundation
import HomingStore
import HomingWire

/// The ways in which providers prove that a request is theirs, each on the raw body.
extension MailEvents {
    typealias Verify = @Sendable (MailEventRequest, _ key: String, SigningCertificates) async -> MailEventProof

    /// A secret that each request repeats. The events key is `user:password` (HTTP Basic), `Name: value` (a field of
    /// the head), or else what stands behind `Bearer`.
    static let sharedSecret: Verify = { request, key, _ in
        let secret: String
        let shown: [UInt8]
        if let colon = key.utf8.firstIndex(of: UInt8(ascii: ":")), key.utf8[colon...].dropFirst().first == 0x20 {
            secret = String(ASCII.trimmed(key[key.utf8.index(after: colon)...]))
            shown = Array((request.headers[ASCII.lowercased(key[..<colon])] ?? "").utf8)
        } else {
            let isBasic = key.utf8.contains(UInt8(ascii: ":"))
            let scheme = isBasic ? "Basic " : "Bearer "
            let field = request.headers["authorization"] ?? ""
            guard field.hasPrefixFoldingASCII(scheme) else { return .forged }
            let credentials = String(ASCII.trimmed(Substring(field.utf8.dropFirst(scheme.utf8.count))))
            secret = key
            shown = isBasic ? Data(base64Encoded: credentials).map { Array($0) } ?? [] : Array(credentials.utf8)
        }
        guard !secret.isEmpty, areEqualInConstantTime(Array(secret.utf8), shown) else { return .forged }
        return request.json.map { .genuine($0) } ?? .unreadable
    }

    /// HMAC-SHA256 of the body, in hexadecimal digits.
    static func hexadecimalCode(in field: String) -> Verify {
        { request, key, _ in
            guard let code = request.headers[field].flatMap({ Hexadecimal.decode(Array($0.utf8)) }),
                isCode(code, of: request.body, key)
            else { return .forged }
            return request.json.map { .genuine($0) } ?? .unreadable
        }
    }

    static func isCode(_ code: [UInt8], of bytes: [UInt8], _ key: String) -> Bool {
        HMAC<SHA256>.isValidAuthenticationCode(
            code, authenticating: bytes, using: SymmetricKey(data: Array(key.utf8)))
    }

    /// Standard Webhooks 1.0.0, which Svix calls its own: several codes, each over id, time and body, five minutes
    /// around now.
    static let standardWebhooks: Verify = { request, key, _ in
        guard let signature = WebhookSignature(secret: key) else { return .forged }
        for prefix in ["webhook", "svix"] {
            guard let id = request.headers["\(prefix)-id"], let time = request.headers["\(prefix)-timestamp"],
                let codes = request.headers["\(prefix)-signature"]
            else { continue }
            guard let seconds = ASCII.number(time, atMost: Int.max / 1_000_000),
                signature.fits(codes, id: id, at: Int64(seconds), request.body)
            else { return .forged }
            guard request.isRecent(Moment(seconds: Int64(seconds)), past: 300) else { return .old }
            return request.json.map { .genuine($0) } ?? .unreadable
        }
        return .forged
    }
}
