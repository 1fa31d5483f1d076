// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
package import HomingProjects
package import HomingStore
import HomingWire

extension OwnMailTransport.Draft {
    /// What an operator typed.
    ///
    /// - Parameters:
    ///   - secret: where it does not stand in the URL; nil to keep the one that is there.
    ///   - sender: nil to leave it; empty for the server's.
    ///   - eventsKey: nil to leave it; empty for none.
    ///   - isPublicOnly: whether the URL may lead to addresses of the internet alone.
    package init(
        url text: String, secret: String?, sender: String? = nil, fallsBack: Bool? = nil, eventsKey: String? = nil,
        isPublicOnly: Bool
    ) throws(Refusal) {
        let url = try Self.url(text, isPublicOnly: isPublicOnly)
        guard url.secret == nil || secret == nil else {
            throw .invalidSetting("there are two secrets, one of them in the URL: give one")
        }
        guard url.needsSecret || secret == nil else {
            throw .invalidSetting("the URL names no user, whose secret this could be")
        }
        if let sender, !sender.isEmpty, SenderAddress(parsing: sender) == nil {
            throw .invalidSetting(
                "\(Printable.given(sender)) is no sender: it is an address such as noreply@shop.example, or "
                    + "Shop <noreply@shop.example>")
        }
        guard (eventsKey ?? "").utf8.count <= MailURL.longestSecret else {
            throw .invalidSetting("the key of events has more than \(MailURL.longestSecret) bytes")
        }
        self.init(
            url: url.text, destination: url.destination, needsSecret: url.needsSecret, secret: url.secret ?? secret,
            sender: sender, fallsBack: fallsBack, eventsKey: eventsKey, isSameProvider: Self.tellsAsBefore(url))
    }

    /// Whether events come from where they came from before: a provider is the same over SMTP, and a webhook and a
    /// relay that nobody knows are the same at the same place.
    private static func tellsAsBefore(_ url: OwnMailURL) -> @Sendable (OwnMailTransport) -> Bool {
        let provider = MailEvents.of(url.text)?.provider
        let isOfPlace = provider.map { ASCII.areEqual($0, "webhook") } ?? true
        return { old in
            isOfPlace
                ? old.destination.utf8.elementsEqual(url.destination.utf8)
                : MailEvents.of(old.url)?.provider == provider
        }
    }

    /// The way that it describes, with its own secret, or with the one that is there for the same destination.
    ///
    /// - Throws: ``Refusal`` for a secret that is missing or none of its kind.
    package func relay(replacing old: OwnMailTransport?, ring: KeyRing, isPublicOnly: Bool) throws -> MailRelay {
        let url = try Self.url(url, isPublicOnly: isPublicOnly)
        var secret = secret
        if secret == nil, needsSecret, let old, let sealed = old.sealedSecret,
            old.destination.utf8.elementsEqual(destination.utf8)
        {
            let name = OwnMailTransport.label(old.owner, destination)
            guard let opened = try ring.openUnlessGone(sealed, name: name) else {
                throw Refusal.invalidSetting("the secret that is kept cannot be decrypted: give it again")
            }
            secret = String(decoding: opened, as: UTF8.self)
        }
        guard secret != nil || !needsSecret else { throw Refusal.noMailSecret(hasOther: old?.sealedSecret != nil) }
        do throws(MailURLFault) {
            return try url.relay(secret: secret)
        } catch {
            throw Refusal.invalidSetting(error.sentence)
        }
    }

    private static func url(_ text: String, isPublicOnly: Bool) throws(Refusal) -> OwnMailURL {
        do throws(MailURLFault) {
            return try OwnMailURL(parsing: text, isPublicOnly: isPublicOnly)
        } catch {
            throw .invalidSetting("the URL is not taken: \(error.sentence)")
        }
    }
}
