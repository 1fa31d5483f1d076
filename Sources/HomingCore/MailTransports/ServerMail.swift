// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingStore
internal import HomingWire

/// The server's own way for mails, as its settings have it: what others than delivery ask for.
package struct ServerMail: Sendable, CustomReflectable {
    /// `mail.url` as it may be shown, without its secret; nil where none is set.
    package var url: String?
    /// `mail.from`.
    package var sender: String?
    /// What the provider's events are signed with (`mail.eventsKey`).
    package var eventsKey: String?
    /// Whether transports of projects may lead into private networks (`mail.privateAddresses`).
    package var reachesPrivateAddresses = false

    package init() {}

    package var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension Homing {
    /// What stands in the path `/_/mail-events/TOKEN` for the provider of the server's own: the same on all nodes, until
    /// the oldest key is retired.
    package var mailEventsToken: String { keys.ring.mailEventsTokens.first ?? "" }

    /// Whether this is ``mailEventsToken``, or what takes its place when older keys are retired.
    package func isMailEventsToken(_ text: String) -> Bool {
        keys.ring.mailEventsTokens.contains { areEqualInConstantTime($0.utf8, text.utf8) }
    }

    /// Where a provider sends its events; nil for the server's own.
    package func mailEventsURL(of transport: OwnMailTransport?) -> String {
        "\(publicURL)/_/mail-events/\(transport?.eventsToken ?? mailEventsToken)"
    }
}

extension Store {
    /// Whether mails of a project leave at all: they do not on a server for links only, unless it has a transport of
    /// its own.
    package func mails(_ project: Project) -> Bool { sendsMail.value || project.ownTransport != nil }

    /// Refuses what would have to mail somebody, where nothing is mailed.
    func checkMail(of project: Project) throws(Refusal) {
        if !mails(project) { throw .mailIsOff }
    }
}
