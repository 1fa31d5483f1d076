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

extension Store {
    /// Whether mails of a project leave at all: they do not on a server for links only, unless it has a transport of
    /// its own.
    package func mails(_ project: Project) -> Bool { sendsMail.value || project.ownTransport != nil }

    /// Refuses what would have to mail somebody, where nothing is mailed.
    package func checkMail(of project: Project) throws(Refusal) {
        if !mails(project) { throw .mailIsOff }
    }
}
