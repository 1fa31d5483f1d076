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
        case refreshToken = "homing refresh token"
        case pageToken = "homing page token"
        case atRest = "homing at rest"
        case operatorLink = "homing operator link"
        case bounceToken = "homing bounce token"
        case check = "homing key check"
    }

    /// A purpose's key, and an HMAC that has absorbed the key, which is half the work of a short message.
    private struct Key {
        let symmetric: SymmetricKey
        let mac: HMAC<SHA256>
    }

    private struct State {
        var keys: [UInt8: [Purpose: Key]] = [:]
        var active: UInt8 = 1
        var floor: UInt8 = 1
    }

    private let state = Mutex(State())

    package init(_ file: MasterKeyFile, active: UInt8, floor: UInt8) {
        replace(with: file, active: active, floor: floor)
    }

    /// Takes over the changes of the file or of the database.
    package func replace(with file: MasterKeyFile, active: UInt8, floor: UInt8) {
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
        let derived = keys
        state.withLock { $0 = State(keys: derived, active: active, floor: floor) }
    }

    /// The version that new codes and tokens carry.
    package var active: UInt8 { state.withLock { $0.active } }

    package var floor: UInt8 { state.withLock { $0.floor } }

    package var versions: [UInt8] { state.withLock { $0.keys.keys.sorted() } }

    /// A value that tells whether a database was made with this secret, and tells nothing else.
    package func checkValue(version: UInt8) -> String? {
        mac([], for: .check, version: version).map { Base64URL.encode($0.prefix(16)) }
    }

    /// HMAC-SHA-256 under one version's key; nil when the version is unknown, retired or, for codes and tokens, below
    /// the floor that a restore has raised.
    func mac(_ message: [UInt8], for purpose: Purpose, version: UInt8) -> [UInt8]? {
        let begun = state.withLock { state -> HMAC<SHA256>? in
            let isBelowFloor = version < state.floor && (purpose == .actionCode || purpose == .refreshToken)
            return isBelowFloor ? nil : state.keys[version]?[purpose]?.mac
        }
        guard var mac = begun else { return nil }
        mac.update(data: message)
        return Array(mac.finalize())
    }

    /// Encrypts a secret for the database with AES-GCM; the key version comes first.
    func seal(_ secret: [UInt8], name: String) throws -> [UInt8] {
        let (version, key) = state.withLock { ($0.active, $0.keys[$0.active]?[.atRest]?.symmetric) }
        guard let key else { throw KeyFault.noActiveKey }
        let box = try AES.GCM.seal(secret, using: key, authenticating: Data(name.utf8))
        guard let combined = box.combined else { throw KeyFault.noActiveKey }
        return [version] + combined
    }

    /// Decrypts the output of ``seal(_:name:)``; the name has to be the same.
    func open(_ sealed: [UInt8], name: String) throws -> [UInt8] {
        guard let version = sealed.first else { throw KeyFault.unknownVersion(0) }
        let key = state.withLock { $0.keys[version]?[.atRest]?.symmetric }
        guard let key else { throw KeyFault.unknownVersion(version) }
        let box = try AES.GCM.SealedBox(combined: sealed.dropFirst())
        return Array(try AES.GCM.open(box, using: key, authenticating: Data(name.utf8)))
    }
}

/// The keys cannot do what the database asks of them.
package enum KeyFault: Error, CustomStringConvertible {
    case noActiveKey
    case unknownVersion(UInt8)

    package var description: String {
        switch self {
        case .noActiveKey: "the key version in use is not in the key file"
        case .unknownVersion(let version): "key version \(version) is not in the key file, or is retired"
        }
    }
}
