// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HTTPTypes
import HomingCore
import HomingPages
import HomingWire
import Hummingbird

/// What the public listener answers to people, to their phones, and to whoever watches the server.
extension Endpoint {
    private static func page(
        _ name: String, _ path: String,
        _ run: @escaping @Sendable (Request, CallContext, PublicParts) async throws -> Response
    ) -> Endpoint {
        Endpoint(undescribed: name, .get, [path], .anybody(run))
    }

    /// A form of a page of ours; one of another site is refused before it is read.
    private static func form(
        _ name: String, _ path: String,
        _ run: @escaping @Sendable (Request, CallContext, PublicParts, QueryString) async throws -> Response
    ) -> Endpoint {
        Endpoint(
            undescribed: name, .post, [path],
            .anybody { request, call, parts in
                guard Routes.comesFromOurPage(request, parts.homing) else {
                    return Routes.ofAnotherSite(request, parts.homing)
                }
                return try await run(request, call, parts, try await Routes.formFields(of: request))
            })
    }

    static let publicPages = WebModule.endpoints + pages

    private static let pages: [Endpoint] = [
        page("actionPage", ActionPage.path) { request, _, parts in try await parts.actionPage.show(request) },
        form("actionPage", ActionPage.path) { request, call, parts, form in
            try await parts.actionPage.act(request, form: form, call: call)
        },
        page("waitPage", WaitPage.path) { request, call, parts in try await parts.waitPage.show(request, call) },
        form("waitPage", WaitPage.path) { request, call, parts, form in
            try await parts.waitPage.act(request, form: form, call: call)
        },
        page("resetPage", MailedLink.resetRequestPath) { request, _, parts in parts.resetPage.show(request) },
        form("resetPage", MailedLink.resetRequestPath) { request, call, parts, form in
            try await parts.resetPage.act(request, form: form, call: call)
        },
        form("returnReport", ReturnReport.path) { _, _, parts, form in parts.returnReport.take(form) },
        page("authLinks", AuthLinks.path) { request, _, parts in
            try await parts.authLinks.open(request, at: Routes.site(of: request, parts.homing))
        },
        Endpoint(
            undescribed: "mailEvents", .post, [MailEventInbox.path],
            .anybody { request, call, parts in try await parts.mailEvents.take(request, call) }),
        // No path for people: it does not tell that it is one for others.
        page("mailEvents", MailEventInbox.path) { request, call, parts in
            try await Routes.elsewhere(request, call, parts)
        },
        page("linkPage", LinkResponder.pagePath) { request, _, parts in try await parts.links.page(request) },
        Endpoint(
            "associationFile", .get, AssociationAnswer.applePaths,
            "Tells which apps open the links of this host (Apple's file).", reply: .json(.open),
            .anybody { request, _, parts in AssociationAnswer.answer(request, parts.homing, \.apple) }),
        Endpoint(
            "associationFile", .get, [AssociationAnswer.androidPath],
            "Tells which apps open the links of this host (Android's file).", reply: .list,
            .anybody { request, _, parts in AssociationAnswer.answer(request, parts.homing, \.android) }),
        page("resetPage", WellKnown.changePassword) { request, _, parts in
            WellKnown.passwordPage(request, parts.homing) ?? Routes.notFound(request, parts.homing)
        },
        page("securityText", WellKnown.securityText) { request, _, parts in
            WellKnown.securityContact(parts.homing) ?? Routes.notFound(request, parts.homing)
        },
        page("robots", Robots.path) { request, _, parts in
            Robots.answer(request, parts.homing) ?? Routes.notFound(request, parts.homing)
        },
        page("favicon", Favicon.path) { request, _, parts in
            Favicon.answer(isCacheable: Routes.site(of: request, parts.homing) == nil)
        },
        page("logo", "\(PageBrand.logoPath)/{logo}") { request, call, parts in
            LogoAnswer.answer(request, project: call.parameters.get("logo"), parts.homing)
                ?? Routes.notFound(request, parts.homing)
        },
        page("root", "/") { request, _, parts in Routes.root(request, parts.homing) },
        page("certificateChallenge", ChallengeAnswer.route) { request, call, parts in
            try await ChallengeAnswer.answer(call.parameters.get("token"), parts.certificates)
                ?? Routes.notFound(request, parts.homing)
        },
        // What answers them finds the link by its host.
        Endpoint(undescribed: "link", .get, [LinkResponder.route], .elsewhere),
        Endpoint(undescribed: "redirect", .get, [RedirectGate.route], .elsewhere),
        Endpoint(
            "health", .get, ["/healthz"], "Says that the server runs.", reply: .text,
            .anybody { _, _, _ in Answer.text("ok\n") }),
        Endpoint(
            "health", .get, ["/readyz"], "Says whether the server can work.", reply: .text,
            .anybody { _, _, parts in
                let readiness = await parts.homing.tellReadiness()
                return Answer.text("\(readiness)\n", status: readiness == .ready ? .ok : .serviceUnavailable)
            }),
    ]
}
