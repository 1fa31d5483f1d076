// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingLinkRules
import HomingProjects
import HomingShortLinks
import HomingStore
import HomingTexts
import HomingWire
import Hummingbird

/// `…/links`: a field that makes a link of a pasted target, and the links of a project, found by anything that people
/// know of them.
enum LinksPage {
    private static let pageLength = 30

    enum Action: String, ConsoleAction {
        case make
    }

    static func show(_ context: ConsoleContext) async throws -> Response {
        try await page(context, LinkForm.short(in: try context.project))
    }

    static func change(_ action: Action, _ sent: SentForm) async throws -> Response {
        var form = LinkForm.short(in: try sent.context.project)
        _ = try form.take(sent)
        guard let made = try await LinkForm.make(&form, sent) else { return try await page(sent.context, form) }
        return made
    }

    private static func page(_ context: ConsoleContext, _ form: ConsoleForm<LinkDraft>) async throws -> Response {
        let project = try context.project
        guard !project.linkDomains.isEmpty else {
            return ConsolePage(.links, lead: lead, "<section>\(LinkForm.needsDomain(context))</section>").answer(
                in: context)
        }
        let search = try Search(context)
        let found = try await search.found(context.homing.links, in: project)
        let rows = found.links.map { row($0, context) }
        let list: HTML =
            rows.isEmpty
            ? search.nothing
            : ConsoleTable("Links", ["Link", "Destination", "Clicks", "Status", "Created", "Actions"], rows).html
        let more: HTML =
            found.next.map { "<p><a class=\"button quiet\" href=\"\($0)\">More links</a></p>" } ?? ""
        return ConsolePage(
            .links, lead: lead, actions: actions(context),
            """
            \(context.mayEdit ? making(form, context) : "")
            <section>\(search.html)\(rows.isEmpty ? "" : search.orders)\(list)\(more)</section>
            \(rows.isEmpty ? "" : "<p class=\"hint\">Clicks are those of people, since the link was made.</p>" as HTML)
            \(DoctorFindings.section(context, .links))
            """, of: form
        ).answer(in: context)
    }

    private static let lead: HTML = "Short links that open the app, the store or a page, and count who came."

    private static func actions(_ context: ConsoleContext) -> HTML {
        let path = context.path(of: .links)
        let new: HTML =
            context.mayEdit ? "<a class=\"button\" href=\"\(path)/new\">\(ConsoleIcon.plus.html)New link</a>" : ""
        return """
            <a class="button quiet" href="\(path)/clicks">\(ConsoleIcon.chart.html)Clicks</a>\
            <a class="button quiet" href="\(path)/webhook">\(ConsoleIcon.webhook.html)Webhook</a>\(new)
            """
    }

    private static func making(_ form: ConsoleForm<LinkDraft>, _ context: ConsoleContext) -> HTML {
        """
        <section>\(context.form(
            hidden: [Action.make.hidden], form.html, buttons: "<button type=\"submit\">Make the link</button>",
            attributes: " class=\"row\""))</section>
        """
    }

    // MARK: The list

    private static func row(_ listed: ListedLink, _ context: ConsoleContext) -> [HTML] {
        let link = listed.link
        let path = "\(context.path(of: .links))/\(percentEncoded(link.domain))/\(link.suffix)"
        let name: HTML = link.name.map { "<div class=\"soft\"><bdi>\($0)</bdi></div>" } ?? ""
        let tags = link.details.tags.map { tag -> HTML in
            "<a class=\"tag plain\" href=\"\(context.path(of: .links))?tag=\(percentEncoded(tag))\"><bdi>\(tag)</bdi></a> "
        }
        let edit: HTML =
            context.mayEdit && listed.state != .deleted
            ? "<a href=\"\(path)/edit\" aria-label=\"Edit \(listed.url)\">Edit</a>" : ""
        return [
            """
            <a href="\(path)">\(listed.url)</a> \(CopyButton(listed.url, listed.url).html)\(name)\
            \(tags.isEmpty ? "" : "<div>\(tags)</div>" as HTML)
            """,
            "<bdi>\(LinkPage.target(of: link))</bdi>", "\(ChartNumber.whole(listed.clicks))",
            LinkPage.tag(of: listed, at: context.homing.system.now()), ConsoleTime(link.createdAt).html,
            """
            <span class="actions"><a href="\(path)#qr" aria-label="QR code of \(listed.url)">QR</a>\(edit)</span>
            """,
        ]
    }

    // MARK: Finding

    /// What somebody looks for, as the page's query has it.
    private struct Search {
        let form: ConsoleForm<Wanted>
        private let wanted: Wanted
        private let path: String
        private let pageToken: String?

        struct Wanted {
            var text = ""
            var tag = ""
            var state = ""
            var domain = ""
            var order = ""
            var by = ""
            var archived = false
            var unnamed = false
        }

        init(_ context: ConsoleContext) throws {
            let project = try context.project
            let states = LinkState.allCases.map { ($0.rawValue, $0.rawValue.lowercased()) }
            var fields: [ConsoleField<Wanted>] = [
                ConsoleField(
                    "Find a link", "search", \.text,
                    hint: "The link as somebody pasted it, its ending, its destination, or words of its name.",
                    .line("search")),
                ConsoleField("Tag", "tag", \.tag),
                ConsoleField("Status", "state", \.state, .choice([("", "Any but archived and deleted")] + states)),
            ]
            if project.linkDomains.count > 1 {
                let domains = project.linkDomains.map { ($0.text, $0.text) }
                fields.append(ConsoleField("Link domain", "domain", \.domain, .choice([("", "All")] + domains)))
            }
            fields.append(ConsoleField("Include archived links", "archived", \.archived))
            fields.append(ConsoleField("Include links that apps made", "unnamed", \.unnamed))
            var form = ConsoleForm(Wanted(), scope: "find-", fields)
            try form.take(query: context.query)
            self.form = form
            var wanted = form.value
            wanted.order = context.query?["order"] ?? ""
            wanted.by = context.query?["by"] ?? ""
            self.wanted = wanted
            path = context.path(of: .links)
            pageToken = context.query?["pageToken"]
        }

