// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingWire

/// One request, with the place that it acts on.
struct Call {
    /// Whether it comes from a back end, which may do anything.
    let isPrivileged: Bool
    let place: Place
    let body: Body
    /// `updateMask` of the query.
    let mask: String

    /// - Parameter project: the project in the path, and `tenant` the tenant there.
    init(
        isPrivileged: Bool, project: String?, tenant: String?, body: Body, mask: String, defaultProject: String
    ) throws(Fault) {
        let target = try body.text("targetProjectId")
        guard isPrivileged || (project == nil && target == nil) else { throw Fault.foreignProject }
        let project = project ?? target ?? defaultProject
        var tenant = tenant.flatMap { $0.isEmpty ? nil : $0 }
        func agree(on other: String?) throws(Fault) {
            guard let other else { return }
            guard tenant == nil || tenant == other else { throw Fault("TENANT_ID_MISMATCH") }
            tenant = other
        }
        try agree(on: body.text("tenantId"))
        if let claims = try Tokens.claims(of: body.text("idToken") ?? "") {
            try agree(on: claims["firebase"]?.objectValue?["tenant"]?.stringValue)
        }
        if let token = try body.text("refreshToken") {
            guard let session = RefreshToken(token) else { throw Fault("INVALID_REFRESH_TOKEN") }
            try agree(on: session.tenant)
        }
        self.isPrivileged = isPrivileged
        self.body = body
        self.mask = mask
        place = Place(project: project, tenant: tenant)
    }

    /// A back end's call that is no request: an import.
    init(in place: Place, body: Body) {
        isPrivileged = true
        self.place = place
        self.body = body
        mask = ""
    }
}
