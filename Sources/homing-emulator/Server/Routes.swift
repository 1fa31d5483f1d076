// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HTTPTypes
import HomingWire

/// What answers each method of Google's, in one list. Where a method is asked stands in ``GoogleMethod``.
enum Routes {
    static let all = apps + token + backEnds + settings + leftOut

    /// - Throws: ``Fault/notFound``, and a fault with the methods of a path that has others.
    static func match(_ method: HTTPRequest.Method, _ path: String) throws(Fault) -> Route.Match {
        let segments = Route.segments(of: path)
        let matches = all.compactMap { $0.match(segments) }
        if let match = matches.first(where: { $0.route.method == nil || $0.route.method == method }) { return match }
        throw Fault.wrongMethod(of: matches.compactMap(\.route.method))
    }

    // MARK: Places

    /// Behind the name of Google's host, as its SDKs ask an emulator, and without it, as a server of Homing answers,
    /// too.
    private static let hosts = ["/identitytoolkit.googleapis.com", ""]
    private static let version3 = "/www.googleapis.com/identitytoolkit/v3/relyingparty"
    /// Of many accounts at once: Firebase's emulator takes import files in one body.
    private static let batchLimit = 1 << 30

    private static func offer(
        _ method: GoogleMethod, lists: Set<String> = [], bodyLimit: Int = Route.bodyLimit,
        _ run: @escaping Route.Operation
    ) -> [Route] {
        places(of: method).map { path in
            var route = Route(HTTPRequest.Method(method.verb), path, run)
            route.lists = lists
            route.bodyLimit = bodyLimit
            return route
        }
    }

    /// What back ends ask of a project, or of a tenant of it, and not by the names of version 3, which are those of
    /// apps.
    private static func offerToBackEnds(
        _ method: GoogleMethod, lists: Set<String> = [], bodyLimit: Int = Route.bodyLimit,
        _ run: @escaping Route.Operation
    ) -> [Route] {
        [method.withoutVersion3, method.ofTenant].flatMap { offer($0, lists: lists, bodyLimit: bodyLimit, run) }
    }

    /// - Parameter name: the method's name in the answer, where it is not Google's newest.
    private static func leave(_ method: GoogleMethod, byAnyVerb: Bool = false, named name: String? = nil) -> [Route] {
        places(of: method).map { path in
            Route(
                leftOut: name ?? "identitytoolkit.\(method.name)", byAnyVerb ? nil : HTTPRequest.Method(method.verb),
                path)
        }
    }

    private static func places(of method: GoogleMethod) -> [String] {
        let paths = method.path.map { path in hosts.map { "\($0)/\(path)" } } ?? []
        return paths + (method.inVersion3.map { ["\(version3)/\($0)"] } ?? [])
    }

    // MARK: Apps

    /// Members that are lists of a lookup, and texts of other operations.
    private static let soughtLists: Set = ["localId", "email", "phoneNumber", "initialEmail"]

    private static let apps: [Route] = [
        offer(.signUp) { world, call throws(Fault) in try world.signUp(call) },
        offer(.signInWithPassword) { world, call throws(Fault) in try world.signInWithPassword(call) },
        offer(.signInWithEmailLink) { world, call throws(Fault) in try world.signInWithEmailLink(call) },
        offer(.signInWithCustomToken) { world, call throws(Fault) in try world.signInWithCustomToken(call) },
        offer(.sendOobCode) { world, call throws(Fault) in try world.sendOobCode(call) },
        offer(.resetPassword) { world, call throws(Fault) in try world.resetPassword(call) },
        offer(.update) { world, call throws(Fault) in try world.update(call) },
        offer(.lookup, lists: soughtLists) { world, call throws(Fault) in try world.lookup(call) },
        offer(.delete) { world, call throws(Fault) in try world.delete(call) },
        offer(.createAuthURI) { world, call throws(Fault) in try world.createAuthUri(call) },
        offer(.getProjects) { world, call throws(Fault) in try world.projectConfig(call) },
        offer(.getRecaptchaParams) { world, _ throws(Fault) in world.recaptchaParams() },
    ].flatMap { $0 }