        /// The links of this page, and the path of the next one.
        func found(_ links: Links, in project: Project) async throws -> (links: [ListedLink], next: String?) {
            let exact = try await exactly(links, in: project)
            var found: (links: [ListedLink], nextPageToken: String?) = ([], nil)
            var ways = wanted.by.isEmpty ? self.ways(in: project) : [wanted.by]
            while let way = ways.first {
                found = try await links.find(query(by: way, in: project), in: project)
                // A page without any may be followed by one with some.
                if !found.links.isEmpty || found.nextPageToken != nil { break }
                ways.removeFirst()
            }
            let others = found.links.filter { $0.link.suffix != exact?.link.suffix || $0.domain != exact?.domain }
            let next = found.nextPageToken.map { address(wanted.order, by: ways.first ?? "", pageToken: $0) }
            return ([exact].compactMap(\.self) + others, next)
        }

        /// The link that was pasted, whatever its state; on the first page.
        private func exactly(_ links: Links, in project: Project) async throws -> ListedLink? {
            guard !wanted.text.isEmpty, pageToken == nil,
                let (link, domain) = try await links.named(wanted.text, in: project)
            else { return nil }
            return try await links.listed(link, on: domain, of: project)
        }

        /// A text that looks like an address is where a link leads, or else a word of a name; a link domain's own is
        /// none of a target.
        private func ways(in project: Project) -> [String] {
            let text = wanted.text
            guard !text.isEmpty, !text.utf8.contains(UInt8(ascii: " ")),
                text.utf8.contains(where: { "./".utf8.contains($0) })
            else { return ["text"] }
            let isOwn = project.linkDomains.contains { ASCII.contains(text, $0.host.text) }
            return isOwn ? ["text", "target"] : ["target", "text"]
        }

        private func query(by way: String, in project: Project) -> LinkQuery {
            var query = LinkQuery()
            if way.utf8.elementsEqual("target".utf8) { query.target = wanted.text } else { query.text = wanted.text }
            query.tag = wanted.tag
            query.state = LinkState(named: wanted.state)
            query.domain = project.linkDomains.first { $0.text.utf8.elementsEqual(wanted.domain.utf8) }
            query.order = LinkQuery.Order(rawValue: wanted.order)
            query.includesArchived = wanted.archived
            query.includesUnnamed = wanted.unnamed
            query.pageSize = LinksPage.pageLength
            query.pageToken = pageToken
            return query
        }

        private func address(_ order: String, by way: String = "", pageToken: String = "") -> String {
            let parts = [
                ("search", wanted.text), ("tag", wanted.tag), ("state", wanted.state), ("domain", wanted.domain),
                ("archived", wanted.archived ? "true" : ""), ("unnamed", wanted.unnamed ? "true" : ""),
                ("order", order), ("by", way), ("pageToken", pageToken),
            ].filter { !$0.1.isEmpty }
            return parts.isEmpty
                ? path : "\(path)?" + parts.map { "\($0.0)=\(percentEncoded($0.1))" }.joined(separator: "&")
        }

        /// The orders that the list may have, as links.
        var orders: HTML {
            let orders: [(order: LinkQuery.Order, words: String)] = [
                (.newest, "Newest first"), (.oldest, "Oldest first"), (.clicks, "Most clicks first"),
                (.name, "By name"),
            ]
            let items = orders.map { order, words -> HTML in
                // What was looked for comes by how well it fits, everything else with the newest first.
                let isPresent =
                    wanted.order.isEmpty
                    ? wanted.text.isEmpty && order == .newest : wanted.order.utf8.elementsEqual(order.rawValue.utf8)
                return """
                    <li><a href="\(address(order.rawValue))"\(isPresent ? " aria-current=\"true\"" as HTML : "")>\
                    \(words)</a></li>
                    """
            }
            return "<ul class=\"orders\" aria-label=\"Order\">\(items)</ul>"
        }

        /// The field that most people need, and a fold with the others.
        var html: HTML {
            let more = form.fields.map(\.name).filter { !["search", "state"].contains($0) }
            let isUsed = !wanted.tag.isEmpty || !wanted.domain.isEmpty || wanted.archived || wanted.unnamed
            return """
                <form method="get" action="\(path)"><div class="row">\(form.html(of: ["search", "state"]))\
                <button type="submit" class="quiet">\(ConsoleIcon.search.html)Search</button></div>\
                <details\(isUsed ? " open" as HTML : "")><summary>More filters</summary>\
                <div class="row">\(form.html(of: more))</div></details></form>
                """
        }

        /// What stands in the place of an empty list.
        var nothing: HTML {
            wanted.text.isEmpty && wanted.tag.isEmpty && wanted.state.isEmpty && wanted.domain.isEmpty
                ? EmptyState(
                    .links, "No links yet",
                    "Paste a destination above. Links that apps made have no name: More filters lists them, too."
                ).html
                : EmptyState(
                    .search, "No link is like that", "Search for a part of it, or take a filter away.",
                    action: "<a class=\"button quiet\" href=\"\(path)\">All links</a>"
                ).html
        }
    }
}
