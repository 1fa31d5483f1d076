// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Crypto
import CryptoExtras
import Foundation
package import HomingDatabase
import HomingWire
import JWTKit
import Synchronization

/// The keys that sign ID tokens: made at first start, stored encrypted, one for each algorithm in use.
///
/// A token names its key by `kid`; an unknown `kid` is refused here, because jwt-kit would use its default key.
package final class SigningKeys: Sendable {
    package enum Algorithm: String, Sendable, CaseIterable {
        case rs256 = "RS256"
        case es256 = "ES256"
    }

    private struct Entry {
        let algorithm: Algorithm
        let collection: JWTKeyCollection
        let signer: any JWTAlgorithm
        let publicKey: String
    }

    private struct State {
        var entries: [String: Entry] = [:]
        var newest: [Algorithm: String] = [:]
    }

    private let state = Mutex(State())
    private let lastLookup = Mutex(Moment(milliseconds: 0))

    private init() {}

    /// Loads the keys, and makes the missing ones.
    package static func open(
        _ database: Database, ring: KeyRing, system: System
    ) async throws -> SigningKeys {
        let keys = SigningKeys()
        try await keys.reload(from: database, ring: ring)
        for algorithm in Algorithm.allCases where keys.newest(algorithm) == nil {
            try await keys.make(algorithm, in: database, ring: ring, system: system)
        }
        return keys
    }

    /// Reads the keys again, so that those which another node has made or retired are in force here.
    package func reload(from database: Database, ring: KeyRing) async throws {
        let rows = try await database.read { connection in
            try connection.run(
                """
                SELECT id, algorithm, sealed, public_key FROM signing_keys
                WHERE retired_at IS NULL ORDER BY created_at, id
                """)
        }
        var newest: [Algorithm: String] = [:]
        var ids: Set<String> = []
        for var row in rows {
            let (id, name) = (try row.text(), try row.text())
            guard let algorithm = Algorithm(rawValue: name) else { continue }
            ids.insert(id)
            newest[algorithm] = id
            guard state.withLock({ $0.entries[id] == nil }) else { continue }
            let pem = String(decoding: try ring.open(row.bytes(), name: id), as: UTF8.self)
            try await add(id: id, algorithm: algorithm, pem: pem, publicKey: row.text())
        }
        state.withLock { [ids, newest] state in
            state.entries = state.entries.filter { ids.contains($0.key) }
            state.newest = newest
        }
    }

    /// Looks for a key that another node may have made a moment ago, at most once in five seconds.
    func lookUp(in database: Database, ring: KeyRing, at now: Moment) async throws {
        guard !database.dialect.hasOneProcess else { return }
        let isDue = lastLookup.withLock { last in
            guard now >= last.adding(seconds: 5) || now < last else { return false }
            last = now
            return true
        }
        if isDue { try await reload(from: database, ring: ring) }
    }

    private func make(
        _ algorithm: Algorithm, in database: Database, ring: KeyRing, system: System
    ) async throws {
        let id = Base64URL.encode(system.randomBytes(20))
        let pem: String
        let publicKey: String
        switch algorithm {
        case .rs256:
            let key = try _RSA.Signing.PrivateKey(keySize: .bits2048)
            pem = key.pemRepresentation
            let primitives = try key.publicKey.getKeyPrimitives()
            publicKey = Self.jwk([
                ("kty", "RSA"), ("alg", algorithm.rawValue), ("use", "sig"), ("kid", id),
                ("n", Base64URL.encode(primitives.modulus)), ("e", Base64URL.encode(primitives.publicExponent)),
            ])
        case .es256:
            let key = P256.Signing.PrivateKey()
            pem = key.pemRepresentation
            let point = Array(key.publicKey.rawRepresentation)
            publicKey = Self.jwk([
                ("kty", "EC"), ("alg", algorithm.rawValue), ("use", "sig"), ("kid", id), ("crv", "P-256"),
                ("x", Base64URL.encode(point.prefix(32))), ("y", Base64URL.encode(point.suffix(32))),
            ])
        }
        let sealed = try ring.seal(Array(pem.utf8), name: id)
        let now = system.now()
        try await database.write { connection in
            try connection.run(
                """
                INSERT INTO signing_keys (id, algorithm, sealed, public_key, created_at)
                VALUES (\(id), \(algorithm.rawValue), \(sealed), \(publicKey), \(now))
                """)
            try connection.run(Edition.increment)
        }
        try await add(id: id, algorithm: algorithm, pem: pem, publicKey: publicKey)
    }

    private func add(id: String, algorithm: Algorithm, pem: String, publicKey: String) async throws {
        let collection = JWTKeyCollection()
        let kid = JWKIdentifier(string: id)
        switch algorithm {
        case .rs256:
            await collection.add(
                rsa: try Insecure.RSA.PrivateKey(pem: pem), digestAlgorithm: .sha256, kid: kid)
        case .es256:
            await collection.add(ecdsa: try ES256PrivateKey(pem: pem), kid: kid)
        }
        let signer = try await collection.getKey(for: kid)
        state.withLock { state in
            state.entries[id] = Entry(
                algorithm: algorithm, collection: collection, signer: signer, publicKey: publicKey)
            state.newest[algorithm] = id
        }
    }

    /// Makes a new key of each algorithm. Earlier keys sign no more, and verify until ``retireOlder(in:at:)``.
    package func rotate(in database: Database, ring: KeyRing, system: System) async throws {
        for algorithm in Algorithm.allCases {
            try await make(algorithm, in: database, ring: ring, system: system)
        }
    }

    /// Trusts only the newest key of each algorithm from now on: every ID token of an older key ends.
    package func retireOlder(in database: Database, at now: Moment) async throws {
        let older = state.withLock { state in
            state.entries.keys.filter { id in !state.newest.values.contains(id) }
        }
        for id in older {
            try await database.write { connection in
                try connection.run("UPDATE signing_keys SET retired_at = \(now) WHERE id = \(id)")
                try connection.run(Edition.increment)
            }
            state.withLock { $0.entries[id] = nil }
        }
    }

    /// Encrypts the private halves anew with the key version in use, so that an older one can be retired.
    package func reseal(in database: Database, ring: KeyRing) async throws {
        let rows = try await database.read { connection in
            try connection.run("SELECT id, sealed FROM signing_keys").map {
                var row = $0
                return (try row.text(), try row.bytes())
            }
        }
        for (id, sealed) in rows where sealed.first != ring.active {
            let fresh = try ring.seal(try ring.open(sealed, name: id), name: id)
            try await database.write { connection in
                try connection.run("UPDATE signing_keys SET sealed = \(fresh) WHERE id = \(id)")
            }
        }
    }

    private func newest(_ algorithm: Algorithm) -> String? {
        state.withLock { $0.newest[algorithm] }
    }

    /// The key that signs now.
    func signer(_ algorithm: Algorithm) throws -> (id: String, key: any JWTAlgorithm) {
        try state.withLock { state in
            guard let id = state.newest[algorithm], let entry = state.entries[id] else { throw KeyFault.noActiveKey }
            return (id, entry.signer)
        }
    }

    /// The key of a `kid`, only when the token's algorithm is that key's own.
    func verifier(id: String, algorithm: String) -> JWTKeyCollection? {
        state.withLock { state in
            guard let entry = state.entries[id], entry.algorithm.rawValue == algorithm else { return nil }
            return entry.collection
        }
    }

    /// The public halves as a JSON Web Key Set (RFC 7517).
    package var jsonWebKeySet: String {
        let keys = state.withLock { state in state.entries.sorted { $0.key < $1.key }.map(\.value.publicKey) }
        return "{\"keys\":[" + keys.joined(separator: ",") + "]}"
    }

    private static func jwk(_ members: [(String, String)]) -> String {
        "{" + members.map { "\"\($0.0)\":\"\($0.1)\"" }.joined(separator: ",") + "}"
    }
}