    private static let token: [Route] = ["/securetoken.googleapis.com", ""].map { host in
        let path = "\(host)/\(GoogleMethod.token.path ?? "")"
        var route = Route(.post, path) { world, call throws(Fault) in try world.grantToken(call) }
        route.takesKeysOnly = true
        return route
    }

    // MARK: Back ends

    private static let backEnds: [Route] = [
        offerToBackEnds(.createAccount) { world, call throws(Fault) in try world.signUp(call) },
        offerToBackEnds(.projectSendOobCode) { world, call throws(Fault) in try world.sendOobCode(call) },
        offerToBackEnds(.projectUpdate) { world, call throws(Fault) in try world.update(call) },
        offerToBackEnds(.projectLookup, lists: soughtLists) { world, call throws(Fault) in try world.lookup(call) },
        offerToBackEnds(.projectDelete) { world, call throws(Fault) in try world.delete(call) },
        offerToBackEnds(.query) { world, call throws(Fault) in try world.query(call) },
        offerToBackEnds(.queryAccounts) { world, call throws(Fault) in try world.query(call) },
        offerToBackEnds(.batchCreate, bodyLimit: batchLimit) { world, call throws(Fault) in
            try world.batchCreate(call)
        },
        offerToBackEnds(.batchDelete) { world, call throws(Fault) in try world.batchDelete(call) },
        offerToBackEnds(.batchGet) { world, call throws(Fault) in try world.batchGet(call) },
        offerToBackEnds(.createSessionCookie) { world, call throws(Fault) in try world.createSessionCookie(call) },
        offer(.batchCreate.inVersion3Alone, bodyLimit: batchLimit) { world, call throws(Fault) in
            guard try call.body.text("targetProjectId") != nil else { throw Fault.insufficientPermission }
            return try world.batchCreate(call)
        },
        offer(.downloadAccount) { world, call throws(Fault) in
            guard try call.body.text("targetProjectId") != nil else { throw Fault.insufficientPermission }
            return try world.batchGet(call)
        },
    ].flatMap { $0 }

    /// The config document and the tenants of a project.
    private static let settings: [Route] = [
        offer(.getConfig) { world, call throws(Fault) in world.config(of: call.place.project) },
        offer(.updateConfig) { world, call throws(Fault) in try world.changeConfig(call) },
        offer(.createTenant) { world, call throws(Fault) in try world.createTenant(call) },
        offer(.listTenants) { world, call throws(Fault) in try world.listTenants(call) },
        offer(.getTenant) { world, call throws(Fault) in world.getTenant(call) },
        offer(.updateTenant) { world, call throws(Fault) in try world.updateTenant(call) },
        offer(.deleteTenant) { world, call throws(Fault) in world.deleteTenant(call) },
    ].flatMap { $0 }

    // MARK: Left out

    /// Other ways to sign in, their settings, and what Firebase's emulator leaves out as well.
    private static let leftOut: [Route] = {
        // The name of Game Center in version 3 is no path of the emulator's.
        let methods: [GoogleMethod] = [
            .signInWithIdp, .signInWithPhoneNumber, .sendVerificationCode, .signInWithGameCenter.withoutVersion3,
            .issueSamlResponse, .verifyIosClient, .initializeAuth,
        ]
        let byAnyVerb: [GoogleMethod] =
            [
                .revokeToken, .listDefaultSupportedIdps, .getPasswordPolicy, .getRecaptchaConfig,
                .getSessionCookiePublicKeys,
            ] + GoogleMethod.secondFactors + GoogleMethod.passkeys
        return (methods + GoogleMethod.providerSettings + GoogleMethod.permissions).flatMap { leave($0) }
            + byAnyVerb.flatMap { leave($0, byAnyVerb: true) }
            + leave(.signOutUser, byAnyVerb: true, named: "signOutUser")
            + leave(.setProjectConfig, named: "identitytoolkit.setProjectConfig")
    }()
}

extension HTTPRequest.Method {
    fileprivate init(_ verb: GoogleMethod.Verb) {
        switch verb {
        case .get: self = .get
        case .post: self = .post
        case .patch: self = .patch
        case .delete: self = .delete
        }
    }
}
