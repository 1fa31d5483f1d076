// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
internal import HomingDatabase
package import HomingStore

/// The accounts at authorities, one for each directory, and the pauses that authorities ask for.
extension Certificates {
    /// The account at an authority: its key, and its URL once the authority has said it.
    package struct Account: Sendable {
        /// PEM.
        package let key: String
        package let url: String?
        package let email: String?
        /// Until then the authority wants no orders at all.
        package let pausedUntil: Moment
    }

    /// The account at an authority. Its key is kept before the authority hears of it.
    ///
    /// - Parameter newKey: makes a key, PEM.
    package func account(at directory: String, newKey: () -> String) async throws -> Account {
        do {
            if let known = try await readAccount(at: directory) { return known }
        } catch let lost as UnreadableKey {
            // It went with a master key that is gone: an account costs nothing.
            let sealed = try store.ring.seal(Array(newKey().utf8), name: Self.accountLabel(directory))
            try await store.write { tx in
                tx.later(
                    """
                    UPDATE certificate_accounts SET sealed = \(sealed), url = NULL, email = NULL
                    WHERE directory = \(directory) AND sealed = \(lost.sealed)
                    """)
            }
        }
        let sealed = try store.ring.seal(Array(newKey().utf8), name: Self.accountLabel(directory))
        try await store.write { tx in
            tx.later(
                """
                INSERT INTO certificate_accounts (directory, sealed, paused_until) VALUES (\(directory), \(sealed), 0)
                ON CONFLICT (directory) DO NOTHING
                """)
        }
        // Another node's, if that one was quicker.
        guard let account = try await readAccount(at: directory) else { throw Refusal.keyMissing }
        return account
    }

    package func setAccount(url: String?, email: String?, at directory: String) async throws {
        try await store.write { tx in
            tx.later(
                "UPDATE certificate_accounts SET url = \(url), email = \(email) WHERE directory = \(directory)")
        }
    }

    /// Orders nothing from an authority for this many seconds.
    package func pause(_ directory: String, seconds: Int64) async throws {
        try await store.write { tx in
            let until = tx.now.adding(seconds: seconds)
            tx.later(
                "UPDATE certificate_accounts SET paused_until = \(until) WHERE directory = \(directory)")
        }
    }

    /// Until when an authority wants no orders.
    package func pausedUntil(_ directory: String) async throws -> Moment? {
        try await store.read { tx in
            try tx.run("SELECT paused_until FROM certificate_accounts WHERE directory = \(directory)")
                .firstInt()
        }.map { Moment(milliseconds: $0) }
    }

    private struct UnreadableKey: Error, CustomStringConvertible {
        let sealed: [UInt8]

        var description: String { "the key of the account at the certificate authority cannot be opened" }
    }

    private func readAccount(at directory: String) async throws -> Account? {
        let row = try await store.read { tx in
            try tx.run(
                "SELECT sealed, url, email, paused_until FROM certificate_accounts WHERE directory = \(directory)"
            ).first
        }
        guard var row else { return nil }
        let sealed = try row.bytes()
        guard let key = try store.ring.openUnlessGone(sealed, name: Self.accountLabel(directory)) else {
            throw UnreadableKey(sealed: sealed)
        }
        return Account(
            key: String(decoding: key, as: UTF8.self), url: try row.optionalText(), email: try row.optionalText(),
            pausedUntil: try row.moment())
    }

    /// The name that an account's key is encrypted under.
    static func accountLabel(_ directory: String) -> String { "certificate account \(directory)" }
}
