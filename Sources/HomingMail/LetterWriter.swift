// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingProjects
import HomingStore
import HomingTexts

/// Writes the message of an outbox row: the link from stored configuration, the text in the person's language.
struct LetterWriter: Sendable {
    let projects: Projects
    let keys: Keys
    /// Scheme and host of links; of those to the console where a node serves one.
    let publicURL: String
    let consoleURL: String?
    let sender: SenderAddress
    /// The host of the relay, where mails go to one.
    let relay: String?

    /// The facts of a mail's message, and the project.
    struct Draft: Sendable {
        let mail: OutboxMail
        let project: Project
        /// The kind of the message: the mail's own, or the one that a test mail shows.
        let kind: MailKind
        let facts: LetterFacts
        let voice: LetterVoice
    }

    /// The reason why a mail cannot be written here.
    enum Obstacle: Error {
        /// Its code can no longer be made: the key version is retired, or below the floor.
        case codeDied
        /// Its project or tenant is not in this node's memory, where another node's work comes a moment later.
        case projectUnknown
        /// Its project has a transport of its own, of which this node has only now heard.
        case anotherLane
        /// The database has no such project or tenant any more.
        case projectGone
        /// Nobody serves a console here that its link could lead to.
        case consoleUnknown
        /// The key file of this node lacks the version of its code.
        case keyUnknown(UInt8)
    }

    func draft(_ mail: OutboxMail) throws(Obstacle) -> Draft {
        if mail.kind.isForOperator { return try operatorDraft(mail) }
        guard let project = projects.projectOrTenant(mail.project) else { throw .projectUnknown }
        let voice = LetterVoice(mail.facts.sample ?? mail.kind, in: project, for: mail.facts.language.tag)
        if let kind = mail.facts.sample, let recipient = mail.recipient {
            var facts = LetterFacts(
                sample: kind, of: project, in: voice, publicURL: publicURL, at: mail.createdAt)
            if facts.newAddress != nil, kind == .verifyAndChangeEmail {
                facts.newAddress = recipient.text
            } else {
                facts.address = recipient.text
            }
            return Draft(mail: mail, project: project, kind: kind, facts: facts, voice: voice)
        }
        let links = MailedLink(project: project, publicURL: publicURL)
        var link: String?
        var lifetime: Int?
        var typedCode: String?
        var pressNumber: String?
        if let code = mail.code {
            guard let kind = mail.kind.codeKind else { throw .codeDied }
            let numbers = FinishNumbers(of: code, kind: kind, project: project.scope, ring: keys.ring)
            if mail.isCodeBound { typedCode = try made(of: code, for: .typedCode, numbers.typedCode) }
            if mail.hasPressNumber { pressNumber = try made(of: code, for: .pressNumber, numbers.pressNumber) }
            let text = try text(
                of: code, for: .actionCode, context: ActionCode.context(kind, project: project.scope))
            link = links.url(code: text, kind: kind, settings: mail.settings, language: mail.facts.language.named)
            lifetime = Int(mail.expiresAt.seconds - mail.createdAt.seconds)
        } else {
            link = links.target(of: mail.kind, language: mail.facts.language.named)
        }
        // A void row is rendered like the others, for nobody.
        let address = mail.recipient?.text ?? "nobody@example.invalid"
        let facts = LetterFacts(
            appName: project.name, address: address, newAddress: mail.facts.newAddress,
            displayName: mail.facts.displayName, link: link, language: voice.language,
            lifetime: lifetime, sentAt: Int(mail.createdAt.seconds),
            device: mail.facts.device ?? mail.asked?.device, network: mail.asked?.network,
            code: typedCode.map { LetterCode(digits: $0, place: project.settings.typedCodePlace) },
            number: pressNumber, request: mail.facts.request, server: publicURL, relay: relay)
        return Draft(mail: mail, project: project, kind: mail.kind, facts: facts, voice: voice)
    }

    /// The facts of a mail to an operator. Its link leads to the node that was asked. Where that one did not know its
    /// own address, this node's does; a notice goes without a button where this one has none either.
    private func operatorDraft(_ mail: OutboxMail) throws(Obstacle) -> Draft {
        let address = mail.recipient?.text ?? "nobody@example.invalid"
        let consoleURL = mail.facts.consoleURL ?? self.consoleURL
        var link = consoleURL.map { "\($0)/console/me" }
        var lifetime: Int?
        if mail.kind == .operatorSignIn {
            guard let consoleURL else { throw .consoleUnknown }
            let secret = try mail.code.map { (code) throws(Obstacle) in
                try text(of: code, for: .operatorLink, context: Array(address.utf8))
            }
            guard let secret else { throw .codeDied }
            link = "\(consoleURL)/enter?ticket=\(secret)"
            lifetime = Int(mail.expiresAt.seconds - mail.createdAt.seconds)
        }
        let facts = LetterFacts(
            appName: Project.console.name, address: address, link: link, language: .english, lifetime: lifetime,
            sentAt: Int(mail.createdAt.seconds), inviter: mail.facts.inviter)
        let voice = LetterVoice(mail.kind, in: .console, for: "en")
        return Draft(mail: mail, project: .console, kind: mail.kind, facts: facts, voice: voice)
    }

    /// Renders the message: the expensive part, which no request has to wait for.
    func write(_ draft: Draft) -> MailMessage {
        let mail = draft.mail
        let brand = draft.project.brand
        let letter = Letter(draft.kind, about: draft.facts, voice: draft.voice, look: LetterLook(brand))
        let logo = brand.logo.flatMap { $0.format == .png && letter.showsLogo ? $0.bytes : nil }
        return MailMessage(
            from: from(draft), to: mail.recipient?.text ?? draft.facts.address,
            replyTo: draft.voice.template?.template?[.replyTo],
            subject: letter.subject, text: letter.text, html: letter.html, logo: logo,
            messageID: "<\(mail.id)@\(sender.address.split(separator: "@").last ?? "localhost")>",
            date: mail.createdAt.seconds, language: draft.voice.tag)
    }

    /// The sender as people see it; the envelope keeps the server's own address.
    private func from(_ draft: Draft) -> SenderAddress {
        let template = draft.voice.template?.template
        let appName = AppName.mailable(draft.project.name)
        let name = template?[.senderName].map { Placeholders([.appName: appName]).fill($0) }
        let domain = sender.address.split(separator: "@").last ?? "localhost"
        return SenderAddress(
            name: name ?? sender.name ?? draft.project.name,
            address: template?[.senderLocalPart].map { "\($0)@\(domain)" } ?? sender.address)
    }

    private func text(
        of code: SealedID, for purpose: KeyRing.Purpose, context: [UInt8]
    ) throws(Obstacle) -> String {
        try made(of: code, for: purpose) { () throws(Refusal) in
            try code.text(for: purpose, context: context, ring: keys.ring)
        }
    }

    /// What the key ring makes of a code.
    private func made(
        of code: SealedID, for purpose: KeyRing.Purpose, _ text: () throws(Refusal) -> String?
    ) throws(Obstacle) -> String {
        if let text = try? text() { return text }
        throw keys.ring.isDead(code.version, for: purpose) ? .codeDied : .keyUnknown(code.version)
    }
}
