// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingDatabase
package import HomingPasswords
import HomingProjects
package import HomingStore
import HomingWire

extension Operators {
    package static let passwordPolicy = PasswordPolicy(minimumLength: 10)

    /// Seconds that a mailed link lives.
    package static let linkSeconds: Int64 = 900

    /// Mails a sign-in link to an address, if an operator has it. Known and unknown addresses cost the same and get the
    /// same answer.
    ///
    /// - Parameters:
    ///   - caller: the caller in the form that the limits count.
    /// - Returns: the secret for a cookie: the link opens only in the browser that has it.
    /// - Throws: ``Refusal/tooManyAttempts(_:)``.
    package func mailLink(to text: String, caller: String) async throws -> String {
        try store.checkMail(of: .console)
        let address = try EmailAddress(parsing: text)
        let limit = store.limits.mailPerAddressHour
        // The caller first: who types many addresses fills no table with them.
        try await count("operator mail from \(caller)", store.limits.mailPerIPHour)
        try await count("operator mail \(address.text) \(caller)", limit)
        try await count("operator mail \(address.text)", limit * 4)
        let browser = store.system.randomName(length: AdminSessions.secretLength)
        let link = try newMailedLink(for: address)
        try await store.write(in: .console) { [self] tx in
            let isKnown = try Self.isThere(address.text, tx)
            try owe(link, to: isKnown ? address : nil, seconds: Self.linkSeconds, browser: browser, tx)
        }
        return browser
    }

    private static func isThere(_ address: String, _ tx: borrowing ProjectTransaction) throws -> Bool {
        try !tx.run(["SELECT 1 FROM operators WHERE address = \(address)"])[0].isEmpty
    }

    /// Signs in with a password. Attempts are counted before anything is hashed: for the caller over all addresses, for
    /// the address with the caller, and for the address.
    ///
    /// - Parameters:
    ///   - code: the code where a second factor is set; without one it is waited for.
    ///   - caller: the caller, in the form that the limits count.
    /// - Returns: nil for a wrong address, password or code, without telling which.
    /// - Throws: ``Refusal/tooManyAttempts(_:)``.
    package func signIn(
        _ text: String, password: String, code: String, caller: String
    ) async throws -> AdminEntry? {
        guard password.utf8.count <= PasswordPolicy.mostBytes else { return nil }
        // Parsed, since a counter of any text with a caller behind it could be another's. What is no address costs a
        // hash, too.
        let parsed = try? EmailAddress(parsing: text)
        let address = parsed?.text ?? ""
        // As for accounts: a stranger's failures lock the stranger out, and not the operator.
        let limit = store.limits.signInFailuresPerAccountHour
        var counters = [("operator sign-in from \(caller)", limit * 10)]
        if parsed != nil {
            counters += [
                ("operator sign-in \(address) \(caller)", limit), ("operator sign-in \(address)", limit * 10),
            ]
        }
        for (subject, limit) in counters { try await count(subject, limit) }
        let row = try await store.read { tx in
            try tx.run("SELECT password_hash FROM operators WHERE address = \(address)").first
        }
        let hash = try row.flatMap {
            var row = $0
            return try row.optionalText()
        }
        func giveBack() async throws {
            for (subject, limit) in counters where limit > 0 {
                try await store.write { try $0.run(Counter(subject: subject).decrement(in: Project.console.scope)) }
            }
        }
        let isRight: Bool
        do {
            isRight = try await passwords.verify(password, against: hash, for: caller)
        } catch {
            // A full queue, whatever the address: no guess was made.
            try await giveBack()
            throw error
        }
        guard isRight, let hash else { return nil }
        let entry = try await enter(address, whosePasswordIs: hash, code: code, from: caller)
        // A wrong code has a counter of its own.
        try await giveBack()
        return entry
    }

    /// The session of an operator who has proven to know the password, or the wait for a code; nil when the code is
    /// wrong, and when the password was changed meanwhile.
    private func enter(
        _ address: String, whosePasswordIs hash: String, code: String, from caller: String
    ) async throws -> AdminEntry? {
        try await store.write(in: .console, by: .person(address)) { tx -> AdminEntry? in
            var rows = try tx.run([
                """
                SELECT password_hash, CASE WHEN totp_secret IS NULL THEN 0 ELSE 1 END FROM operators
                WHERE address = \(address) \(lock: .forUpdate)
                """
            ])[0]
            guard !rows.isEmpty, let present = try rows[0].optionalText(), present.utf8.elementsEqual(hash.utf8) else {
                return nil
            }
            let hasSecondFactor = try rows[0].bool()
            var factors = FirstFactor.password.rawValue
            if hasSecondFactor, !code.isEmpty {
                guard let passed = try check(code, of: address, at: .password, tx) else { return nil }
                factors += ", \(passed.rawValue)"
            }
            let entry = sessions.newEntry(to: .console, awaitsCode: hasSecondFactor && code.isEmpty)
            tx.later(sessions.insertion(entry, of: address, by: .password, from: caller))
            if !entry.awaitsCode { tx.base.note("operator.signIn", of: address, after: factors) }
            return entry
        }
    }

    // MARK: An operator's own credentials

    /// Sets the operator's password; other sessions of the operator end.
    ///
    /// - Throws: ``Refusal/weakPassword(_:)`` and others of ``PasswordPolicy``.
    package func setPassword(_ password: String, of address: String, keeping session: AdminSession) async throws {
        try Self.passwordPolicy.check(password)
        if let weakness = PasswordWeakness.found(
            in: password, of: [EmailAddress(stored: address)], app: Project.console.name)
        {
            throw Refusal.weakPassword(weakness)
        }
        let hash = try await passwords.hash(password, for: "operator \(address)")
        _ = try await changeCredentials(
            of: address, "password_hash = \(hash)", keeping: session, "operator.setPassword", .operatorPassword,
            by: .person(address))
    }

