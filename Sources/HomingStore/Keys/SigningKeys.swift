// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Crypto
import CryptoExtras
import Foundation
import HomingDatabase
import HomingWire
package import JWTKit
import Synchronization

/// The keys that sign ID tokens and session cookies: made at first start, stored encrypted, one for each purpose.
///
/// A token names its key by `kid`; an unknown `kid` is refused here, because jwt-kit would use its default key.
package final class SigningKeys: Sendable {
    package enum Algorithm: String, Sendable, CaseIterable {
        case rs256 = "RS256"
        case es256 = "ES256"
    }

    /// What a key signs; the raw values stand in the database. A key of one purpose verifies nothing of another.
    package enum Purpose: String, Sendable, CaseIterable {
        case idTokenRS256 = "RS256"
        case idTokenES256 = "ES256"
        /// Back ends keep these cookies for up to two weeks, and look their keys up elsewhere.
        case sessionCookie = "RS256 session cookies"

        package init(idTokensBy algorithm: Algorithm) {
            self =
                switch algorithm {
                case .rs256: .idTokenRS256
                case .es256: .idTokenES256
                }
        }

        var algorithm: Algorithm { self == .idTokenES256 ? .es256 : .rs256 }
        var isForIDTokens: Bool { self != .sessionCookie }
    }

    private struct Entry {
        let purpose: Purpose
        let collection: JWTKeyCollection
        let signer: any JWTAlgorithm
        let publicKey: String
        let madeAt: Moment
        /// Of an RSA key; nil for others.
        let certificate: KeyCertificate?
    }

    private struct State {
        var entries: [String: Entry] = [:]
        var newest: [Purpose: String] = [:]
    }

    private let store: Store
    private let state = Mutex(State())
    private let looks = SharedReading(pauseSeconds: 5)

    private init(store: Store) {
        self.store = store
    }

    /// Loads the keys, and makes the missing ones.
    @discardableResult
    package static func open(_ store: Store) async throws -> SigningKeys {
        let keys = SigningKeys(store: store)
        try await keys.reload()
        guard Purpose.allCases.contains(where: { keys.newest($0) == nil }) else { return keys }
        // One process makes them; the others find them.
        try await store.database.exclusively {
            try await keys.reload()
            try await keys.make(for: Purpose.allCases.filter { keys.newest($0) == nil }, by: .server)
        }
        return keys
    }

    /// Reads the keys again, so that those which another node has made or retired are in force here.
    package func reload() async throws {
        let rows = try await store.read { tx in
            try tx.run(
                """
                SELECT id, algorithm, sealed, public_key, created_at FROM signing_keys
                WHERE retired_at IS NULL ORDER BY created_at, id
                """)
        }
        var newest: [Purpose: String] = [:]
        var ids: Set<String> = []
        var fault: (any Error)?
        for var row in rows {
            let (id, name) = (try row.text(), try row.text())
            guard let purpose = Purpose(rawValue: name) else { continue }
            ids.insert(id)
            newest[purpose] = id
            guard state.withLock({ $0.entries[id] == nil }) else { continue }
            do {
                let pem = String(decoding: try store.ring.open(row.bytes(), name: id), as: UTF8.self)
                try await add(id: id, for: purpose, pem: pem, publicKey: row.text(), madeAt: row.moment())
            } catch {
                fault = error
            }
        }
        state.withLock { [ids, newest] state in
            // What is retired verifies nothing any more, also where a new key cannot be opened here.
            state.entries = state.entries.filter { ids.contains($0.key) }
            // Then the one before signs on, as long as it is trusted.
            state.newest = newest.merging(state.newest) { new, old in
                state.entries[new] == nil && state.entries[old] != nil ? old : new
            }
        }
        if let fault { throw fault }
    }

    /// Looks for a key that another node may have made a moment ago, at most once in five seconds: of many who bring
    /// its first tokens one looks, and all wait for what is found.
    package func lookUp() async throws {
        guard !store.database.dialect.hasOneProcess else { return }
        try await looks.take(at: store.system.now()) { try await reload() }
    }

    private func make(for purposes: [Purpose], by authority: Authority) async throws {
        guard !purposes.isEmpty else { return }
        let fresh = try purposes.map { purpose in
            let id = Base64URL.encode(store.system.randomBytes(20))
            let (pem, publicKey) = try Self.newKey(purpose.algorithm, id: id)
            return (
                id: id, purpose: purpose, pem: pem, publicKey: publicKey,
                sealed: try store.ring.seal(Array(pem.utf8), name: id)
            )
        }
        let now = try await store.write(by: authority) { tx in
            for key in fresh {
                tx.later(
                    """
                    INSERT INTO signing_keys (id, algorithm, sealed, public_key, created_at)
                    VALUES (\(key.id), \(key.purpose.rawValue), \(key.sealed), \(key.publicKey), \(tx.now))
                    """)
                tx.note("signingKey.add", of: key.id, after: key.purpose.rawValue)
            }
            tx.later(Edition.increment)
            return tx.now
        }
        for key in fresh {
            try await add(id: key.id, for: key.purpose, pem: key.pem, publicKey: key.publicKey, madeAt: now)
        }
    }

    /// A new private key, PEM, and its public half as a JSON Web Key.
    private static func newKey(_ algorithm: Algorithm, id: String) throws -> (pem: String, publicKey: String) {
        switch algorithm {
        case .rs256:
            let key = try _RSA.Signing.PrivateKey(keySize: .bits2048)
            let primitives = try key.publicKey.getKeyPrimitives()
            let publicKey = jwk([
                ("kty", "RSA"), ("alg", algorithm.rawValue), ("use", "sig"), ("kid", id),
                ("n", Base64URL.encode(primitives.modulus)), ("e", Base64URL.encode(primitives.publicExponent)),
            ])
            return (key.pemRepresentation, publicKey)
        case .es256:
            let key = P256.Signing.PrivateKey()
            let point = Array(key.publicKey.rawRepresentation)
            let publicKey = jwk([
                ("kty", "EC"), ("alg", algorithm.rawValue), ("use", "sig"), ("kid", id), ("crv", "P-256"),
                ("x", Base64URL.encode(point.prefix(32))), ("y", Base64URL.encode(point.suffix(32))),
            ])
            return (key.pemRepresentation, publicKey)
        }
    }

    private func add(id: String, for purpose: Purpose, pem: String, publicKey: String, madeAt: Moment) async throws {
        let collection = JWTKeyCollection()
        let kid = JWKIdentifier(string: id)
        var certificate: KeyCertificate?
        switch purpose.algorithm {
        case .rs256:
            certificate = KeyCertificate(privateKey: pem, id: id, madeAt: madeAt)
            await collection.add(
                rsa: try Insecure.RSA.PrivateKey(pem: pem), digestAlgorithm: .sha256, kid: kid)
        case .es256:
            await collection.add(ecdsa: try ES256PrivateKey(pem: pem), kid: kid)
        }
        let signer = try await collection.getKey(for: kid)
        state.withLock { [certificate] state in
            state.entries[id] = Entry(
                purpose: purpose, collection: collection, signer: signer, publicKey: publicKey, madeAt: madeAt,
                certificate: certificate)
            state.newest[purpose] = id
        }
    }

    /// Makes a new key for each purpose. Earlier keys sign no more, and verify until ``retireOlder(by:)``.
    package func rotate(by authority: Authority) async throws {
        try await make(for: Purpose.allCases, by: authority)
    }

    /// Trusts only the newest key of each purpose from now on: every ID token and session cookie of an older key ends.
    package func retireOlder(by authority: Authority) async throws {
        let older = state.withLock { state in
            state.entries.keys.filter { id in !state.newest.values.contains(id) }
        }
        guard !older.isEmpty else { return }
        try await store.write(by: authority) { tx in
            for id in older {
                tx.later("UPDATE signing_keys SET retired_at = \(tx.now) WHERE id = \(id)")
                tx.note("signingKey.retire", of: id)
            }
            tx.later(Edition.increment)
        }
        state.withLock { state in
            for id in older { state.entries[id] = nil }
        }
    }

    /// Encrypts the private halves anew with the key version in use, so that an older one can be retired.
    package func reseal() async throws {
        let rows = try await store.read { tx in
            try tx.run("SELECT id, sealed FROM signing_keys").map {
                var row = $0
                return (try row.text(), try row.bytes())
            }
        }
        for (id, sealed) in rows where sealed.first != store.ring.active {
            let fresh = try store.ring.seal(try store.ring.open(sealed, name: id), name: id)
            try await store.write { $0.later("UPDATE signing_keys SET sealed = \(fresh) WHERE id = \(id)") }
        }
    }

    private func newest(_ purpose: Purpose) -> String? {
        state.withLock { $0.newest[purpose] }
    }

    /// The key that signs now.
    package func signer(_ purpose: Purpose) throws -> (id: String, key: any JWTAlgorithm) {
        try state.withLock { state in
            guard let id = state.newest[purpose] else { throw KeyFault.noSigningKey }
            guard let entry = state.entries[id] else { throw Refusal.keyMissing }
            return (id, entry.signer)
        }
    }

    /// The key of an ID token's `kid`, only when the token's algorithm is that key's own.
    package func verifier(id: String, algorithm: String) -> JWTKeyCollection? {
        state.withLock { state in
            guard let entry = state.entries[id], entry.purpose.isForIDTokens,
                entry.purpose.algorithm.rawValue == algorithm
            else { return nil }
            return entry.collection
        }
    }

    /// The public halves of the keys for ID tokens as a JSON Web Key Set (RFC 7517): those of one algorithm first, and
    /// of each the newest first.
    ///
    /// The order is for verifiers that try one key after the other, as python-jose does: a key of another kind is an
    /// error to it and not a miss. RS256 is what a project has by itself.
    package func jsonWebKeySet(first algorithm: Algorithm = .rs256) -> String {
        keySet(first: algorithm) { $0.isForIDTokens }
    }

    /// The same for session cookies.
    package var sessionCookieKeySet: String { keySet { $0 == .sessionCookie } }

    /// The certificates of the RSA keys for ID tokens by their `kid`, which is how Firebase's Admin SDKs read keys
    /// (https://firebase.google.com/docs/auth/admin/verify-id-tokens).
    package var certificates: [(id: String, pem: String)] {
        get throws { try certificates { $0.isForIDTokens } }
    }

    /// The same for session cookies.
    package var sessionCookieCertificates: [(id: String, pem: String)] {
        get throws { try certificates { $0 == .sessionCookie } }
    }

    private func keySet(first algorithm: Algorithm = .rs256, _ isWanted: (Purpose) -> Bool) -> String {
        "{\"keys\":[" + entries(first: algorithm, isWanted).map(\.value.publicKey).joined(separator: ",") + "]}"
    }

    private func certificates(_ isWanted: (Purpose) -> Bool) throws -> [(id: String, pem: String)] {
        try entries(isWanted).compactMap { id, entry in try entry.certificate?.pem().map { (id, $0) } }
    }

    private func entries(
        first algorithm: Algorithm = .rs256, _ isWanted: (Purpose) -> Bool
    ) -> [(key: String, value: Entry)] {
        state.withLock(\.entries).filter { isWanted($0.value.purpose) }.sorted { one, other in
            let isFirst = one.value.purpose.algorithm == algorithm
            let isOtherFirst = other.value.purpose.algorithm == algorithm
            guard isFirst == isOtherFirst else { return isFirst }
            guard one.value.madeAt == other.value.madeAt else { return one.value.madeAt > other.value.madeAt }
            return one.key.utf8.lexicographicallyPrecedes(other.key.utf8)
        }
    }

    private static func jwk(_ members: [(String, String)]) -> String {
        "{" + members.map { "\"\($0.0)\":\"\($0.1)\"" }.joined(separator: ",") + "}"
    }
}
