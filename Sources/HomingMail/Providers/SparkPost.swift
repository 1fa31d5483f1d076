// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingWire

extension MailProvider {
    /// SparkPost. It takes the message as it is, but adds a List-Unsubscribe of its own, and is taken to write its own
    /// Message-ID. Tracking is off for each mail, and so is the filling of `{{name}}` in bodies; those are disarmed all
    /// the same.
    static let sparkPost = MailProvider(
        scheme: "sparkpost", name: "SparkPost", form: "sparkpost:[?region=eu]", secretName: "API key",
        parameters: [Parameter(name: "region")], keepsOurBytes: false,
        endpoint: { url in
            switch url.parameters["region"] {
            case nil, "us": "https://api.sparkpost.com"
            case "eu": "https://api.eu.sparkpost.com"
            default: nil
            }
        },
        request: { mail in
            let message = String(decoding: mail.message(disarming: .braces), as: UTF8.self)
            return ProviderRequest(
                path: "/api/v1/transmissions", headers: [("Authorization", mail.secret)],
                json: [
                    (
                        "options",
                        [
                            "open_tracking": false, "click_tracking": false, "transactional": true,
                            "perform_substitutions": false,
                        ]
                    ),
                    ("metadata", .object([(ProviderMail.idName, .string(mail.id))])),
                    ("recipients", [["address": ["email": .string(HeaderText.address(mail.letter.to))]]]),
                    ("content", ["email_rfc822": .string(message)]),
                ])
        },
        acceptedID: { answer in
            let accepted = answer.json?.objectValue?["results"]?.objectValue?["total_accepted_recipients"]
            return accepted?.integerValue == 0 ? nil : answer.id(at: "results", "id")
        },
        answers: [
            AnswerRule(
                statuses: 200...200,
                words: ["\"total_accepted_recipients\":0", "\"total_accepted_recipients\": 0"], meaning: .permanent),
            AnswerRule(statuses: 420...420, meaning: .throttled(seconds: 3_600)),
            AnswerRule(statuses: 429...429, meaning: .throttled(seconds: 5)),
            AnswerRule(
                statuses: 400...422, words: ["\"7001\"", "Unconfigured Sending Domain"],
                meaning: .configuration),
        ],
        inquiry: MailInquiry(questions: { asker in
            guard let domain = asker.domain else {
                return [
                    ProviderQuestion(
                        request: ProviderRequest(
                            asking: "/api/v1/account", headers: [("Authorization", asker.secret)]),
                        reading: { $0["results"]?.objectValue == nil ? nil : [] })
                ]
            }
            return [
                ProviderQuestion(
                    request: ProviderRequest(
                        asking: "/api/v1/sending-domains/\(percentEncoded(domain))",
                        headers: [("Authorization", asker.secret)]),
                    rules: [
                        .init(
                            statuses: 404...404,
                            meaning: .tells([
                                .takesSecret, .senderNotVerified("\(domain) is no sending domain of the account"),
                            ]))
                    ],
                    reading: { answer in
                        guard let status = answer["results", "status"] else { return nil }
                        let isVerified = status["ownership_verified"]?.boolValue == true
                        if status["compliance_status"]?.stringValue == "blocked" {
                            return [.paused("SparkPost has blocked \(domain)")]
                        }
                        return [
                            isVerified
                                ? .senderVerified(domain)
                                : .senderNotVerified("\(domain) is not verified")
                        ]
                    })
            ]
        }),
        events: MailEvents(
            keyName: "user:password of the webhook's Basic auth", refusal: 401, verify: MailEvents.sharedSecret,
            read: { $0.elements.compactMap { $0.at("msys", "message_event").flatMap(sparkPostEvent) } }))

    private static func sparkPostEvent(_ event: JSON) -> MailEvent? {
        let kind: MailEvent.Kind
        switch event.text("type") {
        case "delivery"?: kind = .delivered
        case "delay"?: kind = .deferred
        // Invalid recipient, no such mailbox.
        case "bounce"?, "out_of_band"?:
            kind = ["10", "30"].contains(event.text("bounce_class")) ? .hardBounce : .softBounce
        case "spam_complaint"?: kind = .complained
        case "policy_rejection"?: kind = .suppressedThere
        case "generation_failure"?, "generation_rejection"?: kind = .ourFault
        default: return nil
        }
        return MailEvent(
            kind, mail: event.text("rcpt_meta", ProviderMail.idName), providerID: event.text("transmission_id"),
            address: event.text("raw_rcpt_to") ?? event.text("rcpt_to"),
            words: event.text("raw_reason") ?? event.text("reason") ?? "", at: event.moment("timestamp"))
    }
}
