// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingWire

extension MailProvider {
    /// Resend. It builds its own message, with its own Message-ID and Date. Tracking is a setting of a domain there, off
    /// by default, and has no switch in a request. A mail with the same key is taken once within 24 hours.
    static let resend = MailProvider(
        scheme: "resend", name: "Resend", form: "resend:", secretName: "API key", keepsOurBytes: false,
        endpoint: { _ in "https://api.resend.com" },
        request: { mail in
            let letter = LetterFields(mail)
            return ProviderRequest(
                path: "/emails", headers: [mail.bearer, ("Idempotency-Key", mail.id)],
                json: [
                    ("from", .string(letter.from.text)), ("to", [.string(letter.to)]),
                    ("reply_to", letter.replyTo.map { [.string($0)] }), ("subject", .string(letter.subject)),
                    ("text", .string(letter.text)), ("html", .string(letter.html)),
                    ("headers", letter.headersByName),
                    ("tags", [["name": .string(ProviderMail.idName), "value": .string(mail.id)]]),
                    (
                        "attachments",
                        letter.logo.map { logo in
                            [
                                [
                                    "content": .string(logo), "filename": .string(LetterFields.logoName),
                                    "content_type": "image/png", "content_id": .string(LetterFields.logoID),
                                ]
                            ]
                        }
                    ),
                ])
        },
        acceptedID: { $0.id(at: "id") },
        answers: [
            AnswerRule(
                statuses: 429...429, words: ["\"daily_quota_exceeded\"", "\"monthly_quota_exceeded\""],
                meaning: .throttled(seconds: 3_600)),
            AnswerRule(statuses: 429...429, meaning: .throttled(seconds: 1)),
            // The key's mail went, with other words; else it is under way.
            AnswerRule(statuses: 409...409, words: ["\"invalid_idempotent_request\""], meaning: .alreadyTaken),
            AnswerRule(statuses: 409...409, meaning: .temporary),
            AnswerRule(
                statuses: 400...422,
                words: [
                    "API key is invalid", "domain is not verified", "\"invalid_api_key\"", "\"invalid_from_address\"",
                ], meaning: .configuration),
        ],
        inquiry: MailInquiry(questions: { asker in
            [
                ProviderQuestion(
                    request: ProviderRequest(asking: "/domains?limit=100", headers: [asker.bearer]),
                    rules: [
                        .init(statuses: 401...401, words: ["\"restricted_api_key\""], meaning: .known),
                        .init(
                            statuses: 400...403, words: ["API key is invalid", "\"invalid_api_key\""],
                            meaning: .refused),
                    ],
                    reading: { answer in
                        guard let domains = answer["data"]?.arrayValue else { return nil }
                        let tracked = domains.filter { asker.isOfSender($0["name"]?.stringValue) }
                        let facts = asker.facts(
                            of: domains.map { domain in
                                let state = domain["status"]?.stringValue
                                return .init(
                                    name: domain["name"]?.stringValue, isVerified: state == "verified", state: state)
                            }, isWhole: answer["has_more"]?.boolValue != true, knowsAddresses: false)
                        return facts
                            + [("click_tracking", "links"), ("open_tracking", "openings")].compactMap { name, what in
                                tracked.contains { $0[name]?.boolValue == true }
                                    ? .tracks("\(what) are tracked for the domain") : nil
                            }
                    })
            ]
        }),
        events: MailEvents(
            keyName: "the webhook's signing secret, whsec_…", verify: MailEvents.standardWebhooks,
            read: { resendEvent($0).map { [$0] } ?? [] }))

    private static func resendEvent(_ event: JSON) -> MailEvent? {
        let bounce = event.at("data", "bounce")
        let kind: MailEvent.Kind
        switch event.text("type") {
        case "email.delivered"?: kind = .delivered
        case "email.delivery_delayed"?: kind = .deferred
        case "email.bounced"? where bounce?.text("subType") == "Suppressed": kind = .suppressedThere
        case "email.bounced"?: kind = bounce?.text("type") == "Permanent" ? .hardBounce : .softBounce
        case "email.complained"?: kind = .complained
        case "email.suppressed"?: kind = .suppressedThere
        case "email.failed"?: kind = .ourFault
        default: return nil
        }
        // A map here, and a list where a mail is sent.
        let tags = event.at("data", "tags")
        let tag = tags?.arrayValue?.first { $0.text("name") == ProviderMail.idName }
        let said = bounce?.text("diagnosticCode") ?? bounce?.text("diagnosticCode", "0") ?? bounce?.text("message")
        return MailEvent(
            kind, mail: tags?.text(ProviderMail.idName) ?? tag?.text("value"),
            providerID: event.text("data", "email_id"),
            address: event.text("data", "to", "0"), words: said ?? event.text("data", "failed", "reason") ?? "",
            at: event.moment("created_at"))
    }
}
