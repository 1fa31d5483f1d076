// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingWire

extension World {
    /// `accounts:lookup`.
    mutating func lookup(_ call: Call) throws(Fault) -> JSON {
        try checkEnabled(call)
        guard call.isPrivileged else {
            guard let token = try call.body.text("idToken") else { throw Fault("MISSING_ID_TOKEN") }
            return Self.answer([try signedIn(by: token, call).account])
        }
        let body = call.body
        guard try !body.has("initialEmail") else {
            throw Fault.notImplemented("Lookup by initialEmail is not implemented.")
        }
        let space = self[call.place]
        var found: [Account] = []
        func add(_ account: Account?) {
            if let account, !found.contains(where: { $0.id == account.id }) { found.append(account) }
        }
        for id in try body.strings("localId") { add(space[id]) }
        for email in try body.strings("email") { add(space.account(email: email.lowercased())) }
        for phone in try body.strings("phoneNumber") { add(space.account(phone: phone)) }
        for federated in try body.bodies("federatedUserId") ?? [] {
            guard let provider = try federated.text("providerId"), let id = try federated.text("rawId") else {
                continue
            }
            add(space.account(of: provider, id: id))
        }
        return Self.answer(found)
    }

    private static func answer(_ accounts: [Account]) -> JSON {
        .object([
            ("kind", Rules.kind("GetAccountInfoResponse")),
            ("users", accounts.isEmpty ? nil : .array(accounts.map(\.json))),
        ])
    }

    /// `accounts:delete`.
    mutating func delete(_ call: Call) throws(Fault) -> JSON {
        try checkEnabled(call)
        let id: String
        if call.isPrivileged {
            guard let given = try call.body.text("localId") else { throw Fault("MISSING_LOCAL_ID") }
            guard self[call.place][given] != nil else { throw Fault("USER_NOT_FOUND") }
            id = given
        } else {
            guard let token = try call.body.text("idToken") else { throw Fault("MISSING_ID_TOKEN") }
            id = try signedIn(by: token, call).account.id
        }
        self[call.place].remove(id)
        return .object([("kind", Rules.kind("DeleteAccountResponse"))])
    }

    /// `accounts:createAuthUri`: the ways in which an address signs in.
    mutating func createAuthUri(_ call: Call) throws(Fault) -> JSON {
        try checkEnabled(call)
        let body = call.body
        guard try body.text("providerId") == nil else {
            throw Fault.notImplemented("Sign-in with IDP is not yet supported.")
        }
        guard let identifier = try body.text("identifier") else { throw Fault("MISSING_IDENTIFIER") }
        guard let url = try body.text("continueUri") else { throw Fault("MISSING_CONTINUE_URI") }
        guard Rules.isAddress(identifier) else { throw Fault("INVALID_IDENTIFIER") }
        guard Rules.isAbsoluteURL(url) else { throw Fault("INVALID_CONTINUE_URI") }
        let session = try body.text("sessionId") ?? Self.randomText(27)
        var members: [(String, JSON?)] = [
            ("kind", Rules.kind("CreateAuthUriResponse")), ("sessionId", .string(session)),
        ]
        let config = self[config: call.place.project]
        guard !config.hidesAddresses else { return .object(members) }
        let email = identifier.lowercased()
        let space = self[call.place]
        let owners =
            config.allowsDuplicateEmails
            ? [space.account(email: email)].compactMap { $0 }
            : space.all.filter { $0.email == email || $0.hasProviderAddress(email) }
        var (providers, methods) = ([String](), [String]())
        for account in owners {
            if account.email == email {
                if account.passwordHash != nil { methods.append("password") }
                if account.usesEmailLink { methods.append("emailLink") }
                if !methods.isEmpty { providers.append("password") }
            }
            guard !config.allowsDuplicateEmails else { continue }
            for (provider, _) in account.federated {
                providers.append(provider)
                methods.append(provider)
            }
        }
        members += [
            ("registered", .bool(!owners.isEmpty)), ("allProviders", .array(providers.map { .string($0) })),
            ("signinMethods", .array(methods.map { .string($0) })),
        ]
        return .object(members)
    }
}

extension Account {
    fileprivate func hasProviderAddress(_ email: String) -> Bool {
        (providers ?? []).contains { $0["providerId"] != "phone" && $0["email"]?.stringValue?.lowercased() == email }
    }
}
