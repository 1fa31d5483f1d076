// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingCore
package import HomingProjects
package import HomingStore
package import HomingTexts

/// The facts that a message tells: only values, the same for every retry of a mail.
package struct LetterFacts: Sendable, Equatable {
    /// The project's public name. Control characters are dropped, and the name is cut at 100 bytes.
    package var appName: String

    /// The address of the account. It is also the recipient, except for `MailKind.verifyAndChangeEmail`, which goes to
    /// `newAddress`. In a recovery or a notice it is the address that was replaced.
    package var address: String

    /// The address that replaces the old one, where there is one.
    package var newAddress: String?

    /// The account's display name. Give it only when the recipient has proven the address: whoever signs up with a
    /// stranger's address chooses this name. A name that `DisplayName` refuses is dropped.
    package var displayName: String?

    /// The target of the button; nil in a message that only informs.
    package var link: String?

    package var language: Language

    /// The lifetime of the link in seconds; nil when the link carries no code.
    package var lifetime: Int?

    /// The time when the request was accepted, in seconds since 1970 UTC.
    package var sentAt: Int

    /// The device of the person who acted: in a notice, and in a mail with a code, which was asked for on it.
    package var device: Device?

    /// The network on which a mail with a code was asked for, such as `192.0.2.0/24`.
    package var network: String?

    /// The code beside the link, where the request is bound to whoever asked.
    package var code: LetterCode?

    /// The two digits that the page behind the link asks for, where it does: in no mail with a code, whose page asks
    /// for digits that are shown where the mail was asked for.
    package var number: String?

    /// What the link was for that a notice is about.
    package var request: ActionCodeKind?

    /// Our own public URL, for a test mail.
    package var server: String?

    /// The host of the relay, for a test mail.
    package var relay: String?

    /// The operator who has invited the recipient to the console, in a mail that is an invitation.
    package var inviter: String?

    package init(
        appName: String, address: String, newAddress: String? = nil, displayName: String? = nil, link: String? = nil,
        language: Language, lifetime: Int?, sentAt: Int, device: Device? = nil,
        network: String? = nil, code: LetterCode? = nil, number: String? = nil, request: ActionCodeKind? = nil,
        server: String? = nil, relay: String? = nil, inviter: String? = nil
    ) {
        self.appName = appName
        self.address = address
        self.newAddress = newAddress
        self.displayName = displayName
        self.link = link
        self.language = language
        self.lifetime = lifetime
        self.sentAt = sentAt
        self.device = device
        self.network = network
        self.code = code
        self.number = number
        self.request = request
        self.server = server
        self.relay = relay
        self.inviter = inviter
    }
}

extension Letter {
    /// A message with sample facts: what a template looks like.
    package init(sample kind: MailKind, of project: Project, in voice: LetterVoice, publicURL: String, at time: Moment)
    {
        self.init(
            kind, about: LetterFacts(sample: kind, of: project, in: voice, publicURL: publicURL, at: time),
            voice: voice,
            look: LetterLook(project.brand))
    }
}

extension LetterFacts {
    /// Facts for a preview or a test mail. The link leads to our page and carries no code. Of code and number, of which a
    /// mail has one at most, both are shown, so that one template is seen whole.
    package init(
        sample kind: MailKind, of project: Project, in voice: LetterVoice, publicURL: String, at time: Moment
    ) {
        let links = MailedLink(project: project, publicURL: publicURL)
        let code = String(repeating: "x", count: 54)
        self.init(
            appName: project.name, address: "ada@example.com",
            newAddress: kind.namesNewAddress ? "ada.lovelace@example.com" : nil, displayName: "Ada",
            link: kind.codeKind.map {
                links.url(code: code, kind: $0, settings: ActionCodeSettings(), language: voice.tag)
            } ?? links.target(of: kind, language: voice.tag),
            language: voice.language, lifetime: kind.codeKind.map { Int(project.settings.lifetime(of: $0)) },
            sentAt: Int(time.seconds), device: Device(browser: .firefox, system: .android),
            network: kind.canBeBound ? "192.0.2.0/24" : nil,
            code: kind.canBeBound ? LetterCode(digits: "12345678", place: project.settings.typedCodePlace) : nil,
            number: kind.showsNumber(in: project.settings) ? "42" : nil,
            request: kind.namesRequest ? .passwordReset : nil, server: publicURL, relay: nil)
    }
}
