// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
internal import HomingCurl
package import HomingStore
import HomingWire

/// The meaning of a provider's answer for the mail. Pure, so that each row of the table can be tested.
package struct ProviderVerdict {
    let provider: MailProvider
    let answer: ProviderAnswer
    /// Whether there was more of the answer than is read.
    var isCut = false
    /// What must not be repeated, should the answer do so.
    var secret = ""
    let now: Moment

    package init(provider: MailProvider, answer: ProviderAnswer, isCut: Bool = false, secret: String = "", now: Moment)
    {
        self.provider = provider
        self.answer = answer
        self.isCut = isCut
        self.secret = secret
        self.now = now
    }

    /// The wait that is taken where a provider asks for one without saying how long.
    private static let usualWait: Int64 = 30
    /// The longest wait that a provider can ask for.
    private static let longestWait: Int64 = 3_600

    package var outcome: DeliveryOutcome {
        if let rule = provider.answers.first(where: { answer.says($0.words, with: $0.statuses) }) {
            switch rule.meaning {
            case .alreadyTaken: return .accepted(reply: reply)
            case .permanent: return .permanent(reply: reply)
            case .temporary: return .temporary(reply: reply)
            case .throttled(let seconds): return .relayAsksToWait(reply: reply, seconds: retryAfter ?? seconds)
            case .configuration: return .relayRefusesUs(reply)
            }
        }
        switch answer.status {
        case 200...299 where isCut: return .relayUnavailable("\(head), and more than is read", mayHaveIt: true)
        case 200...299:
            guard let id = provider.acceptedID(answer) else {
                return .relayRefusesUs("\(head), but not as it does when it takes an email", mayHaveIt: !isPage)
            }
            let shown = Printable.ascii(id, atMost: 120)
            return .accepted(reply: shown.isEmpty ? "\(provider.name) took it" : "\(provider.name) took it: \(shown)")
        case 300...399: return .relayRefusesUs("\(head), which leads elsewhere")
        // Not paid, a wrong URL, a proxy: no mail is at fault.
        case 401...405, 407, 410: return .relayRefusesUs(reply)
        case 408, 425, 429: return .relayAsksToWait(reply: reply, seconds: retryAfter ?? Self.usualWait)
        case 409: return .temporary(reply: reply)
        case 400...499: return .permanent(reply: reply)
        default:
            guard answer.status >= 500, let retryAfter else { return .relayUnavailable(reply) }
            return .relayAsksToWait(reply: reply, seconds: retryAfter)
        }
    }

    /// Seconds; nil where the answer does not say them in a way of RFC 9110, section 10.2.3.
    private var retryAfter: Int64? {
        guard let text = answer.headers["retry-after"] else { return nil }
        let isNumber = !text.isEmpty && text.utf8.allSatisfy(ASCII.isDigit)
        let seconds =
            isNumber ? Int64(text) ?? Self.longestWait : CurlTransfer.date(text).map { $0 - now.seconds }
        return seconds.map { min(max($0, 1), Self.longestWait) }
    }

    var head: String { "\(provider.name) answered \(answer.status)" }

    /// Whether it is for a browser, from somebody else than takes mails.
    var isPage: Bool { answer.body.first { !ASCII.isSpace($0) } == UInt8(ascii: "<") }

    /// What it said; a page says nothing.
    var reply: String {
        guard !answer.body.isEmpty, !isPage else { return isPage ? "\(head) with a web page" : head }
        return Self.line("\(head): \(String(decoding: answer.body, as: UTF8.self))", hiding: secret)
    }

    /// A line for logs and the outbox, in which the secret is not repeated.
    static func line(_ text: String, hiding secret: String) -> String {
        let hidden = secret.isEmpty ? text : text.replacing(secret, with: SecretMask.mask)
        return SecretMask.line(Array(hidden.utf8), atMost: 200)
    }
}
