// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingDatabase
import HomingProjects
package import HomingStore
import HomingWire

/// The code behind a first factor, and who must have one.
extension Operators {
    /// What became of a code behind a first factor.
    package enum CodeAnswer: Sendable {
        /// A session of the operator with this address.
        case passed(AdminEntry, String)
        /// Not the operator's code.
        case wrong(String)
        /// Nobody is waited for any more.
        case ended
    }

    /// Takes the code of somebody who has shown a first factor, for a session.
    ///
    /// - Parameter secret: what the first factor was answered with (``AdminEntry``).
    /// - Throws: ``Refusal/tooManyAttempts(_:)`` after ten wrong codes in an hour.
    package func pass(_ code: String, after secret: String) async throws -> CodeAnswer {
        let digest = AdminKeys.digest(secret)
        return try await store.write(in: .console) { tx -> CodeAnswer in
            var rows = try tx.run([sessions.waiting(digest)])[0]
            guard !rows.isEmpty, let address = try rows[0].optionalText(),
                let factor = try rows[0].optionalText().flatMap({ FirstFactor(rawValue: $0) })
            else { return .ended }
            tx.base.authorize(.person(address))
            guard let passed = try check(code, of: address, at: factor == .password ? .password : .link, tx) else {
                return .wrong(address)
            }
            let entry = sessions.newEntry(to: .console, awaitsCode: false)
            let begun = try tx.run(
                """
                UPDATE admin_sessions SET digest = \(AdminKeys.digest(entry.secret)), redeemed_at = \(tx.now),
                    expires_at = \(tx.now.adding(seconds: entry.seconds))
                WHERE digest = \(digest) AND redeemed_at IS NULL RETURNING 1
                """)
            guard !begun.isEmpty else { return .ended }
            tx.base.note("operator.signIn", of: address, after: "\(factor.rawValue), \(passed.rawValue)")
            return .passed(entry, address)
        }
    }

    /// The places where a code is asked for. Each counts by itself, so that whoever has somebody's password does not
    /// lock out who comes by link.
    enum CodePlace: String {
        case password, link, session
    }

    /// What a code was, in the audit log.
    enum SecondFactor: String {
        case code
        case recoveryCode = "recovery code"
    }

    /// The wrong codes that one place takes in an hour: a code is right by chance once in 330,000 tries (RFC 4226,
    /// section 7.3).
    private static let mostWrongCodes = 10

    /// Checks a code of the authenticator app, or a recovery code; each passes once. The tenth wrong one behind a right
    /// password is told to the operator by mail.
    ///
    /// - Throws: ``Refusal/tooManyAttempts(_:)``.
    func check(
        _ code: String, of address: String, at place: CodePlace, _ tx: borrowing ProjectTransaction
    ) throws -> SecondFactor? {
        var rows = try tx.run([
            "SELECT totp_secret, recovery_codes FROM operators WHERE address = \(address) \(lock: .forUpdate)"
        ])[0]
        guard !rows.isEmpty, let sealed = try rows[0].optionalBytes() else { return nil }
        let recovery = try rows[0].optionalText()?.split(separator: " ").map(String.init) ?? []
        let counter = Counter(subject: "operator codes behind \(place.rawValue) \(address)")
        let wrong = try tx.run([counter.increment(in: Project.console.scope, at: tx.now)])[0].firstInt() ?? 0
        guard wrong <= Self.mostWrongCodes else {
            throw Refusal.tooManyAttempts(
                place == .password
                    ? "Ten wrong codes came behind this password. Come in by a mailed link and a code, or try again in an hour."
                    : "Ten codes were wrong. Try again in an hour",
                remedy: place == .password ? nil : .forgetSecondFactor)
        }
        // Sealed under a key that is gone, the app's codes are worth nothing; recovery codes still are.
        let secret = try store.ring.openUnlessGone(sealed, name: "totp \(address)")
        if let step = secret.flatMap({ TOTP(secret: $0).step(of: code, at: tx.now) }) {
            let moved = try tx.run([
                """
                UPDATE operators SET totp_step = \(step) WHERE address = \(address) AND totp_step < \(step)
                RETURNING 1
                """
            ])[0]
            if !moved.isEmpty {
                tx.counters.decrement(counter)
                return .code
            }
        } else {
            let digest = Self.recoveryDigest(code)
            if recovery.contains(digest) {
                let left = recovery.filter { $0 != digest }.joined(separator: " ")
                tx.later("UPDATE operators SET recovery_codes = \(left) WHERE address = \(address)")
                tx.base.note("operator.recoveryCodeUsed", of: address)
                tx.counters.decrement(counter)
                return .recoveryCode
            }
        }
        if wrong == Self.mostWrongCodes, place == .password {
            tx.owe(
                .notice(
                    .operatorCodes, to: EmailAddress(stored: address), named: nil, language: "en", on: nil, at: tx.now,
                    consoleURL: consoleURL))
        }
        return nil
    }

    // MARK: What owners want of everybody

    static let requirementName = "operators_second_factor"

    /// Whether every operator must have a second factor, by the server's settings or the owners' wish.
    package func requiresSecondFactor() async throws -> (bySettings: Bool, byOwners: Bool) {
        let rows = try await store.read { tx in
            try tx.run("SELECT value FROM key_state WHERE name = \(Self.requirementName)")
        }
        return (sessions.requiresSecondFactor.value, !rows.isEmpty)
    }

    /// Puts the owners' wish in force, or ends it. Whoever has no second factor is led to setting one up.
    package func requireSecondFactor(_ isRequired: Bool, by author: Authority) async throws {
        try await store.write(by: author) { tx in
            let changed = try tx.run(
                isRequired
                    ? """
                    INSERT INTO key_state (name, value) VALUES (\(Self.requirementName), 'required')
                    ON CONFLICT (name) DO NOTHING RETURNING 1
                    """
                    : "DELETE FROM key_state WHERE name = \(Self.requirementName) RETURNING 1")
            guard !changed.isEmpty else { return }
            tx.note(
                "operator.requireSecondFactor", of: "all operators", before: String(!isRequired),
                after: String(isRequired))
        }
    }
}
