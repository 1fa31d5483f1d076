// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

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
                        return isOn ? [.tracks("links are tracked by the account, though each mail asks not to")] : []
                    }),
            ]
        }))
}
