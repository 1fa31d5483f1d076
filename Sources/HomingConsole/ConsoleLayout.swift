// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HTTPTypes
import HomingCore
import HomingPages
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
    let body: HTML
    /// What went wrong, where it is about no single field.
    let problem: HTML?
    let status: HTTPResponse.Status

    /// A page of a section, by the section's name.
    init(_ section: ConsoleSection, _ body: HTML, problem: HTML? = nil, status: HTTPResponse.Status = .ok) {
        self.init(section.rawValue, in: section, body, problem: problem, status: status)
    }

    /// A page below a section, or one of none.
    init(
        _ title: String, in section: ConsoleSection? = nil, _ body: HTML, problem: HTML? = nil,
        status: HTTPResponse.Status = .ok
    ) {
        self.title = title
        self.section = section
        self.body = body
        self.problem = problem
        self.status = status
    }

    func answer(in context: ConsoleContext) -> Response { answer(html(in: context)) }

    /// The page for somebody who is told of no project, nor of what a form has done.
    func answer(to person: Operator) -> Response { answer(html(person)) }

    private func answer(_ document: HTML) -> Response {
        PageAnswer.html(document, status: status, policy: ConsoleLayout.contentSecurityPolicy)
    }

    /// The whole document.
    func html(in context: ConsoleContext) -> HTML {
        html(
            context.person, context.ofProject, done: context.query?["saved"].flatMap(ConsoleDone.init),
            banner: context.ofProject == nil ? "" : MailStateLines.banner(context))
    }

    private func html(
        _ person: Operator, _ project: Project? = nil, done: ConsoleDone? = nil, banner: HTML = ""
    ) -> HTML {
        let body: HTML = """
            \(banner)<h1>\(title)</h1>
            \(done.map { "<p class=\"saved\" role=\"status\">\($0.sentence)</p>" as HTML } ?? "")\
            \(problem.map { "<p class=\"problem\" role=\"alert\">\($0)</p>" as HTML } ?? "")
            \(body)
            """
        return ConsoleLayout.document(
            title: project.map { "\(title) – \($0.shownName)" } ?? title,
            navigation: ConsoleLayout.navigation(person, project: project, section), body: body)
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

    /// The sections of the project that is shown, those of the whole server, and who is signed in.
    static func navigation(_ person: Operator, project: Project?, _ present: ConsoleSection?) -> HTML {
        func items(_ sections: [ConsoleSection]) -> HTML {
            let links = sections.map { section -> HTML in
                let mark: HTML = section == present ? " aria-current=\"page\"" : ""
                return "<li><a href=\"\(section.path(in: project))\"\(mark)>\(section.rawValue)</a></li>"
            }
            return "<ul>\(links)</ul>"
        }
        let server = ConsoleSection.ofServer.filter { $0 == .projects || person.role >= .owner }
        let ofProject: HTML =
            project.map { project in
                """
                <p class="of"><bdi>\(project.shownName)</bdi> <code>\(project.scope.text)</code></p>
                \(items(project.tenant == nil ? ConsoleSection.ofProject : ConsoleSection.ofTenant))
                """
            } ?? ""
        return """
            <header>
            <a class="home" href="/console/"><span class="mark" aria-hidden="true">H</span> Homing console</a>
            <p class="person"><a href="/console/me"><bdi>\(person.isOfServer ? "This server" : person.address)</bdi></a> \
            <span class="role">\(person.role.rawValue)</span></p>
            </header>
            <nav aria-label="Console">\(ofProject)
            \(items(server))
            </nav>
            """
    }
}
