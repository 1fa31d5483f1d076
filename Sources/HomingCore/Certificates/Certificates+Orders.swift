// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import HomingDatabase
internal import HomingWire
internal import Synchronization

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

    /// A name that this process works on. What it writes counts only as long as nobody else has claimed the name.
    package struct Claim: Sendable {
        package let name: String
        fileprivate let until: Moment
    }

    /// The claim on a name has ended, and another process may work on it.
    package struct ClaimLost: Error, CustomStringConvertible {
        package let description = "the order took so long that another process may work on the name; it is gone on with"
    }

    // MARK: Names

    /// The names that are wanted, or were until their certificate ends, in order.
    package func states() async throws -> [CertificateState] {
        try await database.read { connection in
            try connection.run(
                """
                SELECT name, seen_at, issuer, begins_at, ends_at, renew_at, looked_at, led_here, tried_at, next_at,
                    failures, problem
                FROM certificates WHERE unwanted_at IS NULL OR ends_at IS NOT NULL ORDER BY name
                """
            ).map(Self.state)
        }
    }

    /// Notes which names are wanted from now on, at this authority. A name that is no longer wanted is forgotten a day later,
    /// so that its refusals are not, and not before its certificate has ended; after a change of the authority each name is
    /// due.
    ///
    /// - Throws: a sentence for the operator of servers that differ in their authority.
    package func want(_ names: [String], from directory: String) async throws {
        let now = system.now()
        try await putInForce(directory, at: now)
        let (known, longestPause) = try await database.read { connection in
            let known = try connection.run(
                """
                SELECT name, directory, ends_at, unwanted_at, seen_at, next_at, claimed_until, looked_at, tried_at
                FROM certificates
                """
            ).map(Known.init)
            return (
                known, try connection.run("SELECT MAX(paused_until) FROM certificate_accounts").map(Known.pause).first
            )
        }
        let wanted = Set(names)
        let there = Set(known.map(\.name))
        let new = names.filter { !there.contains($0) }
        let left = known.filter { !wanted.contains($0.name) }
        let unwanted = left.filter { $0.unwantedAt == nil }
        let again = known.filter { wanted.contains($0.name) && $0.unwantedAt != nil }
        let ended = left.filter { row in
            guard let since = row.unwantedAt, now >= since.adding(seconds: 86_400) else { return false }
            return row.endsAt.map { $0 < now } ?? true
        }
        let moved = known.contains { $0.directory != directory }
        let isAhead = known.contains { $0.isAhead(of: now) } || (longestPause ?? now) > Bounds(now, slack: 60).pause
        guard !new.isEmpty || !unwanted.isEmpty || !again.isEmpty || !ended.isEmpty || moved || isAhead else { return }
        try await database.write { connection in
            for name in new {
                try connection.run(
                    """
                    INSERT INTO certificates (name, directory, seen_at, next_at, led_here, failures, claimed_until)
                    VALUES (\(name), \(directory), \(now), \(now), 0, 0, 0) ON CONFLICT (name) DO NOTHING
                    """)
            }
            for row in unwanted {
                try connection.run("UPDATE certificates SET unwanted_at = \(now) WHERE name = \(row.name)")
            }
            for row in again {
                try connection.run("UPDATE certificates SET unwanted_at = NULL WHERE name = \(row.name)")
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
            if isAhead { try Self.cut(to: Bounds(now), connection) }
        }
        if !ended.isEmpty { try await reload() }
    }

    /// What ``want(_:from:)`` looks at.
    private struct Known {
        let name: String
        let directory: String
        let endsAt, unwantedAt: Moment?
        let seenAt, nextAt, claimedUntil: Moment
        let lookedAt, triedAt: Moment?

        init(_ row: Row) throws {
            var row = row
            name = try row.text()
            directory = try row.text()
            endsAt = try row.optionalMoment()
            unwantedAt = try row.optionalMoment()
            seenAt = try row.moment()
            nextAt = try row.moment()
            claimedUntil = try row.moment()
            lookedAt = try row.optionalMoment()
            triedAt = try row.optionalMoment()
        }

        static func pause(_ row: Row) throws -> Moment {
            var row = row
            return try row.optionalMoment() ?? Moment(milliseconds: 0)
        }

        /// Whether a clock that was ahead has written this; the clocks of nodes may differ a little.
        func isAhead(of now: Moment) -> Bool {
            let bounds = Bounds(now, slack: 60)
            return nextAt > bounds.next || claimedUntil > bounds.claim
                || [seenAt, lookedAt, triedAt, unwantedAt].contains { ($0 ?? now) > bounds.look }
        }
    }

    /// No right clock has written a later time than these.
    private struct Bounds: Sendable {
        let next, claim, pause, look: Moment

        init(_ now: Moment, slack: Int64 = 0) {
            next = now.adding(seconds: 8 * 86_400 + slack)
            claim = now.adding(seconds: Certificates.claimSeconds + slack)
            pause = now.adding(seconds: 3600 + slack)
            look = now.adding(seconds: slack)
        }
    }

    private static func cut(to bounds: Bounds, _ connection: borrowing Connection) throws {
        try connection.run("UPDATE certificates SET next_at = \(bounds.next) WHERE next_at > \(bounds.next)")
        try connection.run(
            "UPDATE certificates SET claimed_until = \(bounds.claim) WHERE claimed_until > \(bounds.claim)")
        let looks: [SQL] = ["seen_at", "looked_at", "tried_at", "unwanted_at"]
        for column in looks {
            try connection.run(
                """
                UPDATE certificates SET \(sql: column) = \(bounds.look) WHERE \(sql: column) > \(bounds.look)
                """)
        }
        try connection.run(
            "UPDATE certificate_accounts SET paused_until = \(bounds.pause) WHERE paused_until > \(bounds.pause)")
    }

    /// Notes from which authority all servers on this database order: this one, unless another server came first.
    private func putInForce(_ directory: String, at now: Moment) async throws {
        let mark = "\(now.seconds) \(directory)"
        let kept = try await database.read { connection in
            try connection.run("SELECT value FROM key_state WHERE name = 'certificate_directory'").firstText()
        }
        if let kept {
            let words = ASCII.split(kept, at: UInt8(ascii: " "))
            let other = words.dropFirst().joined(separator: " ")
            if !other.utf8.elementsEqual(directory.utf8) {
                let mayChange = CertificatePlan.mayChangeAuthority(
                    since: Moment(seconds: words.first.flatMap { Int64($0) } ?? 0),
                    wasInForce: directoriesInForce.withLock { $0.contains(directory) },
                    isAlone: database.dialect.hasOneProcess, at: now)
                var isOurs = false
                if mayChange {
                    isOurs = try await database.write { connection in
                        let rows = try connection.run(
                            """
                            UPDATE key_state SET value = \(mark)
                            WHERE name = 'certificate_directory' AND value = \(kept) RETURNING name
                            """)
                        return !rows.isEmpty
                    }
                }
                guard isOurs else {
                    throw Refusal.invalidSetting(
                        "another server on this database gets its certificates from \(other): give all "
                            + "servers the same tls.acme.directory (HOMING_TLS_ACME_DIRECTORY); a new one comes into force within "
                            + "an hour")
                }
            }
        } else {
            try await database.write { connection in
                try connection.run(
                    """
                    INSERT INTO key_state (name, value) VALUES ('certificate_directory', \(mark))
                    ON CONFLICT (name) DO NOTHING
                    """)
            }
        }
        _ = directoriesInForce.withLock { $0.insert(directory) }
    }

    /// Counts a first order against what its project may have in a day.
    ///
    /// - Parameter leadsHere: whether this server has seen itself answer there.
    package func mayOrder(in project: String, leadsHere: Bool) async throws -> Bool {
        let now = system.now()
        var counters = [
            (Counter(subject: "certificates", windowSeconds: 86_400), CertificatePlan.firstOrdersPerDay)
        ]
        if !leadsHere {
            counters.append(
                (Counter(subject: "certificates unseen", windowSeconds: 86_400), CertificatePlan.unseenOrdersPerDay))
        }
        return try await database.write { [counters] connection in
            var isAllowed = true
            for (counter, most) in counters {
                let count = try connection.run(counter.increment(in: project, at: now)).firstInt() ?? 1
                if count > Int64(most) { isAllowed = false }
            }
            return isAllowed
        }
    }

    // MARK: Orders

    /// Takes a name for this process; nil when another one has it. The order is the one that was begun and not ended.
    package func claim(
        _ name: String
    ) async throws -> (state: CertificateState, order: RunningOrder?, claim: Claim)? {
        let now = system.now()
        let until = now.adding(seconds: Self.claimSeconds)
        let claim = Claim(name: name, until: until)
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
        else { return (state, nil, claim) }
        return (state, RunningOrder(url: url, key: String(decoding: key, as: UTF8.self)), claim)
    }

    /// Gives up the claims of a process that is gone, where there is only one process.
    package func releaseAll() async throws {
        guard database.dialect.hasOneProcess else { return }
        try await database.write { connection in
            try connection.run("UPDATE certificates SET claimed_until = 0 WHERE claimed_until > 0")
        }
    }

    package func release(_ claim: Claim) async throws {
        try await database.write { connection in
            try connection.run("UPDATE certificates SET claimed_until = 0 \(sql: claim.condition)")
        }
    }

    /// Keeps an order before anything is done for it.
    package func begin(_ order: RunningOrder, for claim: Claim) async throws {
        let sealed = try ring.seal(Array(order.key.utf8), name: Self.orderLabel(claim.name))
        try await change("order_url = \(order.url), order_sealed = \(sealed)", under: claim)
    }

    /// Forgets an order that leads nowhere.
    package func forgetOrder(of claim: Claim) async throws {
        try await change("order_url = NULL, order_sealed = NULL", under: claim)
    }

    /// Keeps a certificate, tells the other nodes, and shows it from now on.
    package func store(_ issued: IssuedCertificate, for claim: Claim) async throws {
        let sealed = try ring.seal(Array(issued.key.utf8), name: Self.label(claim.name))
        let now = system.now()
        let renewAt = CertificatePlan.renewal(from: issued.beginsAt, until: issued.endsAt, share: share())
        try await change(
            """
            sealed = \(sealed), chain = \(issued.chain), issuer = \(issued.issuer), begins_at = \(issued.beginsAt),
            ends_at = \(issued.endsAt), renew_at = \(renewAt), order_url = NULL, order_sealed = NULL, failures = 0,
            problem = NULL, tried_at = \(now), next_at = \(now), claimed_until = 0
            """, under: claim, and: Edition.increment)
        try await reload()
    }

    /// Makes certificates due whose keys cannot be opened.
    package func makeDue(_ names: [String]) async throws {
        let now = system.now()
        try await database.write { connection in
            for name in names {
                try connection.run(
                    "UPDATE certificates SET renew_at = \(now) WHERE name = \(name) AND renew_at > \(now)")
            }
        }
    }

    /// Notes that a name does not lead here, and when that was seen.
    package func wait(for claim: Claim, because problem: String) async throws {
        try await change(
            "looked_at = \(system.now()), problem = \(problem), claimed_until = 0", under: claim)
    }

    /// Notes that an order has failed, and when the next one may be tried.
    ///
    /// - Parameter isRefusal: whether the authority itself has refused, which it counts.
    /// - Returns: when that is.
    @discardableResult
    package func fail(
        _ state: CertificateState, under claim: Claim, because problem: String, isRefusal: Bool, wanted: Int64?,
        ledHere: Bool
    ) async throws -> Moment {
        let now = system.now()
        let failures = state.failures + 1
        let pause =
            isRefusal
            ? CertificatePlan.pause(afterRefusals: failures, wanted: wanted, share: share())
            : CertificatePlan.pause(afterSilences: failures, share: share())
        let next = now.adding(seconds: pause)
        try await change(
            """
            failures = \(failures), problem = \(problem), tried_at = \(now), looked_at = \(now), next_at = \(next),
            led_here = \(ledHere ? 1 : 0), claimed_until = 0
            """, under: claim)
        return next
    }

    /// Changes the row of a name as long as it is this process's.
    private func change(_ assignments: SQL, under claim: Claim, and another: SQL? = nil) async throws {
        try await database.write { connection in
            let rows = try connection.run(
                "UPDATE certificates SET \(sql: assignments) \(sql: claim.condition) RETURNING name")
            guard !rows.isEmpty else { throw ClaimLost() }
            if let another { try connection.run(another) }
        }
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

extension Certificates.Claim {
    fileprivate var condition: SQL { "WHERE name = \(name) AND claimed_until = \(until)" }
}
