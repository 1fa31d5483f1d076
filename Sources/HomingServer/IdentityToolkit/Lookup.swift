// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingProjects
import HomingStore
import HomingWire

extension IdentityToolkit {
    /// `accounts:lookup` of a client app: exactly the account behind the ID token.
    static func lookup(_ context: ProjectContext, _ person: SignedIn) -> JSON {
        answer([person.account], in: context.project)
    }

    /// `accounts:lookup` of the operator's back end, by ids, addresses, phone numbers and ids of other providers;
    /// `users` is absent when nobody is found.
    static func lookup(_ context: AdminProjectContext) async throws -> JSON {
        // A text that is no address belongs to nobody.
        let addresses = try context.fields.strings("email").compactMap { try? EmailAddress(parsing: $0) }
        guard try context.fields.strings("initialEmail").isEmpty else {
            throw Refusal.operationNotAllowed("Accounts are not found by their first address.")
        }
        let identities = try context.fields.each("federatedUserId", atMost: 100)
        let found = try await context.homing.accounts.find(
            ids: try context.fields.strings("localId").map { AccountID($0) }, addresses: addresses,
            phoneNumbers: try context.fields.strings("phoneNumber").compactMap { try? PhoneNumber.parse($0) },
            identities: try identities.compactMap { identity in
                guard let provider = try identity.text("providerId"), let id = try identity.text("rawId") else {
                    return nil
                }
                return (provider, id)
            }, in: context.project)
        return answer(found, in: context.project)
    }

    private static func answer(_ accounts: [Account], in project: Project) -> JSON {
        .object([
            ("kind", kind("GetAccountInfoResponse")),
            ("users", accounts.isEmpty ? nil : .array(accounts.map { AccountRecord.json($0, in: project) })),
        ])
    }
}
