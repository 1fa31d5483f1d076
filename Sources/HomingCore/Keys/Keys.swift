// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
package import HomingDatabase

/// The versions of the master key: the one in use, the floor that a restore has set, and the check of the file.
package struct Keys: Sendable {
    let database: Database
    package let path: String
    package let ring: KeyRing
    let system: System

    /// Opens the keys of a database, and makes the keys when the database is new.
    ///
    /// - Throws: ``MasterKeyFault`` when the file of an existing database is missing or belongs to another database.
    ///
    /// - Parameter mayCreate: whether keys may be made for a database that several nodes share.
    package static func open(
        _ database: Database, path: String, system: System, mayCreate: Bool = false
    ) async throws -> Keys {
        let stored = try await state(in: database)
        guard let check = stored["check"] else {
            // Keys are made once for all nodes, and then copied to each.
            guard mayCreate || database.dialect.hasOneProcess else {
                throw DatabaseFault("the database has no key yet: homing migrate makes it, once for all nodes")
            }
            return try await create(for: database, path: path, system: system)
        }
        let file = try MasterKeyFile(reading: path)
        let (active, floor) = versions(in: stored)
        let ring = KeyRing(file, active: active, floor: floor)
        try verify(check, ring: ring, path: path)
        return Keys(database: database, path: path, ring: ring, system: system)
    }

    /// Whether a database has been given its keys, which comes last when it is made.
    package static func areMade(in database: Database) async throws -> Bool {
        let isThere = try await database.read { connection in
            try !connection.run(database.dialect.lookup(ofTable: "key_state")).isEmpty
        }
        guard isThere else { return false }
        return try await state(in: database)["check"] != nil
    }

    /// Makes the key file together with a new database only. An existing file is taken, not replaced.
    private static func create(
        for database: Database, path: String, system: System
    ) async throws -> Keys {
        if !FileManager.default.fileExists(atPath: path) {
            try MasterKeyFile(firstSecret: system.randomBytes(32)).write(to: path)
        }
        let file = try MasterKeyFile(reading: path)
        let newest = file.entries.filter { !$0.isRetired }.map(\.version).max() ?? 1
        let ring = KeyRing(file, active: newest, floor: 1)
        guard let check = ring.checkValue(version: newest) else { throw KeyFault.noActiveKey }
        try await database.write { connection in
            try connection.run(
                """
                INSERT INTO key_state (name, value) VALUES ('check', \("\(newest):\(check)")),
                    ('active', \(String(newest))), ('floor', '1')
                """)
        }
        return Keys(database: database, path: path, ring: ring, system: system)
    }

    /// Reads the file and the database again, so that a change made elsewhere is in force here.
    package func reload() async throws {
        let file = try MasterKeyFile(reading: path)
        let (active, floor) = Self.versions(in: try await Self.state(in: database))
        ring.replace(with: file, active: active, floor: floor)
    }

    /// The versions in the file, in order.
    package func versions() throws -> [(version: UInt8, isRetired: Bool)] {
        try MasterKeyFile(reading: path).entries.map { ($0.version, $0.isRetired) }.sorted { $0.version < $1.version }
    }

    /// Adds a new secret to the file. The secret is in use only after ``use(_:)``.
    package func add() async throws -> UInt8 {
        var file = try MasterKeyFile(reading: path)
        guard let version = file.add(secret: system.randomBytes(32)) else {
            throw Refusal.invalidSetting("the key file holds version 255, the last there can be")
        }
        try file.write(to: path)
        try await reload()
        return version
    }

    /// Makes new codes and tokens with this version from now on.
    package func use(_ version: UInt8) async throws {
        guard version >= ring.floor else {
            throw Refusal.invalidSetting("the floor is \(ring.floor): codes of version \(version) would be refused")
        }
        guard let check = ring.checkValue(version: version) else {
            throw Refusal.notFound("key version \(version) is not in \(path): homing key add")
        }
        try await set(["active": String(version), "check": "\(version):\(check)"])
    }

    /// Retires a version, which then verifies nothing any more. The version must not be the one in use.
    package func retire(_ version: UInt8) async throws {
        guard version != ring.active else {
            throw Refusal.invalidSetting("key version \(version) is in use: homing key use another one first")
        }
        var file = try MasterKeyFile(reading: path)
        guard file.retire(version) else {
            throw Refusal.notFound("key version \(version) is not in \(path)")
        }
        try file.write(to: path)
        try await reload()
    }

    /// Refuses codes and refresh tokens below this version.
    package func raiseFloor(to version: UInt8) async throws {
        guard version <= ring.active else {
            throw Refusal.invalidSetting(
                "floor \(version) is above the version in use (\(ring.active)): every new code would be refused")
        }
        guard version >= ring.floor else {
            throw Refusal.invalidSetting("the floor is \(ring.floor) and never falls: codes once void stay void")
        }
        try await set(["floor": String(version)])
    }

    private func set(_ values: [String: String]) async throws {
        try await database.write { connection in
            for (name, value) in values {
                try connection.run("UPDATE key_state SET value = \(value) WHERE name = \(name)")
            }
            try connection.run(Edition.increment)
        }
        try await reload()
    }

    private static func state(in database: Database) async throws -> [String: String] {
        try await database.read { connection in
            var state: [String: String] = [:]
            for var row in try connection.run("SELECT name, value FROM key_state") {
                let name = try row.text()
                state[name] = try row.text()
            }
            return state
        }
    }

    private static func versions(in state: [String: String]) -> (active: UInt8, floor: UInt8) {
        (state["active"].flatMap { UInt8($0) } ?? 1, state["floor"].flatMap { UInt8($0) } ?? 1)
    }

    private static func verify(_ check: String, ring: KeyRing, path: String) throws(MasterKeyFault) {
        let parts = check.split(separator: ":", maxSplits: 1)
        guard parts.count == 2, let version = UInt8(parts[0]) else { throw .foreign(path) }
        guard let own = ring.checkValue(version: version) else { throw .lacking(path, version: version) }
        guard own.utf8.elementsEqual(parts[1].utf8) else { throw .foreign(path) }
    }
}
