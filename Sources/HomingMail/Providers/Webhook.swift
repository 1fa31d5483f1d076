// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import Crypto
internal import Foundation
import HomingCore
import HomingProjects
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
        },
        events: MailEvents(
            keyName: "a secret of its own, whsec_ and 24 to 64 bytes in base64",
            verify: MailEvents.standardWebhooks, read: { $0.elements.compactMap(webhookEvent) }))

    /// A form of ours, as docs/mail-providers.md describes it.
    private static func webhookEvent(_ event: JSON) -> MailEvent? {
        let kinds: [String: MailEvent.Kind] = [
            "delivered": .delivered, "deferred": .deferred, "bounced": .hardBounce, "failed": .softBounce,
            "complained": .complained,
        ]
        guard let kind = event.text("event").flatMap({ kinds[$0] }) else { return nil }
        return MailEvent(
            kind, mail: event.text("mail"), providerID: event.text("id"), address: event.text("address"),
            words: event.text("reason") ?? "", at: event.moment("time"))
    }

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

/// Signs and verifies requests as Standard Webhooks 1.0.0 says, with HMAC-SHA256.
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

    /// A secret that nobody can foresee.
    package static func newSecret(_ system: System) -> String {
        "whsec_" + Data(system.randomBytes(32)).base64EncodedString()
    }

    package func headers(id: String, at now: Moment, _ body: [UInt8]) -> [(name: String, value: String)] {
        let signed = Data("\(id).\(now.seconds).".utf8) + body
        let code = Data(HMAC<SHA256>.authenticationCode(for: signed, using: key)).base64EncodedString()
        return [
            ("webhook-id", id), ("webhook-timestamp", "\(now.seconds)"), ("webhook-signature", "v1,\(code)"),
        ]
    }

    /// Whether one of a header's codes is this secret's.
    func fits(_ codes: String, id: String, at seconds: Int64, _ body: [UInt8]) -> Bool {
        let signed = Data("\(id).\(seconds).".utf8) + body
        return codes.utf8.split(separator: 0x20).prefix(10).contains { code in
            guard code.starts(with: "v1,".utf8), let code = Data(base64Encoded: String(Substring(code.dropFirst(3))))
            else { return false }
            return HMAC<SHA256>.isValidAuthenticationCode(code, authenticating: signed, using: key)
        }
    }
}
