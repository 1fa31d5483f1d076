// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingMail
import HomingStore
import Testing

/// How a request that tells of mails is known to be the provider's.
@Suite struct `The proof of a provider's events` {
    private typealias Maker = MailEventMaker

    private func reading(
        _ maker: Maker, _ made: Maker.Made, key: String? = nil, at now: Moment = Maker.now, web: Maker.Web = Maker.Web()
    ) async throws -> MailEvents.Reading {
        try await maker.events.read(made.at(now), key: key ?? maker.key, certificates: web.certificates)
    }

    @Test(arguments: MailEventMaker.schemes)
    func `a request of the provider is taken, and of nobody else`(_ scheme: String) async throws {
        let maker = Maker(scheme)
        let made = try maker.make("{}")
        #expect(try await reading(maker, made).told == [])
        // An HMAC's key that ends with zero bytes is the key without them (RFC 2104): another one ends with others.
        for key in [
            "x", "", "user:other", "Name: value", Maker("resend").key + "BBBB", "arn:aws:sns:eu-west-1:1:other",
        ] {
            #expect(try await reading(maker, made, key: key).refusal == .forged, "\(key)")
        }
        var bare = made
        bare.headers = [:]
        // Those two have it in the body.
        if !["ses", "scaleway", "mailgun"].contains(scheme) {
            #expect(try await reading(maker, bare).refusal == .forged)
        }
        bare.body = Array("{}".utf8)
        #expect(try await reading(maker, bare).refusal == .forged)
    }

