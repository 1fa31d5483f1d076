// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import HomingDatabase

/// The rows behind getting a certificate. One process at a time works on a name: it has claimed the name's row.
extension Certificates {
    /// An order that was begun, so that a server which was killed goes on where it was.
    package struct RunningOrder: Sendable {
        package let url: String
        /// The private key for the certificate, PEM.
        package let key: String

        package init(url: String, key: String) {
            self.url = url
            self.key = key
        }
    }

    /// Seconds for which a claim holds. An order that takes longer is given up.
    package static let claimSeconds: Int64 = 300

    // MARK: Names

    /// The names that are wanted, or were until their certificate ends, in order.
    package func states() async throws -> [CertificateState] {
        try await database.read { connection in
            try connection.run(
                """
                SELECT name, seen_at, issuer, begins_at, ends_at, renew_at, looked_at, led_here, tried_at, next_at,
                    failures, problem
                FROM certificates ORDER BY name
                """
            ).map(Self.state)
        }
    }

    /// Notes which names are wanted from now on, at this authority. A name that is no longer wanted is forgotten when its
    /// certificate has ended; after a change of the authority each name is due.
    package func want(_ names: [String], from directory: String) async throws {
        let now = system.now()
        let known = try await database.read { connection in
            try connection.run("SELECT name, directory, ends_at FROM certificates").map { row in
                var row = row
                return (name: try row.text(), directory: try row.text(), endsAt: try row.optionalMoment())
            }
        }
        let new = names.filter { name in !known.contains { $0.name == name } }
        let ended = known.filter { row in !names.contains(row.name) && row.endsAt.map { $0 < now } ?? true }
        let moved = known.contains { $0.directory != directory }
        guard !new.isEmpty || !ended.isEmpty || moved else { return }
        try await database.write { connection in
            for name in new {
                try connection.run(
                    """
                    INSERT INTO certificates (name, directory, seen_at, next_at, led_here, failures, claimed_until)
                    VALUES (\(name), \(directory), \(now), \(now), 0, 0, 0) ON CONFLICT (name) DO NOTHING
                    """)
            }
            for row in ended {
                try connection.run("DELETE FROM certificates WHERE name = \(row.name)")
            }
            if !ended.isEmpty { try connection.run(Edition.increment) }
            try connection.run(
                """
                UPDATE certificates SET directory = \(directory), failures = 0, next_at = \(now), problem = NULL,
                    order_url = NULL, order_sealed = NULL,
                    renew_at = CASE WHEN renew_at IS NULL THEN NULL ELSE \(now) END
                WHERE directory <> \(directory)
                """)
        }
        if !ended.isEmpty { try await reload() }
    }

    // MARK: Orders

    /// Takes a name for this process; nil when another one has it. The order is the one that was begun and not ended.
    package func claim(_ name: String) async throws -> (state: CertificateState, order: RunningOrder?)? {
        let now = system.now()
        let until = now.adding(seconds: Self.claimSeconds)
        let row = try await database.write { connection in
            try connection.run(
                """
                UPDATE certificates SET claimed_until = \(until) WHERE name = \(name) AND claimed_until <= \(now)
                RETURNING name, seen_at, issuer, begins_at, ends_at, renew_at, looked_at, led_here, tried_at, next_at,
                    failures, problem, order_url, order_sealed
                """
            ).first
        }
        guard var row else { return nil }
        let state = try Self.state(&row)
        guard let url = try row.optionalText(), let sealed = try row.optionalBytes(),
            // An order whose key is lost with a retired master key is begun again.
            let key = try? ring.open(sealed, name: Self.orderLabel(name))
        else { return (state, nil) }
        return (state, RunningOrder(url: url, key: String(decoding: key, as: UTF8.self)))
    }

    /// Gives up the claims of a process that is gone, where there is only one process.
    package func releaseAll() async throws {
        guard database.dialect.hasOneProcess else { return }
        try await database.write { connection in
            try connection.run("UPDATE certificates SET claimed_until = 0 WHERE claimed_until > 0")
        }
    }

    package func release(_ name: String) async throws {
        try await database.write { connection in
            try connection.run("UPDATE certificates SET claimed_until = 0 WHERE name = \(name)")
        }
    }

    /// Keeps an order before anything is done for it.
    package func begin(_ order: RunningOrder, for name: String) async throws {
        let sealed = try ring.seal(Array(order.key.utf8), name: Self.orderLabel(name))
        try await database.write { connection in
            try connection.run(
                "UPDATE certificates SET order_url = \(order.url), order_sealed = \(sealed) WHERE name = \(name)")
        }
    }

    /// Forgets an order that leads nowhere.
    package func forgetOrder(of name: String) async throws {
        try await database.write { connection in
            try connection.run(
                "UPDATE certificates SET order_url = NULL, order_sealed = NULL WHERE name = \(name)")
        }
    }

    /// Keeps a certificate, tells the other nodes, and shows it from now on.
    package func store(_ issued: IssuedCertificate, for name: String) async throws {
        let sealed = try ring.seal(Array(issued.key.utf8), name: Self.label(name))
        let now = system.now()
        let renewAt = CertificatePlan.renewal(from: issued.beginsAt, until: issued.endsAt, share: share())
        try await database.write { connection in
            try connection.run(
                """
                UPDATE certificates SET sealed = \(sealed), chain = \(issued.chain), issuer = \(issued.issuer),
                    begins_at = \(issued.beginsAt), ends_at = \(issued.endsAt), renew_at = \(renewAt),
                    order_url = NULL, order_sealed = NULL, failures = 0, problem = NULL, tried_at = \(now),
                    next_at = \(now), claimed_until = 0
                WHERE name = \(name)
                """)
            try connection.run(Edition.increment)
        }
        try await reload()
    }

