// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HTTPTypes
import HomingWire

/// Every operation by method and path, in one list.
enum Routes {
    /// Of many accounts at once: Firebase's emulator takes import files in one body.
    private static let batchLimit = 1 << 30

    /// Behind the name of Google's host, as its SDKs ask an emulator, and without it, as a server of Homing answers,
    /// too.
    static let all: [Route] = {
        var all: [Route] = []
        for host in ["/identitytoolkit.googleapis.com", ""] {
            all += apps(host)
            for place in ["projects/{project}", "projects/{project}/tenants/{tenant}"] {
                all += backEnds("\(host)/v1/\(place)")
            }
            all += settings("\(host)/v2/projects/{project}")
            all += leftOut(host)
        }
        all += ["/securetoken.googleapis.com", ""].map(token)
        return all + version3("/www.googleapis.com/identitytoolkit/v3/relyingparty")
    }()

    /// - Throws: ``Fault/notFound``.
    static func match(_ method: HTTPRequest.Method, _ path: String) throws(Fault) -> Route.Match {
        let segments = Route.segments(of: path)
        for route in all where route.method == nil || route.method == method {
            if let match = route.match(segments) { return match }
        }
        throw Fault.notFound
    }

    // MARK: Apps

    private static let accountOperations: [String: Route.Operation] = [
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

    /// Sign-in with other providers and by phone.
    private static let leftOfAccounts = [
        "signInWithIdp", "signInWithPhoneNumber", "sendVerificationCode", "signInWithGameCenter", "issueSamlResponse",
        "verifyIosClient",
    ]

    private static func account(_ name: String, _ path: String) -> Route {
        guard let run = accountOperations[name] else {
            return Route(leftOut: "identitytoolkit.accounts.\(name)", .post, path)
        }
        var route = Route(.post, path, run)
        route.lists = lists(of: name)
        return route
    }

    private static func lists(of name: String) -> Set<String> {
        name == "lookup" ? ["localId", "email", "phoneNumber", "initialEmail"] : []
    }

    private static func apps(_ host: String) -> [Route] {
        let names = Array(accountOperations.keys) + leftOfAccounts
        let readings = [
            Route(.get, "\(host)/v1/projects") { world, call throws(Fault) in try world.projectConfig(call) },
            Route(.get, "\(host)/v1/recaptchaParams") { world, _ throws(Fault) in world.recaptchaParams() },
        ]
        return names.map { account($0, "\(host)/v1/accounts:\($0)") } + readings
    }

    private static func token(_ host: String) -> Route {
        var route = Route(.post, "\(host)/v1/token") { world, call throws(Fault) in try world.grantToken(call) }
        route.takesKeysOnly = true
        return route
    }

    // MARK: Back ends

    /// Those that back ends ask of a project; the others take an app's key alone.
    private static let projectOperations: [String: Route.Operation] =
        accountOperations.filter { ["sendOobCode", "update", "lookup", "delete"].contains($0.key) }
        .merging([
            "query": { world, call throws(Fault) in try world.query(call) },
            "batchCreate": { world, call throws(Fault) in try world.batchCreate(call) },
            "batchDelete": { world, call throws(Fault) in try world.batchDelete(call) },
        ]) { first, _ in first }

    /// What is asked of a project, or of a tenant of it.
    private static func backEnds(_ place: String) -> [Route] {
        let named = projectOperations.map { name, run in
            var route = Route(.post, "\(place)/accounts:\(name)", run)
            route.lists = lists(of: name)
            if name == "batchCreate" { route.bodyLimit = batchLimit }
            return route
        }
        let others = [
            Route(.post, "\(place)/accounts") { world, call throws(Fault) in try world.signUp(call) },
            Route(.get, "\(place)/accounts:batchGet") { world, call throws(Fault) in try world.batchGet(call) },
            Route(.post, "\(place):createSessionCookie") { world, call throws(Fault) in
                try world.createSessionCookie(call)
            },
            Route(.post, "\(place):queryAccounts") { world, call throws(Fault) in try world.query(call) },
        ]
        return named + others
    }

    /// The config document and the tenants of a project.
    private static func settings(_ project: String) -> [Route] {
        let tenant = "\(project)/tenants/{tenant}"
        let offered = [
            Route(.get, "\(project)/config") { world, call throws(Fault) in world.config(of: call.place.project) },
            Route(.patch, "\(project)/config") { world, call throws(Fault) in try world.changeConfig(call) },
            Route(.post, "\(project)/tenants") { world, call throws(Fault) in try world.createTenant(call) },
            Route(.get, "\(project)/tenants") { world, call throws(Fault) in try world.listTenants(call) },
            Route(.get, tenant) { world, call throws(Fault) in world.getTenant(call) },
            Route(.patch, tenant) { world, call throws(Fault) in try world.updateTenant(call) },
            Route(.delete, tenant) { world, call throws(Fault) in world.deleteTenant(call) },
        ]
        let permissions = ["getIamPolicy", "setIamPolicy", "testIamPermissions"].map { name in
            Route(leftOut: "identitytoolkit.projects.tenants.\(name)", .post, "\(tenant):\(name)")
        }
        let setUp = Route(
            leftOut: "identitytoolkit.projects.identityPlatform.initializeAuth", .post,
            "\(project)/identityPlatform:initializeAuth")
        return offered + leftOfSettings(project, "projects") + leftOfSettings(tenant, "projects.tenants") + permissions
            + [setUp]
    }

    /// The settings of identity providers.
    private static func leftOfSettings(_ place: String, _ owner: String) -> [Route] {
        ["oauthIdpConfigs", "inboundSamlConfigs", "defaultSupportedIdpConfigs"].flatMap { collection in
            let (all, one) = ("\(place)/\(collection)", "\(place)/\(collection)/{config}")
            let name = "identitytoolkit.\(owner).\(collection)"
            return [
                Route(leftOut: "\(name).create", .post, all), Route(leftOut: "\(name).list", .get, all),
                Route(leftOut: "\(name).get", .get, one), Route(leftOut: "\(name).patch", .patch, one),
                Route(leftOut: "\(name).delete", .delete, one),
            ]
        }
    }

    /// Second factors, passkeys and others.
    private static func leftOut(_ host: String) -> [Route] {
        [
            ("/v2/accounts:revokeToken", "accounts.revokeToken"),
            ("/v2/accounts/mfaEnrollment:start", "accounts.mfaEnrollment.start"),
            ("/v2/accounts/mfaEnrollment:finalize", "accounts.mfaEnrollment.finalize"),
            ("/v2/accounts/mfaEnrollment:withdraw", "accounts.mfaEnrollment.withdraw"),
            ("/v2/accounts/mfaSignIn:start", "accounts.mfaSignIn.start"),
            ("/v2/accounts/mfaSignIn:finalize", "accounts.mfaSignIn.finalize"),
            ("/v2/accounts/passkeyEnrollment:start", "accounts.passkeyEnrollment.start"),
            ("/v2/accounts/passkeyEnrollment:finalize", "accounts.passkeyEnrollment.finalize"),
            ("/v2/accounts/passkeySignIn:start", "accounts.passkeySignIn.start"),
            ("/v2/accounts/passkeySignIn:finalize", "accounts.passkeySignIn.finalize"),
            ("/v2/defaultSupportedIdps", "defaultSupportedIdps.list"), ("/v2/passwordPolicy", "getPasswordPolicy"),
            ("/v2/recaptchaConfig", "getRecaptchaConfig"),
            ("/v1/sessionCookiePublicKeys", "getSessionCookiePublicKeys"),
        ].map { path, name in Route(leftOut: "identitytoolkit.\(name)", nil, "\(host)\(path)") }
    }

    // MARK: Version 3

    /// Names of version 3, which Apple's and older clients use, and the operation of version 1 that each stands for.
    private static let relyingParty = [
        ("createAuthUri", "createAuthUri"), ("deleteAccount", "delete"), ("emailLinkSignin", "signInWithEmailLink"),
        ("getAccountInfo", "lookup"), ("getOobConfirmationCode", "sendOobCode"), ("resetPassword", "resetPassword"),
        ("setAccountInfo", "update"), ("signupNewUser", "signUp"), ("verifyCustomToken", "signInWithCustomToken"),
        ("verifyPassword", "signInWithPassword"), ("verifyAssertion", "signInWithIdp"),
        ("verifyPhoneNumber", "signInWithPhoneNumber"), ("sendVerificationCode", "sendVerificationCode"),
        ("verifyClient", "verifyIosClient"),
    ]

    private static func version3(_ base: String) -> [Route] {
        var upload = Route(.post, "\(base)/uploadAccount") { world, call throws(Fault) in
            guard try call.body.text("targetProjectId") != nil else { throw Fault.insufficientPermission }
            return try world.batchCreate(call)
        }
        upload.bodyLimit = batchLimit
        let others = [
            Route(.get, "\(base)/getProjectConfig") { world, call throws(Fault) in try world.projectConfig(call) },
            Route(.get, "\(base)/getRecaptchaParam") { world, _ throws(Fault) in world.recaptchaParams() },
            Route(leftOut: "signOutUser", nil, "\(base)/signOutUser"),
            Route(leftOut: "identitytoolkit.setProjectConfig", .post, "\(base)/setProjectConfig"), upload,
            Route(.post, "\(base)/downloadAccount") { world, call throws(Fault) in
                guard try call.body.text("targetProjectId") != nil else { throw Fault.insufficientPermission }
                return try world.batchGet(call)
            },
        ]
        return relyingParty.map { name, operation in account(operation, "\(base)/\(name)") } + others
    }
}
