// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingStore
import HomingWire

/// What a provider tells of one mail after it has taken it. That somebody opened the mail or followed a link is none.
package struct MailEvent: Sendable, Equatable {
    package enum Kind: Sendable, CaseIterable {
        case delivered
        /// The other server does not take it yet; the provider tries again.
        case deferred
        /// Refused for good, because its address takes no mail.
        case hardBounce
        /// Given up, without blame on its address.
        case softBounce
        /// Somebody called it spam.
        case complained
        /// Not sent: the address is on the provider's own list.
        case suppressedThere
        /// Not sent: the provider did not want it from us.
        case ourFault
    }

    package let kind: Kind
    /// The outbox's id; nil where the provider does not tell it.
    package let mail: String?
    /// The id that the provider gave when it took the mail.
    package let providerID: String?
    /// Whom the event is about.
    package let address: String?
    /// The other server's words, with an enhanced status code (RFC 3463) where there is one.
    package let words: String
    package let at: Moment?

    package init(
        _ kind: Kind, mail: String?, providerID: String? = nil, address: String?, words: String = "", at: Moment? = nil
    ) {
        self.kind = kind
        self.mail = mail
        self.providerID = providerID
        self.address = address
        self.words = words
        self.at = at
    }

    /// What it changes, where it is about a mail that came back; nil for every other kind.
    package var bounce: Bounce.Verdict? {
        switch kind {
        case .hardBounce: sparesAddress ? .failed : .suppressed
        case .softBounce, .suppressedThere, .ourFault: .failed
        case .delivered, .deferred, .complained: nil
        }
    }

    /// Whether a server has refused the sender, the message or the moment, whatever the provider makes of it: such as
    /// Gmail's 5.7.26, Microsoft's 5.7.515, Yahoo's `[TSS04]`, a full mailbox.
    private var sparesAddress: Bool {
        if ASCII.contains(words, "[TSS") { return true }
        guard let status else { return false }
        switch (status.category, status.subject, status.detail) {
        case (4, _, _), (_, 7, _), (_, 2, 2), (_, 1, 7), (_, 1, 8): return true
        default: return false
        }
    }

    /// The first status of a failure in the words.
    private var status: Bounce.Status? {
        let words = words.utf8.prefix(2_000)
        let codes = words.split { !ASCII.isDigit($0) && $0 != UInt8(ascii: ".") }
        return codes.lazy.compactMap { Bounce.Status(parsing: Substring($0)) }.first { $0.category != 2 }
    }

    /// The reason for an operator, of at most 300 bytes.
    package var reason: String {
        let words = SecretMask.line(Array(words.utf8.prefix(2_000)), atMost: 260)
        let head: String? =
            switch kind {
            case .suppressedThere: "held back by the provider's own list"
            case .ourFault: "refused by the provider"
            case .complained: "complained"
            case .hardBounce, .softBounce, .delivered, .deferred: nil
            }
        return [head, words.isEmpty ? nil : words].compactMap(\.self).joined(separator: ": ")
    }

    /// What became of an event, or of a request that had some.
    package enum Outcome: String, Sendable, CaseIterable {
        /// The mail's row says it.
        case taken
        /// It was known.
        case unchanged
        /// Of a kind that changes nothing.
        case ignored
        /// There is no such mail, or no longer.
        case unknown
        /// Of a mail that does not leave by this provider, or went to another address.
        case foreign
        /// Its proof is none.
        case forged
        /// Its proof was good once.
        case replayed
        /// Its proof is good and the rest cannot be read.
        case unreadable
        /// The provider asked whether it is wanted here, and was told so.
        case subscribed

        /// Whether an operator should hear of it.
        package var isSuspicious: Bool { [.foreign, .forged, .replayed, .unreadable].contains(self) }
    }
}
