// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HTTPTypes
package import HomingCore
import HomingWire
package import Hummingbird

/// Every method and path of the admin listener, in one list for each kind of caller. A route can be mounted only on its
/// caller's list: no operation accepts a browser's cookie, and none is on the public listener.
package struct AdminRoutes {
    package let open = Router(context: AdminCall<Anybody>.self, options: .autoGenerateHeadEndpoints)
    package let operations = Router(context: AdminCall<BackEnd>.self, options: .autoGenerateHeadEndpoints)
    package let pages = Router(context: AdminCall<Person>.self, options: .autoGenerateHeadEndpoints)
    let console: ConsoleRoutes
    /// The routes of ``console``.
    package var consolePages: Router<AdminCall<ConsolePerson>> { console.router }

    /// The paths that answer without a key.
    package static let openPaths =
        ["/healthz", AdminSignIn.path, ConsoleSignIn.path, ConsoleSignIn.codePath, Favicon.path]
        + AccessTokenGrant.paths

    private typealias Operation = @Sendable (AdminProjectContext) async throws -> JSON

    /// What follows the project in the path, and the name in version 3, where the body names the project.
    private static let projectOperations: [(path: String, inV3: String?, limit: Int, run: Operation)] = [
        ("/accounts", "signupNewUser", Routes.bodyLimit, IdentityToolkit.create),
        (":queryAccounts", nil, Routes.bodyLimit, IdentityToolkit.query),
        (":createSessionCookie", nil, Routes.bodyLimit, IdentityToolkit.createSessionCookie),
        ("/accounts:sendOobCode", "getOobConfirmationCode", Routes.bodyLimit, IdentityToolkit.sendOobCode),
        ("/accounts:lookup", "getAccountInfo", Routes.bodyLimit, IdentityToolkit.lookup),
        ("/accounts:update", "setAccountInfo", Routes.bodyLimit, IdentityToolkit.update),
        ("/accounts:delete", "deleteAccount", Routes.bodyLimit, IdentityToolkit.delete),
        ("/accounts:batchCreate", "uploadAccount", Routes.batchLimit, IdentityToolkit.batchCreate),
        ("/accounts:batchDelete", nil, Routes.bodyLimit, IdentityToolkit.batchDelete),
        ("/accounts:query", nil, Routes.bodyLimit, IdentityToolkit.query),
    ]

    init(
        _ homing: Homing, signIn: AdminSignIn, examination: ConsoleExamination? = nil, metrics: Metrics
    ) {
        console = ConsoleRoutes(homing, examination: examination)
        let consoleSignIn = ConsoleSignIn(homing: homing, signIn: signIn)
        open.get("\(ConsoleSignIn.path)") { request, _ in try await consoleSignIn.show(request) }
        open.post("\(ConsoleSignIn.path)") { request, call in
            try await consoleSignIn.act(request, caller: call.caller.address)
        }
        open.get("\(ConsoleSignIn.codePath)") { request, _ in try await consoleSignIn.askForCode(request) }
        open.post("\(ConsoleSignIn.codePath)") { request, _ in try await consoleSignIn.takeCode(request) }
        open.get("\(Favicon.path)") { _, _ in Favicon.answer(isCacheable: false) }
        open.get("/healthz") { _, _ in Answer.text("ok\n") }
        for path in AccessTokenGrant.paths {
            open.post("\(path)") { request, _ in try await AccessTokenGrant.answer(request, homing) }
        }
        open.get("\(AdminSignIn.path)") { request, _ in try await signIn.show(request) }
        open.post("\(AdminSignIn.path)") { request, call in
            try await signIn.enter(request, caller: call.caller.address)
        }
        // A person changes anything through an AdminFormContext only.
        pages.post("\(AdminSignIn.signOutPath)") { request, call in
            guard let context = try await AdminFormContext(request, call, homing: homing) else {
                return AdminSignIn.foreignForm(request, homing)
            }
            return try await signIn.signOut(context)
        }
        addOperations(homing, metrics)
        addNotOffered(homing)
        guard signIn.showsMailbox else { return }
        Self.addMailbox(to: operations, homing)
        Self.addMailbox(to: pages, homing)
    }

    /// The request as it is meant: some clients cannot say `PATCH`, and Google's Java library then posts. It holds where
    /// Google's API has that method, for settings and tenants.
    static func overridden(_ request: Request) -> Request {
        guard request.method == .post, request.headers[.methodOverride] == "PATCH",
            request.uri.path.contains("/v2/projects/")
        else { return request }
        var head = request.head
        head.method = .patch
        return Request(head: head, body: request.body)
    }

    /// All routes: those of a server with a mailbox, and without TLS.
    package init(_ homing: Homing) {
        let signIn = AdminSignIn(homing: homing, cookie: AdminCookie(isSecure: false), showsMailbox: true)
        self.init(homing, signIn: signIn, metrics: Metrics())
    }

    private func addOperations(_ homing: Homing, _ metrics: Metrics) {
        for prefix in [OwnPath.identityToolkit, ""] {
            for owner in ["\(prefix)/v1/projects/{project}", "\(prefix)/v1/projects/{project}/tenants/{tenant}"] {
                for operation in Self.projectOperations
                where owner.hasSuffix("{project}") || operation.path != ":queryAccounts" {
                    operations.post("\(owner)\(operation.path)") { request, call in
                        let context = try AdminProjectContext(
                            request, call, fields: try await Routes.fields(of: request, limit: operation.limit),
                            homing: homing)
                        try context.checkIsOpen()
                        try IdentityToolkit.checkCommonMembers(context.fields)
                        return Answer.json(try await operation.run(context))
                    }
                }
                operations.get("\(owner)/accounts:batchGet") { request, call in
                    let query = request.uri.queryParameters
                    let tenants = query.getAll("tenantId") + query.getAll("tenant_id")
                    guard tenants.count <= 1 else { throw Refusal.invalidArgument("tenantId is given twice") }
                    let fields = Fields(JSON.Object(tenants.map { ("tenantId", JSON.string(String($0))) }))
                    let context = try AdminProjectContext(request, call, fields: fields, homing: homing)
                    try context.checkIsOpen()
                    return Answer.json(
                        try await IdentityToolkit.batchGet(
                            context,
                            maxResults: (query.get("maxResults") ?? query.get("max_results")).map { String($0) },
                            after: (query.get("nextPageToken") ?? query.get("next_page_token")).map { String($0) }))
                }
            }
        }
        for operation in Self.projectOperations {
            if let name = operation.inV3 { addToVersion3(name, limit: operation.limit, homing, operation.run) }
        }
        addToVersion3("downloadAccount", limit: Routes.bodyLimit, homing, IdentityToolkit.batchGet)
        addReadingsOfVersion3(homing)
        // Google's production answers these below `admin`, too, where the Firebase CLI asks.
        for prefix in ["\(OwnPath.identityToolkit)", "\(OwnPath.identityToolkit)/admin", "", "/admin"] {
            addTenants("\(prefix)/v2/projects/{project}/tenants", homing)
            let path = RouterPath("\(prefix)/v2/projects/{project}/config")
            operations.get(path) { request, call in
                Answer.json(
                    try IdentityToolkit.config(AdminProjectContext(request, call, fields: Fields(), homing: homing)))
            }
            operations.patch(path) { request, call in
                let context = try AdminProjectContext(
                    request, call, fields: try await Routes.fields(of: request), homing: homing)
                let mask = request.uri.queryParameters.getAll("updateMask").joined(separator: ",")
                return Answer.json(try await IdentityToolkit.updateConfig(context, mask: mask))
            }
        }
        operations.post("\(OwnPath.dynamicLinks)/v1/managedShortLinks:create") { request, call in
            let context = AdminContext(call, fields: try await Routes.fields(of: request), homing: homing)
            return Answer.json(try await DynamicLinks.managedShortLink(context))
        }
        operations.get("\(OwnPath.dynamicLinks)/v1/{link}/linkStats") { request, call in
            let link = call.parameters.get("link").flatMap { percentDecoded($0) }
            return Answer.json(
                try await DynamicLinks.linkStats(
                    AdminContext(call, homing: homing), link: link ?? "",
                    days: request.uri.queryParameters.get("durationDays").map { String($0) }))
        }
        operations.post("/mail/bounces") { request, call in
            let context = AdminContext(call, fields: try await Routes.fields(of: request), homing: homing)
            return Answer.json(try await MailBounces.take(context))
        }
        // The lists are whole by the time of the first request.
        operations.get("\(OpenAPI.path)") { _, call in
            let context = AdminContext(call, homing: homing)
            return Answer.json(
                OpenAPI.document(
                    publicRoutes: Routes.publicRouter(context.homing), adminRoutes: AdminRoutes(context.homing),
                    publicURL: context.homing.publicURL, version: metrics.version))
        }
        operations.get("/metrics") { _, call in
            var response = Answer.text(try await metrics.page(AdminContext(call, homing: homing)))
            response.headers[.contentType] = "text/plain; version=0.0.4; charset=utf-8"
            return response
        }
    }

    private func addTenants(_ path: String, _ homing: Homing) {
        operations.post("\(path)") { request, call in
            let context = try AdminProjectContext(
                request, call, fields: try await Routes.fields(of: request), homing: homing)
            return Answer.json(try await IdentityToolkit.createTenant(context))
        }
        operations.get("\(path)") { request, call in
            let query = request.uri.queryParameters
            return Answer.json(
                try IdentityToolkit.listTenants(
                    AdminProjectContext(request, call, fields: Fields(), homing: homing),
                    pageSize: query.get("pageSize").map { String($0) },
                    after: query.get("pageToken").map { String($0) }))
        }
        operations.get("\(path)/{tenant}") { request, call in
            Answer.json(
                try IdentityToolkit.tenant(AdminProjectContext(request, call, fields: Fields(), homing: homing)))
        }
        operations.patch("\(path)/{tenant}") { request, call in
            let context = try AdminProjectContext(
                request, call, fields: try await Routes.fields(of: request), homing: homing)
            let mask = request.uri.queryParameters.getAll("updateMask").joined(separator: ",")
            return Answer.json(try await IdentityToolkit.updateTenant(context, mask: mask))
        }
        operations.delete("\(path)/{tenant}") { request, call in
            let context = try AdminProjectContext(request, call, fields: Fields(), homing: homing)
            return Answer.json(try await IdentityToolkit.deleteTenant(context))
        }
    }

    private func addToVersion3(_ name: String, limit: Int, _ homing: Homing, _ run: @escaping Operation) {
        operations.post("\(Routes.relyingParty)/\(name)") { request, call in
            let context = try AdminProjectContext(
                inVersion3: request, call, fields: try await Routes.fields(of: request, limit: limit), homing: homing)
            try context.checkIsOpen()
            try IdentityToolkit.checkCommonMembers(context.fields)
            return Answer.json(try await run(context))
        }
    }

    private func addReadingsOfVersion3(_ homing: Homing) {
        operations.get("\(Routes.relyingParty)/getProjectConfig") { request, call in
            let query = request.uri.queryParameters
            var members = JSON.Object()
            if let id = query.get("targetProjectId") { members["targetProjectId"] = .string(String(id)) }
            if let number = query.get("projectNumber"),
                let project = homing.projects.all().first(where: { $0.number.utf8.elementsEqual(number.utf8) })
            {
                members["targetProjectId"] = .string(project.id)
            }
            let context = try AdminProjectContext(
                inVersion3: request, call, fields: Fields(members), homing: homing)
            return Answer.json(IdentityToolkit.projectConfig(of: context.project))
        }
        operations.get("\(Routes.relyingParty)/publicKeys") { _, call in
            try TokenKeys.sessionCookieCertificates(AdminContext(call, homing: homing).homing)
        }
    }

    /// Says of what is left out on purpose that it is, to a back end that may ask about the project.
    private func addNotOffered(_ homing: Homing) {
        for prefix in [OwnPath.identityToolkit, ""] {
            for left in IdentityToolkit.notOfferedOfProjects {
                for (version, end) in [("v2", ""), ("v2", "/**"), ("v1", "/**")] {
                    let path = RouterPath("\(prefix)/\(version)/projects/{project}/\(left.path)\(end)")
                    for method in [HTTPRequest.Method.get, .post, .patch, .delete] {
                        operations.on(path, method: method) { request, call -> Response in
                            _ = try AdminProjectContext(request, call, fields: Fields(), homing: homing)
                            throw Refusal.operationNotAllowed(left.sentence)
                        }
                    }
                }
            }
        }
        operations.post("\(Routes.relyingParty)/setProjectConfig") { _, _ -> Response in
            throw Refusal.operationNotAllowed("Settings are changed by PATCH v2/projects/{project}/config.")
        }
    }

    /// Adds pages for people; a back end's key opens the pages as well.
    private static func addMailbox<Reader: PageReader>(to router: Router<AdminCall<Reader>>, _ homing: Homing) {
        router.get("/mailbox") { _, call in
            try await MailboxPages.page(try AdminPageContext(call, homing: homing))
        }
        router.get("/mailbox/newest") { _, call in
            try await MailboxPages.newest(try AdminPageContext(call, homing: homing))
        }
        router.get("/mailbox/messages") { _, call in
            try await MailboxPages.json(try AdminPageContext(call, homing: homing))
        }
        router.get("/mailbox/messages/{name}") { _, call in
            try await MailboxPages.letter(
                call.parameters.get("name") ?? "", try AdminPageContext(call, homing: homing))
        }
    }
}
