// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingWire

extension MailProvider {
    /// Amazon SES, version 2 of its API. It takes the message as it is, but writes its own Message-ID and Date, so that
    /// a signature of ours over them would break. It fills nothing in a raw message.
    static let ses = MailProvider(
        scheme: "ses", name: "Amazon SES", form: "ses://KEYID@REGION", secretName: "secret access key",
        placeName: "region", userName: "access key id", keepsOurBytes: false,
        endpoint: { url in
            // Such as `eu-west-1`; it becomes a part of the host.
            let words = url.place.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
            let isRegion =
                words.count >= 3
                && words.allSatisfy { word in
                    !word.isEmpty && word.allSatisfy { ASCII.isLowercaseLetter($0) || ASCII.isDigit($0) }
                }
            return isRegion ? "https://email.\(url.place).amazonaws.com" : nil
        },
        request: { mail in
            let from = HeaderText.address(mail.letter.from.address)
            var request = ProviderRequest(
                path: "/v2/email/outbound-emails",
                json: [
                    ("FromEmailAddress", .string(from)),
                    ("Destination", ["ToAddresses": [.string(HeaderText.address(mail.letter.to))]]),
                    // Bounces are mailed to any address of a verified domain, so one that names its mail will do.
                    (
                        "FeedbackForwardingEmailAddress",
                        ASCII.areEqual(mail.sender, mail.letter.from.address) ? nil : .string(mail.sender)
                    ),
                    ("Content", ["Raw": ["Data": .string(mail.messageInBase64)]]),
                    ("EmailTags", [["Name": .string(ProviderMail.idName), "Value": .string(mail.id)]]),
                    (
                        "ConfigurationOverrides",
                        ["Tracking": ["OpenTrackingEnabled": "DISABLED", "ClickTrackingEnabled": "DISABLED"]]
                    ),
                ])
            request.awsSignature = (region: mail.url.place, service: "ses")
            return request
        },
        acceptedID: { $0.id(at: "MessageId") },
        answers: [
            AnswerRule(
                statuses: 400...499, words: ["Daily message quota exceeded"], meaning: .throttled(seconds: 3_600)),
            AnswerRule(
                statuses: 400...400, words: ["Maximum sending rate exceeded", "Rate exceeded"],
                meaning: .throttled(seconds: 1)),
            AnswerRule(statuses: 429...429, meaning: .throttled(seconds: 1)),
            AnswerRule(
                statuses: 400...400,
                words: [
                    "not verified", "isn't verified", "Sending suspended", "Sending paused", "sending is disabled",
                ], meaning: .configuration),
        ],
        inquiry: MailInquiry(questions: { asker in
            func question(
                _ path: String, _ rules: [ProviderQuestion.Rule] = [],
                _ reading: @escaping @Sendable (JSON) -> [ProviderFact]?
            ) -> ProviderQuestion {
                var request = ProviderRequest(asking: path)
                request.awsSignature = (region: asker.url.place, service: "ses")
                // What it says of an access key whose secret is right.
                let known = ProviderQuestion.Rule(
                    statuses: 400...403, words: ["is not authorized to perform", "AccessDenied"], meaning: .known)
                return ProviderQuestion(
                    request: request, rules: rules + [known, .init(statuses: 403...403, meaning: .refused)],
                    reading: reading)
            }
            let account = question("/v2/email/account") { answer in
                guard let mayMailAll = answer["ProductionAccessEnabled"]?.boolValue else { return nil }
                var facts: [ProviderFact] = []
                if answer["SendingEnabled"]?.boolValue == false { facts.append(.paused("sending is off")) }
                if answer["EnforcementStatus"]?.stringValue == "SHUTDOWN" {
                    facts.append(.paused("Amazon has stopped the account"))
                }
                if !mayMailAll { facts.append(.sandbox("emails reach addresses alone that are verified there")) }
                return facts
            }
            guard let domain = asker.domain else { return [account] }
            let identity = question(
                "/v2/email/identities/\(percentEncoded(domain))",
                [
                    // An address, or a domain above, may have been verified instead.
                    .init(
                        statuses: 404...404,
                        meaning: .tells([.senderUnknown("\(domain) is no identity of the account in this region")]))
                ]
            ) { answer in
                guard let isVerified = answer["VerifiedForSendingStatus"]?.boolValue else { return nil }
                let state = answer["DkimAttributes", "Status"]?.stringValue ?? "unknown"
                return [
                    isVerified
                        ? .senderVerified(domain)
                        : .senderNotVerified(
                            "\(domain) is not verified (DKIM \(Printable.ascii(state, atMost: 40)))")
                ]
            }
            return [account, identity]
        }),
        events: MailEvents(
            keyName: "the ARN of the topic", verify: SNSNotice.verify(.amazon), read: sesEvents))

    /// What SES publishes to a topic, one for each recipient; events of a configuration set, and an identity's feedback.
    private static func sesEvents(_ notice: JSON) -> [MailEvent] {
        let type = notice.text("eventType") ?? notice.text("notificationType")
        let headers = notice.at("mail", "headers")?.arrayValue ?? []
        let header = headers.first { $0.text("name").map { ASCII.lowercased($0) } == "x-homing-mail" }
        let mail = notice.text("mail", "tags", ProviderMail.idName, "0") ?? header?.text("value")
        func events(_ kind: MailEvent.Kind, _ part: String, _ recipients: JSON?, _ words: String = "") -> [MailEvent] {
            (recipients?.arrayValue ?? []).map { recipient in
                let said = recipient.text("diagnosticCode")
                // The status of an address that nothing leads to is final, whatever SES calls it.
                let leadsNowhere = recipient.text("status") == "5.4.4" && kind == .softBounce
                return MailEvent(
                    leadsNowhere ? .hardBounce : kind, mail: mail, providerID: notice.text("mail", "messageId"),
                    address: recipient.stringValue ?? recipient.text("emailAddress"),
                    words: [recipient.text("status"), said ?? (words.isEmpty ? nil : words)].line,
                    at: notice.moment(part, "timestamp"))
            }
        }
        let detail = notice.text("bounce", "bounceSubType") ?? notice.text("complaint", "complaintSubType")
        let isHeldBack = ["Suppressed", "OnAccountSuppressionList"].contains(detail)
        switch type {
        case "Delivery"?: return events(.delivered, "delivery", notice.at("delivery", "recipients"))
        case "DeliveryDelay"?:
            return events(
                .deferred, "deliveryDelay", notice.at("deliveryDelay", "delayedRecipients"),
                notice.text("deliveryDelay", "delayType") ?? "")
        case "Bounce"?:
            let isFinal = notice.text("bounce", "bounceType") == "Permanent"
            return events(
                isHeldBack ? .suppressedThere : isFinal ? .hardBounce : .softBounce, "bounce",
                notice.at("bounce", "bouncedRecipients"), detail ?? "")
        case "Complaint"?:
            return events(
                isHeldBack ? .suppressedThere : .complained, "complaint", notice.at("complaint", "complainedRecipients")
            )
        case "Reject"?, "Rendering Failure"?:
            return events(
                .ourFault, "mail", notice.at("mail", "destination"), notice.text("reject", "reason") ?? "")
        default: return []
        }
    }
}
