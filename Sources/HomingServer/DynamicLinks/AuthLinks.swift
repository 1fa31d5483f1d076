// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HTTPTypes
import HomingCore
import HomingLinkRules
import HomingProjects
import HomingShortLinks
import HomingStore
import HomingWire
import Hummingbird

/// `/__/auth/links?link=`: a wrapped link that no app took. It leads to the store where the sender wanted the app
/// installed, else to the page inside, which has to be ours or on an authorised domain.
struct AuthLinks: Sendable {
    static let path = "/__/auth/links"

    let homing: Homing
    let links: LinkResponder

    /// - Parameter owner: the link domain on which the link was opened; nil on our own host, where the link inside
    ///   names the project.
    func open(_ request: Request, at owner: LinkSite?) async throws -> Response {
        guard let query = QueryString(parsing: request.uri.query ?? ""), !query.repeats("link"),
            let link = query["link"]
        else { return links.incomplete(request, owner?.project) }
        let action = ActionLink(parsing: link)
        guard let project = owner?.project ?? action.flatMap({ homing.projects.project(linkKey: $0.apiKey) }) else {
            return action == nil
                ? links.incomplete(request, nil) : links.invalid("the link names no project", request, nil)
        }
        let parameters = DynamicLinkParameters(link: link)
        let rules = homing.projects.linkRules(of: project)
        do {
            try await homing.links.check(parameters, by: rules, of: project)
        } catch let refusal as Refusal where refusal.databaseReason == nil {
            return links.invalid(WireError(refusal).message, request, project)
        }
        guard !rules.isForAppsOnly(link) else { return links.appOnly(request, project, at: nil) }
        let visitor = Visitor(userAgent: request.headers.first(.userAgent))
        if case .android = visitor, let owner, let action,
            let place = action.tenantID.map({ homing.projects.tenant(TenantID($0), of: project) }) ?? project,
            let code = try await homing.actionCodes.remember(action.code, in: place), code.settings.installsAndroidApp
        {
            // The page inside would have counted it.
            if request.isByPerson { homing.outbox.mailCounts.opened(code, in: place) }
            return store(link, code.settings, visitor, request, owner)
        }
        return PageAnswer.redirect(to: link)
    }

    /// The store, as in a dynamic link with the same apps; without a registered app, the page inside.
    private func store(
        _ link: String, _ settings: ActionCodeSettings, _ visitor: Visitor, _ request: Request, _ owner: LinkSite
    ) -> Response {
        var parameters = DynamicLinkParameters(link: link)
        parameters.android.packageName = settings.androidPackageName
        parameters.android.minimumVersion = settings.androidMinimumVersion
        let wrapped = WrappedLink.authLink(link, base: owner.domain.baseURL)
        let plan = LinkResolution(parameters, at: wrapped, rules: owner.rules, hasPageHost: false).plan(for: visitor)
        switch plan {
        case .redirect, .page: return links.answer(plan, request, owner.project, at: wrapped)
        case .preview, .appOnly, .macOrIPad: return PageAnswer.redirect(to: link)
        }
    }
}
