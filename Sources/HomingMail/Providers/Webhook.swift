// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import Crypto
internal import Foundation
import HomingCore
package import HomingStore
import HomingWire

extension MailProvider {
    /// A receiver of the operator's own, which gets the finished letter in a request that is signed as Standard
    /// Webhooks 1.0.0 says. The id of a request stays the same however often the letter is tried.
    static let webhook = MailProvider(
        scheme: "webhook+https", name: "the webhook", form: "webhook+https://HOST/PATH", secretName: "signing secret",
        secretForm: "whsec_ and 24 to 64 bytes in base64", placeName: "host", placeIsURL: true, keepsOurBytes: true,
        isSecret: { WebhookSignature(secret: $0) != nil },
        endpoint: { "https://\($0.written)" },
        request: { mail in
            let body = webhookBody(mail).write(pretty: false)
            let signature = WebhookSignature(secret: mail.secret)
            return ProviderRequest(
                path: "", headers: signature?.headers(id: mail.id, at: mail.now, body) ?? [], body: body)
        },
        acceptedID: { answer in
            // A page for a browser comes from somebody else.
            if answer.body.first(where: { !ASCII.isSpace($0) }) == UInt8(ascii: "<") { return nil }
            return answer.json?.objectValue?["id"]?.stringValue ?? ""
        })

    private static func webhookBody(_ mail: ProviderMail) -> JSON {
        let letter = mail.letter
        return .object([
            ("id", .string(mail.id)), ("kind", .string(mail.kind.rawValue)),
            ("expiresAt", .string(mail.expiresAt.timestamp)), ("envelopeFrom", .string(mail.sender)),
            (
                "from",
                .object([
                    ("name", letter.from.name.map { .string($0) }), ("address", .string(letter.from.address)),
                ])
            ),
            ("to", .string(letter.to)), ("replyTo", letter.replyTo.map { .string($0) }),
            ("subject", .string(letter.subject)), ("text", .string(letter.text)), ("html", .string(letter.html)),
            ("language", .string(letter.language)), ("messageId", .string(letter.messageID)),
            ("raw", .string(Data(letter.bytes()).base64EncodedString())),
        ])
    }
}

/// Signs requests as Standard Webhooks 1.0.0 says, with HMAC-SHA256.
package struct WebhookSignature {
    private let key: SymmetricKey

    /// - Parameter secret: `whsec_` and the key in base64; nil for everything else.
    package init?(secret: String) {
        let prefix = "whsec_"
        guard secret.utf8.starts(with: prefix.utf8),
            let key = Data(base64Encoded: String(secret.dropFirst(prefix.count))), (24...64).contains(key.count)
        else { return nil }
        self.key = SymmetricKey(data: key)
    }

    package func headers(id: String, at now: Moment, _ body: [UInt8]) -> [(name: String, value: String)] {
        let signed = Data("\(id).\(now.seconds).".utf8) + body
        let code = Data(HMAC<SHA256>.authenticationCode(for: signed, using: key)).base64EncodedString()
        return [
            ("webhook-id", id), ("webhook-timestamp", "\(now.seconds)"), ("webhook-signature", "v1,\(code)"),
        ]
    }
}
