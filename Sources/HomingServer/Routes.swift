// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HTTPTypes
package import HomingCore
import HomingWire
package import Hummingbird

/// Every method and path of the public listener, in one list.
package enum Routes {
    private static let clientPrefixes = [OwnPath.identityToolkit, ""]
    /// The path at which Apple's, C++ and older clients find the same operations, by the names of version 3.
    static let relyingParty = "\(OwnPath.googleAPIs)/identitytoolkit/v3/relyingparty"

    private typealias Operation<Context> = @Sendable (Context) async throws -> JSON

    private static let clientOperations: [(name: String, inV3: String, run: Operation<ProjectContext>)] = [
        ("sendOobCode", "getOobConfirmationCode", IdentityToolkit.sendOobCode),
        ("resetPassword", "resetPassword", IdentityToolkit.resetPassword),
        ("update", "setAccountInfo", IdentityToolkit.update),
        ("signUp", "signupNewUser", IdentityToolkit.signUp),
        ("signInWithPassword", "verifyPassword", IdentityToolkit.signInWithPassword),
        ("signInWithEmailLink", "emailLinkSignin", IdentityToolkit.signInWithEmailLink),
        ("lookup", "getAccountInfo", IdentityToolkit.lookup),
        ("delete", "deleteAccount", IdentityToolkit.delete),
        ("createAuthUri", "createAuthUri", IdentityToolkit.createAuthUri),
        ("signInWithCustomToken", "verifyCustomToken", IdentityToolkit.signInWithCustomToken),
    ]

    private static let clientReadings: [(path: String, run: Operation<ProjectContext>)] = [
        ("v1/projects", IdentityToolkit.projectConfig), ("v2/passwordPolicy", IdentityToolkit.passwordPolicy),
        ("v2/recaptchaConfig", IdentityToolkit.recaptchaConfig),
    ]

    static func publicListener(_ homing: Homing) -> some HTTPResponder<CallContext> {
        let links = openLink(homing)
        return LinkGate(inner: publicRouter(homing, links).responderKnowingMethods(), links: links)
    }

    package static func publicRouter(_ homing: Homing) -> Router<CallContext> {
        publicRouter(homing, openLink(homing))
    }

    private static func openLink(_ homing: Homing) -> LinkResponder {
        LinkResponder(homing: homing, explanations: RateLimit(perSecond: homing.limits.linksPerIPSecond))
    }

    private static func publicRouter(_ homing: Homing, _ links: LinkResponder) -> Router<CallContext> {
        let router = Router(context: CallContext.self, options: .autoGenerateHeadEndpoints)
        addIdentityToolkit(to: router, homing)
        addIdentityToolkitV3(to: router, homing)
        for prefix in [OwnPath.secureToken, ""] {
            router.post("\(prefix)/v1/token") { try await token($0, $1, homing) }
        }

        let page = ActionPage(homing: homing)
        router.get("\(ActionPage.path)") { request, _ in try await page.show(request) }
        router.post("\(ActionPage.path)") { request, call in
            guard comesFromOurPage(request, homing) else { return ofAnotherSite(request, homing) }
            let form = try await formFields(of: request)
            return try await page.act(request, form: form, caller: call.caller)
        }
        let resetPage = ResetRequestPage(homing: homing)
        router.get("\(MailedLink.resetRequestPath)") { request, _ in resetPage.show(request) }
        router.post("\(MailedLink.resetRequestPath)") { request, call in
            guard comesFromOurPage(request, homing) else { return ofAnotherSite(request, homing) }
            let form = try await formFields(of: request)
            return try await resetPage.act(request, form: form, caller: call.caller)
        }

        let report = ReturnReport(homing: homing)
        router.post("\(ReturnReport.path)") { request, _ in
            guard comesFromOurPage(request, homing) else { return ofAnotherSite(request, homing) }
            return report.take(try await formFields(of: request))
        }

        let linkRate = RateLimit<IPAddress?>(perSecond: homing.limits.linksPerIPSecond)
        addDynamicLinks(to: router, homing, rate: linkRate)
        let authLinks = AuthLinks(homing: homing, links: links)
        router.get("\(AuthLinks.path)") { request, _ in
            try await authLinks.open(request, at: site(of: request, homing))
        }
        router.get("\(LinkResponder.pagePath)") { request, _ in try await links.page(request) }
        for path in AssociationAnswer.applePaths {
            router.get("\(path)") { request, _ in AssociationAnswer.answer(request, homing, \.apple) }
        }
        router.get("\(AssociationAnswer.androidPath)") { request, _ in
            AssociationAnswer.answer(request, homing, \.android)
        }
        router.get("\(WellKnown.changePassword)") { request, _ in
            WellKnown.passwordPage(request, homing) ?? notFound(request, homing)
        }
        router.get("\(WellKnown.securityText)") { request, _ in
            WellKnown.securityContact(homing) ?? notFound(request, homing)
        }
        WebModule.add(to: router)
        router.get("\(Favicon.path)") { request, _ in
            Favicon.answer(isCacheable: site(of: request, homing) == nil)
        }
        router.get("\(LogoAnswer.path)/{logo}") { request, call in
            LogoAnswer.answer(request, project: call.parameters.get("logo"), homing) ?? notFound(request, homing)
        }
        router.get("/") { request, _ in root(request, homing) }
        router.get("/**") { request, call in
            guard let site = site(of: request, homing) else {
                // No route of its own: `{project}` would take every path's first segment away from this list.
                guard let document = TokenKeys.discovery(at: request.uri.path, homing) else {
                    return notFound(request, homing)
                }
                call.coreContext.endpointPath.value = "openid-configuration"
                return document
            }
            let isWrapped = LinkPath(request.uri.path, on: site.domain) == .authLinks
            call.coreContext.endpointPath.value = isWrapped ? AuthLinks.path : LinkResponder.route
            return isWrapped ? try await authLinks.open(request, at: site) : links.unknown(request, site.project)
        }

        TokenKeys.add(to: router, homing)
        router.get("\(ChallengeAnswer.path)/{token}") { request, call in
            try await ChallengeAnswer.answer(call.parameters.get("token"), homing) ?? notFound(request, homing)
        }
        router.get("/healthz") { _, _ in Answer.text("ok\n") }
        router.get("/readyz") { _, _ in
            let readiness = await homing.tellReadiness()
            return Answer.text("\(readiness)\n", status: readiness == .ready ? .ok : .serviceUnavailable)
        }
        return router
    }

    // MARK: Identity Toolkit

    private static func addIdentityToolkit(to router: Router<CallContext>, _ homing: Homing) {
        for prefix in clientPrefixes {
            for operation in clientOperations {
                router.post("\(prefix)/v1/accounts:\(operation.name)") { request, call in
                    try await write(request, call, homing, operation.run)
                }
            }
            for reading in clientReadings {
                router.get("\(prefix)/\(reading.path)") { try await read($0, $1, homing, reading.run) }
            }
            for left in IdentityToolkit.NotOffered.allCases {
                for path in left.operations {
                    router.post("\(prefix)/\(path)") { request, _ in try refuse(left, request, homing) }
                }
                for path in left.readings {
                    router.get("\(prefix)/\(path)") { request, _ in try refuse(left, request, homing) }
                }
            }
        }
    }

    private static func addIdentityToolkitV3(to router: Router<CallContext>, _ homing: Homing) {
        for operation in clientOperations {
            router.post("\(relyingParty)/\(operation.inV3)") { request, call in
                try await withReasonsOfV3(request, homing) {
                    try await write(request, call, homing) { withPictureOfV3(try await operation.run($0)) }
                }
            }
        }
        router.get("\(relyingParty)/getProjectConfig") { request, call in
            try await withReasonsOfV3(request, homing) {
                try await read(request, call, homing, IdentityToolkit.projectConfig)
            }
        }
        for left in IdentityToolkit.NotOffered.allCases {
            for name in left.relyingPartyReadings {
                router.get("\(relyingParty)/\(name)") { request, _ in
                    try await withReasonsOfV3(request, homing) { try refuse(left, request, homing) }
                }
            }
            for name in left.relyingParty {
                router.post("\(relyingParty)/\(name)") { request, _ in
                    try await withReasonsOfV3(request, homing) { try refuse(left, request, homing) }
                }
            }
        }
    }

    /// A sign-in's picture has two names; Apple's client reads that of version 3.
    private static func withPictureOfV3(_ answer: JSON) -> JSON {
        guard case .object(var members) = answer, let picture = members["profilePicture"] else { return answer }
        members["photoUrl"] = picture
        return .object(members)
    }

    private static func write(
        _ request: Request, _ call: CallContext, _ homing: Homing, _ operation: Operation<ProjectContext>
    ) async throws -> Response {
        let project = try ProjectContext.project(of: request, homing)
        let context = try ProjectContext(
            request, call, of: project, fields: try await fields(of: request), homing: homing)
        try IdentityToolkit.checkClientMembers(context.fields)
        return Answer.json(try await operation(context))
    }

    private static func read(
        _ request: Request, _ call: CallContext, _ homing: Homing, _ operation: Operation<ProjectContext>
    ) async throws -> Response {
        let project = try ProjectContext.project(of: request, homing)
        let names = ["clientType", "version", "tenantId", "targetProjectId"]
        let members = names.compactMap { name in
            request.uri.queryParameters.get(name).map { (name, JSON.string($0)) }
        }
        let fields = Fields(JSON.Object(members))
        let context = try ProjectContext(request, call, of: project, fields: fields, homing: homing)
        try IdentityToolkit.checkClientMembers(context.fields)
        return Answer.json(try await operation(context))
    }

    private static func refuse(
        _ left: IdentityToolkit.NotOffered, _ request: Request, _ homing: Homing
    ) throws -> Response {
        _ = try ProjectContext.project(of: request, homing)
        throw Refusal.operationNotAllowed(left.rawValue)
    }

    /// Answers a wrong key with version 3's own reason, which Apple's client looks for.
    private static func withReasonsOfV3(
        _ request: Request, _ homing: Homing, _ answer: () async throws -> Response
    ) async throws -> Response {
        do {
            return try await answer()
        } catch Refusal.apiKeyInvalid {
            homing.refused(.apiKeyInvalid, at: request.uri.path)
            var error = WireError(.apiKeyInvalid)
            error.reason = "keyInvalid"
            return Answer.refusal(error)
        }
    }

    /// Reads a form, which JS sends, or JSON, which iOS sends; the errors have a form of their own.
    private static func token(_ request: Request, _ call: CallContext, _ homing: Homing) async throws -> Response {
        do {
            let project = try ProjectContext.project(of: request, homing)
            let isForm = request.headers[.contentType]?.hasPrefix("application/x-www-form-urlencoded") == true
            let fields: Fields
            if isForm {
                let form = try await formFields(of: request)
                let names = [
                    "grant_type", "grantType", "refresh_token", "refreshToken", "tenant_id", "tenantId",
                    "target_project_id", "targetProjectId",
                ]
                if let twice = names.first(where: form.repeats) {
                    throw Refusal.invalidArgument("\(twice) is given twice")
                }
                let pairs = names.compactMap { name in form[name].map { (name, JSON.string($0)) } }
                fields = Fields(JSON.Object(pairs))
            } else {
                fields = try await Self.fields(of: request)
            }
            let context = try ProjectContext(request, call, of: project, fields: fields, homing: homing)
            try IdentityToolkit.checkClientMembers(fields)
            return Answer.json(try await IdentityToolkit.token(context))
        } catch let refusal as Refusal {
            homing.refused(refusal, at: request.uri.path)
            return Answer.tokenRefusal(refusal)
        }
    }

    // MARK: Link domains

    /// Operations for apps: short links made with the project's key, and the contents of a link.
    private static func addDynamicLinks(to router: Router<CallContext>, _ homing: Homing, rate: RateLimit<IPAddress?>) {
        let operations: [(name: String, run: @Sendable (ProjectContext) async throws -> JSON)] = [
            ("shortLinks", DynamicLinks.shortLink), ("reopenAttribution", DynamicLinks.reopenAttribution),
            ("installAttribution", DynamicLinks.installAttribution),
        ]
        for operation in operations {
            router.post("\(OwnPath.dynamicLinks)/v1/\(operation.name)") { request, call in
                let project = try ProjectContext.project(of: request, homing)
                guard operation.name != "shortLinks" || rate.allows(call.network, at: homing.system.now()) else {
                    throw Refusal.tooManyRequests(retryAfterSeconds: 1)
                }
                let context = try ProjectContext(
                    request, call, of: project, fields: try await fields(of: request), homing: homing)
                return Answer.json(try await operation.run(context))
            }
        }
    }

    private static func site(of request: Request, _ homing: Homing) -> LinkSite? {
        request.head.authority.flatMap { homing.projects.linkSite(host: $0, path: request.uri.path) }
    }

    /// The bare host. A long link on a host without a link domain is not for this page.
    private static func root(_ request: Request, _ homing: Homing) -> Response {
        guard request.uri.queryParameters.get("link") == nil else { return notFound(request, homing) }
        let query = QueryString(parsing: request.uri.query ?? "")
        var frame = Visit(query, request: request, homing: homing, path: "/").frame
        frame.appName = nil
        frame.brand = nil
        return PageAnswer.page(RootView(), in: frame)
    }

    private static func notFound(_ request: Request, _ homing: Homing) -> Response {
        guard !OwnPath.answersPrograms(request.uri.path) else { return Answer.notFound }
        return PageAnswer.page(
            ProblemView(reason: .notFound), in: Visit(nil, request: request, homing: homing).frame, status: .notFound)
    }
}
