// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingProjects
import HomingStore
import HomingWire

extension IdentityToolkit {
    /// `securetoken.googleapis.com/v1/token`: a fresh ID token for a refresh token. Forms and JSON arrive here alike.
    static func token(_ context: ProjectContext) async throws -> JSON {
        guard let grant = try context.fields.string("grantType"), !grant.isEmpty else {
            throw Refusal.missingGrantType
        }
        guard grant.utf8.elementsEqual("refresh_token".utf8) else { throw Refusal.invalidGrantType }
        guard let token = try context.fields.string("refreshToken"), !token.isEmpty else {
            throw Refusal.missingRefreshToken
        }
        let (account, tokens) = try await context.homing.sessions.refresh(token, in: context.project)
        return .object([
            ("access_token", .string(tokens.idToken)), ("expires_in", .string(String(tokens.expiresIn))),
            ("token_type", "Bearer"), ("refresh_token", .string(tokens.refreshToken)),
            ("id_token", .string(tokens.idToken)), ("user_id", .string(account.id.text)),
            ("project_id", .string(context.project.number)),
        ])
    }
}
