// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HTTPTypes
import HomingCore
import HomingLinkRules
import HomingPages
import HomingProjects
import HomingShortLinks
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
        guard let link = homing.links.kept(part, query: request.uri.query, at: site), link.life == nil,
            !link.mayLeadToLink, !Self.mayCarryCode(link)
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
        let sight = LinkSight(request)
        let plan = link.resolution().plan(for: sight.visitor)
        guard case .redirect(let url, _) = plan, isAllowed() else { return nil }
        count(link, sight, plan, isClick: !link.wasAsked)
        return PageAnswer.redirect(to: url).head
    }

    /// Answers a long link or a short one.
    func open(
        _ request: Request, _ call: CallContext, _ part: LinkPath, at site: LinkSite
    ) async throws -> Response {
        let found: IncomingLink?
        do {
            found = try await homing.links.open(part, query: request.uri.query, at: site)
        } catch let fault as DynamicLinkFault {
            return invalid("\(fault)", request, site.project)
        }
        guard var link = found else { return missed(request, part, at: site) }
        let (stopped, isClick) = try await admit(link, request, isAfterClick: link.wasAsked)
        if let stopped { return stopped }
        do {
            link = try await DynamicLinks.checked(
                link, acceptLanguage: request.headers.first(.acceptLanguage), in: homing)
        } catch let refusal as Refusal where refusal.databaseReason == nil {
            return refused(refusal, request, site.project)
        }
        if Self.mayCarryCode(link), request.isByPerson { await countOpened(link, request) }
        return follow(link, request, call, isClick: isClick)
    }

    /// Whether it may be the link of a mail, in the form of Dynamic Links.
    private static func mayCarryCode(_ link: IncomingLink) -> Bool {
        link.suffix == nil && ASCII.contains(link.parameters.link, "oobCode=")
    }

    /// Counts the link of a mail as opened where its reader goes past our page, which would have counted it.
    private func countOpened(_ link: IncomingLink, _ request: Request) async {
        guard link.resolution().plan(for: Visitor(userAgent: request.headers.first(.userAgent))).passesWeb,
            let action = ActionLink(parsing: link.parameters.link),
            let place = action.tenantID.map({ homing.projects.tenant(TenantID($0), of: link.project) }) ?? link.project,
            // A statistic holds up no link.
            let code = try? await homing.actionCodes.remember(action.code, in: place)
        else { return }
        homing.outbox.mailCounts.opened(code, in: place)
    }

    /// - Parameter isClick: whether it counts as a click although it came from our own page.
    private func follow(
        _ link: IncomingLink, _ request: Request, _ call: CallContext, isClick: Bool = false
    ) -> Response {
        if link.isDebug { return explain(link, request, call) }
        do {
            // Checked once more, against the project as it is now.
            try DynamicLinks.check(link)
        } catch {
            return refused(error, request, link.project)
        }
        let sight = LinkSight(request)
        let plan = link.resolution(acceptLanguage: request.headers.first(.acceptLanguage)).plan(for: sight.visitor)
        count(link, sight, plan, isClick: isClick || !link.wasAsked)
        if link.site.hasPageHost, plan.wantsPageHost {
            // A URL that would not fit into the head of a request is shown here, where the quiet link works at least.
            let inner = percentEncoded(link.url)
            if inner.utf8.count <= WrappedLink.mostEncodedBytes {
                return PageAnswer.redirect(to: "\(homing.publicURL)\(Self.pagePath)?link=\(inner)")
            }
        }
        if case .redirect(let url, _) = plan {
            let redirect = PageAnswer.redirect(to: url)
            return link.dependsOnLanguage ? varied(redirect) : redirect
        }
        return answer(plan, request, link.project, at: link.url)
    }

    /// The answer to a link that is not opened now, nil for one that is; and whether what came after a click is one
    /// itself.
    private func admit(
        _ link: IncomingLink, _ request: Request, isAfterClick: Bool
    ) async throws -> (stopped: Response?, isClick: Bool) {
        guard link.life != nil else { return (nil, false) }
        // Only what is counted as a click is one that a link may end after.
        let isCounted = !link.isDebug && !LinkSight(request).visitorClass.isMachine
        let use: LinkUse =
            !isCounted || (try? DynamicLinks.check(link)) == nil ? .look : isAfterClick ? .afterClick : .click
        let stopped: Response?
        switch try await homing.links.admission(of: link, for: use) {
        case .open: stopped = nil
        case .openAsClick: return (nil, true)
        case .missing: stopped = unknown(request, link.project)
        case .ended(let next):
            stopped =
                next.map { PageAnswer.redirect(to: $0) }
                ?? show(LinkProblemView(reason: .ended), request, link.project, status: .gone)
        case .deleted: stopped = show(LinkProblemView(reason: .deleted), request, link.project, status: .gone)
        }
        return (stopped, false)
    }

    /// The page on its second host.
    func page(_ request: Request) async throws -> Response {
        guard let query = QueryString(parsing: request.uri.query ?? ""), !query.repeats("link"),
            let url = query["link"]
        else { return invalid("the parameter link is missing", request, nil) }
        let found: IncomingLink?
        do {
            found = try await DynamicLinks.open(url, homing)
        } catch let fault as DynamicLinkFault {
            return invalid("\(fault)", request, nil)
        }
        guard var link = found else { return unknown(request, nil) }
        let (stopped, isClick) = try await admit(link, request, isAfterClick: true)
        if let stopped { return stopped }
        do {
            link = try await DynamicLinks.checked(link, acceptLanguage: request.headers[.acceptLanguage], in: homing)
        } catch let refusal as Refusal where refusal.databaseReason == nil {
            return refused(refusal, request, link.project)
        }
        let sight = LinkSight(request)
        let plan = link.resolution(acceptLanguage: request.headers[.acceptLanguage]).plan(for: sight.visitor)
        if isClick { count(link, sight, plan, isClick: true) }
        return answer(plan, request, link.project, at: link.url)
    }

    private func count(_ link: IncomingLink, _ sight: LinkSight, _ plan: LinkPlan, isClick: Bool) {
        guard let suffix = link.suffix else { return }
        var events: LinkCounts.Set = isClick ? .click : []
        if case .redirect(_, let destination) = plan, destination.isRedirectEvent { events.insert(.redirect) }
        guard !events.isEmpty else { return }
        let origin = sight.origin(of: link)
        homing.links.counts.count(
            events, by: sight.visitorClass, from: origin, of: suffix, at: link.domain.text, project: link.project.scope)
        if events.contains(.click) {
            homing.links.events.clicked(
                suffix, on: link.domain, of: link.project, by: sight.visitorClass, from: origin)
        }
    }

    // MARK: Answers

    /// - Parameter url: the link itself.
    func answer(_ plan: LinkPlan, _ request: Request, _ project: Project, at url: String) -> Response {
        switch plan {
        case .redirect(let url, _):
            return PageAnswer.redirect(to: url)
        case .page(let page):
            return show(OpenAppView(page), request, project)
        case .appOnly:
            return appOnly(request, project, at: url)
        case .macOrIPad(let page, let desktop):
            return show(MacOrIPadView(page, desktop: desktop), request, project)
        case .preview(let preview):
            return varied(
                PageAnswer.html(
                    PreviewTagsView(preview).page(in: PageFrame(request, of: project)),
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
        let report = LinkReport(link.resolution(), warnings: warnings)
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

    /// - Parameter url: the link itself, for whoever takes it to another device.
    func appOnly(_ request: Request, _ project: Project, at url: String?) -> Response {
        show(OpenAppView(openHref: nil, copyHref: url), request, project)
    }

    /// The answer to a link domain itself and to what is no link there: where the project says, or a page. What programs
    /// look for under paths of the server's own is not found.
    func missed(_ request: Request, _ part: LinkPath, at site: LinkSite) -> Response {
        let miss: LinkMisses.Kind = part == .root ? .root : .ending
        homing.links.misses.count(miss)
        homing.links.counts.count(
            miss, by: LinkSight(request).visitorClass, at: site.domain.text, project: site.project.scope)
        let behind = request.uri.path.utf8.dropFirst(site.domain.prefix.utf8.count + 1)
        let segment = Substring(behind.prefix { $0 != UInt8(ascii: "/") })
        guard let home = site.home, !OwnPath.reserves(segment) else { return unknown(request, site.project) }
        return PageAnswer.redirect(to: home)
    }

    func unknown(_ request: Request, _ project: Project?) -> Response {
        show(LinkProblemView(reason: .notFound), request, project, status: .notFound)
    }

    private func show(
        _ view: some PageView, _ request: Request, _ project: Project?, status: HTTPResponse.Status = .ok
    ) -> Response {
        varied(PageAnswer.page(view, in: PageFrame(request, of: project), status: status))
    }

    private func varied(_ response: Response) -> Response {
        var response = response
        response.headers[.vary] = "User-Agent, Accept-Language"
        return response
    }
}

extension LinkPlan {
    /// Whether the plan is a page for a person that belongs on another host than the link's.
    fileprivate var wantsPageHost: Bool {
        switch self {
        case .page(let page), .macOrIPad(let page, _): !page.staysOnLinkHost
        case .redirect, .preview, .appOnly: false
        }
    }

    /// Whether the person goes to the app or a store and sees no page of ours behind the link, nor of the web.
    fileprivate var passesWeb: Bool {
        switch self {
        case .redirect(_, let destination): destination == .app || destination == .store
        case .page(let page): page.place == .androidAppWindow
        case .macOrIPad, .preview, .appOnly: false
        }
    }
}
