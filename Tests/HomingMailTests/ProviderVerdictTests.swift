// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingMail
import HomingProjects
import HomingStore
import HomingWire
import Testing

@Suite struct `The answers of a provider` {
    private static let now = Moment(milliseconds: 1_614_265_330_000)

    private func outcome(_ status: Int, _ body: String = "", retryAfter: String? = nil, isCut: Bool = false)
        -> DeliveryOutcome
    {
        let bytes = Array(body.utf8)
        let answer = ProviderAnswer(
            status: status, headers: retryAfter.map { ["retry-after": $0] } ?? [:], body: bytes,
            json: try? JSON.parse(bytes))
        guard let provider = MailProvider.of("webhook+https:") else { return .temporary(reply: "no provider") }
        return ProviderVerdict(provider: provider, answer: answer, isCut: isCut, secret: "hunter2", now: Self.now)
            .outcome
    }

    @Test(arguments: [
        (200, #"{"id":"abc"}"#, "accepted"), (202, #"{"id":"abc"}"#, "accepted"), (204, "", "accepted"),
        (200, "<html>Sign in</html>", "relayRefusesUs"), (302, "", "relayRefusesUs"),
        (401, "{}", "relayRefusesUs"), (402, "{}", "relayRefusesUs"), (403, "{}", "relayRefusesUs"),
        (404, "{}", "relayRefusesUs"), (405, "{}", "relayRefusesUs"), (407, "{}", "relayRefusesUs"),
        (410, "{}", "relayRefusesUs"),
        (408, "{}", "relayAsksToWait"), (425, "{}", "relayAsksToWait"), (429, "{}", "relayAsksToWait"),
        (409, "{}", "temporary"), (400, "{}", "permanent"), (413, "{}", "permanent"), (418, "{}", "permanent"),
        (422, "{}", "permanent"), (500, "{}", "relayUnavailable"), (502, "<html>", "relayUnavailable"),
        (503, "{}", "relayUnavailable"), (0, "", "relayUnavailable"),
    ])
    func `each means one thing for the mail`(status: Int, body: String, kind: String) {
        #expect(outcome(status, body).kind == kind)
    }

    @Test(arguments: [
        ("5", 5), ("0", 1), ("7200", 3_600), ("99999999999999999999", 3_600), ("Thu, 25 Feb 2021 15:02:20 GMT", 10),
        ("Thu, 25 Feb 2021 15:00:00 GMT", 1), ("soon", 30), ("-5", 30),
    ])
    func `the wait that it asks for is obeyed, up to an hour`(text: String, seconds: Int64) {
        #expect(
            outcome(429, "{}", retryAfter: text)
                == .relayAsksToWait(reply: "the webhook answered 429: {}", seconds: seconds))
    }

    @Test func `a server that is away may say for how long, too`() {
        #expect(outcome(503, retryAfter: "12") == .relayAsksToWait(reply: "the webhook answered 503", seconds: 12))
    }

    @Test func `the provider's id is kept, in what is fit to be shown`() {
        #expect(outcome(200, #"{"id":"abc-1"}"#) == .accepted(reply: "the webhook took it: abc-1"))
        #expect(outcome(200, #"{"id":"a\u001b[31mb"}"#) == .accepted(reply: "the webhook took it: a[31mb"))
    }

    @Test func `nothing is repeated that is secret, a page, or long`() {
        #expect(!outcome(401, "the key hunter2 is wrong").words.contains("hunter2"))
        #expect(outcome(500, " <html><script>x</script>").words == "the webhook answered 500 with a web page")
        #expect(outcome(500, String(repeating: "a b ", count: 5_000)).words.utf8.count <= 200)
        #expect(
            outcome(200, #"{"id":"abc"}"#, isCut: true)
                == .relayUnavailable("the webhook answered 200, and more than is read", mayHaveIt: true))
    }

    @Test func `a success that has another form may be one, a web page is none`() throws {
        let resend = try #require(MailProvider.of("resend:"))
        for (body, mayHaveIt) in [(#"{"data":{"id":"a"}}"#, true), ("", true), (" <html>Sign in</html>", false)] {
            let answer = ProviderAnswer(status: 200, body: Array(body.utf8), json: try? JSON.parse(Array(body.utf8)))
            #expect(
                ProviderVerdict(provider: resend, answer: answer, now: Self.now).outcome
                    == .relayRefusesUs(
                        "Resend answered 200, but not as it does when it takes an email", mayHaveIt: mayHaveIt))
        }
    }
}

@Suite struct `A signed webhook` {
    @Test func `is signed as the specification's example is`() throws {
        let signature = try #require(WebhookSignature(secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"))
        let fields = signature.headers(
            id: "msg_p5jXN8AQM9LWM0D4loKWxJek", at: Moment(milliseconds: 1_614_265_330_000),
            Array(#"{"test": 2432232314}"#.utf8))
        #expect(fields.map(\.name) == ["webhook-id", "webhook-timestamp", "webhook-signature"])
        #expect(
            fields.map(\.value) == [
                "msg_p5jXN8AQM9LWM0D4loKWxJek", "1614265330", "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
            ])
    }

    @Test(arguments: ["", "whsec_", "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "whsec_c2hvcnQ=", "whsec_!!!!"])
    func `takes no secret of another form`(secret: String) {
        #expect(WebhookSignature(secret: secret) == nil)
    }

    @Test func `carries the finished letter, and a receiver's own id is taken`() throws {
        let letter = MailMessage(
            from: SenderAddress(name: "Shop", address: "noreply@shop.example"), to: "ann@shop.example",
            subject: "Reset", text: "text", html: "<p>html</p>", messageID: "<1@shop.example>", date: 0, language: "en",
            mailID: "mail1")
        let url = try MailURL(parsing: "webhook+https://hooks.example/mail")
            .complete(secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
        let provider = try #require(MailProvider.of("webhook+https:"))
        #expect(provider.endpoint(url) == "https://hooks.example/mail")
        let request = provider.request(
            ProviderMail(
                id: "mail1", kind: .passwordReset, expiresAt: Moment(milliseconds: 0), sender: "b@shop.example",
                letter: letter, url: url, secret: url.secret ?? "", now: Moment(milliseconds: 0)))
        let body = try #require(try JSON.parse(request.body).objectValue)
        #expect(body["id"] == "mail1" && body["kind"] == "PASSWORD_RESET" && body["subject"] == "Reset")
        #expect(body["from"]?.objectValue?["address"] == "noreply@shop.example")
        #expect(String(decoding: letter.bytes(), as: UTF8.self).contains("\r\nX-Homing-Mail: mail1\r\n"))
        func id(_ text: String) -> String? {
            let bytes = Array(text.utf8)
            return provider.acceptedID(ProviderAnswer(status: 200, body: bytes, json: try? JSON.parse(bytes)))
        }
        #expect(id(#"{"id":"x1"}"#) == "x1" && id("") == "" && id("ok") == "" && id(" <html>") == nil)
    }
}
