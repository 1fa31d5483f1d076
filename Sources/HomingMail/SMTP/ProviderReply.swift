// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import Foundation

/// A reply with which a provider refuses all mails of a sender or an account, though it reads like one about a single
/// recipient, or like one that ends by itself. An operator has to change something, or to wait.
package struct ProviderReply: Sendable {
    private enum Provider: Sendable {
        case microsoft, google

        var domains: [String] {
            switch self {
            case .microsoft: ["office365.com", "outlook.com", "office365.us", "partner.outlook.cn"]
            case .google: ["gmail.com", "google.com"]
            }
        }
    }

    private let provider: Provider
    /// The code and the enhanced code (RFC 3463), as they begin the reply's last line.
    private let codes: String
    /// A word of the reply, where the codes alone do not tell, in small letters.
    private var word = ""
    /// What to do.
    package let advice: String

    /// Nil for a reply that means what its code says. Only a provider's own host can say it, or a relay that takes
    /// access tokens as they do: any other may repeat the words of a recipient's server, which must not stop all mails.
    package static func find(_ reply: String, from relay: SMTPRelay) -> ProviderReply? {
        let text = reply.lowercased()
        let host = relay.host.lowercased()
        return all.first { row in
            let isProvider =
                relay.tokenLogin != nil || row.provider.domains.contains { host == $0 || host.hasSuffix(".\($0)") }
            return isProvider && text.hasPrefix(row.codes)
                && !(text.dropFirst(row.codes.count).first?.isNumber ?? false)
                && (row.word.isEmpty || text.contains(row.word))
        }
    }

    private static let sendAs =
        "Give the mailbox that signs in the right to send as the sender (Exchange: SendAs), or set HOMING_MAIL_FROM to "
        + "its own address."
    private static let fullAccess =
        "Register the app's service principal in Exchange (New-ServicePrincipal, with the object id of the enterprise "
        + "application) and give it FullAccess to the mailbox (Add-MailboxPermission)."

    private static let all = [
        ProviderReply(
            provider: .microsoft, codes: "535 5.7.139", word: "smtpclientauthentication is disabled",
            advice: "Switch SMTP AUTH on for the mailbox (Set-CASMailbox -SmtpClientAuthenticationDisabled $false); "
                + "security defaults switch it off for the tenant."),
        ProviderReply(
            provider: .microsoft, codes: "535 5.7.139",
            advice: "A policy of the tenant forbids this sign-in: look at its sign-in log in Entra."),
        ProviderReply(
            provider: .microsoft, codes: "535 5.7.3",
            advice: "See that the app has the application permission SMTP.SendAsApp of Office 365 Exchange Online with "
                + "admin consent, and the scope is https://outlook.office365.com/.default. \(fullAccess)"),
        ProviderReply(
            provider: .microsoft, codes: "504 5.7.4",
            advice: "This server takes no such sign-in: add oauth=microsoft to the URL, with tenant and client."),
        ProviderReply(provider: .microsoft, codes: "550 5.7.60", advice: sendAs),
        ProviderReply(provider: .microsoft, codes: "554 5.2.252", advice: sendAs),
        ProviderReply(provider: .microsoft, codes: "554 5.2.0", word: "sendasdenied", advice: sendAs),
        ProviderReply(provider: .microsoft, codes: "430 4.2.0", word: "storedrv", advice: fullAccess),
        ProviderReply(
            provider: .microsoft, codes: "550 5.7.708",
            advice: "Microsoft does not take emails from this tenant, new ones above all: write to its support."),
        ProviderReply(
            provider: .microsoft, codes: "550 5.1.90",
            advice: "The mailbox has reached its recipients for the day; emails go on by themselves. For more use a "
                + "provider for emails of programs."),
        ProviderReply(
            provider: .google, codes: "535 5.7.8",
            advice: "See that domain-wide delegation in the admin console names the service account's client id with "
                + "the scope https://mail.google.com/, and that the user is a mailbox of the domain."),
        ProviderReply(
            provider: .google, codes: "534 5.7.9",
            advice: "Google wants an app password here, or an access token: oauth=google."),
        ProviderReply(
            provider: .google, codes: "550 5.4.5",
            advice: "The mailbox has reached its emails for the day; emails go on by themselves. For more use "
                + "smtp-relay.gmail.com or a provider for emails of programs."),
        ProviderReply(
            provider: .google, codes: "550 5.7.0",
            advice: "Allow this server's address, or the mailbox, in the admin console's SMTP relay service."),
    ]
}
