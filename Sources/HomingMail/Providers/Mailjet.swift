// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingWire

extension MailProvider {
    /// Mailjet, version 3.1 of its API. It builds its own message, with its own Message-ID. Tracking is off for each
    /// mail, and so is its template language.
    static let mailjet = MailProvider(
        scheme: "mailjet", name: "Mailjet", form: "mailjet://KEYID", secretName: "secret key", placeName: "API key",
        keepsOurBytes: false,
        endpoint: { _ in "https://api.mailjet.com" },
        request: { mail in
            let letter = LetterFields(mail)
            let message = JSON.object([
                ("From", letter.from.json("Email", "Name")), ("To", [["Email": .string(letter.to)]]),
                ("ReplyTo", letter.replyTo.map { ["Email": .string($0)] }), ("Subject", .string(letter.subject)),
                ("TextPart", .string(letter.text)), ("HTMLPart", .string(letter.html)),
                ("TemplateLanguage", false), ("CustomID", .string(mail.id)), ("Headers", letter.headersByName),
                ("TrackOpens", "disabled"), ("TrackClicks", "disabled"),
                (
                    "InlinedAttachments",
                    letter.logo.map { logo in
                        [
                            [
                                "ContentType": "image/png", "Filename": .string(LetterFields.logoName),
                                "ContentID": .string(LetterFields.logoID), "Base64Content": .string(logo),
                            ]
                        ]
                    }
                ),
            ])
            return ProviderRequest(
                path: "/v3.1/send", json: [("Messages", [message])],
                basic: (user: mail.url.place, password: mail.secret))
        },
        // The answer has an outcome for each message, whatever the status is.
        acceptedID: { answer in
            let outcome = answer.id(at: "Messages", "0", "Status")
            return outcome == "success" ? answer.id(at: "Messages", "0", "To", "0", "MessageID") : nil
        },
        answers: [
            AnswerRule(
                statuses: 200...400,
                // send-0008 is a sender that the account may not use.
                words: ["\"send-0008\""]
                    + [401, 403].flatMap { ["\"StatusCode\":\($0)", "\"StatusCode\": \($0)"] },
                meaning: .configuration),
            AnswerRule(
                statuses: 200...200, words: ["\"Status\":\"error\"", "\"Status\": \"error\""], meaning: .permanent),
            AnswerRule(statuses: 429...429, meaning: .throttled(seconds: 60)),
        ],
        inquiry: MailInquiry(questions: { asker in
            [
                ProviderQuestion(
                    request: ProviderRequest(
                        asking: "/v3/REST/sender?Limit=100",
                        basic: (user: asker.url.place, password: asker.secret)),
                    reading: { answer in
                        guard let senders = answer["Data"]?.arrayValue else { return nil }
                        // `*@shop.example` stands for the domain, another for itself alone.
                        let addresses = senders.compactMap { sender in
                            sender["Email"]?.stringValue.map {
                                (parts: ASCII.split($0, at: UInt8(ascii: "@")), state: sender["Status"]?.stringValue)
                            }
                        }
                        let isAddressKnown = addresses.contains { address, state in
                            state == "Active" && address.first != "*" && asker.isOfSender(address.last.map(String.init))
                        }
                        let total = answer["Total"]?.integerValue ?? Int64(senders.count)
                        return asker.facts(
                            of: addresses.filter { $0.parts.first == "*" }.map { address, state in
                                .init(name: address.last.map(String.init), isVerified: state == "Active", state: state)
                            }, isWhole: total <= senders.count && !isAddressKnown, knowsAddresses: true)
                    })
            ]
        }),
        events: MailEvents(
            keyName: "user:password of the URL", refusal: 401, verify: MailEvents.sharedSecret,
            read: { $0.elements.compactMap(mailjetEvent) }))

    private static func mailjetEvent(_ event: JSON) -> MailEvent? {
        let kind: MailEvent.Kind
        switch event.text("event") {
        case "sent"?: kind = .delivered
        case "greylisted"?: kind = .deferred
        case "bounce"?:
            let isHard = event.at("hard_bounce")?.boolValue == true || event.text("hard_bounce") == "1"
            kind = isHard ? .hardBounce : .softBounce
        case "blocked"?:
            // Of an address that has bounced before, else for what we sent.
            let isHeldBack =
                ["preblocked", "recipient"].contains { ASCII.contains(event.text("error_related_to") ?? "", $0) }
                || event.text("error") == "preblocked"
            kind = isHeldBack ? .suppressedThere : .ourFault
        case "spam"?: kind = .complained
        default: return nil
        }
        return MailEvent(
            kind, mail: event.text("CustomID"), providerID: event.text("MessageID"), address: event.text("email"),
            words: [
                event.text("error_related_to"), event.text("error"), event.text("comment") ?? event.text("smtp_reply"),
            ].line,
            at: event.moment("time"))
    }
}
