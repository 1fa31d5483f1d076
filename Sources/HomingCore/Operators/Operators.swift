// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import HomingDatabase
import HomingLinkRules
package import HomingPasswords
package import HomingStore
import HomingWire

/// The people who may use the console: who they are, and what they may do.
package struct Operators: Sendable {
    let store: Store
    let sessions: AdminSessions
    let passwords: Passwords
    /// Where this node's console is, for links in mails: any node may deliver them, and the cookie that goes with a
    /// link is this one's.
    let consoleURL: String?

    package init(
        store: Store, sessions: AdminSessions, passwords: Passwords, consoleURL: String?
    ) {
        self.consoleURL = consoleURL
        self.store = store
        self.sessions = sessions
        self.passwords = passwords
    }

    /// Adds somebody, or changes the role and the projects of somebody who is there, whose open links end then.
    ///
    /// - Parameter projects: the only projects, or nil for all.
    package func add(
        _ text: String, role: Operator.Role, projects: [ProjectID]?, by author: Authority
    ) async throws -> Operator {
        let address = try EmailAddress(parsing: text).text
        let rights = Operator.Rights(role: role, projects: projects)
        try rights.check()
        return try await store.write(by: author) { tx in
            try tx.run(Edition.increment)
            if let old = try Self.find(address, tx), old.rights != rights {
                try tx.run(Self.endOpenLinks(of: address, at: tx.now))
            }
            return try Self.keep(address, rights, tx)
        }
    }

    /// Changes the role and the projects of somebody who is there. Invitations and one-time links that are still open
    /// end with it: whoever has one was given other rights.
    ///
    /// A person's own rights are changed by somebody else: so nobody locks themselves out by a slip.
    ///
    /// - Parameter seen: what the author saw; nil where that does not matter.
    /// - Returns: how many open links ended.
    /// - Throws: ``Refusal/changedMeanwhile(_:)`` where the rights are no longer what the author saw.
    @discardableResult
    package func set(
        _ text: String, to rights: Operator.Rights, seen: Operator.Rights? = nil, by author: Authority
    ) async throws -> Int {
        let address = ASCII.lowercased(text)
        try rights.check()
        if case .person(let own) = author, ASCII.areEqual(own, address) {
            throw Refusal.invalidSetting("nobody changes their own role: another owner does")
        }
        return try await store.write(by: author) { tx in
            try tx.run(Edition.increment)
            guard let old = try Self.find(address, tx) else { throw Self.nobody(address) }
            if let seen, seen != old.rights {
                throw Refusal.changedMeanwhile("\(address) has another role by now: refresh, then save")
            }
            _ = try Self.keep(address, rights, tx)
            return old.rights == rights ? 0 : try tx.run(Self.endOpenLinks(of: address, at: tx.now)).count
        }
    }

    /// Keeps somebody with these rights. Whoever calls it has taken the edition: operators change one after the other, on
    /// whatever node, and of two owners who remove each other one stays.
    static func keep(
        _ address: String, _ rights: Operator.Rights, _ tx: borrowing Transaction
    ) throws -> Operator {
        let old = try find(address, tx)
        if old?.role == .owner, rights.role != .owner { try refuseToLoseLastOwner(address, tx) }
        let projects = rights.projects?.map(\.text).joined(separator: " ")
        try tx.run(
            """
            INSERT INTO operators (address, role, projects, totp_step, created_at)
            VALUES (\(address), \(rights.role.rawValue), \(projects), 0, \(tx.now))
            ON CONFLICT (address) DO UPDATE SET role = excluded.role, projects = excluded.projects
            """)
        let new = Operator(
            address: address, role: rights.role, projects: rights.projects, hasPassword: old?.hasPassword ?? false,
            hasSecondFactor: old?.hasSecondFactor ?? false)
        if old != new {
            tx.note(
                old == nil ? "operator.add" : "operator.set", of: address, before: old?.summary, after: new.summary)
        }
        return new
    }

    /// Removes somebody, whose sessions and links end with it. `server` ends the sessions that began with a link which
    /// the server printed.
    package func remove(_ text: String, by author: Authority) async throws {
        let address = ASCII.lowercased(text)
        try await store.write(by: author) { tx in
            try tx.run(Edition.increment)
            guard address != Operator.ofServer.address else {
                try tx.run("DELETE FROM admin_sessions WHERE operator = \(address)")
                tx.note("operator.remove", of: address)
                return
            }
            guard let old = try Self.find(address, tx) else { throw try Self.nobody(address, like: tx) }
            if old.role == .owner, case .person = author { try Self.refuseToLoseLastOwner(address, tx) }
            try tx.run("DELETE FROM operators WHERE address = \(address)")
            try tx.run("DELETE FROM admin_sessions WHERE operator = \(address)")
            tx.note("operator.remove", of: address, before: old.summary)
        }
    }

    package func list() async throws -> [Operator] {
        try await store.read { tx in
            try tx.run("SELECT \(sql: Self.columns) FROM operators ORDER BY address").map {
                var row = $0
                return try Self.read(&row)
            }
        }
    }

    package func find(_ text: String) async throws -> Operator {
        let address = ASCII.lowercased(text)
        return try await store.read { tx in
            guard let found = try Self.find(address, tx) else { throw try Self.nobody(address, like: tx) }
            return found
        }
    }

    /// Makes a one-time link into the console for somebody, and answers its secret.
    package func newLink(for text: String, by author: Authority) async throws -> String {
        let found = try await find(text)
        let (secret, insertion) = sessions.link(to: .console, operator: found.address)
        try await store.write(by: author) { tx in
            try tx.run(insertion)
            tx.note("operator.link", of: found.address)
        }
        return secret
    }

    /// Takes a project that is being deleted from the lists of operators: a later one of the same id is another.
    static func forget(_ project: ProjectID, _ tx: borrowing Transaction) throws {
        for var row in try tx.run("SELECT address, projects FROM operators WHERE projects IS NOT NULL") {
            let (address, projects) = (try row.text(), try row.text())
            let left = projects.split(separator: " ").filter { ProjectID(String($0)) != project }
            try tx.run(
                "UPDATE operators SET projects = \(left.joined(separator: " ")) WHERE address = \(address)")
        }
    }

    /// Removes everybody, because a backup may name people who were removed since.
    ///
    /// - Returns: who they were.
    package static func removeAll(_ store: Store) async throws -> [Operator] {
        try await store.write(by: .command) { tx in
            let people = try tx.run("SELECT \(sql: columns) FROM operators ORDER BY address").map {
                var row = $0
                return try read(&row)
            }
            try tx.run("DELETE FROM operators")
            return people
        }
    }

    // MARK: Rows

    static let columns: SQL = """
        operators.address, operators.role, operators.projects, CASE WHEN operators.password_hash IS NULL THEN 0 ELSE 1 END,
        CASE WHEN operators.totp_secret IS NULL THEN 0 ELSE 1 END
        """

    static func read(_ row: inout Row) throws -> Operator {
        let address = try row.text()
        let role = Operator.Role(rawValue: try row.text()) ?? .viewer
        let projects = try row.optionalText()?.split(separator: " ").map { ProjectID(String($0)) }
        return Operator(
            address: address, role: role, projects: projects, hasPassword: try row.bool(),
            hasSecondFactor: try row.bool())
    }

    static func find(_ address: String, _ tx: borrowing Transaction) throws -> Operator? {
        guard
            var row = try tx.run("SELECT \(sql: columns) FROM operators WHERE operators.address = \(address)")
                .first
        else { return nil }
        return try read(&row)
    }

    /// Nobody in the console could add an owner again.
    private static func refuseToLoseLastOwner(_ address: String, _ tx: borrowing Transaction) throws {
        let others = try tx.run(
            "SELECT 1 FROM operators WHERE role = \(Operator.Role.owner.rawValue) AND address <> \(address) LIMIT 1")
        guard !others.isEmpty else {
            throw Refusal.invalidSetting("the last owner is \(address): make somebody else an owner first")
        }
    }

    /// The same with the address that was probably meant.
    private static func nobody(_ address: String, like tx: borrowing Transaction) throws -> Refusal {
        let known = try tx.run("SELECT address FROM operators ORDER BY address").map {
            var row = $0
            return try row.text()
        }
        return nobody(address, remedy: .meant(by: address, among: known, else: .addOperator(address)))
    }

    static func nobody(_ address: String, remedy: Remedy? = nil) -> Refusal {
        .notFound("there is no operator \(Printable.given(address))", remedy: remedy ?? .addOperator(address))
    }
}

extension Operator {
    /// What the audit log says of an operator.
    fileprivate var summary: String {
        role.rawValue + (projects.map { " of " + $0.map(\.text).joined(separator: ", ") } ?? "")
    }
}
