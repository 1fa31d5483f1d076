// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingCore
package import HomingProjects
import HomingTexts

/// A mail of the outbox, written once more.
package struct WrittenMail: Sendable {
    package let mail: OutboxMail
    /// The kind of its message: the mail's own, or the one that a test mail shows.
    package let kind: MailKind
    package let letter: Letter
    /// The code that people can type, as the message shows it; nil where it has none.
    package let code: String?
}

extension Homing {
    /// Writes a mail as delivery has written it, from its row; nil where there is none, or what it was made of is gone by
    /// now. The words are the template's as it is now.
    package func written(_ id: String) async throws -> WrittenMail? {
        guard let mail = try await outbox.mail(id) else { return nil }
        let relay = outbox.mailState?.host
        // The words of a plain test mail name the relay, which another process does not know.
        guard mail.kind != .test || mail.facts.sample != nil || relay != nil else { return nil }
        let writer = LetterWriter(
            projects: projects, keys: keys, publicURL: publicURL, consoleURL: consoleURL,
            sender: SenderAddress(address: "noreply@localhost"), relay: relay)
        guard let draft = try? writer.draft(mail) else { return nil }
        let message = writer.write(draft)
        return WrittenMail(
            mail: mail, kind: draft.kind,
            letter: Letter(subject: message.subject, text: message.text, html: message.html),
            code: draft.facts.code?.shown(Language.direction(of: draft.voice.tag)))
    }
}
