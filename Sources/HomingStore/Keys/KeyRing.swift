// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Crypto
import Foundation
import HomingWire
import Synchronization

/// The keys in use: one secret per version, and from each a key per purpose by HKDF (RFC 5869).
package final class KeyRing: Sendable {
    /// The purposes of keys. Each purpose has its own key, so that nothing made for one purpose passes for another.
    package enum Purpose: String, CaseIterable, Sendable {
        case actionCode = "homing action code"
        case codeRequest = "homing code request"
        case matchNumber = "homing match number"
        case pressNumber = "homing press number"
        case typedCode = "homing typed code"
        case refreshToken = "homing refresh token"
        case accessToken = "homing access token"
        case pageToken = "homing page token"
        case pageSelection = "homing page selection"
        case atRest = "homing at rest"
        case operatorLink = "homing operator link"
        case bounceToken = "homing bounce token"
        case addressDigest = "homing address digest"
        case mailEvents = "homing mail events"
        case check = "homing key check"

        /// Whether what was made for it is worthless below the floor that a restore has raised.
        fileprivate var endsBelowFloor: Bool {
            switch self {
            case .actionCode, .codeRequest, .matchNumber, .pressNumber, .typedCode, .refreshToken, .accessToken: true
            case .pageToken, .pageSelection, .atRest, .operatorLink, .bounceToken, .addressDigest, .mailEvents, .check:
                false
            }
        }
    }

    /// Why this node cannot make what carries the version in use.
    package enum Gap: Sendable, Equatable {
        /// The key file has no living key of the version: a node was left out when the file was copied.
        case lacking(UInt8)
        /// The key file has another secret under that version: it was added here, too, instead of copied.
        case foreign(UInt8)

        package var version: UInt8 {
            switch self {
            case .lacking(let version), .foreign(let version): version
            }
        }
    }

    /// A purpose's key, and an HMAC that has absorbed the key, which is half the work of a short message.
    private struct Key {
        let symmetric: SymmetricKey
        let mac: HMAC<SHA256>
    }

    private struct State {
        var keys: [UInt8: [Purpose: Key]] = [:]
        var retired: Set<UInt8> = []
        var active: UInt8 = 1
        var floor: UInt8 = 1
        /// What ``KeyRing/checkValue(version:)`` says of the version in use where the database was told of it; nil
        /// where nobody has looked yet.
        var check: String?
        var gap: Gap?
        var reading = 0

        /// A key, or why there is none.
        func find(_ version: UInt8, _ purpose: Purpose) -> Found {
            if version < floor && purpose.endsBelowFloor || retired.contains(version) { return .dead }
            if case .foreign(version) = gap { return .unknown }
            return keys[version]?[purpose].map { .key($0) } ?? .unknown
        }

        mutating func lookForGap() {
            gap =
                if let secret = keys[active]?[.check] {
                    check == nil || check == KeyRing.checkValue(secret) ? nil : .foreign(active)
                } else {
                    .lacking(active)
                }
        }
    }

    private enum Found {
        case key(Key)
        /// Retired, or below the floor that a restore has raised: whatever has this version is worthless for good.
        case dead
        case unknown
    }

    private let state = Mutex(State())
    /// The key file; nil for keys that are in none.
    private let path: String?
    /// The key file as it was when it was read last.
    private let seen = Mutex<FileMark?>(nil)
    private let readings = Atomic(0)

    /// Keys that are in no file, for tests.
    package init(_ file: MasterKeyFile, active: UInt8, floor: UInt8) {
        path = nil
        take(file)
        use(KeyState(active: active, floor: floor, check: nil), reading: beginReading())
    }

    /// The keys of a file, which is read again whenever it has changed and a version is looked for that it lacked.
    package init(reading path: String) throws(MasterKeyFault) {
        self.path = path
        try readFile()
    }

    // MARK: The file and the database

    /// Reads the file again.
    package func readFile() throws(MasterKeyFault) {
        guard let path else { return }
        try seen.withLock { (mark) throws(MasterKeyFault) in
            mark = FileMark(of: path)
            take(try MasterKeyFile(reading: path))
        }
    }

    /// Reads the file again where it has changed since it was read last. Whoever comes with a version that is not known
    /// makes a node look, and a look costs less than a request: nothing is read but after a change. A file that cannot
    /// be read changes nothing here; whoever reads it regularly reports that.
    package func lookAtFile() {
        guard let path else { return }
        seen.withLock { mark in
            let now = FileMark(of: path)
            guard now != mark else { return }
            mark = now
            if let file = try? MasterKeyFile(reading: path) { take(file) }
        }
    }

    private func take(_ file: MasterKeyFile) {
        var keys: [UInt8: [Purpose: Key]] = [:]
        for entry in file.entries where !entry.isRetired {
            let secret = SymmetricKey(data: entry.secret)
            keys[entry.version] = Dictionary(
                uniqueKeysWithValues: Purpose.allCases.map { purpose in
                    let key = HKDF<SHA256>.deriveKey(
                        inputKeyMaterial: secret, info: Data(purpose.rawValue.utf8), outputByteCount: 32)
                    return (purpose, Key(symmetric: key, mac: HMAC(key: key)))
                })
        }
        let retired = Set(file.entries.filter(\.isRetired).map(\.version))
        state.withLock { [keys] state in
            (state.keys, state.retired) = (keys, retired)
            state.lookForGap()
        }
    }

    /// The number of a reading of the database that begins now.
    func beginReading() -> Int { readings.add(1, ordering: .relaxed).newValue }

    /// Takes over what the database says. Of two readings at once that one counts which began later.
    func use(_ stored: KeyState, reading: Int) {
        state.withLock { state in
            guard reading > state.reading else { return }
            (state.active, state.floor, state.check) = (stored.active, stored.floor, stored.check)
            state.reading = reading
            state.lookForGap()
        }
        if gap != nil { lookAtFile() }
    }

    /// The version that new codes and tokens carry.
    package var active: UInt8 { state.withLock { $0.active } }

    package var floor: UInt8 { state.withLock { $0.floor } }

    package var versions: [UInt8] { state.withLock { $0.keys.keys.sorted() } }

    /// What is wrong with this node's key file; nil where it has the version in use.
    package var gap: Gap? { state.withLock { $0.gap } }

    /// A value that tells whether a database was made with this secret, and tells nothing else.
    package func checkValue(version: UInt8) -> String? {
        state.withLock { $0.keys[version]?[.check] }.map(Self.checkValue)
    }

    /// What a node tells the others of its keys: each living version with the beginning of its check value,
    /// `2:mZq4xT0w`.
    package var fingerprints: [String] { versions.compactMap(fingerprint) }

    package func fingerprint(_ version: UInt8) -> String? {
        checkValue(version: version).map { "\(version):\($0.prefix(8))" }
    }

    private static func checkValue(_ key: Key) -> String { Base64URL.encode(Array(key.mac.finalize()).prefix(16)) }

    // MARK: Using keys

    /// The version for something new, which everybody has to accept.
    ///
    /// - Throws: ``Refusal/keyMissing`` while this node has no key for it.
    package func versionInUse() throws(Refusal) -> UInt8 {
        if gap != nil { lookAtFile() }
        let (version, gap) = state.withLock { ($0.active, $0.gap) }
        guard gap == nil else { throw .keyMissing }
        return version
    }

    /// The version for what is worth little and lives short, such as the token of a page: the one in use, or the newest
    /// other one that is here.
    package var newestHere: UInt8 {
        state.withLock { state in
            guard let gap = state.gap else { return state.active }
            return state.keys.keys.filter { $0 != gap.version }.max() ?? state.active
        }
    }

    /// Whether nothing of a version counts any more, for good: it is retired, or below the floor.
    package func isDead(_ version: UInt8, for purpose: Purpose) -> Bool {
        if case .dead = find(version, purpose) { true } else { false }
    }

    private func find(_ version: UInt8, _ purpose: Purpose) -> Found {
        let found = state.withLock { $0.find(version, purpose) }
        guard case .unknown = found else { return found }
        lookAtFile()
        return state.withLock { $0.find(version, purpose) }
    }

    /// A key; nil when its version is dead, or in nobody's file.
    ///
    /// - Throws: ``Refusal/keyMissing`` where other nodes may well know the version: a caller must not be told that
    ///   what it has is worth nothing.
    private func key(_ version: UInt8, _ purpose: Purpose) throws(Refusal) -> Key? {
        switch find(version, purpose) {
        case .key(let key): return key
        case .dead: return nil
        case .unknown:
            guard gap == nil else { throw .keyMissing }
            return nil
        }
    }

    /// HMAC-SHA-256 under one version's key; nil when the version is unknown, retired or, for codes and tokens, below
    /// the floor that a restore has raised.
    package func mac(_ message: [UInt8], for purpose: Purpose, version: UInt8) throws(Refusal) -> [UInt8]? {
        guard var mac = try key(version, purpose)?.mac else { return nil }
        mac.update(data: message)
        return mac.finalize().withUnsafeBytes { Array($0) }
    }

    /// What stands for an address where the address itself must not: 24 hexadecimal digits, the same for the same
    /// address of a project until the oldest key is retired, and of no use to whoever has the database without the key
    /// file.
    package func digest(of address: EmailAddress, in project: Scope) -> String {
        digests(of: address, in: project).first ?? ""
    }

    /// The same under each living key, the oldest first: those that were made before another one was retired are among
    /// them.
    package func digests(of address: EmailAddress, in project: Scope) -> [String] {
        digests(of: "\(project) \(address.text)", for: .addressDigest, bytes: 12)
    }

    /// What nobody can guess of the path to which the provider of the server's own mails sends its events: 32
    /// hexadecimal digits under each living key, the oldest first.
    package var mailEventsTokens: [String] { digests(of: "", for: .mailEvents, bytes: 16) }

    private func digests(of text: String, for purpose: Purpose, bytes: Int) -> [String] {
        let macs = state.withLock { state in
            state.keys.sorted { $0.key < $1.key }.compactMap { $0.value[purpose]?.mac }
        }
        return macs.map { mac in
            var mac = mac
            mac.update(data: Array(text.utf8))
            return Hexadecimal.encode(mac.finalize().prefix(bytes).map { $0 })
        }
    }

    /// Encrypts a secret for the database with AES-GCM; the key version comes first.
    ///
    /// - Throws: ``Refusal/keyMissing`` among others.
    package func seal(_ secret: [UInt8], name: String) throws -> [UInt8] {
        let version = try versionInUse()
        guard let key = try key(version, .atRest)?.symmetric else { throw KeyFault.unknownVersion(version) }
        let box = try AES.GCM.seal(secret, using: key, authenticating: Data(name.utf8))
        guard let combined = box.combined else { throw KeyFault.unknownVersion(version) }
        return [version] + combined
    }

    /// Decrypts the output of ``seal(_:name:)``; the name has to be the same.
    ///
    /// - Throws: ``Refusal/keyMissing`` among others.
    package func open(_ sealed: [UInt8], name: String) throws -> [UInt8] {
        guard let version = sealed.first else { throw KeyFault.unknownVersion(0) }
        guard let key = try key(version, .atRest)?.symmetric else { throw KeyFault.unknownVersion(version) }
        let box = try AES.GCM.SealedBox(combined: sealed.dropFirst())
        return Array(try AES.GCM.open(box, using: key, authenticating: Data(name.utf8)))
    }

    /// The same; nil for what nobody can decrypt any more.
    package func openUnlessGone(_ sealed: [UInt8], name: String) throws(Refusal) -> [UInt8]? {
        do {
            return try open(sealed, name: name)
        } catch let refusal as Refusal {
            throw refusal
        } catch {
            return nil
        }
    }
}

/// The keys cannot do what the database asks of them.
package enum KeyFault: Error, CustomStringConvertible {
    case noSigningKey
    case unknownVersion(UInt8)

    package var description: String {
        switch self {
        case .noSigningKey: "the database has no signing key"
        case .unknownVersion(let version): "key version \(version) is not in the key file, or is retired"
        }
    }
}
