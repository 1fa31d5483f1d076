// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import Crypto
import HomingCore
import HomingStore
import HomingWire

extension MailProvider {
    /// Mailgun. It takes the message as it is, with our Message-ID and Date, so that a signature of ours stays valid.
    /// Tracking is off for each mail. It would fill `%recipient.name%` in any body.
    static let mailgun = MailProvider(
        scheme: "mailgun", name: "Mailgun", form: "mailgun://DOMAIN[?region=eu]", secretName: "API key",
        placeName: "domain", parameters: [Parameter(name: "region")], keepsOurBytes: true,
        endpoint: { url in
            switch url.parameters["region"] {
            case nil, "us": "https://api.mailgun.net"
            case "eu": "https://api.eu.mailgun.net"
            default: nil
            }
        },
        request: { mail in
            // Who writes a letter does not know its id, so none can end its part.
            let boundary = "homing-\(mail.id)"
            let fields = [
                ("to", HeaderText.address(mail.letter.to)), ("o:tracking", "no"), ("o:tracking-clicks", "no"),
                ("o:tracking-opens", "no"), ("v:\(ProviderMail.idName)", mail.id),
            ]
            var body: [UInt8] = []
            for (name, value) in fields {
                body += "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(value)\r\n".utf8
            }
            body += "--\(boundary)\r\nContent-Disposition: form-data; name=\"message\"; ".utf8
            body += "filename=\"message.mime\"\r\nContent-Type: message/rfc822\r\n\r\n".utf8
            body += mail.message(disarming: .percentWords)
            body += "\r\n--\(boundary)--\r\n".utf8
            return ProviderRequest(
                path: "/v3/\(percentEncoded(mail.url.place))/messages.mime",
                contentType: "multipart/form-data; boundary=\(boundary)", body: body,
                basic: (user: "api", password: mail.secret))
        },
        acceptedID: { $0.id(at: "id") },
        answers: [
            // What another path of Mailgun's says, with which nothing was sent.
            AnswerRule(statuses: 200...200, words: ["Mailgun Magnificent API"], meaning: .configuration),
            AnswerRule(statuses: 429...429, meaning: .throttled(seconds: 60)),
        ],
        inquiry: MailInquiry(questions: { asker in
            let domain = asker.url.place
            return [
                ProviderQuestion(
                    request: ProviderRequest(
                        asking: "/v4/domains/\(percentEncoded(domain))",
                        basic: (user: "api", password: asker.secret)),
                    rules: [
                        // A sending key is refused as a wrong one is.
                        .init(statuses: 401...403, meaning: .mayNotAsk),
                        .init(
                            statuses: 404...404,
                            meaning: .tells([
                                .senderNotVerified("\(domain) is no domain of the account in this region")
                            ])),
                    ],
                    reading: { answer in
                        switch answer["domain", "state"]?.stringValue {
                        case "active": [.senderVerified(domain)]
                        case "disabled": [.paused("\(domain) is disabled")]
                        case "unverified": [.senderNotVerified("\(domain) is not verified")]
                        default: nil
                        }
                    })
            ]
        }),
        events: MailEvents(
            keyName: "the HTTP webhook signing key", verify: verifyMailgun,
            read: { mailgunEvent($0).map { [$0] } ?? [] }))

    /// How long a signature may be shown after it was made: Mailgun tries for eight hours.
    private static let longestSignature: Int64 = 12 * 3_600

    /// The code covers a time and a token, and not the event. So a token is taken once, for the one event beside it,
    /// which has to be about as old.
    private static let verifyMailgun: MailEvents.Verify = { request, key, _ in
        let signature = request.json?.at("signature")
        guard let time = signature?.text("timestamp"), let token = signature?.text("token"),
            let code = signature?.text("signature").flatMap({ Hexadecimal.decode(Array($0.utf8)) }),
            MailEvents.isCode(code, of: Array("\(time)\(token)".utf8), key), let signedAt = Moment(reading: time)
        else { return .forged }
        guard request.isRecent(signedAt, past: longestSignature) else { return .old }
        guard let event = request.json?.at("event-data"), event.objectValue != nil else { return .unreadable }
        if let at = event.moment("timestamp"), !request.isRecent(at, past: 2 * longestSignature) { return .old }
        return .genuine(event, once: Hexadecimal.encode(SHA256.hash(data: Array("\(time) \(token)".utf8))))
    }

    private static func mailgunEvent(_ event: JSON) -> MailEvent? {
        let kind: MailEvent.Kind
        let reason = event.text("reason") ?? ""
        switch event.text("event") {
        case "delivered"?: kind = .delivered
        case "failed"? where event.text("severity") == "temporary": kind = .deferred
        case "failed"? where reason.utf8.starts(with: "suppress-".utf8): kind = .suppressedThere
        // Given up after days.
        case "failed"? where reason == "old": kind = .softBounce
        case "failed"?: kind = .hardBounce
        case "complained"?: kind = .complained
        case "rejected"?: kind = .ourFault
        default: return nil
        }
        let status = event.at("delivery-status")
        let said = status?.text("message") ?? status?.text("description") ?? event.text("reject", "reason")
        return MailEvent(
            kind, mail: event.text("user-variables", ProviderMail.idName),
            providerID: event.text("message", "headers", "message-id").map { "<\($0)>" },
            address: event.text("recipient"), words: [status?.text("enhanced-code"), said].line,
            at: event.moment("timestamp"))
    }
}
