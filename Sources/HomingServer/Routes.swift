// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HTTPTypes
import HomingCertificates
package import HomingCore
import HomingLinkRules
import HomingPages
import HomingProjects
import HomingStore
import HomingWire
package import Hummingbird

/// The public listener: what ``Endpoint/forPublicListener`` declares, and the hosts of link domains.
package enum Routes {
    /// The path at which Apple's, C++ and older clients find Identity Toolkit, by the names of version 3.
    static let relyingParty = "\(OwnPath.googleAPIs)/identitytoolkit/v3/relyingparty"

    static func publicListener(
        _ homing: Homing, _ certificates: Certificates, undeclared: UndeclaredMembers? = nil
    ) -> LinkGate<some HTTPResponder<CallContext>> {
        let links = openLink(homing)
        let parts = PublicParts(homing, certificates, links: links, undeclared: undeclared)
        return LinkGate(inner: publicRouter(parts).responderKnowingMethods(), links: links)
    }

    package static func publicRouter(_ homing: Homing) -> Router<CallContext> {
        publicRouter(PublicParts(homing, Certificates(homing), links: openLink(homing), undeclared: nil))
    }

    private static func openLink(_ homing: Homing) -> LinkResponder {
        LinkResponder(homing: homing, explanations: RateLimit(perSecond: homing.limits.linksPerIPSecond))
    }

    private static func publicRouter(_ parts: PublicParts) -> Router<CallContext> {
        let router = Router(context: CallContext.self, options: .autoGenerateHeadEndpoints)
        for endpoint in Endpoint.forPublicListener { endpoint.add(to: router, parts) }
        router.get("/**") { try await elsewhere($0, $1, parts) }
        return router
    }

    /// Answers where no route matches: on the host of a link domain, and below a project's id.
    static func elsewhere(
        _ request: Request, _ call: CallContext, _ parts: PublicParts
    ) async throws -> Response {
        let homing = parts.homing
        guard let site = site(of: request, homing) else {
            // No route of its own: `{project}` would take every path's first segment away from the declared ones.
            guard let document = TokenKeys.discovery(at: request.uri.path, homing) else {
                return notFound(request, homing)
            }
            call.coreContext.endpointPath.value = TokenKeys.discoveryPath
            return document
        }
        let part = LinkPath(request.uri.path, on: site.domain)
        let isWrapped = part == .authLinks
        call.coreContext.endpointPath.value = isWrapped ? AuthLinks.path : LinkResponder.route
        return isWrapped
            ? try await parts.authLinks.open(request, at: site) : parts.links.missed(request, part, at: site)
    }

    // MARK: The token service

    /// Reads a form, which JS sends, or JSON, which iOS sends; the errors have a form of their own.
    static func token(_ request: Request, _ call: CallContext, _ parts: PublicParts) async throws -> Response {
        let homing = parts.homing
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
                fields = Fields(JSON.Object(pairs), watch: parts.watch)
            } else {
                fields = try await Self.fields(of: request, watch: parts.watch)
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

    static func site(of request: Request, _ homing: Homing) -> LinkSite? {
        request.head.authority.flatMap { homing.projects.linkSite(host: $0, path: request.uri.path) }
    }

    /// The bare host. A long link on a host without a link domain is not for this page.
    static func root(_ request: Request, _ homing: Homing) -> Response {
        guard request.uri.queryParameters.get("link") == nil else { return notFound(request, homing) }
        let query = QueryString(parsing: request.uri.query ?? "")
        var frame = Visit(query, request: request, homing: homing, path: "/").frame
        frame.appName = nil
        frame.brand = nil
        return PageAnswer.page(RootView(), in: frame)
    }

    static func notFound(_ request: Request, _ homing: Homing) -> Response {
        guard !OwnPath.answersPrograms(request.uri.path) else { return Answer.notFound }
        return PageAnswer.page(
            ProblemView(reason: .notFound), in: Visit(nil, request: request, homing: homing).frame, status: .notFound)
    }
}
