// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingMail
import HomingWire
import Testing

/// What providers are asked without a mail, and the answers that their documentation shows.
@Suite struct `Asking a provider without a mail` {
    private static let secret = "hunter2"

    private struct Asked {
        let provider: MailProvider
        let questions: [ProviderQuestion]

        init(_ url: String, domain: String? = "shop.example") throws {
            let given = try MailURL(parsing: url).complete(secret: secret)
            provider = try #require(MailProvider.of(url))
            questions = try #require(provider.inquiry)
                .questions(ProviderAsker(url: given, secret: secret, domain: domain))
        }

        func facts(_ status: Int, _ body: String, at index: Int = 0, isCut: Bool = false) -> [ProviderFact] {
            let bytes = Array(body.utf8)
            let answer = ProviderAnswer(status: status, body: bytes, json: isCut ? nil : try? JSON.parse(bytes))
            return questions[index].facts(of: answer, isCut: isCut, from: provider, secret: secret)
        }
    }

    @Test(arguments: [
        ("ses://KEYID@eu-west-1", ["/v2/email/account", "/v2/email/identities/shop.example"]),
        ("resend:", ["/domains?limit=100"]), ("postmark:", ["/server"]),
        ("mailgun://mg.shop.example", ["/v4/domains/mg.shop.example"]),
        (
            "sendgrid:",
            ["/v3/scopes", "/v3/whitelabel/domains?limit=50", "/v3/tracking_settings/click"]
        ),
        ("brevo:", ["/v3/account", "/v3/senders/domains"]), ("mailjet://KEYID", ["/v3/REST/sender?Limit=100"]),
        ("sparkpost:", ["/api/v1/sending-domains/shop.example"]),
        (
            "scaleway://p-1?region=fr-par",
            ["/transactional-email/v1alpha1/regions/fr-par/domains?project_id=p-1&page_size=100"]
        ),
        ("mailersend:", ["/v1/domains?limit=25"]),
    ])
    func `each question is a GET without a body, with the secret`(url: String, paths: [String]) throws {
        let requests = try Asked(url).questions.map(\.request)
        #expect(requests.map(\.path) == paths)
        #expect(requests.allSatisfy { $0.isQuestion && $0.body.isEmpty })
        let carrySecret = requests.allSatisfy { request in
            request.awsSignature != nil || request.basic?.password == Self.secret
                || request.headers.contains { $0.value.contains(Self.secret) }
        }
        #expect(carrySecret && !requests.contains { $0.path.contains(Self.secret) })
    }

    @Test func `every provider can be asked, but a receiver of one's own`() {
        #expect(MailProvider.all.filter { $0.inquiry == nil }.map(\.scheme) == ["webhook+https"])
    }

