// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HTTPTypes
import HomingCore
import HomingWire
import Hummingbird

/// A wrapped link that no app took: on to the page inside, which has to be ours or on an authorised domain.
struct AuthLinks: Sendable {
    let homing: Homing

    /// `/__/auth/links?link=` on any host, and `/?link=` on a link domain.
    func open(_ request: Request, on owner: Project?) -> Response {
        let query = QueryString(parsing: request.uri.query ?? "")
        let visit = Visit(query, request: request, homing: homing)
        guard let query, !query.repeats("link"), let link = query["link"], let url = try? WebURL(parsing: link) else {
            return PageAnswer.page(ProblemView(reason: .badRequest), in: visit.frame, status: .badRequest)
        }
        guard let project = owner ?? project(named: link), isAllowed(link, url, in: project) else {
            return PageAnswer.page(ProblemView(reason: .badRequest), in: visit.frame, status: .badRequest)
        }
        return PageAnswer.redirect(to: link)
    }

    /// On our own host the action link inside tells the project.
    private func project(named link: String) -> Project? {
        ActionLink(parsing: link).flatMap { homing.projects.project(apiKey: $0.apiKey) }
    }

    private func isAllowed(_ link: String, _ url: WebURL, in project: Project) -> Bool {
        let handler = MailedLink(project: project, publicURL: homing.publicURL).handler
        let isHandler = ["?", "&"].contains { link.utf8.starts(with: (handler + $0).utf8) }
        return isHandler || project.authorizedDomains.contains { $0.allows(url) }
    }
}
