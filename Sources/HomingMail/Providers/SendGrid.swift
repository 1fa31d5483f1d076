// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import Crypto
internal import Foundation
import HomingCore
import HomingStore
import HomingWire

extension MailProvider {
    /// SendGrid. It builds its own message; whether it keeps a Message-ID is not to be relied on. Tracking and its
    /// unsubscribe link are off for each mail. It fills nothing in without substitutions or a template, and there are
    /// none.
    static let sendGrid = MailProvider(
        scheme: "sendgrid", name: "SendGrid", form: "sendgrid:[?region=eu]", secretName: "API key",
        parameters: [Parameter(name: "region")], keepsOurBytes: false,
        endpoint: { url in
            switch url.parameters["region"] {
            case nil, "us": "https://api.sendgrid.com"
            case "eu": "https://api.eu.sendgrid.com"
            default: nil
            }
        },
        request: { mail in
            let letter = LetterFields(mail)
            return ProviderRequest(
                path: "/v3/mail/send", headers: [mail.bearer],
                json: [
                    (
                        "personalizations",
                        [
                            [
                                "to": [["email": .string(letter.to)]],
                                "custom_args": .object([(ProviderMail.idName, .string(mail.id))]),
                            ]
                        ]
                    ),
                    ("from", letter.from.json()),
                    ("reply_to", letter.replyTo.map { ["email": .string($0)] }),
                    ("subject", .string(letter.subject)),
                    (
                        "content",
                        [
                            ["type": "text/plain", "value": .string(letter.text)],
                            ["type": "text/html", "value": .string(letter.html)],
                        ]
                    ),
                    ("headers", letter.headersByName),
                    (
                        "tracking_settings",
                        [
                            "click_tracking": ["enable": false, "enable_text": false],
                            "open_tracking": ["enable": false], "subscription_tracking": ["enable": false],
                        ]
                    ),
                    (
                        "attachments",
                        letter.logo.map { logo in
                            [
                                [
                                    "content": .string(logo), "type": "image/png",
                                    "filename": .string(LetterFields.logoName), "disposition": "inline",
                                    "content_id": .string(LetterFields.logoID),
                                ]
                            ]
                        }
                    ),
                ])
        },
        // Its 202 is the promise. Without the id, which a proxy may take out, asking again would make copies.
        acceptedID: { answer in
            answer.status == 202 ? answer.id(inHeader: "x-message-id") ?? (answer.body.isEmpty ? "unnamed" : nil) : nil
        },
        answers: [
            // `x-ratelimit-reset` tells when, but the limit is one of a minute.
            AnswerRule(statuses: 429...429, meaning: .throttled(seconds: 60))
        ],
        inquiry: MailInquiry(questions: { asker in
            [
                ProviderQuestion(
                    request: ProviderRequest(asking: "/v3/scopes", headers: [asker.bearer]),
                    reading: { answer in
                        guard let scopes = answer["scopes"]?.arrayValue else { return nil }
                        return scopes.contains("mail.send")
                            ? [] : [.refusesSecret("the key does not have the permission Mail Send")]
                    }),
                ProviderQuestion(
                    request: ProviderRequest(asking: "/v3/whitelabel/domains?limit=50", headers: [asker.bearer]),
                    rules: [.init(statuses: 403...403, meaning: .known)],
                    reading: { answer in
                        guard let domains = answer.arrayValue else { return nil }
                        return asker.facts(
                            of: domains.map { domain in
                                .init(
                                    name: domain["domain"]?.stringValue, isVerified: domain["valid"]?.boolValue == true,
                                    state: nil)
                            }, isWhole: domains.count < 50, knowsAddresses: true)
                    }),
                ProviderQuestion(
                    request: ProviderRequest(asking: "/v3/tracking_settings/click", headers: [asker.bearer]),
                    rules: [.init(statuses: 403...403, meaning: .known)],
                    reading: { answer in
                        guard let isOn = answer["enabled"]?.boolValue else { return nil }
                        return isOn ? [.tracks("links are tracked by the account, though each email asks not to")] : []
                    }),
            ]
        }),
        events: MailEvents(
            keyName: "the verification key of the signed event webhook", verify: verifySendGrid,
            read: { $0.elements.compactMap(sendGridEvent) }))

    /// SendGrid tries for a day.
    private static let longestSignature: Int64 = 26 * 3_600

    /// ECDSA of the P-256 curve over the time and the body.
    private static let verifySendGrid: MailEvents.Verify = { request, key, _ in
        let field = "x-twilio-email-event-webhook"
        guard let time = request.headers["\(field)-timestamp"],
            let signature = request.headers["\(field)-signature"].flatMap({ Data(base64Encoded: $0) }),
            let key = Data(base64Encoded: key).flatMap({ try? P256.Signing.PublicKey(derRepresentation: $0) }),
            let signature = try? P256.Signing.ECDSASignature(derRepresentation: signature),
            key.isValidSignature(signature, for: Data(time.utf8) + request.body), let signedAt = Moment(reading: time)
        else { return .forged }
        guard request.isRecent(signedAt, past: longestSignature) else { return .old }
        return request.json.map { .genuine($0) } ?? .unreadable
    }

    private static func sendGridEvent(_ event: JSON) -> MailEvent? {
        let reason = event.text("reason") ?? ""
        let kind: MailEvent.Kind
        switch event.text("event") {
        case "delivered"?: kind = .delivered
        case "deferred"?: kind = .deferred
        case "bounce"?: kind = event.text("type") == "blocked" ? .softBounce : .hardBounce
        case "spamreport"?: kind = .complained
        // Of an address on its list, else for the form of the request.
        case "dropped"?: kind = ASCII.contains(reason, " Address") ? .suppressedThere : .ourFault
        default: return nil
        }
        return MailEvent(
            kind, mail: event.text(ProviderMail.idName),
            providerID: event.text("sg_message_id").map {
                String(Substring($0.utf8.prefix { $0 != UInt8(ascii: ".") }))
            },
            address: event.text("email"),
            words: [event.text("status"), reason.isEmpty ? event.text("response") : reason].line,
            at: event.moment("timestamp"))
    }
}
