// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
internal import HomingDatabase
package import HomingStore

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
        /// Who wants the certificate, an operator or the server by itself.
        fileprivate let authority: Authority
        fileprivate let until: Moment
    }

    /// The claim on a name has ended, and another process may work on it.
    package struct ClaimLost: Error, CustomStringConvertible {
        package let description = "the order took so long that another process may work on the name; it is gone on with"
    }

    // MARK: Orders

    /// Takes a name for this process; nil when another one has it. The order is the one that was begun and not ended.
    ///
    /// - Parameter authority: who wants the certificate. One that an operator gets has an entry in the audit log.
    package func claim(
        _ name: String, by authority: Authority
    ) async throws -> (state: CertificateState, order: RunningOrder?, claim: Claim)? {
        let (row, claim) = try await store.write { tx in
            let claim = Claim(name: name, authority: authority, until: tx.now.adding(seconds: Self.claimSeconds))
            let row = try tx.run(
                """
                UPDATE certificates SET claimed_until = \(claim.until) WHERE name = \(name) AND claimed_until <= \(tx.now)
                RETURNING name, seen_at, issuer, begins_at, ends_at, renew_at, looked_at, led_here, tried_at, next_at,
                    failures, problem, order_url, order_sealed
                """
            ).first
            return (row, claim)
        }
        guard var row else { return nil }
        let state = try CertificateState(&row)
        guard let url = try row.optionalText(), let sealed = try row.optionalBytes(),
            // An order whose key is lost with a retired master key is begun again.
            let key = try store.ring.openUnlessGone(sealed, name: Self.orderLabel(name))
        else { return (state, nil, claim) }
        return (state, RunningOrder(url: url, key: String(decoding: key, as: UTF8.self)), claim)
    }

    /// Gives up the claims of a process that is gone, where there is only one process.
    package func releaseAll() async throws {
        guard store.database.dialect.hasOneProcess else { return }
        try await store.write { $0.later("UPDATE certificates SET claimed_until = 0 WHERE claimed_until > 0") }
    }

    package func release(_ claim: Claim) async throws {
        try await store.write { $0.later("UPDATE certificates SET claimed_until = 0 \(sql: claim.condition)") }
    }

    /// Keeps an order before anything is done for it.
    package func begin(_ order: RunningOrder, for claim: Claim) async throws {
        let sealed = try store.ring.seal(Array(order.key.utf8), name: Self.orderLabel(claim.name))
        try await change(under: claim) { _ in "order_url = \(order.url), order_sealed = \(sealed)" }
    }

    /// Forgets an order that leads nowhere.
    package func forgetOrder(of claim: Claim) async throws {
        try await change(under: claim) { _ in "order_url = NULL, order_sealed = NULL" }
    }

    /// Keeps a certificate, tells the other nodes, and shows it from now on.
    package func keep(_ issued: IssuedCertificate, for claim: Claim) async throws {
        let sealed = try store.ring.seal(Array(issued.key.utf8), name: Self.label(claim.name))
        let renewAt = CertificatePlan.renewal(from: issued.beginsAt, until: issued.endsAt, share: share())
        try await change(under: claim) { tx in
            """
            sealed = \(sealed), chain = \(issued.chain), issuer = \(issued.issuer), begins_at = \(issued.beginsAt),
            ends_at = \(issued.endsAt), renew_at = \(renewAt), order_url = NULL, order_sealed = NULL, failures = 0,
            problem = NULL, tried_at = \(tx.now), next_at = \(tx.now), claimed_until = 0
            """
        } and: { tx in
            tx.later(Edition.increment)
            tx.note("certificate.renew", of: claim.name, after: "until \(issued.endsAt.timestamp)")
        }
        try await reload()
    }

    /// Makes certificates due whose keys cannot be opened.
    package func makeDue(_ names: [String]) async throws {
        try await store.write { tx in
            for name in names {
                tx.later("UPDATE certificates SET renew_at = \(tx.now) WHERE name = \(name) AND renew_at > \(tx.now)")
            }
        }
    }

    /// Notes that a name does not lead here, and when that was seen.
    package func wait(for claim: Claim, because problem: String) async throws {
        try await change(under: claim) { "looked_at = \($0.now), problem = \(problem), claimed_until = 0" }
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
        let failures = state.failures + 1
        let pause =
            isRefusal
            ? CertificatePlan.pause(afterRefusals: failures, wanted: wanted, share: share())
            : CertificatePlan.pause(afterSilences: failures, share: share())
        return try await change(under: claim) { tx in
            """
            failures = \(failures), problem = \(problem), tried_at = \(tx.now), looked_at = \(tx.now),
            next_at = \(tx.now.adding(seconds: pause)), led_here = \(ledHere ? 1 : 0), claimed_until = 0
            """
        }.adding(seconds: pause)
    }

    /// Changes the row of a name as long as it is this process's.
    ///
    /// - Returns: when that is.
    @discardableResult
    private func change(
        under claim: Claim, _ assignments: @escaping @Sendable (borrowing Transaction) -> SQL,
        and more: @escaping @Sendable (borrowing Transaction) -> Void = { _ in }
    ) async throws -> Moment {
        try await store.write(by: claim.authority) { tx in
            let rows = try tx.run(
                "UPDATE certificates SET \(sql: assignments(tx)) \(sql: claim.condition) RETURNING name")
            guard !rows.isEmpty else { throw ClaimLost() }
            more(tx)
            return tx.now
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
            let rows = try await store.read { tx in
                try tx.run(
                    "SELECT \(sql: key), \(sql: column) FROM \(sql: table) WHERE \(sql: column) IS NOT NULL"
                ).map { row in
                    var row = row
                    return (try row.text(), try row.bytes())
                }
            }
            for (id, sealed) in rows where sealed.first != store.ring.active {
                let fresh = try store.ring.seal(try store.ring.open(sealed, name: label(id)), name: label(id))
                try await store.write { tx in
                    tx.later(
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
        let bytes = store.system.randomBytes(2)
        return Double(Int(bytes[0]) << 8 | Int(bytes[1])) / 65_535
    }
}

extension Certificates.Claim {
    fileprivate var condition: SQL { "WHERE name = \(name) AND claimed_until = \(until)" }
}
