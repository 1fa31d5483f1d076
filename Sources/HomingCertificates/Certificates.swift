// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingCore
internal import HomingDatabase
import HomingLinkRules
import HomingStore
internal import HomingWire
internal import Synchronization

/// The certificates that an authority has handed out by ACME (RFC 8555), what still waits for one, and the answers to
/// running challenges.
///
/// They are rows of the database, with every private key encrypted by the key ring: certificate and key change in one
/// transaction, all nodes have them, any node answers a challenge, and a backup brings them back.
package final class Certificates: Sendable {
    let store: Store
    package let tries = CertificateTries()
    private let shelf = Mutex(Shelf())
    private let challenges = Mutex(Challenges())
    /// The authorities that this server has seen in force.
    let directoriesInForce = Mutex<Set<String>>([])

    /// What is known of running challenges without asking the database: strangers may ask as often as they like.
    private struct Challenges {
        /// There are none until then, unless one is published here.
        var noneUntil: ContinuousClock.Instant?
        /// How many were published here.
        var published = 0
    }

    /// For how long it is believed that there are no challenges.
    private static let memory = Duration.seconds(1)

    private struct Shelf {
        var byName: [String: HeldCertificate] = [:]
        /// Grows with each reading that has found something else.
        var generation = 0
    }

    init(store: Store) {
        self.store = store
    }

    package convenience init(_ homing: Homing) {
        self.init(store: homing.store)
    }

    // MARK: What is shown

    /// The certificate of a host, as of the last ``reload()``; the generation changes with the certificates.
    package func held(for host: String) -> (certificate: HeldCertificate, generation: Int)? {
        shelf.withLock { shelf in shelf.byName[host].map { ($0, shelf.generation) } }
    }

    /// All of them, the one that ends first at the beginning.
    package var all: [HeldCertificate] {
        shelf.withLock { Array($0.byName.values) }.sorted { ($0.endsAt, $0.name) < ($1.endsAt, $1.name) }
    }

    /// Reads the certificates again. One whose key cannot be opened is left out, and its reason handed back.
    @discardableResult
    package func reload() async throws -> [String: any Error] {
        let rows = try await store.read { tx in
            try tx.run(
                "SELECT name, sealed, chain, ends_at, renew_at FROM certificates WHERE sealed IS NOT NULL ORDER BY name"
            )
        }
        var fresh: [String: HeldCertificate] = [:]
        var faults: [String: any Error] = [:]
        for var row in rows {
            let name = try row.text()
            let sealed = try row.bytes()
            let chain = try row.text()
            let (endsAt, renewAt) = (try row.moment(), try row.moment())
            do {
                let key = String(decoding: try store.ring.open(sealed, name: Self.label(name)), as: UTF8.self)
                fresh[name] = HeldCertificate(name: name, chain: chain, key: key, endsAt: endsAt, renewAt: renewAt)
            } catch is Refusal {
                // This node lacks the master key in use; what it has of the name it shows on.
                fresh[name] = shelf.withLock { $0.byName[name] }
            } catch {
                faults[name] = error
            }
        }
        shelf.withLock { [fresh] shelf in
            let isSame =
                shelf.byName.count == fresh.count
                && fresh.allSatisfy { name, one in
                    shelf.byName[name].map { $0.chain == one.chain && $0.key == one.key } ?? false
                }
            if !isSame { shelf.generation += 1 }
            shelf.byName = fresh
        }
        return faults
    }

    // MARK: Challenges

    /// The answer to `GET /.well-known/acme-challenge/TOKEN`; nil when no order is waiting for it.
    package func answer(toToken token: String) async throws -> String? {
        guard Self.isToken(token) else { return nil }
        return try await store.read { tx in
            try tx.run(
                "SELECT answer FROM certificate_challenges WHERE token = \(token) AND expires_at > \(tx.now)"
            ).firstText()
        }
    }

    /// The key authorization that a validation by TLS on this name asks for; nil when no order is waiting for it. An
    /// authority's challenge goes before one of our own (``newToken()``).
    package func answer(toName name: String) async throws -> String? {
        let known = challenges.withLock { $0 }
        if let end = known.noneUntil, ContinuousClock.now < end { return nil }
        let (areThere, answer) = try await store.read { tx in
            let running = try tx.run(
                "SELECT name FROM certificate_challenges WHERE expires_at > \(tx.now) LIMIT 1")
            guard !running.isEmpty else { return (false, String?.none) }
            let answer = try tx.run(
                """
                SELECT answer FROM certificate_challenges WHERE name = \(name) AND expires_at > \(tx.now)
                ORDER BY CASE WHEN token LIKE 'homing-%' THEN 1 ELSE 0 END, expires_at DESC LIMIT 1
                """
            ).firstText()
            return (true, answer)
        }
        if !areThere {
            challenges.withLock { challenges in
                // One may have been published since the reading.
                if challenges.published == known.published { challenges.noneUntil = .now + Self.memory }
            }
        }
        return answer
    }

    /// From now on any node gives this answer, for ten minutes or until ``withdraw(_:)``.
    package func publish(token: String, answer: String, for name: String) async throws {
        guard Self.isToken(token) else { throw Refusal.invalidArgument("A challenge's token is base64url.") }
        try await store.write { tx in
            tx.later("DELETE FROM certificate_challenges WHERE expires_at <= \(tx.now)")
            tx.later(
                """
                INSERT INTO certificate_challenges (token, name, answer, expires_at)
                VALUES (\(token), \(name), \(answer), \(tx.now.adding(seconds: 600)))
                ON CONFLICT (token) DO UPDATE SET answer = excluded.answer, expires_at = excluded.expires_at
                """)
        }
        challenges.withLock { challenges in
            challenges.published += 1
            challenges.noneUntil = nil
        }
        // Another node may still believe that there is none.
        if !store.database.dialect.hasOneProcess { try await Task.sleep(for: Self.memory) }
    }

    /// A token of our own, to look whether a name leads here.
    package func newToken() -> String { "homing-\(store.system.randomName(length: 32))" }

    package func withdraw(_ token: String) async throws {
        try await store.write { $0.later("DELETE FROM certificate_challenges WHERE token = \(token)") }
    }

    /// Base64url (RFC 8555 section 8.3), of a length that authorities make.
    private static func isToken(_ token: String) -> Bool {
        (16...200).contains(token.utf8.count) && token.utf8.allSatisfy(ASCII.isBase64URL)
    }

    /// The name under which a certificate's key is sealed.
    static func label(_ name: String) -> String { "certificate \(name)" }
}

/// How orders of certificates have ended since the start of this server.
package final class CertificateTries: Sendable {
    package enum Outcome: String, CaseIterable, Sendable {
        case obtained
        /// The authority has refused.
        case refused
        /// The authority was not reached, or its answer was none.
        case unreachable
        /// A fault on our side, such as a full disk.
        case failed
    }

    private let counts = Mutex<[Outcome: Int]>([:])

    init() {}

    package func count(_ outcome: Outcome) { counts.withLock { $0[outcome, default: 0] += 1 } }

    package subscript(_ outcome: Outcome) -> Int { counts.withLock { $0[outcome] ?? 0 } }
}
