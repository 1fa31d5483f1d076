// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
import HomingCore
import HomingMail
import HomingProjects
import HomingStore
import HomingWire
import Logging
import Testing

/// What each provider is sent, and what its answers mean. The fields are those of the providers' documents; the
/// end-to-end tests compare them with what the providers' own libraries send.
struct ProviderRequestTests {
    /// What of a request differs from provider to provider.
    struct Row {
        let url: String
        /// How the outbox's id stands in the message's header; nil where the provider takes none.
        var header: String? = "\"X-Homing-Mail\":\"\(id)\""
        /// How the provider keeps the id beside the mail; nil where it keeps nothing.
        var metadata: String?
        /// The switches for tracking; nil where there is none in a request.
        var tracking: String?
        /// Whether the message goes as it is.
        var isRaw = false
        /// The members of a picture that the HTML shows; nil where there is none.
        var picture: String?
    }

    static let id = "0tq7Kp2Wc9XmB4vRz6LnDy"
    static let secret = "s3cret+/=value"
    static let rawHeader = "X-Homing-Mail: \(id)"

    static let rows: [String: Row] = [
        "ses": Row(
            url: "ses://AKIDEXAMPLE@eu-west-1", header: rawHeader,
            metadata: "\"EmailTags\":[{\"Name\":\"homing\",\"Value\":\"\(id)\"}]",
            tracking: "\"Tracking\":{\"OpenTrackingEnabled\":\"DISABLED\",\"ClickTrackingEnabled\":\"DISABLED\"}",
            isRaw: true),
        "graph": Row(
            url: "graph://ann@corp.example?tenant=corp.example&client=app-1", header: rawHeader, isRaw: true),
        "gmail": Row(url: "gmail://ann@corp.example", header: rawHeader, isRaw: true),
        "resend": Row(
            url: "resend:", metadata: "\"tags\":[{\"name\":\"homing\",\"value\":\"\(id)\"}]",
            picture: "\"content_type\":\"image/png\",\"content_id\":\"logo\""),
        "postmark": Row(
            url: "postmark:", header: "{\"Name\":\"X-Homing-Mail\",\"Value\":\"\(id)\"}",
            metadata: "\"Metadata\":{\"homing\":\"\(id)\"}", tracking: "\"TrackOpens\":false,\"TrackLinks\":\"None\"",
            picture: "\"ContentType\":\"image/png\",\"ContentID\":\"cid:logo\""),
        "mailgun": Row(
            url: "mailgun://mail.example", header: rawHeader, metadata: "name=\"v:homing\"\r\n\r\n\(id)\r\n",
            tracking: ["o:tracking", "o:tracking-clicks", "o:tracking-opens"].map { name in
                "Content-Disposition: form-data; name=\"\(name)\"\r\n\r\nno\r\n--homing-\(id)\r\n"
            }.joined(), isRaw: true),
        "sendgrid": Row(
            url: "sendgrid:", metadata: "\"custom_args\":{\"homing\":\"\(id)\"}",
            tracking: "\"click_tracking\":{\"enable\":false,\"enable_text\":false},"
                + "\"open_tracking\":{\"enable\":false},\"subscription_tracking\":{\"enable\":false}",
            picture: "\"disposition\":\"inline\",\"content_id\":\"logo\""),
        "brevo": Row(url: "brevo:", metadata: "\"X-Mailin-custom\":\"\(id)\""),
        "mailjet": Row(
            url: "mailjet://KEYID", metadata: "\"CustomID\":\"\(id)\"",
            tracking: "\"TrackOpens\":\"disabled\",\"TrackClicks\":\"disabled\"",
            picture: "\"ContentID\":\"logo\",\"Base64Content\":\"AQID\""),
        "sparkpost": Row(
            url: "sparkpost:", header: rawHeader, metadata: "\"metadata\":{\"homing\":\"\(id)\"}",
            tracking: "\"open_tracking\":false,\"click_tracking\":false", isRaw: true),
        "scaleway": Row(
            url: "scaleway://project-1?region=fr-par", header: "{\"key\":\"X-Homing-Mail\",\"value\":\"\(id)\"}"),
        "mailersend": Row(
            url: "mailersend:", header: nil, metadata: "\"tags\":[\"\(id)\"]",
            tracking: "\"track_clicks\":false,\"track_opens\":false,\"track_content\":false",
            picture: "\"disposition\":\"inline\",\"filename\":\"logo.png\",\"id\":\"logo\""),
    ]

