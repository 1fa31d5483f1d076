// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingWire

extension World {
    /// The operations of `/v2/projects/{project}/tenants`.
    mutating func createTenant(_ call: Call) throws(Fault) -> JSON {
        let place = Place(project: call.place.project, tenant: Self.randomText(28))
        let tenant = try Tenant(call.body)
        tenants[place] = tenant
        return Self.json(tenant, at: place)
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

    mutating func updateTenant(_ call: Call) throws(Fault) -> JSON {
        let mask = FieldMask(call.mask)
        var tenant = rules(of: call.place)
        if mask.isEmpty { tenant = try Tenant(call.body) } else { try tenant.change(by: call.body, mask) }
        tenants[call.place] = tenant
        return Self.json(tenant, at: call.place)
    }

    mutating func deleteTenant(_ call: Call) -> JSON {
        removeTenant(call.place)
        return .object(JSON.Object())
    }

    private static func json(_ tenant: Tenant, at place: Place) -> JSON {
        var document = tenant.document
        let id = place.tenant ?? ""
        document["tenantId"] = .string(id)
        document["name"] = .string("projects/\(place.project)/tenants/\(id)")
        return .object(document)
    }
}
