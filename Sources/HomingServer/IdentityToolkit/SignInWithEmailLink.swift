// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingProjects
import HomingStore
import HomingWire

extension IdentityToolkit {
    /// `accounts:signInWithEmailLink`: the code of a mailed link, with the address that it was mailed to.
    static func signInWithEmailLink(_ context: ProjectContext) async throws -> JSON {
        guard context.project.settings.allowsEmailLink else { throw Refusal.emailLinksAreOff }
        let hasToken = try context.fields.string("idToken").map { !$0.isEmpty } ?? false
        let person = hasToken ? try await SignedInContext(context).person : nil
        guard let typed = try context.fields.text("email") else { throw Refusal.missingEmail }
        guard let code = try context.fields.string("oobCode"), !code.isEmpty else { throw Refusal.missingCode }
        let (account, isNew, tokens) = try await context.homing.actionCodes.signIn(
            code, address: try? EmailAddress(parsing: typed), linking: person, proof: try proof(context.fields),
            in: context.project, orElse: context.language, on: context.device)
        return .object(
            [
                ("kind", kind("EmailLinkSigninResponse")), ("localId", .string(account.id.text)),
                ("email", account.email.map { .string($0.text) }), ("isNewUser", .bool(isNew)),
            ] + tokenMembers(tokens))
    }
}
