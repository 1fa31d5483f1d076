// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingProjects
import HomingServer
import HomingStore
import HomingTexts
import HomingWire

/// What stands around every page of somebody who is signed in: above it the projects to choose from, one field that
/// finds everything, and the reader's own page; beside it the sections, in groups.
struct ConsoleNavigation {
    let person: Operator
    /// The project that is shown, or else the one that was shown last.
    let project: Project?
    /// Marked as the present one.
    let section: ConsoleSection?
    /// Nil on a page about nothing, such as one that is not there.
    let context: ConsoleContext?
    /// What was looked for, on the page that says what was found.
    let sought: String

    /// So many projects can be chosen; the others are on the page of projects.
    private static let mostProjects = 30

    var html: HTML { "\(header)\(navigation)" }

    // MARK: Above

    private var header: HTML {
        """
        <header>
        \(Self.home)\(switcher)\(search)
        <p class="person">\(mailbox)<a href="\(ConsolePath.myself)">\(ConsoleIcon.person.html)\
        <bdi>\(person.isOfServer ? "This server" : person.address)</bdi></a> <span class="role">\(person.role.rawValue)</span></p>
        <button type="button" class="menu quiet" popovertarget="sections">\(ConsoleIcon.menu.html)Menu</button>
        </header>
        """
    }

    /// The mark of the product, which leads to the projects.
    static let home: HTML = """
        <a class="home" href="/console/"><span class="mark" aria-hidden="true">H</span> Homing console</a>
        """

    /// The section is kept where the other project has it, too.
    private var switcher: HTML {
        guard let context else { return "" }
        let projects = context.homing.projects.all().filter { person.sees($0.projectID) }
        guard !projects.isEmpty else { return "" }
        let target = section.flatMap { $0.group == .server ? nil : $0 } ?? .overview
        let items = projects.prefix(Self.mostProjects).map { other -> HTML in
            let isPresent = other.projectID == project?.projectID
            return """
                <li><a href="\(target.path(in: other))"\(isPresent ? " aria-current=\"true\"" as HTML : "")><bdi>\(other.name)</bdi> \
                <code>\(other.projectID.text)</code></a></li>
                """
        }
        let rest: HTML =
            projects.count > Self.mostProjects
            ? "<li><a href=\"/console/\">All projects</a></li>" : ""
        let name: HTML = project.map { "<bdi>\($0.shownName)</bdi>" } ?? "Choose a project"
        return """
            <details class="switcher"><summary><span class="away">Project: </span>\(name)\(ConsoleIcon.choose.html)</summary>\
            <ul>\(HTML(joining: items))\(rest)</ul></details>
            """
    }

    private var search: HTML {
        guard context != nil else { return "" }
        let place: HTML =
            project.map { "<input type=\"hidden\" name=\"project\" value=\"\($0.scope.text)\">" } ?? ""
        return """
            <form class="find" role="search" method="get" action="\(SearchPage.path)">\(place)\(ConsoleIcon.search.html)\
            <label class="away" for="find">Search the console</label>\
            <input type="search" id="find" name="q" value="\(sought)" placeholder="Address, id, link or project" \
            autocomplete="off" spellcheck="false"></form>
            """
    }

    /// Where this server keeps all emails, to whoever may read them.
    private var mailbox: HTML {
        guard let context, context.opensMailbox else { return "" }
        return "<a class=\"mailbox\" href=\"\(AdminPage.mailbox.path)\">Mailbox</a> "
    }

    // MARK: Beside

    private var navigation: HTML {
        let groups = ConsoleSection.Group.allCases.map { group -> HTML in
            let sections = ConsoleSection.allCases.filter { $0.group == group && isShown($0) }
            guard !sections.isEmpty else { return "" }
            let id = "group-\(group.rawValue.lowercased())"
            return """
                <p class="group" id="\(id)">\(group.rawValue)</p>
                <ul aria-labelledby="\(id)">\(HTML(joining: sections.map(item)))</ul>
                """
        }
        let name: HTML =
            project.map {
                """
                <p class="of"><bdi>\($0.shownName)</bdi> <code>\($0.scope.text)</code></p>
                """
            } ?? ""
        // On a phone it is closed until somebody asks for it, without a script; elsewhere it always stands there.
        return """
            <nav id="sections" aria-label="Console" popover>\
            <button type="button" class="menu quiet" popovertarget="sections" popovertargetaction="hide">Close</button>\(name)
            \(HTML(joining: groups))
            </nav>
            """
    }

    private func isShown(_ section: ConsoleSection) -> Bool {
        switch section {
        case .projects: true
        case .operators, .audit: person.role >= .owner
        default: project.map { $0.tenant == nil || section.isOfTenants } ?? false
        }
    }

    private func item(_ section: ConsoleSection) -> HTML {
        let mark: HTML = section == self.section ? " aria-current=\"page\"" : ""
        let count = context.map { DoctorFindings.count(in: section, $0) } ?? 0
        let found: HTML =
            count == 0
            ? "" : "<span class=\"found\">\(count)<span class=\"away\"> to fix in \(section.rawValue)</span></span>"
        return
            "<li><a href=\"\(section.path(in: project))\"\(mark)>\(section.icon.html)\(section.rawValue)</a>\(found)</li>"
    }
}
