// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingProjects
import HomingStore
import HomingWire

extension IdentityToolkit {
    /// `accounts:resetPassword`: a code alone is inspected, a code with a new password is used up; an address with the
    /// old and the new password changes the password without a code.
    static func resetPassword(_ context: ProjectContext) async throws -> JSON {
        let fields = context.fields
        guard context.project.settings.allowsEmail else { throw Refusal.passwordLoginDisabled }
        let password = try fields.string("newPassword")
        guard let code = try fields.string("oobCode"), !code.isEmpty else {
            return try await changePassword(context, to: password)
        }
        guard let password else {
            return answer(try await context.homing.actionCodes.inspect(code, in: context.project))
        }
        let redeemed = try await context.homing.actionCodes.resetPassword(
            code, to: password, proof: try proof(fields), in: context.project, orElse: context.language,
            from: context.caller, on: context.device)
        return answer(redeemed)
    }

    /// Changes a password for a caller who knows the old one, and notifies the address.
    private static func changePassword(_ context: ProjectContext, to password: String?) async throws -> JSON {
        guard let old = try context.fields.string("oldPassword"), let password,
            try context.fields.string("email") != nil
        else { throw Refusal.missingCode }
        let address = try context.fields.address("email")
        let (_, tokens) = try await context.homing.accounts.signIn(
            address, password: old, from: context.caller, in: context.project)
        let person = try await context.homing.sessions.signedIn(idToken: tokens.idToken, in: context.project)
        var change = AccountChange()
        change.password = .set(password)
        _ = try await context.homing.accounts.change(
            person, change, language: context.language, from: context.caller, on: context.device)
        return .object([
            ("kind", kind("ResetPasswordResponse")), ("email", .string(address.text)),
            ("requestType", .string(ActionRequestType.passwordReset.name)),
        ])
    }

    /// A sign-in code's answer has no address: whoever found the link would learn what the link needs.
    private static func answer(_ code: ActionCode) -> JSON {
        .object([
            ("kind", kind("ResetPasswordResponse")),
            ("email", code.kind == .signIn ? nil : .string(code.address.text)),
            ("newEmail", code.newAddress.map { .string($0.text) }),
            ("requestType", .string(code.kind.name)),
        ])
    }
}
