// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HTTPTypes
import HomingWire

/// The operations by method and path.
enum Routes {
    typealias Operation = @Sendable (inout World, Call) throws(Fault) -> JSON

    /// What a request asks for.
    struct Match {
        let run: Operation
        /// The project and tenant that the path names.
        var project: String?
        var tenant: String?
        /// The members that are lists here and texts in other operations.
        var lists: Set<String> = []
        /// Whether the operation looks at keys alone, and not at a back end's credential.
        var takesKeysOnly = false
        /// The greatest number of bytes that a body may have.
        var bodyLimit = Routes.bodyLimit
    }

    static let bodyLimit = 16 << 20
    /// Of many accounts at once: Firebase's emulator takes import files in one body.
    private static let batchLimit = 1 << 30

    // MARK: Apps and back ends

    private static let accountOperations: [String: Operation] = [
        "signUp": { world, call throws(Fault) in try world.signUp(call) },
        "signInWithPassword": { world, call throws(Fault) in try world.signInWithPassword(call) },
        "signInWithEmailLink": { world, call throws(Fault) in try world.signInWithEmailLink(call) },
        "signInWithCustomToken": { world, call throws(Fault) in try world.signInWithCustomToken(call) },
        "sendOobCode": { world, call throws(Fault) in try world.sendOobCode(call) },
        "resetPassword": { world, call throws(Fault) in try world.resetPassword(call) },
        "update": { world, call throws(Fault) in try world.update(call) },
        "lookup": { world, call throws(Fault) in try world.lookup(call) },
        "delete": { world, call throws(Fault) in try world.delete(call) },
        "createAuthUri": { world, call throws(Fault) in try world.createAuthUri(call) },
    ]

    /// Those that back ends ask of a project; the others take an app's key alone.
    private static let projectOperations: [String: Operation] =
        accountOperations.filter { ["sendOobCode", "update", "lookup", "delete"].contains($0.key) }
        .merging([
            "query": { world, call throws(Fault) in try world.query(call) },
            "batchCreate": { world, call throws(Fault) in try world.batchCreate(call) },
            "batchDelete": { world, call throws(Fault) in try world.batchDelete(call) },
        ]) { first, _ in first }

    /// Names of version 3, which Apple's and older clients use, and the operation of version 1 that each stands for.
    private static let relyingParty = [
        "createAuthUri": "createAuthUri", "deleteAccount": "delete", "emailLinkSignin": "signInWithEmailLink",
        "getAccountInfo": "lookup", "getOobConfirmationCode": "sendOobCode", "resetPassword": "resetPassword",
        "setAccountInfo": "update", "signupNewUser": "signUp", "verifyCustomToken": "signInWithCustomToken",
        "verifyPassword": "signInWithPassword", "verifyAssertion": "signInWithIdp",
        "verifyPhoneNumber": "signInWithPhoneNumber", "sendVerificationCode": "sendVerificationCode",
        "verifyClient": "verifyIosClient",
    ]

    /// Parts of the API that are left out: sign-in with other providers and by phone, second factors, passkeys.
    private static let left: Set<String> = [
        "signInWithIdp", "signInWithPhoneNumber", "sendVerificationCode", "signInWithGameCenter", "issueSamlResponse",
        "verifyIosClient",
    ]
    private static let leftOfVersion2 = [
        "/v2/accounts:revokeToken": "identitytoolkit.accounts.revokeToken",
        "/v2/accounts/mfaEnrollment:start": "identitytoolkit.accounts.mfaEnrollment.start",
        "/v2/accounts/mfaEnrollment:finalize": "identitytoolkit.accounts.mfaEnrollment.finalize",
        "/v2/accounts/mfaEnrollment:withdraw": "identitytoolkit.accounts.mfaEnrollment.withdraw",
        "/v2/accounts/mfaSignIn:start": "identitytoolkit.accounts.mfaSignIn.start",
        "/v2/accounts/mfaSignIn:finalize": "identitytoolkit.accounts.mfaSignIn.finalize",
        "/v2/accounts/passkeyEnrollment:start": "identitytoolkit.accounts.passkeyEnrollment.start",
        "/v2/accounts/passkeyEnrollment:finalize": "identitytoolkit.accounts.passkeyEnrollment.finalize",
        "/v2/accounts/passkeySignIn:start": "identitytoolkit.accounts.passkeySignIn.start",
        "/v2/accounts/passkeySignIn:finalize": "identitytoolkit.accounts.passkeySignIn.finalize",
        "/v2/defaultSupportedIdps": "identitytoolkit.defaultSupportedIdps.list",
        "/v2/passwordPolicy": "identitytoolkit.getPasswordPolicy",
        "/v2/recaptchaConfig": "identitytoolkit.getRecaptchaConfig",
        "/v1/sessionCookiePublicKeys": "identitytoolkit.getSessionCookiePublicKeys",
    ]

