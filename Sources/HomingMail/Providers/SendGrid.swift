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
        ])
}