    /// Notes that a name does not lead here, and when that was seen.
    package func wait(for name: String, because problem: String) async throws {
        let now = system.now()
        try await database.write { connection in
            try connection.run(
                """
                UPDATE certificates SET looked_at = \(now), problem = \(problem), claimed_until = 0 WHERE name = \(name)
                """)
        }
    }

    /// Notes that an order has failed, and when the next one may be tried.
    ///
    /// - Parameter isRefusal: whether the authority itself has refused, which it counts.
    /// - Returns: when that is.
    @discardableResult
    package func fail(
        _ state: CertificateState, because problem: String, isRefusal: Bool, wanted: Int64?, ledHere: Bool
    ) async throws -> Moment {
        let now = system.now()
        let failures = state.failures + 1
        let pause =
            isRefusal
            ? CertificatePlan.pause(afterRefusals: failures, wanted: wanted, share: share())
            : CertificatePlan.pause(afterSilences: failures, share: share())
        let next = now.adding(seconds: pause)
        try await database.write { connection in
            try connection.run(
                """
                UPDATE certificates SET failures = \(failures), problem = \(problem), tried_at = \(now),
                    looked_at = \(now), next_at = \(next), led_here = \(ledHere ? 1 : 0), claimed_until = 0
                WHERE name = \(state.name)
                """)
        }
        return next
    }

    // MARK: The account

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
        if let known = try await readAccount(at: directory) { return known }
        let sealed = try ring.seal(Array(newKey().utf8), name: Self.accountLabel(directory))
        try await database.write { connection in
            try connection.run(
                """
                INSERT INTO certificate_accounts (directory, sealed, paused_until) VALUES (\(directory), \(sealed), 0)
                ON CONFLICT (directory) DO NOTHING
                """)
        }
        // Another node's, if that one was quicker.
        guard let account = try await readAccount(at: directory) else { throw KeyFault.noActiveKey }
        return account
    }

    package func setAccount(url: String?, email: String?, at directory: String) async throws {
        try await database.write { connection in
            try connection.run(
                "UPDATE certificate_accounts SET url = \(url), email = \(email) WHERE directory = \(directory)")
        }
    }

    /// Orders nothing from an authority for this many seconds.
    package func pause(_ directory: String, seconds: Int64) async throws {
        let until = system.now().adding(seconds: seconds)
        try await database.write { connection in
            try connection.run(
                "UPDATE certificate_accounts SET paused_until = \(until) WHERE directory = \(directory)")
        }
    }

    /// Until when an authority wants no orders.
    package func pausedUntil(_ directory: String) async throws -> Moment? {
        try await database.read { connection in
            try connection.run("SELECT paused_until FROM certificate_accounts WHERE directory = \(directory)")
                .firstInt()
        }.map { Moment(milliseconds: $0) }
    }

    private func readAccount(at directory: String) async throws -> Account? {
        let row = try await database.read { connection in
            try connection.run(
                "SELECT sealed, url, email, paused_until FROM certificate_accounts WHERE directory = \(directory)"
            ).first
        }
        guard var row else { return nil }
        let key = try ring.open(row.bytes(), name: Self.accountLabel(directory))
        return Account(
            key: String(decoding: key, as: UTF8.self), url: try row.optionalText(), email: try row.optionalText(),
            pausedUntil: try row.moment())
    }

    // MARK: Keys

    /// Encrypts all private keys anew with the key version in use, so that an older one can be retired.
    package func reseal() async throws {
        let columns: [(table: SQL, key: SQL, column: SQL, label: @Sendable (String) -> String)] = [
            ("certificates", "name", "sealed", Self.label),
            ("certificates", "name", "order_sealed", Self.orderLabel),
            ("certificate_accounts", "directory", "sealed", Self.accountLabel),
        ]
        for (table, key, column, label) in columns {
            let rows = try await database.read { connection in
                try connection.run(
                    "SELECT \(sql: key), \(sql: column) FROM \(sql: table) WHERE \(sql: column) IS NOT NULL"
                ).map { row in
                    var row = row
                    return (try row.text(), try row.bytes())
                }
            }
            for (id, sealed) in rows where sealed.first != ring.active {
                let fresh = try ring.seal(try ring.open(sealed, name: label(id)), name: label(id))
                try await database.write { connection in
                    try connection.run(
                        """
                        UPDATE \(sql: table) SET \(sql: column) = \(fresh)
                        WHERE \(sql: key) = \(id) AND \(sql: column) = \(sealed)
                        """)
                }
            }
        }
    }

    private static func orderLabel(_ name: String) -> String { "certificate order \(name)" }
    private static func accountLabel(_ directory: String) -> String { "certificate account \(directory)" }

    /// 0 to 1, drawn evenly.
    private func share() -> Double {
        let bytes = system.randomBytes(2)
        return Double(Int(bytes[0]) << 8 | Int(bytes[1])) / 65_535
    }

    private static func state(_ row: Row) throws -> CertificateState {
        var row = row
        return try state(&row)
    }

    private static func state(_ row: inout Row) throws -> CertificateState {
        var state = CertificateState(name: try row.text(), seenAt: try row.moment())
        state.issuer = try row.optionalText()
        state.beginsAt = try row.optionalMoment()
        state.endsAt = try row.optionalMoment()
        state.renewAt = try row.optionalMoment()
        state.lookedAt = try row.optionalMoment()
        state.ledHere = try row.bool()
        state.triedAt = try row.optionalMoment()
        state.nextAt = try row.moment()
        state.failures = Int(try row.int())
        state.problem = try row.optionalText()
        return state
    }
}
