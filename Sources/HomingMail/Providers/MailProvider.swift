// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingCore
import HomingWire

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
    /// Whether the URL names something in the place of a host (a domain, a region, a mailbox); its name for messages.
    var placeName: String?
    /// Whether the URL names a user before `@` besides the secret (SES's key id); its name for messages.
    var userName: String?
    /// Parameters of its URL, besides `endpoint`, `ca`, `connections` and `secret-file`.
    var parameters: [Parameter] = []
    /// Whether it takes the message as it is, so that a signature of ours stays valid.
    package let keepsOurBytes: Bool
    /// How its secret becomes what a request carries: the secret itself, or an access token that is bought with it.
    var tokens: @Sendable (MailURL) -> OAuthGrant? = { _ in nil }
    /// The base of its requests' URLs, without a slash at the end; nil where a region is none that it has.
    let endpoint: @Sendable (MailURL) -> String?
    let request: @Sendable (ProviderMail) -> ProviderRequest
    /// The provider's id of a mail that it took; nil where a 2xx does not say that the mail was taken.
    let acceptedID: @Sendable (ProviderAnswer) -> String?
    /// Answers that mean something else than their status says, the first that fits counts.
    var answers: [AnswerRule] = []

    struct Parameter: Sendable {
        let name: String
        var isRequired = false
    }
}

/// What a request is made of: the letter, and what the URL and its secret say.
struct ProviderMail: Sendable {
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
}

/// A POST of a body.
struct ProviderRequest: Sendable {
    /// Behind the endpoint, with its slash: `/emails`.
    var path: String
    var contentType = "application/json"
    /// Further fields of the head, credentials too.
    var headers: [(name: String, value: String)] = []
    var body: [UInt8]
    /// The user and password of HTTP Basic.
    var basic: (user: String, password: String)?
    /// Region and service of Amazon's signature, version 4; libcurl makes it.
    var awsSignature: (region: String, service: String)?
}

/// What came back, of which at most 64 KB are read.
struct ProviderAnswer: Sendable {
    var status: Int
    /// The values of the head's fields by their names in lower case.
    var headers: [String: String] = [:]
    var body: [UInt8] = []
    /// Nil where the body is no JSON.
    var json: JSON?
}

/// An answer's meaning where its status alone does not tell.
struct AnswerRule: Sendable {
    enum Meaning: Sendable, Equatable {
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
    /// Texts of which the body has one, in any case of letters; empty where the status is enough.
    var words: [String] = []
    let meaning: Meaning
}