    @Test(arguments: ["ses", "scaleway", "resend", "webhook+https", "sendgrid", "mailersend"])
    func `a body that was changed on the way is refused`(_ scheme: String) async throws {
        let maker = Maker(scheme)
        var made = try maker.make(#"{"type":"email.bounced"}"#)
        let place = try #require(made.body.firstIndex(of: UInt8(ascii: "b")))
        made.body[place] = UInt8(ascii: "c")
        #expect(try await reading(maker, made).refusal == .forged)
    }

    @Test(arguments: [
        ("resend", 301), ("webhook+https", 301), ("ses", 7_201), ("scaleway", 7_201), ("mailgun", 43_201),
        ("sendgrid", 93_601),
    ])
    func `a request that was good once is refused later, and one from the future, too`(
        _ scheme: String, _ seconds: Int64
    ) async throws {
        let maker = Maker(scheme)
        let made = try maker.make("{}")
        #expect(try await reading(maker, made, at: Maker.now.adding(seconds: seconds - 1)).told == [])
        #expect(try await reading(maker, made, at: Maker.now.adding(seconds: seconds)).refusal == .replayed)
        #expect(try await reading(maker, made, at: Maker.now.adding(seconds: -301)).refusal == .replayed)
    }

    @Test func `a shared secret may be a name and a password, a token, or a field of the head`() async throws {
        let brevo = Maker("brevo")
        for (key, field, value) in [
            ("ann:se:cret", "authorization", "basic YW5uOnNlOmNyZXQ="), ("t0ken", "authorization", "Bearer t0ken"),
            ("X-Homing-Key: t0ken", "x-homing-key", "t0ken"),
        ] {
            var made = Maker.Made(body: Array("{}".utf8))
            made.headers[field] = value
            #expect(try await reading(brevo, made, key: key).told == [], "\(key)")
            made.headers[field] = value + "x"
            #expect(try await reading(brevo, made, key: key).refusal == .forged, "\(key)")
            made.headers[field] = ""
            #expect(try await reading(brevo, made, key: key).refusal == .forged, "\(key)")
        }
    }

    @Test func `the code of Mailgun does not cover the event, so that it is good for one`() async throws {
        let maker = Maker("mailgun")
        let made = try maker.make("{}")
        let other = try maker.make(#"{"event":"delivered"}"#)
        guard case .events(_, let once) = try await reading(maker, made),
            case .events(_, let again) = try await reading(maker, other)
        else { throw NoEvents() }
        #expect(once == again && once?.utf8.count == 64)
        #expect(try await reading(maker, try maker.make("[]")).refusal == .unreadable)
        let old = try maker.make(#"{"timestamp":1789900000.5}"#)
        #expect(try await reading(maker, old).refusal == .replayed)
    }

    private struct NoEvents: Error {}

    @Test(arguments: [
        "resend", "postmark", "sendgrid", "brevo", "mailjet", "sparkpost", "mailersend", "webhook+https", "ses",
    ])
    func `what is genuine and no JSON is called unreadable`(_ scheme: String) async throws {
        let maker = Maker(scheme)
        #expect(try await reading(maker, try maker.make("no JSON")).refusal == .unreadable)
    }

    // MARK: Amazon's notices

    @Test(arguments: ["1", "2"])
    func `both versions of Amazon's signature are taken, and its certificate is asked for once`(
        _ version: String
    ) async throws {
        var maker = Maker("ses")
        maker.version = version
        let web = Maker.Web()
        let certificates = web.certificates
        for _ in 0..<3 {
            let made = try maker.make("{}").at(Maker.now)
            let reading = try await maker.events.read(made, key: maker.key, certificates: certificates)
            #expect(reading.told == [])
        }
        #expect(web.asked == [maker.certificateURL])
        maker.version = "3"
        #expect(try await reading(maker, try maker.make("{}")).refusal == .forged)
    }

    @Test func `a topic of somebody else signs as well, and is not asked for its certificate`() async throws {
        var maker = Maker("ses")
        maker.topic = "arn:aws:sns:eu-west-1:123456789012:mail2"
        let web = Maker.Web()
        for notice in ["Notification", "SubscriptionConfirmation"] {
            maker.notice = notice
            #expect(try await reading(maker, try maker.make("{}"), web: web).refusal == .forged)
        }
        #expect(web.asked == [])
        #expect(try await reading(maker, try maker.make("{}"), key: "arn:1 \(maker.topic)", web: web).refusal == nil)
    }

    @Test(arguments: [
        "http://sns.eu-west-1.amazonaws.com/SimpleNotificationService-a.pem",
        "https://sns.eu-west-1.amazonaws.com.evil.example/SimpleNotificationService-a.pem",
        "https://evil.example/sns.eu-west-1.amazonaws.com/SimpleNotificationService-a.pem",
        "https://sns.eu-west-1.amazonaws.com:444/SimpleNotificationService-a.pem",
        "https://sns.eu-west-1.amazonaws.com@evil.example/SimpleNotificationService-a.pem",
        "https://evil.example#sns.eu.amazonaws.com/SimpleNotificationService-a.pem",
        "https://s3.eu-west-1.amazonaws.com/SimpleNotificationService-a.pem",
        "https://sns.s3.eu-west-1.amazonaws.com/SimpleNotificationService-a.pem",
        "https://sns.amazonaws.com/SimpleNotificationService-a.pem",
        "https://sns..amazonaws.com/SimpleNotificationService-a.pem",
        "https://sns.eu-west-1.amazonaws.com",
        "https://sns.eu-west-1.amazonaws.com\\.evil.example/SimpleNotificationService-a.pem",
        "https://SNS.eu-west-1.amazonaws.com/SimpleNotificationService-a.pem",
        "https://sns.eu-west-1.amazonaws.com/SimpleNotificationService-a.txt",
        "https://sns.mnq.fr-par.scaleway.com/SimpleNotificationService-a.pem",
        "https://sns.eu-west-1.amazonaws.com/a.pem",
        "https://sns.eu-west-1.amazonaws.com/SimpleNotificationService-a.pem?x",
        "https://sns.eu-west-1.amazonaws.com/?x=/SimpleNotificationService-a.pem",
        "https://sns.eu-west-1.amazonaws.com/x/SimpleNotificationService-a.pem",
        "https://sns.eu-west-1.amazonaws.com/SimpleNotificationService-a/../a.pem",
        "https://sns.eu-west-1.amazonaws.com/SimpleNotificationService-%2e.pem",
        "https://sns.west.amazonaws.com/SimpleNotificationService-a.pem",
        "https://sns.s3-eu-west-1.amazonaws.com/SimpleNotificationService-a.pem",
    ])
    func `a certificate of another place is not asked for`(_ url: String) async throws {
        var maker = Maker("ses")
        maker.certificateURL = url
        let web = Maker.Web()
        #expect(try await reading(maker, try maker.make("{}"), web: web).refusal == .forged)
        #expect(web.asked == [])
    }

    @Test func `a certificate of Scaleway has no query`() async throws {
        var maker = Maker("scaleway")
        #expect(try await reading(maker, try maker.make("{}")).told == [])
        for end in ["?x=.pem", "?.pem"] {
            maker.certificateURL = "https://sns.mnq.fr-par.scaleway.com/cert.pem\(end)"
            let web = Maker.Web()
            #expect(try await reading(maker, try maker.make("{}"), web: web).refusal == .forged)
            #expect(web.asked == [])
        }
    }

    @Test func `China has its own domain`() async throws {
        var maker = Maker("ses")
        maker.certificateURL = "https://sns.cn-north-1.amazonaws.com.cn/SimpleNotificationService-a.pem"
        #expect(try await reading(maker, try maker.make("{}")).told == [])
    }

    @Test func `a topic asks whether its notices are wanted, and is told so at its own place alone`() async throws {
        var maker = Maker("ses")
        maker.notice = "SubscriptionConfirmation"
        let web = Maker.Web()
        guard case .subscribed = try await reading(maker, try maker.make("You have chosen"), web: web) else {
            throw NoEvents()
        }
        #expect(web.asked == [maker.certificateURL, maker.subscribeURL])

        maker.subscribeURL = "https://169.254.169.254/latest/meta-data"
        let other = Maker.Web()
        #expect(try await reading(maker, try maker.make("You have chosen"), web: other).refusal == .forged)
        #expect(other.asked == [maker.certificateURL])
    }

    @Test func `a certificate that cannot be had now has the provider come again`() async throws {
        let maker = Maker("ses")
        guard case .away = try await reading(maker, try maker.make("{}"), web: Maker.Web(isAway: true)) else {
            throw NoEvents()
        }
    }

    // MARK: Whose

    @Test func `a provider tells of mails that left over SMTP, too`() {
        for (url, provider) in [
            ("resend:", "resend"), ("webhook+https://mail.example/in", "webhook"),
            ("smtp://user:***@email-smtp.eu-west-1.amazonaws.com:587", "ses"), ("smtps://smtp.mailgun.org", "mailgun"),
            ("smtp://smtp.postmarkapp.com", "postmark"), ("smtp://relay.example", nil), ("mailbox:", nil),
            ("graph://ann@corp.example?tenant=t&client=c", nil), ("smtp://smtp.live.smtp.mailtrap.io", nil),
        ] { #expect(MailEvents.of(url)?.provider == provider, "\(url)") }
    }
}
