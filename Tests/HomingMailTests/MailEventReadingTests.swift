// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingMail
import HomingStore
import Testing

/// What providers tell of mails, in the forms of their documents.
@Suite struct `The events of a provider` {
    private static let mail = "0tq7Kp2Wc9XmB4vRz6LnDy"
    private static let ann = "ann@home.example"

    struct Row: Sendable, CustomTestStringConvertible {
        let scheme: String
        let kind: MailEvent.Kind
        var words = ""
        /// Of the event, in seconds since 1970.
        var at: Int64? = 1_789_999_990
        var mail: String? = `The events of a provider`.mail
        var providerID: String?
        let body: String

        var testDescription: String { "\(scheme) \(kind) \(words)" }
    }

    private static let sesMail =
        #""mail":{"messageId":"0102-1","destination":["\#(ann)"],"timestamp":"2026-09-21T13:46:00Z","tags":{"homing":["\#(mail)"],"ses:operation":["SendRawEmail"]}}"#
    private static let time = "2026-09-21T14:13:10.000Z"

    private static func ses(_ kind: MailEvent.Kind, _ words: String = "", _ part: String) -> Row {
        Row(scheme: "ses", kind: kind, words: words, providerID: "0102-1", body: "{\(part),\(sesMail)}")
    }

    private static func sesBounce(_ type: String, _ sub: String, _ status: String) -> String {
        #""eventType":"Bounce","bounce":{"bounceType":"\#(type)","bounceSubType":"\#(sub)","timestamp":"\#(time)","bouncedRecipients":[{"emailAddress":"\#(ann)","action":"failed","status":"\#(status)","diagnosticCode":"smtp; 550 no"}]}"#
    }