    /// Changes how an operator signs in. Other sessions and links of the operator end, and a mail tells of it.
    ///
    /// - Parameter code: what proves the second factor that is in force, where the change takes it away; nil where
    ///   nothing is to be proven.
    /// - Returns: whether the code was right.
    private func changeCredentials(
        of address: String, _ assignments: SQL, keeping session: AdminSession?, _ action: String, _ notice: MailKind,
        provenBy code: String? = nil, by author: Authority
    ) async throws -> Bool {
        try await store.write(in: .console, by: author) { [consoleURL] tx -> Bool in
            if let code {
                guard let person = try Self.find(address, tx.base) else { throw Self.nobody(address) }
                guard try !person.hasSecondFactor || check(code, of: address, at: .session, tx) != nil else {
                    return false
                }
            }
            let changed = try tx.run([
                "UPDATE operators SET \(sql: assignments) WHERE address = \(address) RETURNING 1",
                Self.endOtherSessions(of: address, than: session),
            ])[0]
            guard !changed.isEmpty else { throw Self.nobody(address) }
            tx.base.note(action, of: address)
            tx.owe(
                .notice(
                    notice, to: EmailAddress(stored: address), named: nil, language: "en", on: nil, at: tx.now,
                    consoleURL: consoleURL))
            return true
        }
    }

    /// A new secret for an authenticator app, which is not in force before a code of it was shown.
    package func newSecondFactor() -> TOTP { TOTP(secret: store.system.randomBytes(TOTP.secretLength)) }

    /// Whether a code is that of a new authenticator app now.
    package func isCode(_ code: String, of totp: TOTP) -> Bool { totp.step(of: code, at: store.system.now()) != nil }

    /// Puts a second factor in force, and answers ten recovery codes, which can never be read again.
    ///
    /// - Parameter present: a code of the second factor that it takes the place of.
    /// - Returns: nil when one of the codes is wrong.
    /// - Throws: ``Refusal/tooManyAttempts(_:)`` after ten wrong codes of the present one in an hour.
    package func setSecondFactor(
        _ totp: TOTP, code: String, of address: String, replacing present: String = "",
        keeping session: AdminSession? = nil
    ) async throws -> [String]? {
        guard let step = totp.step(of: code, at: store.system.now()) else { return nil }
        let codes = (0..<10).map { _ in store.system.randomName(length: 12) }
        let digests = codes.map(Self.recoveryDigest).joined(separator: " ")
        let sealed = try store.ring.seal(totp.secret, name: "totp \(address)")
        let isDone = try await changeCredentials(
            of: address,
            """
            totp_secret = \(sealed), recovery_codes = \(digests),
            totp_step = CASE WHEN totp_step > \(step) THEN totp_step ELSE \(step) END
            """, keeping: session, "operator.setSecondFactor", .operatorSecondFactor, provenBy: present,
            by: .person(address))
        return isDone ? codes : nil
    }

    /// Takes the password and the second factor away; mailed links go on to sign in.
    ///
    /// - Parameter code: a code of the second factor; nil for a command on the server, which needs none.
    /// - Returns: false when the code is wrong.
    /// - Throws: ``Refusal/tooManyAttempts(_:)`` after ten wrong codes in an hour.
    @discardableResult
    package func removeCredentials(
        of address: String, code: String?, keeping session: AdminSession? = nil, by author: Authority
    ) async throws -> Bool {
        if code != nil {
            let wanted = try await requiresSecondFactor()
            guard !wanted.bySettings, !wanted.byOwners else {
                throw Refusal.invalidSetting("every operator must have a second factor: set up another app instead")
            }
        }
        return try await changeCredentials(
            of: address, "password_hash = NULL, totp_secret = NULL, recovery_codes = NULL", keeping: session,
            "operator.removeCredentials", .operatorReset, provenBy: code, by: author)
    }

    /// Encrypts the authenticators' secrets anew with the key version in use, so that an older one can be retired.
    package func reseal() async throws {
        let rows = try await store.read { tx in
            try tx.run("SELECT address, totp_secret FROM operators WHERE totp_secret IS NOT NULL").map {
                var row = $0
                return (try row.text(), try row.bytes())
            }
        }
        for (address, sealed) in rows where sealed.first != store.ring.active {
            guard let secret = try store.ring.openUnlessGone(sealed, name: "totp \(address)") else { continue }
            let fresh = try store.ring.seal(secret, name: "totp \(address)")
            try await store.write { tx in
                try tx.run(
                    "UPDATE operators SET totp_secret = \(fresh) WHERE address = \(address) AND totp_secret = \(sealed)"
                )
            }
        }
    }

    /// Ends the sessions and the links of an operator.
    private static func endOtherSessions(of address: String, than session: AdminSession?) -> SQL {
        "DELETE FROM admin_sessions WHERE operator = \(address) AND digest <> \(session?.digest ?? [])"
    }

    /// 71 random bits: a plain digest is enough to keep.
    static func recoveryDigest(_ code: String) -> String {
        Base64URL.encode(AdminKeys.digest("recovery " + code.filter { $0 != " " && $0 != "-" }))
    }

    /// Counts an attempt, known address or not.
    func count(_ subject: String, _ limit: Int) async throws {
        guard limit > 0 else { return }
        let now = store.system.now()
        let count = try await store.write { tx in
            try tx.run(Counter(subject: subject).increment(in: Project.console.scope, at: now)).firstInt() ?? 0
        }
        guard count <= limit else {
            throw Refusal.tooManyAttempts("Too many attempts. Try again in an hour", remedy: .linkOperator)
        }
    }
}
