// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HTTPTypes
import HomingCore
import HomingLinkRules
import HomingPages
import HomingStore
import HomingTexts
import HomingWire
import Hummingbird

/// Answers a click on a link domain: with the app, a store or the web, or with a page that says why not. GET and HEAD
/// change nothing; a GET is counted.
struct LinkResponder: Sendable {
    /// The name of links among the routes: they are opened before the list of routes is searched.
    static let route = "link"
    /// The path of the page for iPhones when the public URL is on another host than the link. Association files exclude
    /// `/_/`, so that the page itself never opens an app.
    static let pagePath = "/_/open"

    let homing: Homing
    /// Limits the pages that explain a link, which cost much and are only for authors.
    let explanations: RateLimit<IPAddress?>

    /// Answers a long link or a short one in memory without waiting; nil for any other link.
    func openKept(
        _ request: Request, _ call: CallContext, _ part: LinkPath, at site: LinkSite
    ) -> Response? {
        kept(request, part, at: site).map { follow($0, request, call) }
    }

    private func kept(_ request: Request, _ part: LinkPath, at site: LinkSite) -> IncomingLink? {
        guard let link = homing.links.kept(part, query: request.uri.query, at: site), !link.isForAppsOnly,
            !Self.mayCarryCode(link)
        else { return nil }
        return link
    }

    /// The redirect of a link in memory; nil where the answer is another one.
    ///
    /// - Parameter isAllowed: whether the caller may ask.
    func redirectKept(
        _ request: Request, _ part: LinkPath, at site: LinkSite, ifAllowed isAllowed: () -> Bool
    ) -> HTTPResponse? {
        guard let link = kept(request, part, at: site), !link.isDebug, (try? link.check()) != nil else { return nil }
        let visitor = Visitor(userAgent: request.headers.first(.userAgent))
        let plan = link.resolution.plan(for: visitor)
        guard case .redirect(let url, _) = plan, isAllowed() else { return nil }
        if request.method == .get { count(link, visitor, plan) }
        return PageAnswer.redirect(to: url).head
    }

    /// Answers a long link or a short one.
    func open(
        _ request: Request, _ call: CallContext, _ part: LinkPath, at site: LinkSite
    ) async throws -> Response {
        let link: IncomingLink?
        do {
            link = try await homing.links.open(part, query: request.uri.query, at: site)
        } catch let fault as DynamicLinkFault {
            return invalid("\(fault)", request, site.project)
        }
        guard let link else { return unknown(request, site.project) }
        do {
            try await DynamicLinks.check(link, in: homing)
        } catch let refusal as Refusal where refusal.databaseReason == nil {
            return refused(refusal, request, site.project)
        }
        if Self.mayCarryCode(link), request.isByPerson { await countOpened(link, request) }
        return follow(link, request, call)
    }

    /// Whether it may be the link of a mail, in the form of Dynamic Links.
    private static func mayCarryCode(_ link: IncomingLink) -> Bool {
        link.suffix == nil && ASCII.contains(link.parameters.link, "oobCode=")
    }

    /// Counts the link of a mail as opened where its reader goes past our page, which would have counted it.
    private func countOpened(_ link: IncomingLink, _ request: Request) async {
        guard
            case .redirect(_, let destination) = link.resolution.plan(
                for: Visitor(userAgent: request.headers.first(.userAgent))),
            destination == .app || destination == .store, let action = ActionLink(parsing: link.parameters.link),
            let place = action.tenantID.map({ homing.projects.tenant(TenantID($0), of: link.project) }) ?? link.project,
            // A statistic holds up no link.
            let code = try? await homing.actionCodes.remember(action.code, in: place)
        else { return }
        homing.outbox.mailCounts.opened(code, in: place)
    }

    private func follow(_ link: IncomingLink, _ request: Request, _ call: CallContext) -> Response {
        if link.isDebug { return explain(link, request, call) }
        do {
            // Checked once more, against the project as it is now.
            try DynamicLinks.check(link)
        } catch {
            return refused(error, request, link.project)
        }
        let visitor = Visitor(userAgent: request.headers.first(.userAgent))
        let plan = link.resolution.plan(for: visitor)
        if request.method == .get { count(link, visitor, plan) }
        if link.site.hasPageHost, plan.isPage {
            // A URL that would not fit into the head of a request is shown here, where the quiet link works at least.
            let inner = percentEncoded(link.url)
            if inner.utf8.count <= WrappedLink.mostEncodedBytes {
                return PageAnswer.redirect(to: "\(homing.publicURL)\(Self.pagePath)?link=\(inner)")
            }
        }
        if case .redirect(let url, _) = plan { return PageAnswer.redirect(to: url) }
        return answer(plan, request, link.project)
    }

