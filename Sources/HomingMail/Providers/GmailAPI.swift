// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingWire

extension MailProvider {
    /// Gmail's API for a mailbox of Google Workspace, by a service account with domain-wide delegation for the scope
    /// `gmail.send`. It takes the message as it is, and is taken to write its own Message-ID and Date. It tracks nothing
    /// and fills nothing in.
    static let gmail = MailProvider(
        scheme: "gmail", name: "Gmail API", form: "gmail://SENDER", secretName: "service account's key file",
        isSecretFile: true,
        secretForm: "JSON with client_email and private_key", placeName: "sender", placeIsMailbox: true,
        parameters: [Parameter(name: "token-url")],
        keepsOurBytes: false,
        // The file holds a private key: what is none must not go out in the place of a token.
        isSecret: {
            (try? OAuthGrant(tokenURL: OAuthGrant.googleTokenURL, kind: .serviceAccount, secret: $0)) != nil
        },
        tokens: { url in
            try? OAuthGrant(
                tokenURL: url.parameters["token-url"] ?? OAuthGrant.googleTokenURL, kind: .serviceAccount,
                scope: "https://www.googleapis.com/auth/gmail.send", subject: url.place, secret: url.secret,
                authorityFile: url.authorityFile)
        },
        endpoint: { _ in "https://gmail.googleapis.com" },
        request: { mail in
            // `me` is the mailbox that the token is for.
            ProviderRequest(
                path: "/upload/gmail/v1/users/me/messages/send?uploadType=media", contentType: "message/rfc822",
                headers: [mail.bearer], body: mail.message())
        },
        acceptedID: { $0.id(at: "id") },
        answers: [
            AnswerRule(
                statuses: 403...429, words: ["\"dailyLimitExceeded\"", "\"quotaExceeded\""],
                meaning: .throttled(seconds: 3_600)),
            AnswerRule(
                statuses: 403...403, words: ["\"rateLimitExceeded\"", "\"userRateLimitExceeded\""],
                meaning: .throttled(seconds: 10)),
            AnswerRule(statuses: 429...429, meaning: .throttled(seconds: 10)),
            // A user without Gmail.
            AnswerRule(statuses: 400...400, words: ["\"failedPrecondition\""], meaning: .configuration),
        ],
        // The token shows key, delegation and mailbox; its scope allows no question.
        inquiry: MailInquiry())
}
