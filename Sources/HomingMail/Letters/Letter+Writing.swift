// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import HomingCore

extension Letter {
    /// Writes a letter: the words filled with the facts, once as text and once as HTML.
    init(words: LetterWords, facts: LetterFacts) {
        let common = LetterFrame.words(in: facts.language)
        let placeholders = Placeholders(facts: facts)
        let name = facts.displayName.flatMap { DisplayName(mailable: $0) }
        let button = facts.link == nil ? nil : words.button
        let alarm = words.alarm.map { [$0] } ?? []
        let content = LetterContent(
            heading: words.heading,
            greeting: words.isNotice && name != nil ? common.greetingByName : common.greeting,
            paragraphs: (words.paragraphs + (words.isNotice ? [common.time, common.device] : []) + alarm)
                .filter(placeholders.canFill),
            button: button,
            expiry: button != nil && placeholders.canFill(common.expiry) ? common.expiry : nil,
            linkAsText: common.linkAsText,
            unasked: words.unasked,
            signature: common.signature
        )
        let subject = placeholders.fill(words.subject)
        self.init(
            subject: subject,
            text: content.text(placeholders),
            html: content.html(
                placeholders, language: facts.language, subject: subject, link: facts.link ?? "",
                appName: AppName.mailable(facts.appName)
            ).utf8Text
        )
    }
}

extension Placeholders {
    /// The values of a letter. In HTML addresses stand in bold type.
    fileprivate init(facts: LetterFacts) {
        self.init([
            .appName: AppName.mailable(facts.appName)
        ])
        let time = TimeInWords.words(facts.sentAt, in: facts.language)
        // The hour and its zone stay on one line.
        set(.time, to: time, html: "\(time.replacing(" UTC", with: "\u{A0}UTC"))")
        if let seconds = facts.lifetime {
            let lifetime = LifetimeInWords.words(seconds: seconds, in: facts.language)
            // A number and its unit stay on one line.
            set(.lifetime, to: lifetime, html: "\(lifetime.split(separator: " ").joined(separator: "\u{A0}"))")
        }
        set(.email, to: facts.address, html: LetterContent.strong(facts.address))
        if let newAddress = facts.newAddress {
            set(.newEmail, to: newAddress, html: LetterContent.strong(newAddress))
        }
        if let name = facts.displayName.flatMap({ DisplayName(mailable: $0) }) { set(.displayName, to: name.text) }
        if let link = facts.link { set(.link, to: link) }
        if let device = facts.device { set(.device, to: DeviceInWords.words(device, in: facts.language)) }
        if let server = facts.server { set(.server, to: server) }
        if let relay = facts.relay { set(.relay, to: relay) }
    }
}
