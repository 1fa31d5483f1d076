// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingWire

extension MailProvider {
    /// MailerSend. It builds its own message, with its own Message-ID. Tracking is off for each mail. It fills `{{name}}`
    /// in any body.
    ///
    /// Only its largest plans take headers, and refuse the mail of another that has some: the outbox's id is a tag, and
    /// in no header.
    static let mailerSend = MailProvider(
        scheme: "mailersend", name: "MailerSend", form: "mailersend:", secretName: "API token", keepsOurBytes: false,
        endpoint: { _ in "https://api.mailersend.com" },
        request: { mail in
            let letter = LetterFields(mail)
            return ProviderRequest(
                path: "/v1/email", headers: [mail.bearer, ("Accept", "application/json")],
                json: [
                    ("from", letter.from.json()), ("to", [["email": .string(letter.to)]]),
                    ("reply_to", letter.replyTo.map { ["email": .string($0)] }),
                    ("subject", .string(letter.subject)), ("text", .string(letter.text)),
                    ("html", .string(letter.html)), ("tags", [.string(mail.id)]),
                    ("settings", ["track_clicks": false, "track_opens": false, "track_content": false]),
                    (
                        "attachments",
                        letter.logo.map { logo in
                            [
                                [
                                    "content": .string(logo), "disposition": "inline",
                                    "filename": .string(LetterFields.logoName), "id": .string(LetterFields.logoID),
                                ]
                            ]
                        }
                    ),
                ])
        },
        acceptedID: { answer in
            // With this warning it was taken and goes to nobody.
            let warnings = answer.json?.objectValue?["warnings"]?.arrayValue ?? []
            let isSuppressed = warnings.contains { $0.objectValue?["type"] == "ALL_SUPPRESSED" }
            return answer.status == 202 && !isSuppressed ? answer.id(inHeader: "x-message-id") : nil
        },
        answers: [
            AnswerRule(statuses: 202...202, words: ["\"ALL_SUPPRESSED\""], meaning: .permanent),
            AnswerRule(statuses: 422...422, words: codes("MS42204", "MS42207"), meaning: .configuration),
            AnswerRule(statuses: 429...429, words: codes("MS42901"), meaning: .throttled(seconds: 3_600)),
            AnswerRule(statuses: 429...429, meaning: .throttled(seconds: 60)),
        ],
        inquiry: MailInquiry(questions: { asker in
            [
                ProviderQuestion(
                    request: ProviderRequest(asking: "/v1/domains?limit=25", headers: [asker.bearer]),
                    reading: { answer in
                        guard let domains = answer["data"]?.arrayValue else { return nil }
                        let isPaused = domains.contains { domain in
                            domain["domain_settings", "send_paused"]?.boolValue == true
                                && asker.isOfSender(domain["name"]?.stringValue)
                        }
                        return asker.facts(
                            of: domains.map { domain in
                                .init(
                                    name: domain["name"]?.stringValue,
                                    isVerified: domain["is_verified"]?.boolValue == true, state: nil)
                            }, isWhole: domains.count < 25, knowsAddresses: false)
                            + (isPaused ? [.paused("sending is paused for the domain")] : [])
                    })
            ]
        }),
        events: MailEvents(
            keyName: "the webhook's signing secret", verify: MailEvents.hexadecimalCode(in: "signature"),
            read: { mailerSendEvent($0).map { [$0] } ?? [] }))

    private static func mailerSendEvent(_ event: JSON) -> MailEvent? {
        let kinds: [String: MailEvent.Kind] = [
            "delivered": .delivered, "deferred": .deferred, "hard_bounced": .hardBounce, "soft_bounced": .softBounce,
            "spam_complaint": .complained,
        ]
        guard let kind = event.text("data", "type").flatMap({ kinds[$0] }) else { return nil }
        let morph = event.at("data", "morph")
        return MailEvent(
            kind, mail: event.text("data", "email", "tags", "0"),
            providerID: event.text("data", "email", "message", "id"),
            address: event.text("data", "email", "recipient", "email"),
            words: morph?.text("reason") ?? morph?.text("readable_reason") ?? "",
            at: event.moment("data", "created_at") ?? event.moment("created_at"))
    }

    /// MailerSend's own codes as they end a sentence of its answers.
    private static func codes(_ codes: String...) -> [String] { codes.flatMap { ["#\($0)\"", "#\($0) "] } }
}
