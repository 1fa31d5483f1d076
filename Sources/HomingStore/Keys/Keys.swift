// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
package import HomingDatabase

/// The versions of the master key: the one in use, the floor that a restore has set, and the check of the file.
package struct Keys: Sendable {
    package let store: Store
    package let path: String

    package var ring: KeyRing { store.ring }

    /// Opens the keys of a database, and with them the store, and makes the keys when the database is new.
    ///
    /// - Throws: ``MasterKeyFault`` when the file of an existing database is missing or belongs to another database.
    ///
    /// - Parameter mayCreate: whether keys may be made for a database that several nodes share.
    package static func open(
        _ database: Database, path: String, system: System, limits: Limits = .safe, mayCreate: Bool = false
    ) async throws -> Keys {
        if try await state(in: database).check == nil {
            // Keys are made once for all nodes, and then copied to each.
            guard mayCreate || database.dialect.hasOneProcess else {
                throw DatabaseFault("the database has no key yet: homing migrate makes it, once for all nodes")
            }
            // Of several who make a database at the same time one makes its keys, and the others find them.
            try await database.exclusively { try await make(in: database, path: path, system: system) }
        }
        let ring = try await ring(of: database, path: path)
        return Keys(store: Store(database: database, system: system, limits: limits, ring: ring), path: path)
    }

    private static func ring(of database: Database, path: String) async throws -> KeyRing {
        let stored = try await state(in: database)
        let ring: KeyRing
        do {
            ring = try KeyRing(reading: path)
        } catch MasterKeyFault.missing {
            throw MasterKeyFault.missing(path, first: stored.first(besides: path))
        }
        ring.use(stored, reading: ring.beginReading())
        switch ring.gap {
        case nil: return ring
        case .lacking(let version): throw MasterKeyFault.lacking(path, version: version)
        case .foreign: throw MasterKeyFault.foreign(path, first: stored.first(besides: path))
        }
    }

    /// Whether a database has been given its keys, which comes last when it is made.
    package static func areMade(in database: Database) async throws -> Bool {
        try await database.read { connection in
            guard try !connection.run(database.dialect.lookup(ofTable: "key_state")).isEmpty else { return false }
            return try state(connection).check != nil
        }
    }

    /// Makes the key file together with a new database only. A file that is there is taken, never replaced.
    private static func make(in database: Database, path: String, system: System) async throws {
        guard try await state(in: database).check == nil else { return }
        try MasterKeyFile(firstSecret: system.randomBytes(32)).create(at: path)
        let ring = try KeyRing(reading: path)
        let newest = ring.versions.max() ?? 1
        guard let check = ring.checkValue(version: newest) else {
            throw MasterKeyFault.lacking(path, version: newest)
        }
        // There is no store before there are keys.
        try await database.write { connection in
            let isFirst = try !connection.run(
                """
                INSERT INTO key_state (name, value) VALUES ('check', \("\(newest):\(check)"))
                ON CONFLICT (name) DO NOTHING RETURNING name
                """
            ).isEmpty
            guard isFirst else { return }
            try connection.run(
                """
                INSERT INTO key_state (name, value)
                VALUES ('active', \(String(newest))), ('floor', '1'), ('first', \(KeyState.place(of: path)))
                """)
        }
    }

    /// Reads the file and the database again, so that a change made elsewhere is in force here.
    package func reload() async throws {
        let file = Result { try ring.readFile() }
        // What is in use is in use, whatever has become of the file here.
        let reading = ring.beginReading()
        ring.use(try await Self.state(in: store.database), reading: reading)
        try file.get()
    }

    /// The versions in the file, in order.
    package func versions() throws -> [(version: UInt8, isRetired: Bool)] {
        try MasterKeyFile(reading: path).entries.map { ($0.version, $0.isRetired) }.sorted { $0.version < $1.version }
    }

    /// Adds a new secret to the file. The secret is in use only after ``use(_:)``.
    package func add(by authority: Authority) async throws -> UInt8 {
        var file = try MasterKeyFile(reading: path)
        guard let version = file.add(secret: store.system.randomBytes(32)) else {
            throw Refusal.invalidSetting("the key file holds version 255, the last there can be")
        }
        try file.write(to: path)
        try await store.write(by: authority) { $0.note("key.add", of: "key version \(version)") }
        try await reload()
        return version
    }

    /// Makes new codes and tokens with this version from now on.
    package func use(_ version: UInt8, by authority: Authority) async throws {
        let check = try self.check(usable: version)
        try await set(
            ["active": String(version), "check": "\(version):\(check)"], "key.use", of: version, before: ring.active,
            by: authority)
    }

    /// The check value of a version that can be used.
    @discardableResult
    package func check(usable version: UInt8) throws -> String {
        guard version >= ring.floor else {
            throw Refusal.invalidSetting("the floor is \(ring.floor): codes of version \(version) would be refused")
        }
        guard let check = ring.checkValue(version: version) else {
            throw Refusal.notFound("key version \(version) is not in \(path)", remedy: .addKey)
        }
        return check
    }

    /// Retires a version, which then verifies nothing any more. The version must not be the one in use.
    package func retire(_ version: UInt8, by authority: Authority) async throws {
        guard version != ring.active else {
            throw Refusal.invalidSetting("key version \(version) is in use", remedy: .useAnotherKey)
        }
        var file = try MasterKeyFile(reading: path)
        guard file.retire(version) else {
            throw Refusal.notFound("key version \(version) is not in \(path)")
        }
        try file.write(to: path)
        try await store.write(by: authority) { $0.note("key.retire", of: "key version \(version)") }
        try await reload()
    }

    /// Refuses codes and refresh tokens below this version.
    package func raiseFloor(to version: UInt8, by authority: Authority) async throws {
        guard version <= ring.active else {
            throw Refusal.invalidSetting(
                "floor \(version) is above the version in use (\(ring.active)): every new code would be refused")
        }
        guard version >= ring.floor else {
            throw Refusal.invalidSetting("the floor is \(ring.floor) and never falls: codes once void stay void")
        }
        try await set(["floor": String(version)], "key.floor", of: version, before: ring.floor, by: authority)
    }

    private func set(
        _ values: [String: String], _ action: String, of version: UInt8, before: UInt8, by authority: Authority
    ) async throws {
        try await store.write(by: authority) { tx in
            tx.note(action, of: "key version \(version)", before: String(before), after: String(version))
            for (name, value) in values {
                tx.later("UPDATE key_state SET value = \(value) WHERE name = \(name)")
            }
            tx.later(Edition.increment)
        }
        try await reload()
    }

    private static func state(in database: Database) async throws -> KeyState {
        try await database.read { try state($0) }
    }

    private static func state(_ connection: borrowing Connection) throws -> KeyState {
        var stored: [String: String] = [:]
        for var row in try connection.run("SELECT name, value FROM key_state") {
            let name = try row.text()
            stored[name] = try row.text()
        }
        return KeyState(stored)
    }
}

/// What a database says of its keys.
struct KeyState: Sendable {
    /// The version that new codes and tokens carry.
    let active: UInt8
    let floor: UInt8
    /// ``KeyRing/checkValue(version:)`` of the version in use; nil while the database has no keys.
    let check: String?
    /// Host and path of the key file that the database was made with.
    private let first: String?

    init(active: UInt8, floor: UInt8, check: String?) {
        self.active = active
        self.floor = floor
        self.check = check
        first = nil
    }

    static func place(of path: String) -> String { "\(ProcessInfo.processInfo.hostName):\(path)" }

    /// Where the file was that the database was made with, for whoever has another one or none; nil where it was this
    /// one.
    func first(besides path: String) -> String? { first == Self.place(of: path) ? nil : first }

    init(_ stored: [String: String]) {
        active = stored["active"].flatMap { UInt8($0) } ?? 1
        floor = stored["floor"].flatMap { UInt8($0) } ?? 1
        // Behind the version, which is the one in use.
        check = stored["check"].map { String($0.drop { $0 != ":" }.dropFirst()) }
        first = stored["first"]
    }
}
