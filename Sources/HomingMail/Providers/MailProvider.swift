// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
package import HomingProjects
package import HomingStore
package import HomingWire

/// A provider that takes mails over HTTPS. Each is one value in a file of its own, and a row of ``all``: how a request
/// is made, and the meaning of its answers.
package struct MailProvider: Sendable {
    /// The scheme of its `mail.url`: `resend`.
    package let scheme: String
    /// The name that people know: `Resend`.
    package let name: String
    /// The form of its URL, for messages and documents: `mailgun://DOMAIN[?region=eu]`.
    package let form: String
    /// What its secret is, for messages: `API key`.
    package let secretName: String
    /// Whether the secret is a file of several lines, which nobody types.
    package var isSecretFile = false
    /// The form of its secret, for messages; nil where it has none that is known.
    var secretForm: String?
    /// Whether the URL names something in the place of a host (a domain, a region, a mailbox); its name for messages.
    var placeName: String?
    /// Whether that is an address, whose `@` need not be percent-encoded.
    var placeIsMailbox = false
    /// Whether that is the host and path of a URL.
    var placeIsURL = false
    /// Whether the URL names a user before `@` besides the secret (SES's key id); its name for messages.
    var userName: String?
    /// Parameters of its URL, besides `endpoint`, `ca`, `connections` and `secret-file`.
    var parameters: [Parameter] = []
    /// Whether it takes the message as it is, so that a signature of ours stays valid.
    package let keepsOurBytes: Bool
    /// Whether a text has the form of its secret.
    var isSecret: @Sendable (String) -> Bool = { _ in true }
    /// How its secret becomes what a request carries: the secret itself, or an access token that is bought with it.
    package var tokens: @Sendable (MailURL) -> OAuthGrant? = { _ in nil }
    /// The base of its requests' URLs, without a slash at the end; nil where a region is none that it has.
    package let endpoint: @Sendable (MailURL) -> String?
    package let request: @Sendable (ProviderMail) -> ProviderRequest
    /// The provider's id of a mail that it took; nil where a 2xx does not say that the mail was taken.
    package let acceptedID: @Sendable (ProviderAnswer) -> String?
    /// Answers that mean something else than their status says, the first that fits counts.
    var answers: [AnswerRule] = []
    /// What it can be asked without a mail; nil where nothing is.
    package var inquiry: MailInquiry?
    /// What it tells later of mails that it took; nil where it tells nothing.
    package var events: MailEvents?

    struct Parameter: Sendable {
        let name: String
        var isRequired = false
    }

    /// Those of which a `mail.url` may have the scheme, in the order of the documents.
    package static let all: [MailProvider] = [
        ses, graph, gmail, resend, postmark, mailgun, sendGrid, brevo, mailjet, sparkPost, scaleway, mailerSend,
        webhook,
    ]

    /// Its name, where it writes mails anew and signs them itself; nil where ours arrive as they are.
    package var rewriter: String? { keepsOurBytes ? nil : name }

    /// The one whose scheme a URL has.
    package static func of(_ url: String) -> MailProvider? {
        all.first { url.utf8.starts(with: "\($0.scheme):".utf8) }
    }
}

/// What a request is made of: the letter, and what the URL and its secret say.
package struct ProviderMail: Sendable {
    /// The outbox's id, by which the mail is found again: it travels as metadata and as the header `X-Homing-Mail`.
    let id: String
    let kind: MailKind
    let expiresAt: Moment
    /// The envelope's sender, to which bounces go.
    let sender: String
    let letter: MailMessage
    let url: MailURL
    /// The secret, or the access token that was bought with it.
    let secret: String
    let now: Moment

    package init(
        id: String, kind: MailKind, expiresAt: Moment, sender: String, letter: MailMessage, url: MailURL,
        secret: String, now: Moment
    ) {
        self.id = id
        self.kind = kind
        self.expiresAt = expiresAt
        self.sender = sender
        self.letter = letter
        self.url = url
        self.secret = secret
        self.now = now
    }
}

/// A POST of a body, or a GET.
package struct ProviderRequest: Sendable {
    /// Behind the endpoint, with its slash: `/emails`.
    package var path: String
    package var contentType = "application/json"
    /// Further fields of the head, credentials too.
    package var headers: [(name: String, value: String)] = []
    package var body: [UInt8]
    /// The user and password of HTTP Basic.
    package var basic: (user: String, password: String)?
    /// Region and service of Amazon's signature, version 4; libcurl makes it.
    package var awsSignature: (region: String, service: String)?
    /// Whether it is a GET, which has no body.
    package var isQuestion = false
}

/// What came back, of which at most 64 KB are read.
package struct ProviderAnswer: Sendable {
    package var status: Int
    /// The values of the head's fields by their names in lower case.
    package var headers: [String: String]
    package var body: [UInt8]
    /// Nil where the body is no JSON.
    package var json: JSON?

    package init(status: Int, headers: [String: String] = [:], body: [UInt8] = [], json: JSON? = nil) {
        self.status = status
        self.headers = headers
        self.body = body
        self.json = json
    }
}

/// An answer's meaning where its status alone does not tell.
struct AnswerRule: Sendable {
    enum Meaning: Sendable, Equatable {
        /// It was taken at an earlier try, whose answer was lost.
        case alreadyTaken
        /// Final for this mail.
        case permanent
        /// This mail is to be tried again later.
        case temporary
        /// All mails wait: for as long as the answer says, else so many seconds.
        case throttled(seconds: Int64)
        /// An operator has to change something; mails wait.
        case configuration
    }

    let statuses: ClosedRange<Int>
    /// Texts of which the body has one, byte for byte; empty where the status is enough. Each has a space or a
    /// quotation mark, so that no address that a body repeats can be one.
    var words: [String] = []
    let meaning: Meaning
}
