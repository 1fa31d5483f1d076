// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingProjects
import HomingStore
import HomingWire

extension IdentityToolkit {
    /// `accounts:createAuthUri`: the ways to sign in of an address. Where addresses are hidden, the answer names none.
    static func createAuthUri(_ context: ProjectContext) async throws -> JSON {
        let fields = context.fields
        if try fields.string("providerId").map({ !$0.isEmpty && !ASCII.areEqual($0, "password") }) == true {
            throw Refusal.operationNotAllowed(NotOffered.providers.rawValue)
        }
        guard let identifier = try fields.string("identifier"), !identifier.isEmpty else {
            throw Refusal.missingIdentifier
        }
        guard let continueURI = try fields.string("continueUri"), !continueURI.isEmpty else {
            throw Refusal.missingContinueURI(member: "continueUri")
        }
        guard let address = try? EmailAddress(parsing: identifier) else { throw Refusal.invalidIdentifier }
        guard (try? WebURL(parsing: continueURI)) != nil || continueURI.hasPrefixFoldingASCII("http://") else {
            throw Refusal.invalidContinueURI("Missing domain in continue url")
        }
        let session = try fields.string("sessionId") ?? context.homing.system.randomName(length: 27)
        guard !context.project.settings.hidesAddresses else {
            return .object([("kind", kind("CreateAuthUriResponse")), ("sessionId", .string(session))])
        }
        let account = try await context.homing.accounts.find(address, in: context.project)
        var methods: [JSON] = []
        if account?.passwordHash != nil { methods.append("password") }
        if account?.usesEmailLink == true { methods.append("emailLink") }
        return .object([
            ("kind", kind("CreateAuthUriResponse")),
            ("allProviders", methods.isEmpty ? nil : .array(["password"])),
            ("registered", .bool(account != nil)), ("sessionId", .string(session)),
            ("signinMethods", methods.isEmpty ? nil : .array(methods)),
        ])
    }
}
