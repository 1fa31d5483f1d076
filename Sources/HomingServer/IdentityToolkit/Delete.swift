// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingProjects
import HomingStore
import HomingWire

extension IdentityToolkit {
    /// `accounts:delete` of a client app: the account behind the ID token, after a sign-in of the last five minutes.
    static func delete(_ context: ProjectContext, _ person: SignedIn) async throws -> JSON {
        guard context.project.settings.allowsDeletion else { throw Refusal.adminOnlyOperation }
        let now = context.homing.system.now()
        guard person.account.isPristine || person.isRecent(at: now) else { throw Refusal.credentialTooOld }
        try await context.homing.accounts.delete(person)
        return deleted
    }

    /// `accounts:delete` of the operator's back end, by `localId`.
    static func delete(_ context: AdminProjectContext) async throws -> JSON {
        guard let id = try context.fields.string("localId"), !id.isEmpty else { throw Refusal.missingLocalID }
        try await context.homing.accounts.delete(AccountID(id), in: context.project, by: context.backEnd.author)
        return deleted
    }

    private static let deleted: JSON = .object([("kind", kind("DeleteAccountResponse"))])
}
