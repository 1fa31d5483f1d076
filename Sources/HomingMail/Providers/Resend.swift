// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

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
        }))
}
