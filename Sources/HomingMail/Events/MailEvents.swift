// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingCore
package import HomingStore
import HomingWire

/// What a provider tells of mails at a path of ours: how a request is known to be the provider's, and what it says.
/// Each provider's stands in the provider's file.
package struct MailEvents: Sendable {
    /// What its events key is, for messages and documents: `the webhook's signing secret`.
    package let keyName: String
    /// The answer to a request whose proof is none. Providers stop sending after some, as Postmark does after 403, and
    /// Mailgun after 406; a key that is mistyped here must not cost events.
    package var refusal = 403
    let verify: @Sendable (MailEventRequest, _ key: String, SigningCertificates) async -> MailEventProof
    /// The events in a genuine body; those of kinds that change nothing are left out.
    let read: @Sendable (JSON) -> [MailEvent]

    /// What a request says to whoever has its key.
    package enum Reading: Sendable {
        /// - Parameter once: see ``MailEventProof/genuine(_:once:)``.
        case events([MailEvent], once: String?)
        case subscribed
        case refused(MailEvent.Outcome)
        /// The proof could not be looked at now.
        case away
    }

    package func read(
        _ request: MailEventRequest, key: String, certificates: SigningCertificates
    ) async -> Reading {
        switch await verify(request, key, certificates) {
        case .genuine(let body, let once): .events(read(body), once: once)
        case .subscription(let url): await certificates.confirm(url) ? .subscribed : .away
        case .ended: .events([], once: nil)
        case .forged: .refused(.forged)
        case .old: .refused(.replayed)
        case .unreadable: .refused(.unreadable)
        case .away: .away
        }
    }

    /// Those of the provider that a `mail.url` names, by its own scheme or as a relay, and its name in figures; nil where
    /// it tells nothing.
    package static func of(_ url: String) -> (provider: String, events: MailEvents)? {
        let relay = (try? SMTPRelayURL(url)).flatMap { RelayHeaders.scheme(ofHost: $0.host) }
        let provider = MailProvider.of(relay.map { "\($0):" } ?? url)
        return provider.flatMap { provider in
            provider.events.map { (String(provider.scheme.prefix { $0 != "+" }), $0) }
        }
    }
}

/// What came to the path of a provider's events.
package struct MailEventRequest: Sendable {
    /// The values of the head's fields by their names in lower case.
    let headers: [String: String]
    let body: [UInt8]
    let now: Moment
    /// Nil where the body is no JSON.
    let json: JSON?

    /// As many as a mebibyte of small events has.
    private static let mostValues = 120_000

    package init(headers: [String: String], body: [UInt8], now: Moment) {
        self.headers = headers
        self.body = body
        self.now = now
        json = try? JSON.parse(body, mostValues: Self.mostValues)
    }

    func text(_ member: String) -> String? { json?.text(member) }

    /// Whether a time that the provider has signed is recent.
    func isRecent(_ moment: Moment, past: Int64, ahead: Int64 = 300) -> Bool {
        (-ahead * 1000...past * 1000).contains(now.milliseconds - moment.milliseconds)
    }
}

/// What a request's proof shows.
enum MailEventProof: Sendable {
    /// The provider has sent this.
    ///
    /// - Parameter once: of a proof that does not cover the body, so that only one request may show it.
    case genuine(JSON, once: String? = nil)
    /// It asks whether its events are wanted here, to which a GET of this URL says yes.
    case subscription(url: String)
    /// It says that there will be no more events.
    case ended
    case forged
    /// The proof was good at another time.
    case old
    /// The proof is good, and the body cannot be read.
    case unreadable
    case away
}

extension JSON {
    /// The value that is reached by these members; `0` is an array's first element.
    func at(_ path: String...) -> JSON? { at(path) }

    /// The text or the whole number that is reached by these members; nil for an empty one.
    func text(_ path: String...) -> String? {
        let value = at(path)
        let text = value?.stringValue ?? value?.integerValue.map { String($0) }
        return text?.isEmpty == false ? text : nil
    }

    /// The time that is reached by these members: RFC 3339 or its like, or a number since 1970.
    func moment(_ path: String...) -> Moment? {
        switch at(path) {
        case .string(let text)?: Moment(reading: text)
        case .int(let number)?: Moment(sinceEpoch: Double(number))
        case .double(let number)?: Moment(sinceEpoch: number)
        default: nil
        }
    }

    private func at(_ path: [String]) -> JSON? {
        path.reduce(self) { (value: JSON?, step) in
            ASCII.areEqual(step, "0") && value?.arrayValue != nil
                ? value?.arrayValue?.first : value?.objectValue?[step]
        }
    }

    /// The elements of an array, or the value alone.
    var elements: [JSON] { arrayValue ?? [self] }
}

extension [String?] {
    /// As one line; what is absent is left out.
    var line: String { compactMap(\.self).joined(separator: " ") }
}
