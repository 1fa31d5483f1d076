// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingWire

/// Firebase's Identity Toolkit, client and admin operations: one file each, named as on the wire.
enum IdentityToolkit {
    static let noEmailLinks = Refusal.operationNotAllowed("Signing in by a mailed link is switched off in the project.")

    static func kind(_ name: String) -> JSON { .string("identitytoolkit#\(name)") }

    /// Refuses members that no operation takes: a tenant, and another type than boolean for `returnSecureToken`.
    static func checkCommonMembers(_ fields: Fields) throws(Refusal) {
        _ = try fields.bool("returnSecureToken")
        guard try fields.text("tenantId") != nil else { return }
        for credential in ["idToken", "refreshToken", "oobCode"] where try fields.text(credential) != nil {
            throw .tenantIDMismatch
        }
        throw .invalidTenantID
    }

    /// Refuses the same of a client app, which may not name a project either: its key does.
    static func checkClientMembers(_ fields: Fields) throws(Refusal) {
        if try fields.text("targetProjectId") != nil {
            throw .insufficientPermission("Only authenticated requests can specify target_project_id.")
        }
        try checkCommonMembers(fields)
    }

    static func tokenMembers(_ tokens: Tokens?) -> [(String, JSON?)] {
        guard let tokens else { return [] }
        return [
            ("idToken", .string(tokens.idToken)), ("refreshToken", .string(tokens.refreshToken)),
            ("expiresIn", .string(String(tokens.expiresIn))),
        ]
    }
}
