// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingDatabase
package import HomingStore

/// A project's or tenant's own provider and sender.
package struct OwnMailTransport: Sendable, Equatable {
    /// `shop`, or `shop/tenant`. Of a tenant without one of its own that of its project.
    package let owner: Scope
    /// A form of the setting `mail.url`, without its secret.
    package let url: String
    /// All parts of the URL that decide where its secret goes and whom it signs in, as they were when it was typed.
    /// Whoever opens the secret makes them of the URL again, so that a URL changed in the database opens nothing.
    package let destination: String
    /// Encrypted under ``label(_:_:)``; nil where none is needed.
    package let sealedSecret: [UInt8]?
    /// `Name <a@b.example>`; nil for the server's `mail.from`.
    package let sender: String?
    /// Whether the server's own transport takes over while this one is away.
    package let fallsBack: Bool
    /// 32 random letters and digits of the path `/_/mail-events/TOKEN`, the same for as long as there is a transport.
    package let eventsToken: String
    /// What the provider's events are signed with, encrypted under ``eventsLabel(_:)``.
    package let sealedEventsKey: [UInt8]?
    /// Another one at each change: what was made of the transport is to be made anew.
    package let version: Int64
    package let changedAt: Moment

    /// What a secret is encrypted for: it opens for nobody else, and for no other place.
    package static func label(_ owner: Scope, _ destination: String) -> String {
        "mail transport \(owner) \(destination)"
    }

    package static func eventsLabel(_ owner: Scope) -> String { "mail events \(owner)" }

    /// What the audit log and operators read.
    package var summary: String {
        Self.summary(url: url, sender: sender, fallsBack: fallsBack, hasEventsKey: sealedEventsKey != nil)
    }

    package static func summary(url: String, sender: String?, fallsBack: Bool, hasEventsKey: Bool) -> String {
        [
            url, sender.map { "from \($0)" }, fallsBack ? "falls back to the server's" : nil,
            hasEventsKey ? "with an events key" : nil,
        ].compactMap(\.self).joined(separator: ", ")
    }

    package static let selection: SQL = """
        SELECT project, url, destination, sealed, sender, falls_back, events_token, events_sealed, version, changed_at
        FROM mail_transports
        """

    package init(_ row: inout Row) throws {
        owner = try row.id()
        url = try row.text()
        destination = try row.text()
        sealedSecret = try row.optionalBytes()
        sender = try row.optionalText()
        fallsBack = try row.bool()
        eventsToken = try row.text()
        sealedEventsKey = try row.optionalBytes()
        version = try row.int()
        changedAt = try row.moment()
    }
}

extension OwnMailTransport {
    /// What an operator asks for: its URL was read already, and its secret taken out. Printing it shows no secret.
    package struct Draft: Sendable, CustomStringConvertible, CustomReflectable {
        package let url: String
        package let destination: String
        /// Whether nothing can be sent there without a secret.
        package let needsSecret: Bool
        /// Nil to keep the one that is there, which is for the same destination only.
        package let secret: String?
        /// Nil to leave it; empty for the server's.
        package let sender: String?
        /// Nil to leave it.
        package let fallsBack: Bool?
        /// Nil to leave it, for as long as the provider is the same one; empty for none.
        package let eventsKey: String?
        private let isSameProvider: @Sendable (_ old: OwnMailTransport) -> Bool

        /// - Parameter isSameProvider: whether the one before has its events from the same; nil where that shows in the
        ///   destination alone.
        package init(
            url: String, destination: String, needsSecret: Bool, secret: String?, sender: String? = nil,
            fallsBack: Bool? = nil, eventsKey: String? = nil,
            isSameProvider: (@Sendable (_ old: OwnMailTransport) -> Bool)? = nil
        ) {
            self.url = url
            self.destination = destination
            self.needsSecret = needsSecret
            self.secret = secret
            self.sender = sender
            self.fallsBack = fallsBack
            self.eventsKey = eventsKey
            self.isSameProvider = isSameProvider ?? { $0.destination.utf8.elementsEqual(destination.utf8) }
        }

        /// Whether the events key of the one before goes on.
        func keepsEventsKey(of old: OwnMailTransport) -> Bool { eventsKey == nil && isSameProvider(old) }

        package var description: String { url }
        package var customMirror: Mirror { Mirror(self, children: [:]) }
    }
}
