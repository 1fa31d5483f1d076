// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingWire

extension IdentityToolkit {
    /// `accounts:lookup` of a client app: exactly the account behind the ID token.
    static func lookup(_ context: ProjectContext) async throws -> JSON {
        let person = try await SignedInContext(context).person
        return answer([person.account])
    }

    /// `accounts:lookup` of the operator's back end, by ids and addresses; `users` is absent when nobody is found.
    static func lookup(_ context: AdminProjectContext) async throws -> JSON {
        // A text that is no address belongs to nobody.
        let addresses = try context.fields.strings("email").compactMap { try? EmailAddress(parsing: $0) }
        let found = try await context.homing.accounts.find(
            ids: try context.fields.strings("localId"), addresses: addresses, in: context.project)
        return answer(found)
    }

    private static func answer(_ accounts: [Account]) -> JSON {
        .object([
            ("kind", kind("GetAccountInfoResponse")),
            ("users", accounts.isEmpty ? nil : .array(accounts.map(AccountRecord.json))),
        ])
    }
}
