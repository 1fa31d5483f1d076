// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingCore
package import HomingTexts

/// What a letter tells about: only values, the same for every retry of a mail.
package struct LetterFacts: Sendable, Equatable {
    /// The project's public name. Control characters are dropped, and it is cut at 100 bytes.
    package var appName: String

    /// The address of the account. It is also the recipient, except for `MailKind.verifyAndChangeEmail`, which goes to
    /// `newAddress`. Of a recovery or a notice it is the address that was replaced.
    package var address: String

    /// The address that takes the place of the old one, where one does.
    package var newAddress: String?

    /// What the account calls itself. Give it only when the recipient has proven the address: whoever signs up with a
    /// stranger's address chooses this name. It is dropped unless `DisplayName` takes it.
    package var displayName: String?

    /// Where the button leads, or nothing in a letter that only informs.
    package var link: String?

    package var language: Language

    /// How long the link lives, in seconds; nothing when it carries no code.
    package var lifetime: Int?

    /// When the send was accepted, in seconds since 1970 UTC.
    package var sentAt: Int

    /// What the person who acted did it on.
    package var device: Device?

    /// Our own public URL, for a test mail.
    package var server: String?

    /// The host that mails leave by, for a test mail.
    package var relay: String?

    package init(
        appName: String, address: String, newAddress: String? = nil, displayName: String? = nil, link: String? = nil,
        language: Language, lifetime: Int?, sentAt: Int, device: Device? = nil, server: String? = nil,
        relay: String? = nil
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
        self.server = server
        self.relay = relay
    }
}
