// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
package import HomingProjects
import HomingTexts

extension Letter {
    /// Writes a message: the texts filled with the facts, once as text and once as HTML.
    ///
    /// - Parameter voice: our own words in the language of the facts, where it is nil.
    package init(
        _ kind: MailKind, about facts: LetterFacts, voice: LetterVoice? = nil, look: LetterLook = .standard
    ) {
        if let voice, let template = voice.template {
            self.init(
                kind, about: facts, template: template, beside: voice,
                placeholders: Placeholders(facts: facts, template: template, isNotice: kind.isNotice), look: look)
            return
        }
        let texts = voice?.texts ?? Texts.of(facts.language)
        let words = facts.inviter == nil ? kind.words(in: texts) : .operatorInvitation
        let common = texts.letters.frame
        let placeholders = Placeholders(facts: facts, texts, isNotice: kind.isNotice)
        let name = facts.displayName.flatMap { DisplayName(mailable: $0) }
        let button = facts.link == nil ? nil : words.button
        let alarm = words.alarm.map { [$0] } ?? []
        let hasCode = button != nil && placeholders.canFill(common.expiry)
        let code = facts.code == nil ? [] : [common.code]
        // A notice names the device of whoever acted, a mail with a code that of whoever asked.
        let origin =
            !code.isEmpty
            ? [common.askedOn, common.network] : kind.isNotice ? [common.time, common.device] : []
        let content = LetterContent(
            heading: words.heading,
            greeting: kind.isNotice && name != nil ? common.greetingByName : common.greeting,
            code: code.isEmpty ? [] : code + [common.codeUse, common.fraud],
            paragraphs: (words.paragraphs + origin + [common.number] + alarm).filter(placeholders.canFill),
            preview: (facts.code?.place == .preheader ? code : []) + [Letter.time],
            button: button,
            expiry: hasCode ? common.expiry : nil,
            asked: hasCode && !kind.isNotice ? common.asked : nil,
            linkAsText: common.linkAsText,
            unasked: code.isEmpty ? words.unasked : common.unaskedWithCode,
            signature: common.signature
        )
        let title = placeholders.fill(words.subject)
        let document = LetterDocument(
            tag: facts.language.tag, direction: facts.language.direction, title: title,
            appName: AppName.mailable(facts.appName), look: look)
        let opening = facts.code?.place == .subject ? "\(placeholders.fill(common.code)) " : ""
        self.init(
            subject: "\(opening)\(title) (\(placeholders.fill(Letter.time)))",
            text: content.text(placeholders) + document.contactAsText,
            html: content.html(placeholders, in: document, link: facts.link ?? "").utf8Text
        )
    }

    /// What no two mails of a day have in common, in any language. A subject ends in it, so that a rule by which people
    /// sort their mails finds the beginning as ever, but where a project wants the code there.
    static let time = "%CLOCK% UTC"
}

extension Placeholders {
    /// The values of a message. In HTML addresses are in bold type.
    fileprivate init(facts: LetterFacts, _ texts: Texts, isNotice: Bool) {
        self.init(
            [.appName: AppName.mailable(facts.appName), .clock: Texts.clock(facts.sentAt)],
            in: facts.language.direction)
        // Only notices tell the day, which takes long to write.
        if isNotice {
            let time = texts.moment(facts.sentAt)
            // The hour and its zone stay on one line.
            set(.time, to: time, html: "\(time.replacing(" UTC", with: "\u{A0}UTC"))")
        }
        if let seconds = facts.lifetime {
            let lifetime = texts.lifetime(seconds: seconds)
            // A number and its unit stay on one line.
            set(.lifetime, to: lifetime, html: "\(lifetime.split(separator: " ").joined(separator: "\u{A0}"))")
        }
        set(.email, to: facts.address, html: LetterContent.strong(facts.address))
        if let newAddress = facts.newAddress {
            set(.newEmail, to: newAddress, html: LetterContent.strong(newAddress))
        }
        if let name = facts.displayName.flatMap({ DisplayName(mailable: $0) }) { set(.displayName, to: name.text) }
        if let link = facts.link { set(.link, to: link) }
        if let device = facts.device {
            set(.device, to: texts.device(browser: device.browser?.rawValue, system: device.system.rawValue))
        }
        if let network = facts.network { set(.network, to: network) }
        if let code = facts.code {
            let shown = code.shown(facts.language.direction)
            set(.code, to: shown, html: LetterContent.large(shown))
        }
        if let number = facts.number { set(.number, to: number, html: LetterContent.large(number)) }
        if let request = facts.request.flatMap({ MailKind($0).words(in: texts).request }) {
            set(.request, to: request)
        }
        if let server = facts.server { set(.server, to: server) }
        if let relay = facts.relay { set(.relay, to: relay) }
        if let inviter = facts.inviter { set(.inviter, to: inviter, html: LetterContent.strong(inviter)) }
    }
}
