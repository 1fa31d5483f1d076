// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingDoctor
import HomingMail
import Testing

@Suite struct `The doctor on a provider over HTTPS` {
    private func findings(_ facts: ProviderFact...) throws -> [Finding] {
        let url = try MailURL(parsing: "resend:").complete(secret: "hunter2")
        return ProviderCheck(url: url, provider: try #require(MailProvider.of("resend:"))).findings(facts)
    }

    @Test(arguments: [
        (ProviderFact.takesSecret, "ok MAIL_PROVIDER_OK"),
        (.refusesSecret("Resend answered 401"), "problem MAIL_PROVIDER_REFUSES"),
        (.mayNotAsk("Resend answered 403"), "warning MAIL_PROVIDER_UNSURE"),
        (.senderVerified("shop.example"), "ok MAIL_SENDER_VERIFIED"),
        (.senderNotVerified("shop.example is not verified"), "problem MAIL_SENDER_NOT_VERIFIED"),
        (.senderUnknown("shop.example is unknown"), "warning MAIL_SENDER_NOT_VERIFIED"),
        (.sandbox("nobody else is mailed"), "problem MAIL_PROVIDER_SANDBOX"),
        (.paused("sending is off"), "problem MAIL_PROVIDER_PAUSED"),
        (.tracks("links are tracked"), "warning MAIL_TRACKING_ON"),
        (.silent("503", isTemporary: true), "warning MAIL_PROVIDER_UNREACHABLE"),
        (.silent("timed out", isTemporary: false), "problem MAIL_PROVIDER_UNREACHABLE"),
        (.unreadable("a web page", isElsewhere: true), "problem MAIL_PROVIDER_UNREADABLE"),
        (.unreadable("404", isElsewhere: false), "warning MAIL_PROVIDER_UNREADABLE"),
    ])
    func `each fact has its code, and a remedy where one is needed`(fact: ProviderFact, verdict: String) throws {
        let found = try findings(fact)
        #expect(found.map { "\($0.level) \($0.code)" } == [verdict])
        #expect(found.allSatisfy { $0.subject == "resend:" && ($0.level == .ok) == $0.advice.isEmpty })
    }

    @Test func `a remedy names the provider and its secret, and never shows the secret`() throws {
        let found = try findings(.refusesSecret("Resend answered 401"))
        #expect(found[0].seen == "Resend does not take the API key: Resend answered 401")
        #expect(found[0].advice.contains("HOMING_MAIL_SECRET") && !found[0].advice.contains("hunter2"))
    }
}
