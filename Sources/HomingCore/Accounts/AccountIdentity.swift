// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingStore
package import HomingWire

/// What an account has with another provider, such as `google.com`.
package struct AccountIdentity: Sendable, Equatable {
    package let provider: String
    /// The person's id with the provider.
    package let id: String
    package var email: String?
    package var displayName: String?
    package var photoURL: String?

    /// Reads an entry of `providerUserInfo`. Those of `password` and `phone` follow from the account, and are none.
    ///
    /// - Throws: ``Refusal/invalidArgument(_:)`` for one without its ids, or with members that are too long.
    package init?(_ entry: JSON.Object) throws(Refusal) {
        func text(_ name: String, atMost limit: Int) throws(Refusal) -> String? {
            guard let text = entry[name]?.stringValue, !text.isEmpty else { return nil }
            guard text.utf8.count <= limit, !text.utf8.contains(0) else {
                throw .invalidArgument("\(name) of providerUserInfo has at most \(limit) bytes")
            }
            return text
        }
        guard let provider = try text("providerId", atMost: 128) else {
            throw .invalidArgument("providerUserInfo needs a providerId")
        }
        guard provider != "password", provider != "phone" else { return nil }
        let id = try text("rawId", atMost: 512)
        let federatedID = try text("federatedId", atMost: 512)
        guard let id = id ?? federatedID else {
            throw .invalidArgument("providerUserInfo needs a rawId")
        }
        self.provider = provider
        self.id = id
        email = try text("email", atMost: 320)
        displayName = try text("displayName", atMost: 1024)
        photoURL = try text("photoUrl", atMost: 2048)
    }

    /// An entry of `providerUserInfo`.
    package var json: JSON {
        .object([
            ("providerId", .string(provider)), ("rawId", .string(id)), ("federatedId", .string(id)),
            ("email", email.map { .string($0) }), ("displayName", displayName.map { .string($0) }),
            ("photoUrl", photoURL.map { .string($0) }),
        ])
    }

    /// By bytes, as JSON is compared.
    package static func == (left: AccountIdentity, right: AccountIdentity) -> Bool { left.json == right.json }

    // MARK: Storing

    static func read(_ text: String) throws -> [AccountIdentity] {
        try JSON.parse(Array(text.utf8)).arrayValue?.compactMap {
            try $0.objectValue.flatMap { try AccountIdentity($0) }
        }
            ?? []
    }

    static func text(of identities: [AccountIdentity]) -> String? {
        guard !identities.isEmpty else { return nil }
        return String(decoding: JSON.array(identities.map(\.json)).write(pretty: false), as: UTF8.self)
    }
}

extension Account {
    /// Puts an identity in the place of the one with the same provider.
    mutating func link(_ identity: AccountIdentity) {
        unlink(identity.provider)
        identities.append(identity)
    }

    mutating func unlink(_ provider: String) {
        identities.removeAll { $0.provider.utf8.elementsEqual(provider.utf8) }
    }
}
