// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Crypto
import CryptoExtras
import Foundation
import HomingCore
import HomingMail
import HomingStore
import HomingWire
import Synchronization
import Testing

/// Stands in the place of each provider: makes requests with its proof, as its documents describe it.
struct MailEventMaker {
    static let now = Moment(seconds: 1_790_000_000)

    /// Those that tell of mails, by their schemes.
    static let schemes = MailProvider.all.filter { $0.events != nil }.map(\.scheme)

    let scheme: String
    var now = Self.now
    /// The type of SNS's notice.
    var notice = "Notification"
    var topic = Self.topic
    var version = "2"
    var certificateURL = "https://sns.eu-west-1.amazonaws.com/SimpleNotificationService-0123456789abcdef.pem"
    var subscribeURL = "https://sns.eu-west-1.amazonaws.com/?Action=ConfirmSubscription&TopicArn=x&Token=y"

    init(_ scheme: String) {
        self.scheme = scheme
        if scheme == "scaleway" { certificateURL = "https://sns.mnq.fr-par.scaleway.com/cert.pem" }
    }

    private static let topic = "arn:aws:sns:eu-west-1:123456789012:mail"
    private static let webhookSecret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
    private static let curveKey = P256.Signing.PrivateKey()
    private static let rsaKey = Result { try _RSA.Signing.PrivateKey(keySize: .bits2048) }

    var events: MailEvents {
        get throws { try #require(MailProvider.all.first { $0.scheme == scheme }?.events) }
    }

    /// The events key that an operator enters.
    var key: String {
        switch scheme {
        case "ses", "scaleway": Self.topic
        case "resend", "webhook+https": Self.webhookSecret
        case "sendgrid": Self.curveKey.publicKey.derRepresentation.base64EncodedString()
        case "mailgun", "mailersend": "0123456789abcdef"
        default: "homing:pass:word"
        }
    }

    struct Made {
        var headers: [String: String] = [:]
        var body: [UInt8]

        func at(_ now: Moment) -> MailEventRequest { MailEventRequest(headers: headers, body: body, now: now) }
    }

    /// A request that says this with the provider's proof.
    func make(_ event: String) throws -> Made {
        var made = Made(body: Array(event.utf8))
        switch scheme {
        case "ses", "scaleway": made.body = try signedNotice(event)
        case "resend", "webhook+https":
            let signature = try #require(WebhookSignature(secret: key))
            let prefix = scheme == "resend" ? "svix" : "webhook"
            for (name, value) in signature.headers(id: "msg_1", at: now, made.body) {
                // As after a change of secrets, when there are two.
                let value = name == "webhook-signature" ? "v1,AAAA v1a,AAAA \(value)" : value
                made.headers[name.replacing("webhook", with: prefix)] = value
            }
        case "mailgun":
            let (time, token) = ("\(now.seconds)", "token-of-fifty-characters")
            let code = code(Array("\(time)\(token)".utf8))
            made.body = Array(
                """
                {"signature":{"timestamp":"\(time)","token":"\(token)","signature":"\(code)"},"event-data":\(event)}
                """.utf8)
        case "sendgrid":
            let time = "\(now.seconds)"
            let signature = try Self.curveKey.signature(for: Data(time.utf8) + made.body)
            made.headers["x-twilio-email-event-webhook-timestamp"] = time
            made.headers["x-twilio-email-event-webhook-signature"] =
                signature.derRepresentation.base64EncodedString()
        case "mailersend": made.headers["signature"] = code(made.body)
        default: made.headers["authorization"] = "Basic \(Data(key.utf8).base64EncodedString())"
        }
        return made
    }

    private func code(_ bytes: [UInt8]) -> String {
        let code = HMAC<SHA256>.authenticationCode(for: bytes, using: SymmetricKey(data: Data(key.utf8)))
        return Hexadecimal.encode(code)
    }

    // MARK: Amazon's notices

    private func signedNotice(_ message: String) throws -> [UInt8] {
        var members: [(String, JSON)] = [
            ("Message", .string(message)), ("MessageId", "22b80b92-fdea-4c2c-8f9d-bdfb0c7bf324"),
            ("Timestamp", .string(now.timestamp)), ("TopicArn", .string(topic)), ("Type", .string(notice)),
        ]
        if notice == "Notification" {
            members.append(("Subject", "Amazon SES Email Event Notification"))
        } else {
            members += [("SubscribeURL", .string(subscribeURL)), ("Token", "2336412f37fb687f5d51e6e2425c464de257eb")]
        }
        let signed = Data(
            members.sorted { $0.0 < $1.0 }.map { "\($0.0)\n\($0.1.stringValue ?? "")\n" }.joined().utf8)
        let key = try Self.rsaKey.get()
        let signature =
            version == "1"
            ? try key.signature(for: Insecure.SHA1.hash(data: signed), padding: .insecurePKCS1v1_5)
            : try key.signature(for: SHA256.hash(data: signed), padding: .insecurePKCS1v1_5)
        members += [
            ("SignatureVersion", .string(version)),
            ("Signature", .string(signature.rawRepresentation.base64EncodedString())),
            ("SigningCertURL", .string(certificateURL)),
        ]
        return JSON.object(JSON.Object(members)).write(pretty: false)
    }

    /// A certificate (RFC 5280, section 4.1) in which nothing but its key counts.
    static func certificate() throws -> [UInt8] {
        let info = Array(try rsaKey.get().publicKey.derRepresentation)
        let version = element(0xA0, element(0x02, [2]))
        let body = element(
            0x30, version + element(0x02, [1]) + (0..<4).flatMap { _ in element(0x30, []) } + info)
        let der = element(0x30, body + element(0x30, []) + element(0x03, [0]))
        let encoded = Data(der).base64EncodedString()
        let lines = "\(encoded.prefix(64))\n\(encoded.dropFirst(64))"
        return Array("-----BEGIN CERTIFICATE-----\n\(lines)\n-----END CERTIFICATE-----\n".utf8)
    }

    private static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        let count = content.count
        let length: [UInt8] =
            count < 0x80 ? [UInt8(count)] : [0x82, UInt8(count >> 8), UInt8(truncatingIfNeeded: count)]
        return [tag] + length + content
    }

    /// What is asked for over the web while providers' requests are looked at.
    final class Web: Sendable {
        private let urls = Mutex<[String]>([])
        let isAway: Bool

        init(isAway: Bool = false) { self.isAway = isAway }

        var asked: [String] { urls.withLock { $0 } }

        var certificates: SigningCertificates {
            SigningCertificates { url in
                self.urls.withLock { $0.append(url) }
                return self.isAway ? nil : url.hasSuffix(".pem") ? try? MailEventMaker.certificate() : []
            }
        }
    }
}

extension MailEvents.Reading {
    var told: [MailEvent]? {
        if case .events(let events, _) = self { events } else { nil }
    }

    var refusal: MailEvent.Outcome? {
        if case .refused(let outcome) = self { outcome } else { nil }
    }
}
