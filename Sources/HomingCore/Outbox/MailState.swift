// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingStore
internal import HomingWire

/// Whether mail works, as this process has seen it since its start: who takes the mails, whom they are from, and since
/// when and why none go. Several servers on one database have each their own.
package struct MailState: Sendable {
    /// What keeps all mails back.
    package enum Fault: Sendable, Equatable {
        /// No answer, or none in time.
        case silent
        /// This server is refused: a password, a sender that is not accepted.
        case refuses
        /// The transport has said when to come back.
        case asksToWait(until: Moment)
    }

    /// A time in which no mail is taken.
    package struct Away: Sendable, Equatable {
        package let since: Moment
        package let fault: Fault
        /// The transport's own words, at most 200 bytes of printable ASCII, without the addresses that it may have
        /// repeated: whoever reads them need not be allowed to read the mail that they were said about.
        package let reason: String
        /// What to do, where these words are known.
        package var advice: String?

        /// - Parameter reply: a text from a stranger's server.
        package init(since: Moment, _ fault: Fault, reply: String) {
            self.since = since
            self.fault = fault
            let words = Printable.ascii(reply).split(separator: " ")
            reason = words.map { $0.utf8.contains(UInt8(ascii: "@")) ? "(an address)" : $0 }.joined(separator: " ")
        }
    }

    /// The project or tenant whose own transport this is; nil for the server's.
    package let owner: Scope?
    /// Whether the server's transport takes over while this one is away.
    package let fallsBack: Bool
    /// `the relay`, or a provider's name.
    package let transport: String
    /// Nil where mails are kept in the mailbox, and where no transport could be made of what is set.
    package let host: String?
    package let sender: String
    /// Whether the transport has taken or judged a mail since the start.
    package let hasAnswered: Bool
    /// Nil while nothing is known to be wrong.
    package let away: Away?

    package init(
        owner: Scope? = nil, fallsBack: Bool = false, transport: String, host: String?, sender: String,
        hasAnswered: Bool, away: Away?
    ) {
        self.owner = owner
        self.fallsBack = fallsBack
        self.transport = transport
        self.host = host
        self.sender = sender
        self.hasAnswered = hasAnswered
        self.away = away
    }
}