    @Test func `Resend tells domains and tracking, and knows a key that may only send`() throws {
        let resend = try Asked("resend:")
        func list(_ domains: String, hasMore: Bool = false) -> [ProviderFact] {
            resend.facts(200, #"{"object":"list","has_more":\#(hasMore),"data":[\#(domains)]}"#)
        }
        func domain(_ name: String, _ status: String, clicks: Bool = false) -> String {
            #"{"id":"1","name":"\#(name)","status":"\#(status)","open_tracking":false,"click_tracking":\#(clicks)}"#
        }
        #expect(
            list(domain("Shop.example", "verified")) == [.takesSecret, .senderVerified("shop.example")])
        #expect(
            list(domain("shop.example", "verified", clicks: true))
                == [.takesSecret, .senderVerified("shop.example"), .tracks("links are tracked for the domain")])
        #expect(
            list(domain("shop.example", "pending"))
                == [
                    .takesSecret,
                    .senderNotVerified("shop.example is among the account's domains, but it is pending"),
                ])
        #expect(
            list(domain("other.example", "verified"))
                == [.takesSecret, .senderNotVerified("shop.example is none of the account's domains")])
        #expect(list(domain("other.example", "verified"), hasMore: true) == [.takesSecret])
        let restricted = #"{"statusCode":401,"message":"This API key is restricted","name":"restricted_api_key"}"#
        #expect(resend.facts(401, restricted) == [.takesSecret])
        let invalid = #"{"statusCode":400,"message":"API key is invalid","name":"validation_error"}"#
        #expect(resend.facts(400, invalid).map(\.kind) == ["refusesSecret"])
        #expect(resend.facts(401, #"{"name":"missing_api_key"}"#).map(\.kind) == ["refusesSecret"])
    }

    @Test func `what a subdomain of a verified domain may do is the provider's to say`() throws {
        let body = #"{"data":[{"name":"shop.example","status":"verified"}]}"#
        #expect(try Asked("resend:", domain: "mail.shop.example").facts(200, body) == [.takesSecret])
        #expect(
            try Asked("resend:", domain: "myshop.example").facts(200, body)
                == [.takesSecret, .senderNotVerified("myshop.example is none of the account's domains")])
        #expect(try Asked("resend:", domain: nil).facts(200, body) == [.takesSecret])
    }

    @Test func `Amazon tells sandbox, stop and identity, and a key that may only send is known`() throws {
        let amazon = try Asked("ses://KEYID@eu-west-1")
        func account(_ members: String) -> [ProviderFact] {
            amazon.facts(200, #"{"SendQuota":{"Max24HourSend":200.0},\#(members)}"#)
        }
        #expect(
            account(#""SendingEnabled":true,"EnforcementStatus":"HEALTHY","ProductionAccessEnabled":true"#)
                == [.takesSecret])
        #expect(
            account(#""SendingEnabled":true,"ProductionAccessEnabled":false"#).map(\.kind) == [
                "takesSecret", "sandbox",
            ])
        #expect(
            account(#""SendingEnabled":false,"EnforcementStatus":"SHUTDOWN","ProductionAccessEnabled":true"#).map(
                \.kind)
                == ["takesSecret", "paused", "paused"])
        let denied = #"{"Message":"User: arn:aws:iam::1:user/a is not authorized to perform: ses:GetAccount"}"#
        #expect(amazon.facts(403, denied) == [.takesSecret])
        let invalid = #"{"message":"The security token included in the request is invalid."}"#
        #expect(amazon.facts(403, invalid).map(\.kind) == ["refusesSecret"])
        #expect(
            amazon.facts(200, #"{"VerifiedForSendingStatus":true,"DkimAttributes":{"Status":"SUCCESS"}}"#, at: 1)
                == [.takesSecret, .senderVerified("shop.example")])
        #expect(
            amazon.facts(200, #"{"VerifiedForSendingStatus":false,"DkimAttributes":{"Status":"PENDING"}}"#, at: 1)
                == [.takesSecret, .senderNotVerified("shop.example is not verified (DKIM PENDING)")])
        #expect(
            amazon.facts(404, #"{"message":"Email identity shop.example does not exist."}"#, at: 1).map(\.kind)
                == ["senderUnknown"])
    }

    @Test func `Postmark tells a sandbox and what its server tracks`() throws {
        let postmark = try Asked("postmark:")
        let live = #"{"ID":1,"Name":"a","DeliveryType":"Live","TrackOpens":false,"TrackLinks":"None"}"#
        #expect(postmark.facts(200, live) == [.takesSecret])
        let sandbox = #"{"ID":1,"Name":"a","DeliveryType":"Sandbox","TrackOpens":true,"TrackLinks":"HtmlAndText"}"#
        #expect(postmark.facts(200, sandbox).map(\.kind) == ["takesSecret", "sandbox", "tracks", "tracks"])
        let unknown = #"{"ErrorCode":10,"Message":"Request does not contain a valid Server token."}"#
        #expect(postmark.facts(401, unknown).map(\.kind) == ["refusesSecret"])
    }

    @Test func `Mailgun tells its domain, and a refusal says nothing of sending`() throws {
        let mailgun = try Asked("mailgun://mg.shop.example")
        func state(_ state: String) -> [ProviderFact] {
            mailgun.facts(200, #"{"domain":{"name":"mg.shop.example","state":"\#(state)"},"sending_dns_records":[]}"#)
        }
        #expect(state("active") == [.takesSecret, .senderVerified("mg.shop.example")])
        #expect(state("unverified").map(\.kind) == ["takesSecret", "senderNotVerified"])
        #expect(state("disabled").map(\.kind) == ["takesSecret", "paused"])
        #expect(mailgun.facts(401, "Forbidden").map(\.kind) == ["mayNotAsk"])
        #expect(mailgun.facts(404, #"{"message":"Domain not found"}"#).map(\.kind) == ["senderNotVerified"])
        #expect(mailgun.facts(200, "Mailgun Magnificent API").map(\.kind) == ["unreadable"])
    }

    @Test func `SendGrid tells what its key may do`() throws {
        let sendGrid = try Asked("sendgrid:")
        #expect(sendGrid.facts(200, #"{"scopes":["mail.send","alerts.read"]}"#) == [.takesSecret])
        #expect(sendGrid.facts(200, #"{"scopes":["alerts.read"]}"#).map(\.kind) == ["takesSecret", "refusesSecret"])
        let domains = #"[{"id":1,"domain":"shop.example","subdomain":"em1","valid":true}]"#
        #expect(sendGrid.facts(200, domains, at: 1) == [.takesSecret, .senderVerified("shop.example")])
        #expect(sendGrid.facts(200, "[]", at: 1).map(\.kind) == ["takesSecret", "senderUnknown"])
        #expect(sendGrid.facts(403, #"{"errors":[{"message":"access forbidden"}]}"#, at: 1) == [.takesSecret])
        #expect(
            sendGrid.facts(200, #"{"enabled":true,"enable_text":false}"#, at: 2).map(\.kind)
                == ["takesSecret", "tracks"])
        #expect(sendGrid.facts(200, #"{"enabled":false}"#, at: 2) == [.takesSecret])
    }

    @Test func `the others tell whether the sender's domain is theirs`() throws {
        let verified: [ProviderFact] = [.takesSecret, .senderVerified("shop.example")]
        #expect(
            try Asked("brevo:").facts(
                200, #"{"domains":[{"id":1,"domain_name":"shop.example","authenticated":true}]}"#, at: 1) == verified)
        #expect(try Asked("brevo:").facts(200, #"{"email":"a@b.example","plan":[]}"#) == [.takesSecret])
        let mailjet = try Asked("mailjet://KEYID")
        #expect(
            mailjet.facts(200, #"{"Count":1,"Data":[{"Email":"*@shop.example","Status":"Active"}],"Total":1}"#)
                == verified)
        #expect(
            mailjet.facts(200, #"{"Count":1,"Data":[{"Email":"a@shop.example","Status":"Active"}],"Total":1}"#)
                == [.takesSecret])
        #expect(
            mailjet.facts(200, #"{"Count":0,"Data":[],"Total":0}"#).map(\.kind) == ["takesSecret", "senderUnknown"])
        let sparkPost = try Asked("sparkpost:")
        #expect(
            sparkPost.facts(
                200, #"{"results":{"status":{"ownership_verified":true,"compliance_status":"valid"}}}"#) == verified)
        #expect(sparkPost.facts(404, #"{"errors":[]}"#).map(\.kind) == ["takesSecret", "senderNotVerified"])
        #expect(sparkPost.facts(403, #"{"errors":[{"message":"Forbidden."}]}"#).map(\.kind) == ["mayNotAsk"])
        #expect(
            try Asked("scaleway://p-1?region=fr-par").facts(
                200, #"{"total_count":1,"domains":[{"name":"shop.example","status":"checked"}]}"#) == verified)
        let mailerSend = try Asked("mailersend:")
        func domain(isPaused: Bool) -> String {
            let settings = #"{"send_paused":\#(isPaused),"track_clicks":true}"#
            return #"{"data":[{"name":"shop.example","is_verified":true,"domain_settings":\#(settings)}]}"#
        }
        #expect(mailerSend.facts(200, domain(isPaused: false)) == verified)
        #expect(mailerSend.facts(200, domain(isPaused: true)).map(\.kind).last == "paused")
        #expect(mailerSend.facts(401, #"{"message":"Unauthenticated."}"#).map(\.kind) == ["refusesSecret"])
    }

    @Test func `an access token of Microsoft names its permissions, where it names any`() throws {
        func facts(_ claims: String) throws -> [ProviderFact] {
            let token = "e30.\(Base64URL.encode(Array(claims.utf8))).c2ln"
            return try #require(MailProvider.of("graph:")?.inquiry).facts(ofToken: token)
        }
        #expect(try facts(#"{"roles":["User.Read.All","Mail.Send"]}"#) == [])
        #expect(try facts(#"{"roles":["User.Read.All"]}"#).map(\.kind) == ["mayNotAsk"])
        #expect(try facts("{}").map(\.kind) == ["mayNotAsk"])
        #expect(try #require(MailProvider.of("graph:")?.inquiry).facts(ofToken: "opaque") == [])
    }

    @Test(arguments: [
        (200, "<html>Sign in</html>", "unreadable elsewhere"), (302, "", "unreadable elsewhere"),
        (404, "<html>", "unreadable elsewhere"), (404, "{}", "unreadable"), (200, "[]", "unreadable"),
        (200, #"{"error":"no"}"#, "unreadable"), (200, "", "unreadable"), (418, "{}", "unreadable"),
        (401, "{}", "refusesSecret"), (403, "{}", "mayNotAsk"), (429, "{}", "silent"), (500, "{}", "silent"),
        (503, "<html>", "silent"),
    ])
    func `an answer of another form is none of the provider's`(status: Int, body: String, kind: String) throws {
        #expect(try Asked("resend:").facts(status, body).map(\.kind) == [kind])
    }

    @Test func `more than is read is no answer, and a secret is not repeated`() throws {
        let resend = try Asked("resend:")
        #expect(resend.facts(200, #"{"data":["#, isCut: true).map(\.kind) == ["unreadable"])
        let facts = resend.facts(401, "the key hunter2 is wrong")
        #expect(facts.map(\.kind) == ["refusesSecret"] && !"\(facts)".contains("hunter2"))
    }
}

extension ProviderFact {
    /// The fact without its text.
    fileprivate var kind: String {
        switch self {
        case .takesSecret: "takesSecret"
        case .refusesSecret: "refusesSecret"
        case .mayNotAsk: "mayNotAsk"
        case .senderVerified: "senderVerified"
        case .senderNotVerified: "senderNotVerified"
        case .senderUnknown: "senderUnknown"
        case .sandbox: "sandbox"
        case .paused: "paused"
        case .tracks: "tracks"
        case .silent: "silent"
        case .unreadable(_, let isElsewhere): isElsewhere ? "unreadable elsewhere" : "unreadable"
        }
    }
}
