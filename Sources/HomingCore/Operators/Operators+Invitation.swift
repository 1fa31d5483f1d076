// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingDatabase
import HomingProjects
package import HomingStore
import HomingWire

/// How somebody becomes an operator from within the console, and how lately operators were there.
extension Operators {
    /// Seconds in which the link of an invitation opens the console.
    package static let invitationSeconds: Int64 = 86_400

    /// Adds somebody, and mails a link that opens the console once, in any browser.
    ///
    /// - Throws: ``Refusal/alreadyExists(_:remedy:)`` for an operator, ``Refusal/mailIsOff``, and
    ///   ``Refusal/tooManyAttempts(_:)`` as ``inviteAgain(_:by:)``.
    package func invite(
        _ text: String, _ rights: Operator.Rights, by author: Authority
    ) async throws -> Operator {
        try store.checkMail(of: .console)
        let address = try EmailAddress(parsing: text)
        try rights.check()
        try await countMail(to: address)
        let link = try newMailedLink(for: address)
        return try await store.write(in: .console, by: author) { [self] tx in
            try tx.run(Edition.increment)
            try Self.refuseIfThere(address.text, tx.base)
            let person = try Self.keep(address.text, rights, tx.base)
            try owe(link, to: address, seconds: Self.invitationSeconds, browser: nil, from: Self.name(of: author), tx)
            return person
        }
    }

    /// Adds somebody, without a mail, and answers the secret of a link that opens the console once.
    ///
    /// - Throws: ``Refusal/alreadyExists(_:remedy:)`` for an operator.
    package func addWithLink(
        _ text: String, _ rights: Operator.Rights, by author: Authority
    ) async throws -> (person: Operator, secret: String) {
        let address = try EmailAddress(parsing: text).text
        try rights.check()
        let (secret, insertion) = sessions.link(to: .console, operator: address)
        let person = try await store.write(by: author) { tx in
            try tx.run(Edition.increment)
            try Self.refuseIfThere(address, tx)
            let person = try Self.keep(address, rights, tx)
            try tx.run(insertion)
            tx.note("operator.link", of: address)
            return person
        }
        return (person, secret)
    }

    /// Mails another invitation to an operator. It ends the one before, and one-time links that were handed over: so a
    /// mail that went astray opens nothing any more.
    ///
    /// - Throws: ``Refusal/tooManyAttempts(_:)`` after as many mails to the address as sign-ins may ask for.
    package func inviteAgain(_ text: String, by author: Authority) async throws {
        try store.checkMail(of: .console)
        let address = EmailAddress(stored: try await find(text).address)
        try await countMail(to: address)
        let link = try newMailedLink(for: address)
        try await store.write(in: .console, by: author) { [self] tx in
            guard try Self.find(address.text, tx.base) != nil else { throw Self.nobody(address.text) }
            _ = try tx.run([Self.endOpenLinks(of: address.text, at: tx.now)])
            try owe(link, to: address, seconds: Self.invitationSeconds, browser: nil, from: Self.name(of: author), tx)
            tx.base.note("operator.link", of: address.text, after: "mailed")
        }
    }

    private func countMail(to address: EmailAddress) async throws {
        try await count("operator mail \(address.text)", store.limits.mailPerAddressHour * 4)
    }

    /// Ends the links that nobody has redeemed and that open in any browser.
    static func endOpenLinks(of address: String, at now: Moment) -> SQL {
        """
        DELETE FROM admin_sessions
        WHERE operator = \(address) AND browser IS NULL AND redeemed_at IS NULL AND first_factor IS NULL
        AND expires_at > \(now) RETURNING 1
        """
    }

    private static func refuseIfThere(_ address: String, _ tx: borrowing Transaction) throws {
        guard try find(address, tx) == nil else {
            throw Refusal.alreadyExists("\(address) is an operator already")
        }
    }

    /// Who invites, as the mail says it.
    private static func name(of author: Authority) -> String {
        switch author {
        case .person(let address) where !ASCII.areEqual(address, Operator.ofServer.address): address
        default: "Whoever runs this server"
        }
    }

    // MARK: Sign-ins

    /// The entries of the audit log in which sign-ins are looked for, the newest: more would hold up the page.
    private static let signInEntries = 20_000

    /// When operators have last signed in, by their addresses, as far as the newest entries of the audit log tell.
    package func lastSignIns() async throws -> [String: Moment] {
        let rows = try await store.read { tx in
            try tx.run(
                """
                SELECT subject, MAX(at) FROM (
                    SELECT subject, at, action FROM audit_log ORDER BY at DESC, id DESC LIMIT \(Self.signInEntries)
                ) newest WHERE action = 'operator.signIn' GROUP BY subject
                """)
        }
        return try rows.reduce(into: [:]) { times, row in
            var row = row
            let address = try row.text()
            times[address] = try row.moment()
        }
    }
}