    /// - Throws: ``Fault/notFound``.
    static func match(_ method: HTTPRequest.Method, _ path: String) throws(Fault) -> Match {
        for host in ["identitytoolkit.googleapis.com", "securetoken.googleapis.com", "www.googleapis.com"] {
            let prefix = "/\(host)"
            guard path.hasPrefix("\(prefix)/") else { continue }
            let rest = String(path.dropFirst(prefix.count))
            switch host {
            case "identitytoolkit.googleapis.com": return try identityToolkit(method, rest)
            case "securetoken.googleapis.com":
                guard rest == "/v1/token", method == .post else { throw Fault.notFound }
                return Match(
                    run: { world, call throws(Fault) in try world.grantToken(call) }, takesKeysOnly: true)
            default: return try version3(method, rest)
            }
        }
        throw Fault.notFound
    }

    private static func leftOut(_ name: String) -> Match {
        Match(run: { _, _ throws(Fault) in throw Fault.notOffered(name) })
    }

    private static func identityToolkit(_ method: HTTPRequest.Method, _ path: String) throws(Fault) -> Match {
        if let name = leftOfVersion2[path] { return leftOut(name) }
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map { String($0) }
        guard parts.count >= 2 else { throw Fault.notFound }
        switch (method, parts[0], parts[1]) {
        case (.get, "v1", "projects") where parts.count == 2:
            return Match(run: { world, call throws(Fault) in try world.projectConfig(call) })
        case (.get, "v1", "recaptchaParams") where parts.count == 2:
            return Match(run: { world, _ throws(Fault) in world.recaptchaParams() })
        case (.post, "v1", let last) where parts.count == 2 && last.hasPrefix("accounts:"):
            return try account(String(last.dropFirst("accounts:".count)))
        case (_, "v1", "projects"):
            guard let match = try project(method, Array(parts.dropFirst(2))) else { throw Fault.notFound }
            return match
        case (_, "v2", "projects"):
            return try management(method, Array(parts.dropFirst(2)))
        default: throw Fault.notFound
        }
    }

    private static func account(_ name: String) throws(Fault) -> Match {
        if let run = accountOperations[name] { return Match(run: run, lists: lists(of: name)) }
        guard left.contains(name) else { throw Fault.notFound }
        return leftOut("identitytoolkit.accounts.\(name)")
    }

    private static func lists(of name: String) -> Set<String> {
        name == "lookup" ? ["localId", "email", "phoneNumber", "initialEmail"] : []
    }

    /// `{project}/accounts…`, `{project}/tenants/{tenant}/accounts…` and `{project}:…`.
    private static func project(_ method: HTTPRequest.Method, _ parts: [String]) throws(Fault) -> Match? {
        var parts = parts
        var tenant: String?
        if parts.count >= 3, parts[1] == "tenants" {
            if parts.count == 3, let colon = parts[2].lastIndex(of: ":") {
                tenant = decoded(String(parts[2][..<colon]))
                parts = [parts[0] + parts[2][colon...]]
            } else {
                tenant = decoded(parts[2])
                parts.removeSubrange(1...2)
            }
        }
        if parts.count == 1, method == .post, let colon = parts[0].lastIndex(of: ":") {
            let id = decoded(String(parts[0][..<colon]))
            switch parts[0][colon...] {
            case ":createSessionCookie":
                return Match(
                    run: { world, call throws(Fault) in try world.createSessionCookie(call) }, project: id,
                    tenant: tenant)
            case ":queryAccounts":
                return Match(
                    run: { world, call throws(Fault) in try world.query(call) }, project: id, tenant: tenant)
            default: return nil
            }
        }
        guard parts.count == 2 else { return nil }
        let id = decoded(parts[0])
        switch (method, parts[1]) {
        case (.post, "accounts"):
            return Match(run: { world, call throws(Fault) in try world.signUp(call) }, project: id, tenant: tenant)
        case (.get, "accounts:batchGet"):
            return Match(run: { world, call throws(Fault) in try world.batchGet(call) }, project: id, tenant: tenant)
        case (.post, let last) where last.hasPrefix("accounts:"):
            let name = String(last.dropFirst("accounts:".count))
            guard let run = projectOperations[name] else { return nil }
            return Match(
                run: run, project: id, tenant: tenant, lists: lists(of: name),
                bodyLimit: name == "batchCreate" ? batchLimit : bodyLimit)
        default: return nil
        }
    }