    /// The webhook is no provider's, and is tested by itself.
    static let schemes = MailProvider.all.map(\.scheme).filter { $0 != "webhook+https" }

    // MARK: What is sent

    @Test func `every provider is looked at`() {
        #expect(Set(Self.schemes) == Set(Self.rows.keys))
    }

    @Test(arguments: schemes) func `a mail is found again by its id`(_ scheme: String) throws {
        let row = try #require(Self.rows[scheme])
        let sent = try Self.sent(scheme)
        if let header = row.header {
            #expect(sent.contains(header))
        } else {
            #expect(!sent.contains("X-Homing-Mail"))
        }
        if let metadata = row.metadata { #expect(sent.contains(metadata)) }
        #expect(sent.contains(Self.id))
    }

    @Test(arguments: schemes) func `links are not rewritten and openings are not counted`(_ scheme: String) throws {
        guard let tracking = try #require(Self.rows[scheme]).tracking else { return }
        #expect(try Self.sent(scheme).contains(tracking))
    }

    @Test(arguments: schemes) func `the secret is in the head only, once or as a signature`(_ scheme: String) throws {
        let request = try Self.request(scheme)
        #expect(!String(decoding: request.body, as: UTF8.self).contains(Self.secret))
        #expect(!request.path.contains(Self.secret))
        let places =
            request.headers.filter { $0.value.contains(Self.secret) }.count
            + (request.basic?.password == Self.secret ? 1 : 0) + (request.awsSignature == nil ? 0 : 1)
        #expect(places == 1)
    }

    @Test(arguments: schemes) func `the letter is whole`(_ scheme: String) throws {
        let row = try #require(Self.rows[scheme])
        let letter = Self.letter
        let request = try Self.request(scheme, letter)
        if row.isRaw {
            #expect(try Self.sent(scheme, letter).contains(String(decoding: letter.bytes(), as: UTF8.self)))
        } else {
            let texts = Self.strings(in: try JSON.parse(request.body))
            for text in [letter.text, letter.html, letter.subject, letter.to, "answers@here.test"] {
                #expect(texts.contains(text))
            }
            #expect(texts.contains { $0.contains("Größe") } && texts.contains { $0.contains("noreply@here.test") })
        }
    }

    @Test(arguments: schemes) func `a letter fills no template of the provider's`(_ scheme: String) throws {
        let provider = try #require(MailProvider.all.first { $0.scheme == scheme })
        // These look into no message.
        guard !["ses", "graph", "gmail"].contains(scheme) else { return }
        var letter = Self.letter
        let words = "%recipient.name% %unsubscribe_url% {{contact.EMAIL}} {\u{7}{x}} {% if a %} {# b #} {$c} {{{d}}}"
        letter.from.name = words
        letter.subject = words
        letter.text = "\(words)\n"
        letter.html = "<style>@media print{#a{margin:0}}</style><p>\(words)</p>\n"
        let sent = try Self.sent(provider.scheme, letter)
        if scheme == "mailgun" {
            for word in ["%recipient", "%unsubscribe"] { #expect(!sent.contains(word)) }
            #expect(sent.contains("% recipient.name%"))
        } else {
            for mark in ["{{", "{%", "{#", "{$"] { #expect(!sent.contains(mark)) }
            #expect(sent.contains("{ {contact.EMAIL}}"))
        }
    }

    @Test(arguments: schemes) func `no name adds an address or a header`(_ scheme: String) throws {
        for name in hostileTexts {
            var letter = Self.letter
            letter.from.name = name
            letter.subject = name
            let request = try Self.request(scheme, letter)
            guard try #require(Self.rows[scheme]).isRaw == false else { continue }
            let object = try #require(try JSON.parse(request.body).objectValue)
            for member in object.members where !["text", "TextBody", "textContent"].contains(member.key) {
                let isShort = ["from", "From", "sender", "subject", "Subject"].contains(member.key)
                guard isShort else { continue }
                for text in Self.strings(in: member.value) {
                    #expect(!text.utf8.contains { $0 < 0x20 || $0 == 0x7f })
                }
            }
        }
    }

    @Test(arguments: [
        "m\u{131}ke@there.test", "\"ann\"@there.test", "ann@there.test,mallory@evil.test",
        "ann@there.test\r\nBcc: mallory@evil.test",
    ])
    func `an address that would be cut to another's is not mailed`(_ address: String) async throws {
        let provider = try #require(MailProvider.of("resend:"))
        let url = try MailURL(parsing: "resend:?endpoint=http://127.0.0.1:9").complete(secret: Self.secret)
        let now = Moment(seconds: 1_765_267_509)
        let transport = WebMailTransport(url, provider, now: { now }, logger: Logger(label: "test"))
        let facts = MailEnvelope.Facts(id: Self.id, kind: .passwordReset, expiresAt: now.adding(seconds: 3_600))
        let outcome = await transport.deliver(
            MailEnvelope(sender: "noreply@here.test", recipient: address, facts: facts, letter: Self.letter))
        #expect(outcome == .permanent(reply: "not sent: the recipient's address must not go on the wire"))
        await transport.shutdown(grace: .zero)
    }

    @Test(arguments: schemes) func `the logo is shown, or left out and not broken`(_ scheme: String) throws {
        let row = try #require(Self.rows[scheme])
        var letter = Self.letter
        letter.logo = [1, 2, 3]
        letter.html = "<table><tr><td><img alt=\"a > b\" src=\"cid:logo\" width=\"40\"></td><td>App</td></tr></table>"
        let sent = try Self.sent(scheme, letter)
        if row.isRaw {
            #expect(sent.contains("Content-ID: <logo>"))
        } else if let picture = row.picture {
            #expect(sent.contains(picture) && sent.contains("AQID") && sent.contains("cid:logo"))
        } else {
            let texts = Self.strings(in: try JSON.parse(try Self.request(scheme, letter).body))
            #expect(texts.contains("<table><tr><td></td><td>App</td></tr></table>"))
        }
    }

    @Test func `a name is written as the provider reads it`() throws {
        var letter = Self.letter
        letter.from.name = "Ação, \"Größe\" \u{2713}"
        let quoted = "\"Ação, \\\"Größe\\\" \u{2713}\" <noreply@here.test>"
        #expect(try Self.object("resend", letter)["from"] == .string(quoted))
        #expect(try Self.object("postmark", letter)["From"] == .string(quoted))
        let plain: JSON = ["email": "noreply@here.test", "name": "Ação, \"Größe\" \u{2713}"]
        #expect(try Self.object("brevo", letter)["sender"] == plain)
        #expect(try Self.object("mailersend", letter)["from"] == plain)
        #expect(try Self.object("sendgrid", letter)["from"] == plain)
        // A quotation mark with an accent behind it is one Character, and another one than the mark.
        letter.from.name = "Shop\"\u{301} <ceo@other.test>, \"\u{301}"
        let accented = "\"Shop\\\"\u{301} <ceo@other.test>, \\\"\u{301}\" <noreply@here.test>"
        let from = try #require(try Self.object("resend", letter)["from"]?.stringValue)
        #expect(from.utf8.elementsEqual(accented.utf8))
        letter.from.name = "Lighthouse Letters"
        #expect(try Self.object("resend", letter)["from"] == "Lighthouse Letters <noreply@here.test>")
        letter.from.name = nil
        #expect(try Self.object("resend", letter)["from"] == "noreply@here.test")
        #expect(try Self.object("brevo", letter)["sender"] == ["email": "noreply@here.test"])
        letter.from.name = String(repeating: "é", count: 100)
        let cut = try Self.object("brevo", letter)["sender"]?.objectValue?["name"]?.stringValue
        #expect(cut == String(repeating: "é", count: 70))
    }

    @Test func `a mail that is tried again is known as the same`() throws {
        let resend = try Self.request("resend")
        #expect(resend.headers.contains { $0.name == "Idempotency-Key" && $0.value == Self.id })
        let headers = try Self.object("brevo")["headers"]?.objectValue
        #expect(headers?["idempotencyKey"] == .string(Self.id))
    }

    @Test func `Postmark keeps our Message-ID`() throws {
        let sent = try Self.sent("postmark")
        #expect(sent.contains("{\"Name\":\"X-PM-KeepID\",\"Value\":\"true\"}"))
        #expect(
            try Self.object("postmark")["Headers"]?.arrayValue?.contains(
                ["Name": "Message-ID", "Value": "<id-1@here.test>"]) == true)
    }

    @Test func `bounces that name their mail come back from SES`() throws {
        #expect(try Self.object("ses")["FeedbackForwardingEmailAddress"] == nil)
        let request = try Self.request("ses", sender: "bounces+x1@here.test")
        let address = try JSON.parse(request.body).objectValue?["FeedbackForwardingEmailAddress"]
        #expect(address == "bounces+x1@here.test")
        #expect(request.awsSignature?.region == "eu-west-1" && request.awsSignature?.service == "ses")
    }

    @Test(arguments: [
        ("ses://K@eu-west-1", "https://email.eu-west-1.amazonaws.com", "/v2/email/outbound-emails"),
        (
            "graph://ann@corp.example?tenant=corp.example&client=app-1", "https://graph.microsoft.com",
            "/v1.0/users/ann%40corp.example/sendMail"
        ),
        (
            "gmail://ann@corp.example", "https://gmail.googleapis.com",
            "/upload/gmail/v1/users/me/messages/send?uploadType=media"
        ),
        ("resend:", "https://api.resend.com", "/emails"),
        ("postmark:", "https://api.postmarkapp.com", "/email"),
        ("mailgun://mail.example", "https://api.mailgun.net", "/v3/mail.example/messages.mime"),
        ("mailgun://mail.example?region=eu", "https://api.eu.mailgun.net", "/v3/mail.example/messages.mime"),
        ("sendgrid:", "https://api.sendgrid.com", "/v3/mail/send"),
        ("sendgrid:?region=eu", "https://api.eu.sendgrid.com", "/v3/mail/send"),
        ("brevo:", "https://api.brevo.com", "/v3/smtp/email"),
        ("mailjet://KEYID", "https://api.mailjet.com", "/v3.1/send"),
        ("sparkpost:", "https://api.sparkpost.com", "/api/v1/transmissions"),
        ("sparkpost:?region=eu", "https://api.eu.sparkpost.com", "/api/v1/transmissions"),
        (
            "scaleway://project-1?region=fr-par", "https://api.scaleway.com",
            "/transactional-email/v1alpha1/regions/fr-par/emails"
        ),
        ("mailersend:", "https://api.mailersend.com", "/v1/email"),
    ])
    func `each goes to its provider's address`(_ text: String, _ endpoint: String, _ path: String) throws {
        let url = try MailURL(parsing: text)
        let provider = try #require(MailProvider.all.first { $0.scheme == url.scheme })
        #expect(provider.endpoint(url) == endpoint)
        #expect(try Self.request(url.scheme, url: text).path == path)
    }

    @Test(arguments: [
        "ses://K@nowhere", "ses://K@eu-west-1.evil.example", "ses://eu-west-1", "graph://ann@corp.example?client=app-1",
        "mailgun://mail.example?region=mars", "mailgun:", "sendgrid:?region=mars", "sparkpost:?region=mars",
        "scaleway://project-1?region=nowhere", "graph://ann@corp.example?tenant=a%2Fb&client=app-1",
        "scaleway://project-1", "mailjet:", "resend:?region=eu",
    ])
    func `a part that is missing or nobody's is refused`(_ text: String) {
        #expect(throws: MailURLFault.self) { try MailURL(parsing: text) }
    }

    @Test func `Microsoft's tokens are asked for at the tenant`() throws {
        let text = "graph://ann@corp.example?tenant=corp.example&client=app-1"
        let url = try MailURL(parsing: text).complete(secret: Self.secret)
        let graph = try #require(MailProvider.all.first { $0.scheme == "graph" })
        let grant = try #require(graph.tokens(url))
        #expect(grant.tokenURL == "https://login.microsoftonline.com/corp.example/oauth2/v2.0/token")
        #expect(grant.kind == .clientCredentials && grant.client == "app-1")
        #expect(grant.scope == "https://graph.microsoft.com/.default")
    }

    @Test func `what is no key file is never sent to Google as a token`() throws {
        let url = try MailURL(parsing: "gmail://ann@corp.example")
        for text in ["secret", "{}", "{\"client_email\":\"a@b.example\",\"private_key\":\"no key\"}"] {
            #expect(throws: MailURLFault.self) { try url.complete(secret: text) }
        }
    }

    // MARK: What is answered

    @Test(arguments: schemes) func `a success that says nothing is none`(_ scheme: String) throws {
        let provider = try #require(MailProvider.all.first { $0.scheme == scheme })
        for status in [200, 201, 204] {
            #expect(provider.acceptedID(ProviderAnswer(status: status)) == nil)
            #expect(provider.acceptedID(Self.answer(status, "{}")) == nil)
            #expect(provider.acceptedID(Self.answer(status, "<html>Welcome</html>")) == nil)
        }
        // Microsoft says nothing else, and SendGrid's id stands in the head, where a proxy may take it out.
        #expect((provider.acceptedID(ProviderAnswer(status: 202)) != nil) == ["graph", "sendgrid"].contains(scheme))
    }

    @Test(arguments: [
        ("ses", 200, "{\"MessageId\":\"0102-a\"}", "0102-a"),
        ("resend", 200, "{\"id\":\"49a3\"}", "49a3"),
        (
            "postmark", 200,
            "{\"To\":\"a@b.example\",\"MessageID\":\"0a12\",\"ErrorCode\":0,\"Message\":\"OK\"}", "0a12"
        ),
        (
            "mailgun", 200, "{\"id\":\"<2026.1@mail.example>\",\"message\":\"Queued. Thank you.\"}",
            "<2026.1@mail.example>"
        ),
        ("brevo", 201, "{\"messageId\":\"<2026.1@smtp-relay.mailin.fr>\"}", "<2026.1@smtp-relay.mailin.fr>"),
        (
            "mailjet", 200,
            "{\"Messages\":[{\"Status\":\"success\",\"To\":[{\"Email\":\"a@b.example\",\"MessageID\":"
                + "1152921504606846976}]}]}", "1152921504606846976"
        ),
        (
            "sparkpost", 200,
            "{\"results\":{\"total_rejected_recipients\":0,\"total_accepted_recipients\":1,\"id\":\"11668\"}}", "11668"
        ),
        ("scaleway", 200, "{\"emails\":[{\"id\":\"e1\",\"message_id\":\"m1\",\"status\":\"new\"}]}", "e1"),
        ("gmail", 200, "{\"id\":\"18b\",\"threadId\":\"18b\"}", "18b"),
    ])
    func `a success is known by the provider's id`(
        _ scheme: String, _ status: Int, _ body: String, _ id: String
    ) throws {
        let provider = try #require(MailProvider.all.first { $0.scheme == scheme })
        #expect(provider.acceptedID(Self.answer(status, body)) == id)
        #expect(try Self.meaning(scheme, status, body) == "accepted")
    }

    @Test func `an id in the head counts where there is no body`() throws {
        for (scheme, name) in [("sendgrid", "x-message-id"), ("mailersend", "x-message-id"), ("graph", "request-id")] {
            let provider = try #require(MailProvider.all.first { $0.scheme == scheme })
            #expect(provider.acceptedID(ProviderAnswer(status: 202, headers: [name: "5f"])) == "5f")
        }
    }

    @Test(arguments: [
        ("ses", 400, "{\"message\":\"Invalid MIME\"}", "permanent"),
        ("ses", 400, "{\"message\":\"Email address is not verified. The following failed: a@b.example\"}", "refused"),
        ("ses", 400, "{\"message\":\"Sending suspended for this account.\"}", "refused"),
        ("ses", 400, "{\"message\":\"Sending paused for this account.\"}", "refused"),
        ("ses", 403, "{\"message\":\"The request signature does not match\"}", "refused"),
        ("ses", 404, "{\"message\":\"Configuration set <x> does not exist\"}", "refused"),
        ("ses", 429, "{\"message\":\"Maximum sending rate exceeded.\"}", "wait 1"),
        ("ses", 429, "{\"message\":\"Daily message quota exceeded.\"}", "wait 3600"),
        ("ses", 500, "", "unavailable"),
        ("resend", 422, "{\"name\":\"missing_required_field\",\"message\":\"x\"}", "permanent"),
        ("resend", 401, "{\"name\":\"restricted_api_key\"}", "refused"),
        (
            "resend", 403, "{\"name\":\"validation_error\",\"message\":\"The a.example domain is not verified\"}",
            "refused"
        ),
        ("resend", 409, "{\"name\":\"concurrent_idempotent_requests\"}", "temporary"),
        ("resend", 409, "{\"name\":\"invalid_idempotent_request\"}", "accepted"),
        ("resend", 429, "{\"name\":\"rate_limit_exceeded\"}", "wait 1"),
        ("resend", 429, "{\"name\":\"daily_quota_exceeded\"}", "wait 3600"),
        ("resend", 503, "", "unavailable"),
        ("postmark", 422, "{\"ErrorCode\":300,\"Message\":\"Invalid 'To' address\"}", "permanent"),
        ("postmark", 422, "{\"ErrorCode\":300,\"Message\":\"Invalid 'From' address: 'x'.\"}", "refused"),
        ("postmark", 422, "{\"ErrorCode\": 406, \"Message\": \"inactive\"}", "permanent"),
        ("postmark", 200, "{\"ErrorCode\":406,\"Message\":\"inactive\"}", "permanent"),
        ("postmark", 422, "{\"ErrorCode\":400,\"Message\":\"Sender signature not found\"}", "refused"),
        ("postmark", 422, "{\"ErrorCode\":405,\"Message\":\"Not allowed to send\"}", "refused"),
        ("postmark", 422, "{\"ErrorCode\":412,\"Message\":\"Account is pending\"}", "refused"),
        ("postmark", 422, "{\"ErrorCode\":413,\"Message\":\"Account may not send\"}", "refused"),
        ("postmark", 401, "{\"ErrorCode\":10,\"Message\":\"Bad token\"}", "refused"),
        ("postmark", 429, "", "wait 10"),
        ("postmark", 500, "", "unavailable"),
        ("mailgun", 200, "Mailgun Magnificent API", "refused"),
        ("mailgun", 400, "{\"message\":\"to parameter is not a valid address\"}", "permanent"),
        ("mailgun", 401, "Forbidden", "refused"),
        ("mailgun", 404, "{\"message\":\"Domain not found: mail.example\"}", "refused"),
        ("mailgun", 429, "", "wait 60"),
        ("sendgrid", 400, "{\"errors\":[{\"message\":\"Does not contain a valid address.\"}]}", "permanent"),
        ("sendgrid", 413, "", "permanent"),
        ("sendgrid", 401, "{\"errors\":[{\"message\":\"Maximum credits exceeded\"}]}", "refused"),
        ("sendgrid", 403, "", "refused"),
        ("sendgrid", 429, "", "wait 60"),
        ("brevo", 400, "{\"code\":\"invalid_parameter\",\"message\":\"email is not valid in to\"}", "permanent"),
        ("brevo", 400, "{\"code\":\"duplicate_parameter\"}", "accepted"),
        ("brevo", 401, "{\"code\":\"unauthorized\"}", "refused"),
        ("brevo", 402, "{\"code\":\"not_enough_credits\"}", "refused"),
        ("brevo", 403, "", "refused"),
        ("brevo", 429, "", "wait 10"),
        (
            "mailjet", 400,
            "{\"Messages\":[{\"Status\":\"error\",\"Errors\":[{\"ErrorCode\":\"mj-0013\",\"StatusCode\":400}]}]}",
            "permanent"
        ),
        (
            "mailjet", 400,
            "{\"Messages\":[{\"Status\":\"error\",\"Errors\":[{\"ErrorCode\":\"send-0008\",\"StatusCode\":403}]}]}",
            "refused"
        ),
        ("mailjet", 200, "{\"Messages\":[{\"Status\":\"error\",\"Errors\":[{\"StatusCode\":401}]}]}", "refused"),
        ("mailjet", 200, "{\"Messages\":[{\"Status\":\"error\",\"Errors\":[{\"StatusCode\":400}]}]}", "permanent"),
        ("mailjet", 401, "{\"StatusCode\":401}", "refused"),
        ("mailjet", 429, "", "wait 60"),
        ("sparkpost", 200, "{\"results\":{\"total_accepted_recipients\":0,\"id\":\"1\"}}", "permanent"),
        ("sparkpost", 422, "{\"errors\":[{\"message\":\"invalid data format\",\"code\":\"1300\"}]}", "permanent"),
        (
            "sparkpost", 400,
            "{\"errors\":[{\"description\":\"Unconfigured Sending Domain <here.test>\",\"code\":\"7001\"}]}", "refused"
        ),
        ("sparkpost", 401, "", "refused"),
        ("sparkpost", 420, "{\"errors\":[{\"message\":\"Exceed Sending Limit\"}]}", "wait 3600"),
        ("sparkpost", 429, "", "wait 5"),
        ("scaleway", 400, "{\"message\":\"invalid argument\"}", "permanent"),
        ("scaleway", 403, "{\"message\":\"quota exceeded\"}", "refused"),
        ("scaleway", 429, "", "wait 60"),
        ("graph", 400, "{\"error\":{\"code\":\"ErrorInvalidRecipients\"}}", "permanent"),
        ("graph", 403, "{\"error\":{\"code\":\"ErrorAccessDenied\"}}", "refused"),
        ("graph", 404, "{\"error\":{\"code\":\"ErrorInvalidUser\"}}", "refused"),
        ("graph", 413, "", "permanent"),
        ("graph", 429, "", "wait 60"),
        ("graph", 503, "", "wait 10"),
        ("graph", 200, "<html>Sign in</html>", "refused"),
        ("gmail", 400, "{\"error\":{\"errors\":[{\"reason\":\"invalidArgument\"}]}}", "permanent"),
        ("gmail", 403, "{\"error\":{\"errors\":[{\"reason\":\"insufficientPermissions\"}]}}", "refused"),
        ("gmail", 403, "{\"error\":{\"errors\":[{\"reason\":\"rateLimitExceeded\"}]}}", "wait 10"),
        ("gmail", 403, "{\"error\":{\"errors\":[{\"reason\":\"userRateLimitExceeded\"}]}}", "wait 10"),
        ("gmail", 403, "{\"error\":{\"errors\":[{\"reason\":\"dailyLimitExceeded\"}]}}", "wait 3600"),
        ("gmail", 429, "", "wait 10"),
        ("mailersend", 202, "{\"warnings\":[{\"type\":\"ALL_SUPPRESSED\"}]}", "permanent"),
        ("mailersend", 422, "{\"message\":\"The to.0.email must be valid. #MS42209\"}", "permanent"),
        ("mailersend", 422, "{\"message\":\"You have reached your quota. #MS42204\"}", "refused"),
        ("mailersend", 422, "{\"message\":\"The domain must be verified. #MS42207 (and 1 more)\"}", "refused"),
        ("mailersend", 429, "{\"message\":\"Too Many Attempts. #MS42903\"}", "wait 60"),
        ("mailersend", 429, "{\"message\":\"Daily quota. #MS42901\"}", "wait 3600"),
    ])
    func `each answer means what its provider means`(
        _ scheme: String, _ status: Int, _ body: String, _ meaning: String
    ) throws {
        #expect(try Self.meaning(scheme, status, body) == meaning)
    }

    @Test(arguments: schemes) func `an address that an answer repeats stops no other mail`(_ scheme: String) throws {
        let words = [
            "not_enough_credits", "unauthorized", "MS42204", "#MS42207", "send-0008", "7001", "failedPrecondition",
            "dailyLimitExceeded", "ErrorSendAsDenied", "invalid_api_key", "Throttling", "'From'", "ErrorCode:400",
        ]
        for word in words {
            for status in [400, 422] {
                let body = "{\"message\":\"The address \(word)@evil.example cannot be mailed\"}"
                #expect(try Self.meaning(scheme, status, body) == "permanent")
            }
        }
    }

    // MARK: Helpers

    static var letter: MailMessage {
        var letter = MailMessage.plain(
            from: SenderAddress(name: "Größe", address: "noreply@here.test"), subject: "Ação: «Hello»",
            text: "https://here.test/__/auth/action?mode=resetPassword&oobCode=aB3\n",
            html: "<p><a href=\"https://here.test/?a=1&amp;b=2\">Größe</a></p>\n")
        letter.replyTo = "answers@here.test"
        letter.mailID = id
        return letter
    }

    static func request(
        _ scheme: String, _ letter: MailMessage = letter, sender: String = "noreply@here.test", url: String? = nil
    ) throws -> ProviderRequest {
        let provider = try #require(MailProvider.all.first { $0.scheme == scheme })
        let text = try #require(url ?? rows[scheme]?.url)
        let now = Moment(seconds: 1_765_267_509)
        return provider.request(
            ProviderMail(
                id: id, kind: .passwordReset, expiresAt: now.adding(seconds: 3_600), sender: sender, letter: letter,
                url: try MailURL(parsing: text), secret: secret, now: now))
    }

    /// The body as text, with the message in it as it was before base64 and JSON.
    static func sent(_ scheme: String, _ letter: MailMessage = letter) throws -> String {
        let request = try request(scheme, letter)
        let body = String(decoding: request.body, as: UTF8.self)
        let object = (try? JSON.parse(request.body))?.objectValue
        let rawText = object?["content"]?.objectValue?["email_rfc822"]?.stringValue
        let data = object?["Content"]?.objectValue?["Raw"]?.objectValue?["Data"]
        let base64 = data?.stringValue ?? (request.contentType == "text/plain" ? body : "")
        let raw = Data(base64Encoded: base64).map { String(decoding: $0, as: UTF8.self) }
        return [body, rawText, raw].compactMap { $0 }.joined(separator: "\n")
    }

    static func object(_ scheme: String, _ letter: MailMessage = letter) throws -> JSON.Object {
        try #require(try JSON.parse(try request(scheme, letter).body).objectValue)
    }

    static func strings(in value: JSON) -> [String] {
        switch value {
        case .string(let text): [text]
        case .array(let elements): elements.flatMap(strings)
        case .object(let object): object.members.flatMap { strings(in: $0.value) }
        default: []
        }
    }

    static func answer(_ status: Int, _ body: String) -> ProviderAnswer {
        ProviderAnswer(status: status, body: Array(body.utf8), json: try? JSON.parse(Array(body.utf8)))
    }

    static func meaning(_ scheme: String, _ status: Int, _ body: String) throws -> String {
        let provider = try #require(MailProvider.all.first { $0.scheme == scheme })
        let verdict = ProviderVerdict(
            provider: provider, answer: answer(status, body), now: Moment(seconds: 1_765_267_509))
        switch verdict.outcome {
        case .accepted: return "accepted"
        case .temporary: return "temporary"
        case .permanent: return "permanent"
        case .relayUnavailable: return "unavailable"
        case .relayAsksToWait(_, let seconds): return "wait \(seconds)"
        case .relayRefusesUs: return "refused"
        }
    }
}
