// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
import HomingWire

/// A project, or a tenant of it.
struct Place: Hashable {
    let project: String
    var tenant: String?
}

/// Everything that the emulator knows. A project is there as soon as somebody names it.
struct World {
    let defaultProject: String
    /// The URL before every path, `http://127.0.0.1:9099`.
    var origin = ""
    private var spaces: [Place: AccountSpace] = [:]
    private var configs: [String: ProjectConfig] = [:]
    var tenants: [Place: Tenant] = [:]
    /// The lines that are to be printed: links that a person may follow.
    var announcements: [String] = []

    init(defaultProject: String) { self.defaultProject = defaultProject }

    subscript(place: Place) -> AccountSpace {
        get { spaces[place] ?? AccountSpace() }
        _modify { yield &spaces[place, default: AccountSpace()] }
    }

    subscript(config project: String) -> ProjectConfig {
        get { configs[project] ?? ProjectConfig() }
        _modify { yield &configs[project, default: ProjectConfig()] }
    }

    /// What is switched on in a place. A tenant that is not there is made, with everything on.
    mutating func rules(of place: Place) -> Tenant {
        guard place.tenant != nil else { return .mentioned }
        if let tenant = tenants[place] { return tenant }
        tenants[place] = .mentioned
        return .mentioned
    }

    mutating func removeTenant(_ place: Place) {
        tenants[place] = nil
        spaces[place] = nil
    }

    /// The tenants of a project in the order of their ids.
    func tenants(of project: String) -> [(id: String, tenant: Tenant)] {
        tenants.compactMap { place, tenant in place.project == project ? place.tenant.map { ($0, tenant) } : nil }
            .sorted { $0.0.utf8.lexicographicallyPrecedes($1.0.utf8) }
    }

    // MARK: Time and chance

    /// Milliseconds since 1970.
    var now: Int64 { Int64(Date().timeIntervalSince1970 * 1000) }

    private static let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")

    static func randomText(_ length: Int, alphabet: [Character] = letters) -> String {
        String((0..<length).map { _ in alphabet[Int.random(in: alphabet.indices)] })
    }

    static func newCode() -> String { randomText(54, alphabet: letters + ["-", "_"]) }
    static func newSalt() -> String { "fakeSalt" + randomText(20) }
}
