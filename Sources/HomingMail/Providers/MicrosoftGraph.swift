// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingWire

extension MailProvider {
    /// Microsoft 365 by Graph, with its application permission `Mail.Send`. It takes the message as it is, keeps a copy
    /// in the mailbox's sent items, and is taken to write its own Message-ID and Date; headers that it does not know may
    /// be missing from what arrives. It tracks nothing, fills nothing in, and tells no id of the mail: the id is that of
    /// the request, which Microsoft's support asks for.
    static let graph = MailProvider(
        scheme: "graph", name: "Microsoft Graph", form: "graph://SENDER?tenant=T&client=C",
        secretName: "client secret", placeName: "sender", placeIsMailbox: true,
        parameters: [
            Parameter(name: "tenant", isRequired: true), Parameter(name: "client", isRequired: true),
            Parameter(name: "token-url"),
        ],
        keepsOurBytes: false,
        isSecret: { !ASCII.trimmed($0).isEmpty },
        tokens: { url in
            guard let tokenURL = graphTokenURL(url) else { return nil }
            return try? OAuthGrant(
                tokenURL: tokenURL, kind: .clientCredentials, client: url.parameters["client"],
                scope: "https://graph.microsoft.com/.default", secret: url.secret,
                authorityFile: url.authorityFile)
        },
        // A URL without a token endpoint is refused: the client's secret must not go out in the place of a token.
        endpoint: { url in graphTokenURL(url) == nil ? nil : "https://graph.microsoft.com" },
        request: { mail in
            ProviderRequest(
                path: "/v1.0/users/\(percentEncoded(mail.url.place))/sendMail", contentType: "text/plain",
                headers: [mail.bearer], body: Array(mail.messageInBase64.utf8))
        },
        acceptedID: { answer in
            // Anything else that a proxy says well-meaningly is no acceptance.
            answer.status == 202 ? answer.id(inHeader: "request-id") ?? "unnamed" : nil
        },
        answers: [
            AnswerRule(
                statuses: 400...499,
                words: [
                    "\"ErrorSendAsDenied\"", "\"ErrorAccessDenied\"", "\"ErrorMessageSubmissionBlocked\"",
                    "\"ErrorInvalidUser\"", "\"MailboxNotEnabledForRESTAPI\"",
                ], meaning: .configuration),
            AnswerRule(statuses: 429...429, meaning: .throttled(seconds: 60)),
            AnswerRule(statuses: 503...504, meaning: .throttled(seconds: 10)),
        ],
        inquiry: MailInquiry(claims: { claims in
            let roles = claims["roles"]?.arrayValue?.compactMap(\.stringValue) ?? []
            // The permission may be given in Exchange instead (RBAC for Applications), of which a token says nothing.
            return roles.contains { ASCII.areEqual($0, "Mail.Send") }
                ? [] : [.mayNotAsk("its access tokens do not have the role Mail.Send")]
        }))

    private static func graphTokenURL(_ url: MailURL) -> String? {
        url.parameters["token-url"] ?? url.parameters["tenant"].flatMap { OAuthGrant.microsoftTokenURL(tenant: $0) }
    }
}
