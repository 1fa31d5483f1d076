// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingWire

extension MailProvider {
    /// Scaleway's Transactional Email. It builds its own message, with its own Message-ID. It tracks nothing and fills
    /// nothing in.
    ///
    /// It knows no content ids: a project's logo is left out of the HTML. It keeps nothing beside a mail, so that the
    /// outbox's id is in the header alone.
    static let scaleway = MailProvider(
        scheme: "scaleway", name: "Scaleway", form: "scaleway://PROJECT?region=R", secretName: "secret key",
        placeName: "project", parameters: [Parameter(name: "region", isRequired: true)], keepsOurBytes: false,
        endpoint: { url in url.parameters["region"].flatMap(regions.contains) == true ? "https://api.scaleway.com" : nil
        },
        request: { mail in
            var letter = LetterFields(mail, withLogo: false)
            if let replyTo = letter.replyTo { letter.headers.append(("Reply-To", replyTo)) }
            return ProviderRequest(
                path: "/transactional-email/v1alpha1/regions/\(mail.url.parameters["region"] ?? "")/emails",
                headers: [("X-Auth-Token", mail.secret)],
                json: [
                    ("project_id", .string(mail.url.place)), ("from", letter.from.json()),
                    ("to", [["email": .string(letter.to)]]), ("subject", .string(letter.subject)),
                    ("text", .string(letter.text)), ("html", .string(letter.html)),
                    ("additional_headers", letter.headerList("key", "value")),
                ])
        },
        acceptedID: { $0.id(at: "emails", "0", "id") },
        answers: [
            AnswerRule(statuses: 429...429, meaning: .throttled(seconds: 60))
        ],
        inquiry: MailInquiry(questions: { asker in
            let region = asker.url.parameters["region"] ?? ""
            let query = "project_id=\(percentEncoded(asker.url.place))&page_size=100"
            return [
                ProviderQuestion(
                    request: ProviderRequest(
                        asking: "/transactional-email/v1alpha1/regions/\(region)/domains?\(query)",
                        headers: [("X-Auth-Token", asker.secret)]),
                    reading: { answer in
                        guard let domains = answer["domains"]?.arrayValue else { return nil }
                        let total = answer["total_count"]?.integerValue ?? 0
                        return asker.facts(
                            of: domains.map { domain in
                                let state = domain["status"]?.stringValue
                                return .init(
                                    name: domain["name"]?.stringValue, isVerified: state == "checked", state: state)
                            }, isWhole: total <= domains.count, knowsAddresses: false)
                    })
            ]
        }),
        events: MailEvents(
            keyName: "the ARN of the topic", verify: SNSNotice.verify(.scaleway),
            read: { scalewayEvent($0).map { [$0] } ?? [] }))

    /// It tells its own id alone.
    private static func scalewayEvent(_ event: JSON) -> MailEvent? {
        let kinds: [String: MailEvent.Kind] = [
            "email_delivered": .delivered, "email_deferred": .deferred, "email_mailbox_not_found": .hardBounce,
            "email_dropped": .hardBounce, "email_spam": .softBounce, "email_blocklisted": .suppressedThere,
        ]
        guard let kind = event.text("type").flatMap({ kinds[$0] }) else { return nil }
        return MailEvent(
            kind, mail: nil, providerID: event.text("email_id"), address: event.text("email_to"),
            words: event.text("email_response_message") ?? event.text("email_error") ?? "",
            at: event.moment("created_at"))
    }

    private static let regions = ["fr-par"]
}