    /// The page on its second host.
    func page(_ request: Request) async throws -> Response {
        guard let query = QueryString(parsing: request.uri.query ?? ""), !query.repeats("link"),
            let url = query["link"]
        else { return invalid("the parameter link is missing", request, nil) }
        let link: IncomingLink?
        do {
            link = try await DynamicLinks.open(url, homing)
        } catch let fault as DynamicLinkFault {
            return invalid("\(fault)", request, nil)
        }
        guard let link else { return unknown(request, nil) }
        do {
            try await DynamicLinks.check(link, in: homing)
        } catch let refusal as Refusal where refusal.databaseReason == nil {
            return refused(refusal, request, link.project)
        }
        return answer(
            link.resolution.plan(for: Visitor(userAgent: request.headers.first(.userAgent))), request, link.project)
    }

    private func count(_ link: IncomingLink, _ visitor: Visitor, _ plan: LinkPlan) {
        guard let suffix = link.suffix, visitor.isPerson else { return }
        var events: LinkCounts.Set = link.wasAsked ? [] : .click
        if case .redirect(_, let destination) = plan, destination.isRedirectEvent { events.insert(.redirect) }
        homing.links.counts.count(
            events, on: visitor.platform, of: suffix, at: link.domain.text, project: link.project.scope)
    }

    // MARK: Answers

    private func answer(_ plan: LinkPlan, _ request: Request, _ project: Project) -> Response {
        switch plan {
        case .redirect(let url, _):
            return PageAnswer.redirect(to: url)
        case .page(let page):
            return show(OpenAppView(page), request, project)
        case .appOnly:
            return appOnly(request, project)
        case .macOrIPad(let page, let desktop):
            return show(MacOrIPadView(page, desktop: desktop), request, project)
        case .preview(let preview):
            return varied(
                PageAnswer.html(
                    PreviewTagsView(preview).page(in: frame(request, project)),
                    policy: PreviewTagsView.contentSecurityPolicy))
        }
    }

    private func explain(_ link: IncomingLink, _ request: Request, _ call: CallContext) -> Response {
        guard explanations.allows(call.network, at: homing.system.now()) else {
            var response = show(
                LinkProblemView(reason: .invalid, detail: "too many explanations from here; wait a second"), request,
                link.project, status: .tooManyRequests)
            response.headers[.retryAfter] = "1"
            return response
        }
        do {
            try DynamicLinks.check(link)
        } catch {
            return refused(error, request, link.project)
        }
        let warnings = link.site.rules.warnings(link.parameters, finding: link.findings)
        let report = LinkReport(link.resolution, warnings: warnings)
        return show(LinkReportView(report, link: SecretMask.masked(link.url)), request, link.project)
    }

    private func refused(_ refusal: Refusal, _ request: Request, _ project: Project) -> Response {
        invalid(WireError(refusal).message, request, project)
    }

    func invalid(_ reason: String, _ request: Request, _ project: Project?) -> Response {
        show(LinkProblemView(reason: .invalid, detail: reason), request, project, status: .badRequest)
    }

    /// The answer to a link from a mail of which a part is missing.
    func incomplete(_ request: Request, _ project: Project?) -> Response {
        show(DeadLinkView(reason: .malformed), request, project, status: .badRequest)
    }

    func appOnly(_ request: Request, _ project: Project) -> Response {
        show(OpenAppView(openHref: nil), request, project)
    }

    func unknown(_ request: Request, _ project: Project?) -> Response {
        show(LinkProblemView(reason: .notFound), request, project, status: .notFound)
    }

    private func show(
        _ view: some PageView, _ request: Request, _ project: Project?, status: HTTPResponse.Status = .ok
    ) -> Response {
        varied(PageAnswer.page(view, in: frame(request, project), status: status))
    }

    private func frame(_ request: Request, _ project: Project?) -> PageFrame {
        let language =
            request.headers[.acceptLanguage].flatMap { Language.best(acceptLanguage: $0) }
            ?? project.flatMap { Language(tag: $0.settings.language) } ?? .english
        return PageFrame(appName: project?.name, language: language, brand: PageBrand(project))
    }

    private func varied(_ response: Response) -> Response {
        var response = response
        response.headers[.vary] = "User-Agent, Accept-Language"
        return response
    }
}

extension LinkPlan {
    /// Whether the plan is a page for a person.
    fileprivate var isPage: Bool {
        switch self {
        case .page, .macOrIPad: true
        case .redirect, .preview, .appOnly: false
        }
    }
}
