// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingStore
import HomingWire

/// What the audit log says of an account: the members that an operator's change has changed, before and after, as
/// objects with the names of the API. That there is a password, or another one, is told; nothing of it is.
extension Account {
    private static let password = "password"

    /// The members in which two states of an account differ; nil for a state that has none of them.
    ///
    /// - Parameter before: nil for an account that is new.
    static func changes(from before: Account?, to after: Account) -> (before: String?, after: String?) {
        // Of a new account what is said of it alone.
        let blank = Account(newWithID: after.id, at: after.createdAt)
        let old = (before ?? blank).audited
        var (gone, come): ([(String, JSON)], [(String, JSON)]) = ([], [])
        for ((name, old), (_, new)) in zip(old, after.audited) where old != new {
            if let old, before != nil { gone.append((name, old)) }
            if let new { come.append((name, new)) }
        }
        if let before, before.passwordHash != after.passwordHash, before.hasPassword, after.hasPassword {
            gone.append((password, "set"))
            come.append((password, "changed"))
        }
        return (text(gone), text(come))
    }

    private static func text(_ members: [(String, JSON)]) -> String? {
        members.isEmpty
            ? nil : String(decoding: JSON.object(JSON.Object(members)).write(pretty: false), as: UTF8.self)
    }

    private var hasPassword: Bool { passwordHash != nil }

    /// The members that an entry may name, each in its place.
    private var audited: [(name: String, value: JSON?)] {
        let state: [(String, JSON?)] = [
            ("email", email.map { .string($0.text) }), ("emailVerified", .bool(isEmailVerified)),
            ("emailLinkSignin", .bool(usesEmailLink)), (Self.password, hasPassword ? "set" : nil),
            ("disabled", .bool(isDisabled)), ("customAuth", .bool(usesCustomTokens)),
            ("validSince", .int(validSince)), ("createdAt", .int(createdAt.milliseconds)),
            ("lastLoginAt", lastLoginAt.map { .int($0.milliseconds) }),
            ("initialEmail", initialEmail.map { .string($0) }),
            ("providerUserInfo", identities.isEmpty ? nil : .array(identities.map(\.json))),
        ]
        // Claims as the object that they are.
        let texts = AccountText.all.map { text -> (String, JSON?) in
            let value = self[keyPath: text.place]
            let claims = text.mayPermit ? value.flatMap { try? JSON.parse(Array($0.utf8)) } : nil
            return (text.member, claims ?? value.map { .string($0) })
        }
        return state + texts
    }

    /// An entry's value without what tells who somebody was; nil where the value is no object of members, or has
    /// nothing of the kind.
    ///
    /// - Parameter name: what stands in the place of each such member.
    static func erased(_ value: String?, by name: String) -> String? {
        guard let value, let members = (try? JSON.parse(Array(value.utf8)))?.objectValue?.members else { return nil }
        let erased = members.map { member -> (String, JSON) in
            switch member.value {
            case .bool, .int: (member.key, member.value)
            default: (member.key, member.key == password ? member.value : .string(name))
            }
        }
        let text = text(erased)
        return text == value ? nil : text
    }
}