    private static func decoded(_ text: String) -> String { percentDecoded(text) ?? text }

    /// `{project}/config` and `{project}/tenants`.
    private static func management(_ method: HTTPRequest.Method, _ parts: [String]) throws(Fault) -> Match {
        guard parts.count >= 2 else {
            if parts[0].hasSuffix("identityPlatform:initializeAuth") {
                return leftOut("identitytoolkit.projects.identityPlatform.initializeAuth")
            }
            throw Fault.notFound
        }
        let id = decoded(parts[0])
        switch (method, parts[1], parts.count) {
        case (.get, "config", 2):
            return Match(run: { world, call throws(Fault) in world.config(of: call.place.project) }, project: id)
        case (.patch, "config", 2):
            return Match(
                run: { world, call throws(Fault) in try world.changeConfig(call) }, project: id)
        case (.post, "tenants", 2):
            return Match(run: { world, call throws(Fault) in try world.createTenant(call) }, project: id)
        case (.get, "tenants", 2):
            return Match(run: { world, call throws(Fault) in try world.listTenants(call) }, project: id)
        case (.get, "tenants", 3):
            return Match(
                run: { world, call throws(Fault) in world.getTenant(call) }, project: id, tenant: decoded(parts[2]))
        case (.patch, "tenants", 3):
            return Match(
                run: { world, call throws(Fault) in try world.updateTenant(call) }, project: id,
                tenant: decoded(parts[2]))
        case (.delete, "tenants", 3):
            return Match(
                run: { world, call throws(Fault) in world.deleteTenant(call) }, project: id, tenant: decoded(parts[2]))
        default:
            if let name = providerSetting(method, parts) { return leftOut(name) }
            for name in ["getIamPolicy", "setIamPolicy", "testIamPermissions"]
            where parts[parts.count - 1].hasSuffix(":\(name)") {
                return leftOut("identitytoolkit.projects.tenants.\(name)")
            }
            if parts[1] == "identityPlatform:initializeAuth" {
                return leftOut("identitytoolkit.projects.identityPlatform.initializeAuth")
            }
            throw Fault.notFound
        }
    }

    /// The operation on settings of identity providers, of a project or of a tenant.
    private static func providerSetting(_ method: HTTPRequest.Method, _ parts: [String]) -> String? {
        let isOfTenant = parts[1] == "tenants"
        let rest = Array(parts.dropFirst(isOfTenant ? 3 : 1))
        guard let collection = rest.first, (1...2).contains(rest.count),
            ["oauthIdpConfigs", "inboundSamlConfigs", "defaultSupportedIdpConfigs"].contains(collection)
        else { return nil }
        let verb: String? =
            switch (method, rest.count) {
            case (.post, 1): "create"
            case (.get, 1): "list"
            case (.get, 2): "get"
            case (.patch, 2): "patch"
            case (.delete, 2): "delete"
            default: nil
            }
        return verb.map { "identitytoolkit.projects.\(isOfTenant ? "tenants." : "")\(collection).\($0)" }
    }

    // MARK: Version 3

    private static func version3(_ method: HTTPRequest.Method, _ path: String) throws(Fault) -> Match {
        let base = "/identitytoolkit/v3/relyingparty/"
        guard path.hasPrefix(base) else { throw Fault.notFound }
        let name = String(path.dropFirst(base.count))
        switch (method, name) {
        case (.get, "getProjectConfig"):
            return Match(run: { world, call throws(Fault) in try world.projectConfig(call) })
        case (.get, "getRecaptchaParam"):
            return Match(run: { world, _ throws(Fault) in world.recaptchaParams() })
        case (_, "signOutUser"): throw Fault.notOffered("signOutUser")
        case (.post, "setProjectConfig"): return leftOut("identitytoolkit.setProjectConfig")
        case (.post, "uploadAccount"):
            return Match(
                run: { world, call throws(Fault) in
                    guard try call.body.text("targetProjectId") != nil else { throw Fault.insufficientPermission }
                    return try world.batchCreate(call)
                }, bodyLimit: batchLimit)
        case (.post, "downloadAccount"):
            return Match(run: { world, call throws(Fault) in
                guard try call.body.text("targetProjectId") != nil else { throw Fault.insufficientPermission }
                return try world.batchGet(call)
            })
        case (.post, _):
            guard let operation = relyingParty[name] else { throw Fault.notFound }
            return try account(operation)
        default: throw Fault.notFound
        }
    }
}
