// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
internal import HomingDatabase
import HomingLinkRules
package import HomingStore
internal import HomingWire
internal import Synchronization

/// The names that are wanted, and the authority they are wanted from.
extension Certificates {
    /// The names that are wanted, or were until their certificate ends, in order.
    ///
    /// - Parameter names: the only ones to look for; nil for all.
    package func states(of names: [String]? = nil) async throws -> [CertificateState] {
        let isAsked = names.map { names in
            let list = names.dropFirst().reduce("\(names.first ?? "")" as SQL) { "\(sql: $0), \($1)" }
            return "name IN (\(sql: list)) AND" as SQL
        }
        return try await store.read { tx in
            try tx.run(
                """
                SELECT name, seen_at, issuer, begins_at, ends_at, renew_at, looked_at, led_here, tried_at, next_at,
                    failures, problem
                FROM certificates WHERE \(sql: isAsked ?? "") (unwanted_at IS NULL OR ends_at IS NOT NULL) ORDER BY name
                """
            ).map(CertificateState.init(row:))
        }
    }

    /// Notes which names are wanted from now on, at this authority. A name that is no longer wanted is forgotten a day
    /// later, so that its refusals are not, and not before its certificate has ended; after a change of the authority
    /// each name is due.
    ///
    /// - Throws: a sentence for the operator of servers that differ in their authority.
    package func want(_ names: [String], from directory: String) async throws {
        try await putInForce(directory)
        let (known, longestPause, now) = try await store.read { tx in
            let known = try tx.run(
                """
                SELECT name, directory, ends_at, unwanted_at, seen_at, next_at, claimed_until, looked_at, tried_at
                FROM certificates
                """
            ).map(Known.init)
            let pause = try tx.run("SELECT MAX(paused_until) FROM certificate_accounts").map(Known.pause).first
            return (known, pause, tx.now)
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
        try await store.write { tx in
            for name in new {
                tx.later(
                    """
                    INSERT INTO certificates (name, directory, seen_at, next_at, led_here, failures, claimed_until)
                    VALUES (\(name), \(directory), \(tx.now), \(tx.now), 0, 0, 0) ON CONFLICT (name) DO NOTHING
                    """)
            }
            for row in unwanted {
                tx.later("UPDATE certificates SET unwanted_at = \(tx.now) WHERE name = \(row.name)")
            }
            for row in again {
                tx.later("UPDATE certificates SET unwanted_at = NULL WHERE name = \(row.name)")
            }
            for row in ended {
                tx.later("DELETE FROM certificates WHERE name = \(row.name)")
            }
            if !ended.isEmpty { tx.later(Edition.increment) }
            tx.later(
                """
                UPDATE certificates SET directory = \(directory), failures = 0, next_at = \(tx.now), problem = NULL,
                    order_url = NULL, order_sealed = NULL,
                    renew_at = CASE WHEN renew_at IS NULL THEN NULL ELSE \(tx.now) END
                WHERE directory <> \(directory)
                """)
            if isAhead { Self.cut(to: Bounds(tx.now), tx) }
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

    private static func cut(to bounds: Bounds, _ tx: borrowing Transaction) {
        tx.later("UPDATE certificates SET next_at = \(bounds.next) WHERE next_at > \(bounds.next)")
        tx.later(
            "UPDATE certificates SET claimed_until = \(bounds.claim) WHERE claimed_until > \(bounds.claim)")
        let looks: [SQL] = ["seen_at", "looked_at", "tried_at", "unwanted_at"]
        for column in looks {
            tx.later(
                """
                UPDATE certificates SET \(sql: column) = \(bounds.look) WHERE \(sql: column) > \(bounds.look)
                """)
        }
        tx.later(
            "UPDATE certificate_accounts SET paused_until = \(bounds.pause) WHERE paused_until > \(bounds.pause)")
    }

    /// Notes from which authority all servers on this database order: this one, unless another server came first.
    private func putInForce(_ directory: String) async throws {
        let (now, kept) = try await store.read { tx in
            (tx.now, try tx.run("SELECT value FROM key_state WHERE name = 'certificate_directory'").firstText())
        }
        let mark = "\(now.seconds) \(directory)"
        if let kept {
            let words = ASCII.split(kept, at: UInt8(ascii: " "))
            let other = words.dropFirst().joined(separator: " ")
            if !other.utf8.elementsEqual(directory.utf8) {
                let mayChange = CertificatePlan.mayChangeAuthority(
                    since: Moment(seconds: words.first.flatMap { Int64($0) } ?? 0),
                    wasInForce: directoriesInForce.withLock { $0.contains(directory) },
                    isAlone: store.database.dialect.hasOneProcess, at: now)
                var isOurs = false
                if mayChange {
                    isOurs = try await store.write { tx in
                        let rows = try tx.run(
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
            try await store.write { tx in
                tx.later(
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
    package func mayOrder(in project: ProjectID, leadsHere: Bool) async throws -> Bool {
        var counters = [
            (Counter(subject: "certificates", windowSeconds: 86_400), CertificatePlan.firstOrdersPerDay)
        ]
        if !leadsHere {
            counters.append(
                (Counter(subject: "certificates unseen", windowSeconds: 86_400), CertificatePlan.unseenOrdersPerDay))
        }
        return try await store.write { [counters] tx in
            var isAllowed = true
            for (counter, most) in counters {
                let count = try tx.run(counter.increment(in: project.scope, at: tx.now)).firstInt() ?? 1
                if count > Int64(most) { isAllowed = false }
            }
            return isAllowed
        }
    }
}
