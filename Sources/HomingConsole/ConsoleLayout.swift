// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HTTPTypes
import HomingCore
import HomingPages
import HomingProjects
import HomingServer
import HomingStore
import HomingTexts
import HomingWire
import Hummingbird

extension Project {
    /// The name that tells a tenant from its project.
    var shownName: String {
        guard let tenant else { return name }
        return tenant.displayName.isEmpty ? tenant.id.text : tenant.displayName
    }
}

/// One page of the console: a heading and what stands below it.
struct ConsolePage {
    let title: String
    /// Marked in the navigation.
    let section: ConsoleSection?
    /// The page above this one, such as the list that it is an entry of.
    let back: (title: String, path: String)?
    /// One sentence below the heading: what the page is for.
    let lead: HTML?
    /// What people come to do, at the right of the heading.
    let actions: HTML?
    let body: HTML
    /// What went wrong, above the body.
    let problem: HTML?
    let status: HTTPResponse.Status

    /// A page of a section, by the section's name.
    init(
        _ section: ConsoleSection, lead: HTML? = nil, actions: HTML? = nil, _ body: HTML,
        of form: (any ConsoleFormOutcome)? = nil, problem: HTML? = nil, status: HTTPResponse.Status = .ok
    ) {
        self.init(
            section.rawValue, in: section, lead: lead, actions: actions, body, of: form, problem: problem,
            status: status)
    }

    /// A page below a section, or one of none.
    ///
    /// - Parameters:
    ///   - form: the one that was sent: its page says on top what is wrong with it, and has its status.
    ///   - problem: what went wrong where there is no form.
    init(
        _ title: String, in section: ConsoleSection? = nil, back: (title: String, path: String)? = nil,
        lead: HTML? = nil, actions: HTML? = nil, _ body: HTML, of form: (any ConsoleFormOutcome)? = nil,
        problem: HTML? = nil, status: HTTPResponse.Status = .ok
    ) {
        self.title = title
        self.section = section
        self.back = back
        self.lead = lead
        self.actions = actions
        self.body = body
        self.problem = form?.summary ?? problem.map { "<div class=\"problem\" role=\"alert\"><p>\($0)</p></div>" }
        self.status = form?.status ?? status
    }

    func answer(in context: ConsoleContext) -> Response {
        var response = answer(html(in: context))
        if let project = context.ofProject, project.scope != context.lastProject?.scope {
            response.headers.append(RememberedProject(context.homing).setting(project))
        }
        return response
    }

    /// The page for somebody who is told of no project, nor of what a form has done.
    func answer(to person: Operator) -> Response {
        answer(html(ConsoleNavigation(person: person, project: nil, section: section, context: nil, sought: "")))
    }

    private func answer(_ document: HTML) -> Response {
        PageAnswer.html(document, status: status, policy: ConsoleLayout.contentSecurityPolicy)
    }

    /// The whole document.
    func html(in context: ConsoleContext) -> HTML {
        html(
            ConsoleNavigation(
                person: context.person, project: context.ofProject ?? context.lastProject, section: section,
                context: context, sought: context.path == SearchPage.path ? context.query?["q"] ?? "" : ""),
            of: context.ofProject, done: context.query?["part"] == nil ? context.done : nil,
            banner: context.ofProject == nil ? "" : MailStateLines.banner(context))
    }

    private func html(
        _ navigation: ConsoleNavigation, of project: Project? = nil, done: ConsoleDone? = nil, banner: HTML = ""
    ) -> HTML {
        let body: HTML = """
            \(banner)\(PageHeader(title: title, back: back, lead: lead, actions: actions).html)
            \(done?.html ?? "")\(problem ?? "")
            \(body)
            """
        let heading = problem == nil ? title : "Error: \(title)"
        return ConsoleLayout.document(
            title: project.map { "\(heading) – \($0.shownName)" } ?? heading, navigation: navigation.html, body: body)
    }
}

/// The document around every page of the console: one style sheet, one script that adds comfort only.
enum ConsoleLayout {
    static let contentSecurityPolicy = [
        "default-src 'none'", "style-src \(style.hash)", "script-src \(script.hash)", "img-src 'self' data:",
        "frame-src 'self'", "connect-src 'self'", "form-action 'self'", "base-uri 'none'", "frame-ancestors 'none'",
    ].joined(separator: "; ")

    static func document(title: String, navigation: HTML, body: HTML, isSignedOut: Bool = false) -> HTML {
        """
        <!DOCTYPE html>
        <html lang="en" dir="ltr">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="robots" content="noindex">
        <meta name="color-scheme" content="light dark">
        <title>\(title) – Homing console</title>
        <style>\(style.markup)</style>
        </head>
        <body\(isSignedOut ? " class=\"signed-out\"" as HTML : "")>
        <a class="skip" href="#content">Skip to the content</a>
        \(navigation)
        <main id="content">
        \(body)
        </main>
        <script>\(script.markup)</script>
        </body>
        </html>

        """
    }
}