    private static func resend(_ type: String, _ kind: MailEvent.Kind, _ words: String = "", bounce: String? = nil)
        -> Row
    {
        let bounce = bounce.map { #","bounce":\#($0)"# } ?? ""
        return Row(
            scheme: "resend", kind: kind, words: words, providerID: "56761188-7520",
            body:
                #"{"type":"\#(type)","created_at":"\#(time)","data":{"created_at":"2026-09-21T13:00:00Z","email_id":"56761188-7520","from":"a@b.example","to":["\#(ann)"],"tags":{"homing":"\#(mail)"}\#(bounce)}}"#
        )
    }

    private static func postmark(_ type: String, _ kind: MailEvent.Kind) -> Row {
        Row(
            scheme: "postmark", kind: kind, words: "550 5.1.1 no", providerID: "883953f4-6105",
            body:
                #"{"RecordType":"Bounce","ID":42,"Type":"\#(type)","TypeCode":1,"MessageID":"883953f4-6105","Metadata":{"homing":"\#(mail)"},"Details":"550 5.1.1 no","Email":"\#(ann)","BouncedAt":"\#(time)","Inactive":true}"#
        )
    }

    private static func mailgun(_ event: String, _ kind: MailEvent.Kind, _ more: String = "", _ words: String = "")
        -> Row
    {
        Row(
            scheme: "mailgun", kind: kind, words: words, providerID: "<1@mail.example>",
            body:
                #"{"event":"\#(event)","timestamp":1789999990.25,"id":"Ase7i2zsRYeDXztHGENqRA","recipient":"\#(ann)","user-variables":{"homing":"\#(mail)"},"message":{"headers":{"message-id":"1@mail.example"}}\#(more)}"#
        )
    }

    private static func sendGrid(_ event: String, _ kind: MailEvent.Kind, _ more: String = "", _ words: String = "")
        -> Row
    {
        Row(
            scheme: "sendgrid", kind: kind, words: words, providerID: "14c5d75ce93",
            body:
                #"[{"email":"\#(ann)","timestamp":1789999990,"event":"\#(event)","sg_event_id":"a1","sg_message_id":"14c5d75ce93.dfd.64b469","homing":"\#(mail)"\#(more)}]"#
        )
    }

    private static func brevo(_ event: String, _ kind: MailEvent.Kind) -> Row {
        Row(
            scheme: "brevo", kind: kind, words: "550 no", providerID: "<2026.1@smtp-relay.mailin.fr>",
            body:
                #"{"event":"\#(event)","email":"\#(ann)","id":26224,"date":"2026-09-21 16:13:10","ts":1789999990,"message-id":"<2026.1@smtp-relay.mailin.fr>","ts_epoch":1789999990000,"reason":"550 no","X-Mailin-custom":"\#(mail)"}"#
        )
    }

    private static func mailjet(_ event: String, _ kind: MailEvent.Kind, _ more: String = "", _ words: String = "")
        -> Row
    {
        Row(
            scheme: "mailjet", kind: kind, words: words, providerID: "19421777835146490",
            body:
                #"{"event":"\#(event)","time":1789999990,"MessageID":19421777835146490,"email":"\#(ann)","CustomID":"\#(mail)"\#(more)}"#
        )
    }

    private static func sparkPost(_ type: String, _ kind: MailEvent.Kind, _ more: String = "", _ words: String = "")
        -> Row
    {
        Row(
            scheme: "sparkpost", kind: kind, words: words, providerID: "65832150921904138",
            body:
                #"[{"msys":{"message_event":{"type":"\#(type)","event_id":"92356927693813856","raw_rcpt_to":"\#(ann)","rcpt_meta":{"homing":"\#(mail)"},"timestamp":"1789999990","transmission_id":"65832150921904138"\#(more)}}}]"#
        )
    }

    private static func mailerSend(_ type: String, _ kind: MailEvent.Kind, _ words: String = "") -> Row {
        Row(
            scheme: "mailersend", kind: kind, words: words, providerID: "62fb66bef54a112e920b5493",
            body:
                #"{"type":"activity.\#(type)","created_at":"\#(time)","data":{"object":"activity","id":"1","type":"\#(type)","created_at":"\#(time)","email":{"message":{"id":"62fb66bef54a112e920b5493"},"tags":["\#(mail)"],"recipient":{"email":"\#(ann)"}},"morph":\#(words.isEmpty ? "null" : "{\"reason\":\"\(words)\"}")}}"#
        )
    }

    private static func scaleway(_ type: String, _ kind: MailEvent.Kind) -> Row {
        Row(
            scheme: "scaleway", kind: kind, words: "550 no", mail: nil, providerID: "ab0ba6f1-6cc8",
            body:
                #"{"id":"1","type":"\#(type)","created_at":"\#(time)","email_id":"ab0ba6f1-6cc8","email_to":"\#(ann)","email_response_code":550,"email_response_message":"550 no"}"#
        )
    }

    private static func webhook(_ event: String, _ kind: MailEvent.Kind) -> Row {
        Row(
            scheme: "webhook+https", kind: kind, words: "said no", providerID: "q-1",
            body:
                #"{"event":"\#(event)","mail":"\#(mail)","id":"q-1","address":"\#(ann)","reason":"said no","time":"\#(time)"}"#
        )
    }

    static let rows: [Row] = [
        ses(
            .delivered, "",
            #""eventType":"Delivery","delivery":{"timestamp":"\#(time)","recipients":["\#(ann)"],"smtpResponse":"250 ok"}"#
        ),
        ses(
            .deferred, "4.4.1 MailboxFull",
            #""eventType":"DeliveryDelay","deliveryDelay":{"timestamp":"\#(time)","delayType":"MailboxFull","delayedRecipients":[{"emailAddress":"\#(ann)","status":"4.4.1"}]}"#
        ),
        ses(.hardBounce, "5.1.1 smtp; 550 no", sesBounce("Permanent", "General", "5.1.1")),
        ses(.softBounce, "4.2.2 smtp; 550 no", sesBounce("Transient", "MailboxFull", "4.2.2")),
        ses(.hardBounce, "5.4.4 smtp; 550 no", sesBounce("Transient", "General", "5.4.4")),
        ses(.suppressedThere, "5.1.1 smtp; 550 no", sesBounce("Permanent", "OnAccountSuppressionList", "5.1.1")),
        ses(
            .complained, "",
            #""notificationType":"Complaint","complaint":{"timestamp":"\#(time)","complainedRecipients":[{"emailAddress":"\#(ann)"}]}"#
        ),
        Row(
            scheme: "ses", kind: .ourFault, words: "Bad content", at: 1_789_998_360, providerID: "0102-1",
            body: #"{"eventType":"Reject","reject":{"reason":"Bad content"},\#(sesMail)}"#),
        // The feedback of an identity has no tags.
        Row(
            scheme: "ses", kind: .delivered, providerID: "0102-2",
            body:
                #"{"notificationType":"Delivery","delivery":{"timestamp":"\#(time)","recipients":["\#(ann)"]},"mail":{"messageId":"0102-2","headers":[{"name":"To","value":"x"},{"name":"X-Homing-Mail","value":"\#(mail)"}]}}"#
        ),
        resend("email.delivered", .delivered), resend("email.delivery_delayed", .deferred),
        resend("email.complained", .complained),
        resend(
            "email.bounced", .hardBounce, "550 5.1.1 no",
            bounce: #"{"type":"Permanent","subType":"General","message":"m","diagnosticCode":["550 5.1.1 no"]}"#),
        resend(
            "email.bounced", .softBounce, "the mailbox is full",
            bounce: #"{"type":"Transient","subType":"MailboxFull","message":"the mailbox is full"}"#),
        resend(
            "email.bounced", .suppressedThere, "m",
            bounce: #"{"type":"Permanent","subType":"Suppressed","message":"m"}"#),
        postmark("HardBounce", .hardBounce), postmark("BadEmailAddress", .hardBounce),
        postmark("SoftBounce", .softBounce), postmark("Blocked", .softBounce), postmark("DMARCPolicy", .softBounce),
        postmark("Transient", .deferred), postmark("DnsError", .deferred),
        postmark("ManuallyDeactivated", .suppressedThere), postmark("SMTPApiError", .ourFault),
        postmark("SpamComplaint", .complained),
        Row(
            scheme: "postmark", kind: .delivered, words: "OK", providerID: "883953f4-6105",
            body:
                #"{"RecordType":"Delivery","MessageID":"883953f4-6105","Recipient":"\#(ann)","DeliveredAt":"\#(time)","Details":"OK","Metadata":{"homing":"\#(mail)"}}"#
        ),
        mailgun("delivered", .delivered, #","delivery-status":{"code":250,"message":"OK"}"#, "OK"),
        mailgun(
            "failed", .deferred, #","severity":"temporary","reason":"generic","delivery-status":{"code":421}"#),
        mailgun(
            "failed", .hardBounce,
            #","severity":"permanent","reason":"bounce","delivery-status":{"code":550,"enhanced-code":"5.1.1","message":"5.1.1 no"}"#,
            "5.1.1 5.1.1 no"),
        mailgun("failed", .suppressedThere, #","severity":"permanent","reason":"suppress-bounce""#),
        mailgun("failed", .softBounce, #","severity":"permanent","reason":"old""#),
        mailgun("complained", .complained), mailgun("rejected", .ourFault, #","reject":{"reason":"virus"}"#, "virus"),
        sendGrid("delivered", .delivered, #","response":"250 OK""#, "250 OK"),
        sendGrid("deferred", .deferred, #","response":"400 try again","attempt":"5""#, "400 try again"),
        sendGrid(
            "bounce", .hardBounce, #","type":"bounce","status":"5.0.0","reason":"500 unknown recipient""#,
            "5.0.0 500 unknown recipient"),
        sendGrid("bounce", .softBounce, #","type":"blocked","status":"5.7.1","reason":"no""#, "5.7.1 no"),
        sendGrid(
            "dropped", .suppressedThere, #","reason":"Bounced Address","status":"5.0.0""#, "5.0.0 Bounced Address"),
        sendGrid("dropped", .ourFault, #","reason":"Invalid SMTPAPI header""#, "Invalid SMTPAPI header"),
        sendGrid("spamreport", .complained),
        brevo("delivered", .delivered), brevo("deferred", .deferred), brevo("hard_bounce", .hardBounce),
        brevo("invalid_email", .hardBounce), brevo("soft_bounce", .softBounce), brevo("spam", .complained),
        brevo("complaint", .complained), brevo("blocked", .suppressedThere), brevo("error", .ourFault),
        mailjet("sent", .delivered, #","smtp_reply":"250 ok""#, "250 ok"),
        mailjet(
            "bounce", .hardBounce,
            #","blocked":false,"hard_bounce":true,"error_related_to":"recipient","error":"user unknown""#,
            "recipient user unknown"),
        mailjet(
            "bounce", .softBounce, #","hard_bounce":false,"error_related_to":"mailbox","error":"quota exceeded""#,
            "mailbox quota exceeded"),
        mailjet(
            "blocked", .suppressedThere, #","error_related_to":"recipient","error":"preblocked""#,
            "recipient preblocked"),
        mailjet("blocked", .ourFault, #","error_related_to":"content","error":"spam""#, "content spam"),
        mailjet("spam", .complained, #","source":"JMRPP""#),
        sparkPost("delivery", .delivered),
        sparkPost("delay", .deferred, #","bounce_class":"20","raw_reason":"454 4.4.4 later""#, "454 4.4.4 later"),
        sparkPost("bounce", .hardBounce, #","bounce_class":"10","raw_reason":"550 5.1.1 no""#, "550 5.1.1 no"),
        sparkPost("out_of_band", .hardBounce, #","bounce_class":30"#),
        sparkPost("bounce", .softBounce, #","bounce_class":"51","raw_reason":"spam""#, "spam"),
        sparkPost("spam_complaint", .complained), sparkPost("policy_rejection", .suppressedThere),
        sparkPost("generation_rejection", .ourFault),
        mailerSend("delivered", .delivered), mailerSend("hard_bounced", .hardBounce, "Host or domain name not found"),
        mailerSend("soft_bounced", .softBounce, "full"), mailerSend("spam_complaint", .complained),
        scaleway("email_delivered", .delivered), scaleway("email_deferred", .deferred),
        scaleway("email_mailbox_not_found", .hardBounce), scaleway("email_dropped", .hardBounce),
        scaleway("email_spam", .softBounce), scaleway("email_blocklisted", .suppressedThere),
        webhook("delivered", .delivered), webhook("deferred", .deferred), webhook("bounced", .hardBounce),
        webhook("failed", .softBounce), webhook("complained", .complained),
    ]

    private func events(_ scheme: String, _ body: String) async throws -> [MailEvent]? {
        let maker = MailEventMaker(scheme)
        return try await maker.events.read(
            try maker.make(body).at(MailEventMaker.now), key: maker.key,
            certificates: MailEventMaker.Web().certificates
        ).told
    }

    @Test(arguments: rows) func `say what became of a mail`(_ row: Row) async throws {
        let expected = MailEvent(
            row.kind, mail: row.mail, providerID: row.providerID, address: Self.ann, words: row.words,
            at: row.at.map { Moment(seconds: $0) })
        let told = try #require(try await events(row.scheme, row.body))
        #expect(told.count == 1)
        let event = try #require(told.first)
        #expect(event.kind == expected.kind && event.mail == expected.mail && event.address == expected.address)
        #expect(event.providerID == expected.providerID && event.words == expected.words)
        #expect(event.at?.seconds == expected.at?.seconds)
    }

    @Test func `have each kind at each provider that tells it`() {
        for scheme in MailEventMaker.schemes {
            let kinds = Set(Self.rows.filter { $0.scheme == scheme }.map(\.kind))
            #expect(kinds.isSuperset(of: [.delivered, .hardBounce, .softBounce]), "\(scheme)")
        }
    }

    @Test(arguments: [
        ("ses", #"{"eventType":"Open","open":{},"mail":{}}"#), ("ses", #"{"eventType":"Click"}"#),
        ("ses", #"{"eventType":"Send"}"#), ("resend", #"{"type":"email.opened","data":{}}"#),
        ("resend", #"{"type":"email.clicked","data":{}}"#), ("resend", #"{"type":"contact.created"}"#),
        ("postmark", #"{"RecordType":"Open"}"#), ("postmark", #"{"RecordType":"Click"}"#),
        ("postmark", #"{"RecordType":"SubscriptionChange","SuppressSending":true}"#),
        ("postmark", #"{"RecordType":"Bounce","Type":"AutoResponder"}"#), ("mailgun", #"{"event":"opened"}"#),
        ("mailgun", #"{"event":"clicked"}"#), ("mailgun", #"{"event":"accepted"}"#),
        ("sendgrid", #"[{"event":"open"},{"event":"click"},{"event":"processed"},1,null]"#), ("sendgrid", "[]"),
        ("brevo", #"{"event":"opened"}"#), ("brevo", #"{"event":"click"}"#), ("brevo", #"{"event":"proxy_open"}"#),
        ("mailjet", #"[{"event":"open"},{"event":"click"}]"#),
        (
            "sparkpost",
            #"[{"msys":{}},{"msys":{"track_event":{"type":"open"}}},{"msys":{"message_event":{"type":"injection"}}}]"#
        ),
        ("mailersend", #"{"type":"activity.opened","data":{"type":"opened"}}"#),
        ("scaleway", #"{"type":"email_queued"}"#), ("webhook+https", #"{"event":"opened"}"#),
    ])
    func `leave out what somebody opened or followed, and whatever else changes nothing`(
        _ scheme: String, _ body: String
    ) async throws {
        #expect(try await events(scheme, body) == [])
    }

    @Test func `come several at a time`() async throws {
        let one = #"{"event":"sent","time":1,"email":"a@b.example","CustomID":"1"}"#
        #expect(try await events("mailjet", "[\(one),\(one)]")?.count == 2)
        let many =
            "[\(Array(repeating: #"{"event":"delivered","email":"a@b.example"}"#, count: 5_000).joined(separator: ","))]"
        #expect(try await events("sendgrid", many)?.count == 5_000)
    }

    @Test(arguments: [
        "550-5.7.26 unauthenticated", "550 5.7.515 Access denied", "550 5.7.1 [S3140] blocked",
        "421 4.7.0 [TSS04] later",
        "554 [TSS04] deferred", "552 5.2.2 full", "452 4.2.2 full", "550 5.1.8 sender",
    ])
    func `do not blame an address for what a server has against the sender`(_ words: String) {
        #expect(MailEvent(.hardBounce, mail: nil, address: nil, words: words).bounce == .failed)
    }

    @Test(arguments: ["", "550 no such user", "550 5.1.1 from 192.0.2.4.7", "5.4.4 nowhere", "2.0.0 then 5.1.10"])
    func `blame an address that takes no mail`(_ words: String) {
        #expect(MailEvent(.hardBounce, mail: nil, address: nil, words: words).bounce == .suppressed)
        #expect(MailEvent(.softBounce, mail: nil, address: nil, words: words).bounce == .failed)
        #expect(MailEvent(.suppressedThere, mail: nil, address: nil, words: words).bounce == .failed)
    }
}
