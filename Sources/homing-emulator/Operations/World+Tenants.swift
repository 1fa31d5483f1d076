// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingWire

extension World {
    /// The operations of `/v2/projects/{project}/tenants`.
    mutating func createTenant(_ call: Call) throws(Fault) -> JSON {
        let place = Place(project: call.place.project, tenant: Self.randomText(28))
        tenants[place] = try tenant(from: call.body, at: nil)
        return Self.json(tenants[place] ?? Tenant(), at: place)
    }

    mutating func listTenants(_ call: Call) throws(Fault) -> JSON {
        let wanted = Int(try call.body.integer("pageSize") ?? 0)
        let size = wanted == 0 ? 20 : min(wanted, 1000)
        var found = tenants(of: call.place.project)[...]
        if let last = try call.body.text("pageToken") {
            found = found.drop { !last.utf8.lexicographicallyPrecedes($0.id.utf8) }
        }
        if size > 0 { found = found.prefix(size) }
        return .object([
            (
                "tenants",
                .array(found.map { Self.json($0.tenant, at: Place(project: call.place.project, tenant: $0.id)) })
            ),
            ("nextPageToken", size > 0 && found.count == size ? found.last.map { .string($0.id) } : nil),
        ])
    }

    mutating func getTenant(_ call: Call) -> JSON { Self.json(rules(of: call.place), at: call.place) }

    mutating func updateTenant(_ call: Call, mask: String) throws(Fault) -> JSON {
        let paths = mask.split(separator: ",").map { String($0) }
        let before = rules(of: call.place)
        tenants[call.place] = try tenant(from: call.body, at: paths.isEmpty ? nil : (before, paths))
        return Self.json(tenants[call.place] ?? before, at: call.place)
    }

    mutating func deleteTenant(_ call: Call) -> JSON {
        removeTenant(call.place)
        return .object(JSON.Object())
    }

    /// - Parameter base: the tenant that is changed, and the members that may change; nil where all are replaced.
    private func tenant(from body: Body, at base: (tenant: Tenant, paths: [String])?) throws(Fault) -> Tenant {
        var tenant = base?.tenant ?? Tenant()
        func isNamed(_ name: String) -> Bool {
            base?.paths.contains { $0 == name || $0.hasPrefix("\(name).") } ?? true
        }
        func flag(_ name: String, _ value: inout Bool) throws(Fault) {
            if isNamed(name), let given = try body.bool(name) { value = given }
        }
        try flag("allowPasswordSignup", &tenant.allowsPasswords)
        try flag("enableEmailLinkSignin", &tenant.allowsEmailLinks)
        try flag("enableAnonymousUser", &tenant.allowsAnonymous)
        try flag("disableAuth", &tenant.isDisabled)
        if isNamed("displayName"), let name = try body.string("displayName") { tenant.displayName = name }
        if isNamed("mfaConfig"), let factors = try body.body("mfaConfig") {
            tenant.secondFactors = [
                "state": .string(try factors.text("state") ?? "DISABLED"),
                "enabledProviders": .array(try factors.array("enabledProviders") ?? []),
            ]
        }
        return tenant
    }

    private static func json(_ tenant: Tenant, at place: Place) -> JSON {
        let id = place.tenant ?? ""
        return .object([
            ("displayName", tenant.displayName.map { .string($0) }),
            ("allowPasswordSignup", .bool(tenant.allowsPasswords)),
            ("enableEmailLinkSignin", .bool(tenant.allowsEmailLinks)),
            ("enableAnonymousUser", .bool(tenant.allowsAnonymous)), ("disableAuth", .bool(tenant.isDisabled)),
            ("mfaConfig", tenant.secondFactors), ("tenantId", .string(id)),
            ("name", .string("projects/\(place.project)/tenants/\(id)")),
        ])
    }
}
