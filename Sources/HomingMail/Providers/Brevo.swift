// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingWire

extension MailProvider {
    /// Brevo. It builds its own message, with its own Message-ID and Date. Tracking is a setting of the account there,
    /// which its support switches off, and has no switch in a request. A mail with the same key is taken once within 15
    /// minutes. It fills `{{ contact.NAME }}` in any body.
    ///
    /// It knows no content ids: a project's logo is left out of the HTML. Of headers it takes only those that no
    /// standard names, and in ASCII.
    static let brevo = MailProvider(
        scheme: "brevo", name: "Brevo", form: "brevo:", secretName: "API key", keepsOurBytes: false,
        endpoint: { _ in "https://api.brevo.com" },
        request: { mail in
            let letter = LetterFields(mail, withLogo: false)
            // A longer name would stop the mail.
            let name = letter.from.name.map { String($0.unicodeScalars.prefix(longestName)) }
            return ProviderRequest(
                path: "/v3/smtp/email", headers: [("api-key", mail.secret), ("Accept", "application/json")],
                json: [
                    ("sender", LetterFields.Mailbox(address: letter.from.address, name: name).json()),
                    ("to", [["email": .string(letter.to)]]),
                    ("replyTo", letter.replyTo.map { ["email": .string($0)] }),
                    ("subject", .string(letter.subject)), ("htmlContent", .string(letter.html)),
                    ("textContent", .string(letter.text)),
                    (
                        "headers",
                        [
                            "X-Homing-Mail": .string(mail.id), "X-Mailin-custom": .string(mail.id),
                            "idempotencyKey": .string(mail.id),
                        ]
                    ),
                ])
        },
        acceptedID: { $0.id(at: "messageId") },
        answers: [
            // What it says of a key that it knows.
            AnswerRule(statuses: 400...409, words: ["\"duplicate_parameter\""], meaning: .alreadyTaken),
            // Out of credits.
            AnswerRule(statuses: 402...402, meaning: .configuration),
            AnswerRule(
                statuses: 400...400,
                words: [
                    "sender you used", "sender is not valid", "\"not_enough_credits\"", "\"unauthorized\"",
                ], meaning: .configuration),
            AnswerRule(statuses: 429...429, meaning: .throttled(seconds: 10)),
        ],
        inquiry: MailInquiry(questions: { asker in
            let headers = [("api-key", asker.secret)]
            return [
                ProviderQuestion(
                    request: ProviderRequest(asking: "/v3/account", headers: headers),
                    reading: { $0["email"]?.stringValue == nil ? nil : [] }),
                ProviderQuestion(
                    request: ProviderRequest(asking: "/v3/senders/domains", headers: headers),
                    reading: { answer in
                        guard let domains = answer["domains"]?.arrayValue else { return nil }
                        return asker.facts(
                            of: domains.map { domain in
                                .init(
                                    name: domain["domain_name"]?.stringValue,
                                    isVerified: domain["authenticated"]?.boolValue == true, state: "not authenticated")
                            }, isWhole: true, knowsAddresses: true)
                    }),
            ]
        }),
        events: MailEvents(
            keyName: "user:password, a token, or Name: value of a header", refusal: 401,
            verify: MailEvents.sharedSecret, read: { $0.elements.compactMap(brevoEvent) }))

    private static func brevoEvent(_ event: JSON) -> MailEvent? {
        let kinds: [String: MailEvent.Kind] = [
            "delivered": .delivered, "deferred": .deferred, "hard_bounce": .hardBounce, "invalid_email": .hardBounce,
            "soft_bounce": .softBounce, "spam": .complained, "complaint": .complained, "blocked": .suppressedThere,
            "error": .ourFault,
        ]
        guard let kind = event.text("event").flatMap({ kinds[$0] }) else { return nil }
        // Its other times are in zones that it does not name.
        return MailEvent(
            kind, mail: event.text("X-Mailin-custom"), providerID: event.text("message-id"),
            address: event.text("email"), words: event.text("reason") ?? "", at: event.moment("ts_epoch"))
    }

    /// The longest name of a sender, in characters.
    private static let longestName = 70
}
