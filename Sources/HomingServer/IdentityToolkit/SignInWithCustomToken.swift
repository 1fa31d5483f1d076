// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingStore
import HomingWire

extension IdentityToolkit {
    /// `accounts:signInWithCustomToken`: signs in whom the operator's back end has named.
    static func signInWithCustomToken(_ context: ProjectContext) async throws -> JSON {
        guard let token = try context.fields.text("token") else { throw Refusal.missingCustomToken }
        let (_, tokens, isNew) = try await context.homing.accounts.signIn(
            customToken: token, in: context.project)
        return .object(
            [
                ("kind", kind("VerifyCustomTokenResponse")), ("isNewUser", .bool(isNew)),
            ] + tokenMembers(tokens))
    }
}
