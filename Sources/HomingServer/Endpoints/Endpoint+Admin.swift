// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HTTPTypes
import HomingCore
import HomingStore
import HomingWire
import Hummingbird

/// What the operations and pages of the admin listener need besides the request.
struct AdminParts: Sendable {
    let homing: Homing
    let signIn: AdminSignIn
    let consoleSignIn: any ConsoleSignInPages
    let metrics: Metrics
    let undeclared: UndeclaredMembers?

    init(
        _ homing: Homing, signIn: AdminSignIn, consoleSignIn: any ConsoleSignInPages, metrics: Metrics,
        undeclared: UndeclaredMembers?
    ) {
        self.homing = homing
        self.signIn = signIn
        self.consoleSignIn = consoleSignIn
        self.metrics = metrics
        self.undeclared = undeclared
    }
}

extension Endpoint {
    /// Adds the operation to the list of its kind of caller, where it belongs to the admin listener.
    func add(to routes: AdminRoutes, _ parts: AdminParts) {
        switch run {
        case .project(let operation): addOfProject(to: routes.operations, parts, operation)
        case .backEnd(let operation):
            add(to: routes.operations) { request, call in
                let context = AdminContext(
                    call, fields: try await fields(of: request, parts) ?? Fields(), homing: parts.homing)
                return response(try await operation(context, call, declaredQuery(of: request, parts)), parts.undeclared)
            }
        case .response(let operation): add(to: routes.operations) { try await operation($0, $1, parts) }
        case .stranger(let operation): add(to: routes.open) { try await operation($0, $1, parts) }
        case .person(let operation): add(to: routes.pages) { try await operation($0, $1, parts) }
        case .mailbox(let page):
            guard parts.signIn.showsMailbox else { return }
            addPage(to: routes.operations, parts, page)
            addPage(to: routes.pages, parts, page)
        case .app, .appResponse, .signedIn, .anybody, .elsewhere: return
        }
    }

    private func add<Caller>(
        to router: Router<AdminCall<Caller>>,
        _ answer: @escaping @Sendable (Request, AdminCall<Caller>) async throws -> Response
    ) {
        for path in allPaths {
            router.on(RouterPath(path), method: verb) { try await answer($0, $1) }
        }
    }

    private func addOfProject(
        to router: Router<AdminCall<BackEnd>>, _ parts: AdminParts,
        _ operation: @escaping @Sendable (AdminProjectContext, DeclaredQuery) async throws -> JSON
    ) {
        for path in paths {
            router.on(RouterPath(path), method: verb) { request, call in
                let fields = try await fields(of: request, parts) ?? (try tenant(of: request, parts))
                let context = try AdminProjectContext(request, call, fields: fields, homing: parts.homing)
                return response(try await operation(context, declaredQuery(of: request, parts)), parts.undeclared)
            }
        }
        guard let path = pathInVersion3 else { return }
        router.on(RouterPath(path), method: verb) { request, call in
            let context = try AdminProjectContext(
                inVersion3: request, call, fields: try await fields(of: request, parts) ?? Fields(),
                homing: parts.homing)
            return response(try await operation(context, declaredQuery(of: request, parts)), parts.undeclared)
        }
    }

    /// The members of a body; nil where it reads none.
    private func fields(of request: Request, _ parts: AdminParts) async throws -> Fields? {
        guard self.request != nil else { return nil }
        return try await Routes.fields(of: request, limit: bodyLimit, watch: watch(parts.undeclared))
    }

    private func declaredQuery(of request: Request, _ parts: AdminParts) -> DeclaredQuery {
        DeclaredQuery(
            request.uri, watch: parts.undeclared.map { UndeclaredMembers.Watch(described, query, $0) })
    }

    /// The tenant that a query names, where the operation declares that it may.
    private func tenant(of request: Request, _ parts: AdminParts) throws(Refusal) -> Fields {
        let name = "tenantId"
        guard query[name] != nil else { return Fields() }
        let tenants = declaredQuery(of: request, parts).all(name, or: "tenant_id")
        guard tenants.count <= 1 else { throw .invalidArgument("tenantId is given twice") }
        return Fields(JSON.Object(tenants.map { (name, JSON.string($0)) }))
    }

    /// Adds a page for people; a back end's key opens it as well.
    private func addPage<Reader: PageReader>(
        to router: Router<AdminCall<Reader>>, _ parts: AdminParts,
        _ page: @escaping @Sendable (AdminPageContext, String?) async throws -> Response
    ) {
        add(to: router) { _, call in
            try await page(try AdminPageContext(call, homing: parts.homing), call.parameters.get("name"))
        }
    }
}
