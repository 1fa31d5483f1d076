// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingMail

/// Judges what a provider over HTTPS tells of the secret, the sender and the account.
package struct ProviderCheck: Sendable {
    package let url: MailURL
    package let provider: MailProvider

    package init(url: MailURL, provider: MailProvider) {
        self.url = url
        self.provider = provider
    }

    package func findings(_ facts: [ProviderFact]) -> [Finding] { facts.map(finding) }

    private var subject: String { "\(url)" }
    private var name: String { provider.name }
    private var secret: String { provider.secretName }

    private func finding(_ fact: ProviderFact) -> Finding {
        switch fact {
        case .takesSecret: .ok("MAIL_PROVIDER_OK", subject, "\(name) takes the \(secret)")
        case .refusesSecret(let reason):
            .problem(
                "MAIL_PROVIDER_REFUSES", subject, "\(name) does not take the \(secret): \(reason)",
                "Set HOMING_MAIL_SECRET, or the file of ?secret-file=, to the \(secret) that \(name) shows, one that may "
                    + "send.")
        case .mayNotAsk(let reason):
            .warning(
                "MAIL_PROVIDER_UNSURE", subject, "the \(secret) may not look at the account: \(reason)",
                "A test email shows whether it may send: homing mail test PROJECT YOU@EXAMPLE --wait.")
        case .senderVerified(let domain):
            .ok("MAIL_SENDER_VERIFIED", subject, "\(name) sends emails of \(domain)")
        case .senderNotVerified(let sentence):
            .problem(
                "MAIL_SENDER_NOT_VERIFIED", subject, sentence,
                "Publish the records that \(name) shows for the domain, and have it look for them; or set HOMING_MAIL_FROM "
                    + "to an address that it sends from.")
        case .senderUnknown(let sentence):
            .warning(
                "MAIL_SENDER_NOT_VERIFIED", subject, sentence,
                "Add the domain there and publish the records that \(name) shows, unless the sender's address alone is "
                    + "verified.")
        case .sandbox(let sentence):
            .problem(
                "MAIL_PROVIDER_SANDBOX", subject, sentence,
                "Ask \(name) to let the account mail everybody, or give the \(secret) of one that may.")
        case .paused(let sentence):
            .problem(
                "MAIL_PROVIDER_PAUSED", subject, sentence,
                "See in \(name)'s console why, and have it switched on again; until then emails wait.")
        case .tracks(let sentence):
            .warning(
                "MAIL_TRACKING_ON", subject, sentence,
                "Switch tracking off in \(name)'s settings: a link that was rewritten opens no app, and may be used up "
                    + "before a person taps it.")
        case .silent(let reason, let isTemporary):
            (isTemporary ? Finding.warning : Finding.problem)(
                "MAIL_PROVIDER_UNREACHABLE", subject, "\(name) does not answer: \(reason)",
                "Try again later, and see that this network lets HTTPS out; a proxy is not used.")
        case .unreadable(let sentence, let isElsewhere):
            (isElsewhere ? Finding.problem : Finding.warning)(
                "MAIL_PROVIDER_UNREADABLE", subject, sentence,
                isElsewhere
                    ? "Correct ?endpoint= and region in HOMING_MAIL_URL, or see what stands between here and \(name)."
                    : "A test email shows whether emails are taken: homing mail test PROJECT YOU@EXAMPLE --wait.")
        }
    }
}
