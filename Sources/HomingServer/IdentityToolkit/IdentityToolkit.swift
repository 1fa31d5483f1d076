// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingProjects
import HomingStore
import HomingWire

/// Firebase's Identity Toolkit, client and admin operations: one file each, named as on the wire.
enum IdentityToolkit {
    static func kind(_ name: String) -> JSON { .string("identitytoolkit#\(name)") }

    /// Refuses another type than boolean for a member that no operation heeds.
    static func checkCommonMembers(_ fields: Fields) throws(Refusal) {
        _ = try fields.bool("returnSecureToken")
    }

    /// The project, or the tenant of it that a request is about: named by the path, by `tenantId`, or by its token.
    /// They may not differ. Whether the token is genuine is seen later, when it is read.
    static func scope(
        of project: Project, tenant path: TenantID? = nil, _ fields: Fields, _ homing: Homing
    ) throws(Refusal) -> Project {
        var named = try fields.text("tenantId").map { TenantID($0) }
        if let path {
            guard named == nil || named == path else { throw .tenantIDMismatch }
            named = path
        }
        if let claimed = try claimedTenant(fields) {
            guard let named else {
                // A tenant that is not there is refused by whoever reads the token.
                return claimed.flatMap { homing.projects.tenant($0, of: project) } ?? project
            }
            guard named == claimed else { throw .tenantIDMismatch }
        }
        guard let named else { return project }
        if let tenant = homing.projects.tenant(named, of: project) { return tenant }
        throw path == nil ? .invalidTenantID : .tenantNotFound
    }

    /// The tenant that the request's token is of, or that it is of none; nil where no token says.
    private static func claimedTenant(_ fields: Fields) throws(Refusal) -> TenantID?? {
        // A member of another type is refused by whoever reads it; the admin config document has an `idToken` of its
        // own.
        if let token = try fields.token("refreshToken"), !token.isEmpty {
            let parts = token.utf8.split(separator: UInt8(ascii: "."), maxSplits: 1)
            return .some(parts.count == 2 ? TenantID(String(Substring(parts[1]))) : nil)
        }
        return try fields.token("idToken").flatMap { Sessions.claimedTenant(idToken: $0) }
    }

    /// Refuses the same of a client app, which may not name a project either: its key does.
    static func checkClientMembers(_ fields: Fields) throws(Refusal) {
        try checkNoProject(fields)
        try checkCommonMembers(fields)
    }

    static func checkNoProject(_ fields: Fields) throws(Refusal) {
        guard try fields.text("targetProjectId") == nil else {
            throw .insufficientPermission("Only authenticated requests can specify target_project_id.")
        }
    }

    /// What a client shows beside a code that it has asked for itself.
    static func proof(_ fields: Fields) throws(Refusal) -> CodeProof {
        try fields.text("codeVerifier").map { .verifier($0) } ?? .none
    }

    static func tokenMembers(_ tokens: Tokens?) -> [(String, JSON?)] {
        guard let tokens else { return [] }
        return [
            ("idToken", .string(tokens.idToken)), ("refreshToken", .string(tokens.refreshToken)),
            ("expiresIn", .string(String(tokens.expiresIn))),
        ]
    }
}
