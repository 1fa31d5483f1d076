// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingWire

extension MailProvider {
    /// Postmark. It builds its own message with its own Date, and keeps our Message-ID. Tracking is off for each mail; a
    /// server there that is set to track always does so all the same. It fills nothing in outside its templates.
    static let postmark = MailProvider(
        scheme: "postmark", name: "Postmark", form: "postmark:", secretName: "server token", keepsOurBytes: false,
        endpoint: { _ in "https://api.postmarkapp.com" },
        request: { mail in
            var letter = LetterFields(mail)
            letter.headers += [
                ("Message-ID", "<\(HeaderText.address(mail.letter.messageID))>"), ("X-PM-KeepID", "true"),
            ]
            return ProviderRequest(
                path: "/email",
                headers: [("X-Postmark-Server-Token", mail.secret), ("Accept", "application/json")],
                json: [
                    ("From", .string(letter.from.text)), ("To", .string(letter.to)),
                    ("ReplyTo", letter.replyTo.map { .string($0) }), ("Subject", .string(letter.subject)),
                    ("TextBody", .string(letter.text)), ("HtmlBody", .string(letter.html)),
                    ("Headers", letter.headerList("Name", "Value")),
                    ("Metadata", .object([(ProviderMail.idName, .string(mail.id))])),
                    ("MessageStream", "outbound"), ("TrackOpens", false), ("TrackLinks", "None"),
                    (
                        "Attachments",
                        letter.logo.map { logo in
                            [
                                [
                                    "Name": .string(LetterFields.logoName), "Content": .string(logo),
                                    "ContentType": "image/png", "ContentID": .string("cid:\(LetterFields.logoID)"),
                                ]
                            ]
                        }
                    ),
                ])
        },
        // A 200 may have a fault inside.
        acceptedID: { answer in
            let code = answer.json?.objectValue?["ErrorCode"]?.integerValue ?? 0
            return code == 0 ? answer.id(at: "MessageID") : nil
        },
        answers: [
            AnswerRule(
                statuses: 200...422, words: codes(10, 400, 401, 405, 412, 413), meaning: .configuration),
            AnswerRule(
                statuses: 200...422, words: ["Invalid 'From'", "Error parsing 'From'"], meaning: .configuration),
            AnswerRule(statuses: 200...422, words: codes(300, 406, 411), meaning: .permanent),
            AnswerRule(statuses: 200...422, words: codes(100, 429), meaning: .throttled(seconds: 60)),
            AnswerRule(statuses: 429...429, meaning: .throttled(seconds: 10)),
        ],
        inquiry: MailInquiry(questions: { asker in
            [
                ProviderQuestion(
                    request: ProviderRequest(
                        asking: "/server", headers: [("X-Postmark-Server-Token", asker.secret)]),
                    reading: { answer in
                        guard answer["ID"]?.integerValue != nil else { return nil }
                        var facts: [ProviderFact] = []
                        if answer["DeliveryType"]?.stringValue == "Sandbox" {
                            facts.append(.sandbox("the server is a sandbox, and delivers nothing"))
                        }
                        if let links = answer["TrackLinks"]?.stringValue, links != "None" {
                            facts.append(.tracks("links are tracked by the server"))
                        }
                        if answer["TrackOpens"]?.boolValue == true {
                            facts.append(.tracks("openings are tracked by the server"))
                        }
                        return facts
                    })
            ]
        }),
        events: MailEvents(
            keyName: "user:password of the webhook's Basic auth", refusal: 401, verify: MailEvents.sharedSecret,
            read: { postmarkEvent($0).map { [$0] } ?? [] }))

    private static func postmarkEvent(_ event: JSON) -> MailEvent? {
        let kind: MailEvent.Kind
        switch (event.text("RecordType"), event.text("Type")) {
        case ("Delivery"?, _): kind = .delivered
        case ("SpamComplaint"?, _), ("Bounce"?, "SpamComplaint"?): kind = .complained
        case ("Bounce"?, "Transient"?), ("Bounce"?, "DnsError"?): kind = .deferred
        case ("Bounce"?, "HardBounce"?), ("Bounce"?, "BadEmailAddress"?): kind = .hardBounce
        case ("Bounce"?, "SoftBounce"?), ("Bounce"?, "Blocked"?), ("Bounce"?, "DMARCPolicy"?),
            ("Bounce"?, "SpamNotification"?), ("Bounce"?, "VirusNotification"?):
            kind = .softBounce
        case ("Bounce"?, "ManuallyDeactivated"?): kind = .suppressedThere
        case ("Bounce"?, "SMTPApiError"?), ("Bounce"?, "TemplateRenderingFailed"?): kind = .ourFault
        default: return nil
        }
        return MailEvent(
            kind, mail: event.text("Metadata", ProviderMail.idName), providerID: event.text("MessageID"),
            address: event.text("Email") ?? event.text("Recipient"),
            words: event.text("Details") ?? event.text("Description") ?? "",
            at: event.moment("DeliveredAt") ?? event.moment("BouncedAt"))
    }

    /// The spellings of Postmark's own codes in its answers.
    private static func codes(_ codes: Int...) -> [String] {
        codes.flatMap { ["\"ErrorCode\":\($0),", "\"ErrorCode\": \($0),"] }
    }
}
