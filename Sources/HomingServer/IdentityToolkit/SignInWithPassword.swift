// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingProjects
import HomingStore
import HomingWire

extension IdentityToolkit {
    /// `accounts:signInWithPassword`.
    static func signInWithPassword(_ context: ProjectContext) async throws -> JSON {
        guard context.project.settings.allowsEmail else { throw Refusal.passwordLoginDisabled }
        let address = try context.fields.address("email")
        guard let password = try context.fields.text("password") else { throw Refusal.missingPassword }
        let (account, tokens) = try await context.homing.accounts.signIn(
            address, password: password, from: context.caller, in: context.project)
        return .object(
            [
                ("kind", kind("VerifyPasswordResponse")), ("localId", .string(account.id.text)),
                ("email", .string(address.text)), ("displayName", .string(account.displayName ?? "")),
                ("registered", true), ("profilePicture", account.photoURL.map { .string($0) }),
            ] + tokenMembers(tokens))
    }
}
