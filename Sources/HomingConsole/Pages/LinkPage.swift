// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HTTPTypes
import HomingCore
import HomingLinkRules
import HomingServer
import HomingStore
import HomingTexts
import HomingWire
import Hummingbird

/// `…/links/{domain}/{ending}`: one dynamic link: what it does, how often it was opened, its QR code.
enum LinkPage {
    private static let days: Int64 = 30

    static func path(of link: StoredLink, in project: Project) -> String {
        "\(ConsoleSection.links.path(in: project))/\(percentEncoded(link.domain))/\(link.suffix)"
    }

    /// A link of the path, with the domain on which it is.
    private struct Found {
        let link: StoredLink
        let domain: LinkDomain
        var url: String { "\(domain.baseURL)/\(link.suffix)" }

        init(_ context: ConsoleContext) async throws {
            let (project, name) = (try context.project, try context.parameter("domain"))
            guard let domain = project.linkDomains.first(where: { $0.text.utf8.elementsEqual(name.utf8) }),
                let link = try await context.homing.links.stored(
                    LinkSuffix(try context.parameter("ending")), on: domain, of: project)
            else { throw ConsoleRefusal.notFound }
            self.domain = domain
            self.link = link
        }
    }

    enum Action: String, ConsoleAction {
        case rename, archive, unarchive
    }

    static func show(_ context: ConsoleContext) async throws -> Response {
        let found = try await Found(context)
        return try await page(context, found, name(of: found))
    }

    private static func name(of found: Found) -> ConsoleForm<String> {
        ConsoleForm("Name", "name", holding: found.link.name ?? "", hint: "What it is called in lists.")
    }

    private static func page(
        _ context: ConsoleContext, _ found: Found, _ form: ConsoleForm<String>
    ) async throws -> Response {
        let project = try context.project
        let parameters = try DynamicLinkURL(base: found.domain.baseURL, query: found.link.query).parameters
        let counted = try await context.homing.links.counts.daily(
            of: found.link.suffix, on: found.domain.text, project: project.scope, days: days)
        let facts: [(String, HTML)] = [
            ("Link", "<a href=\"\(found.url)\" rel=\"noreferrer\">\(found.url)</a>"),
            ("Name", "<bdi>\(found.link.name ?? "none")</bdi>"),
            ("Leads to", "<bdi>\(SecretMask.masked(parameters.link))</bdi>"),
            ("Created", "<time>\(found.link.createdAt.inWords)</time>"),
            ("On the list", found.link.isArchived ? "no, it is archived and leads where it led" : "yes"),
        ]
        return ConsolePage(
            found.link.name ?? found.link.suffix.text, in: .links,
            """
            <section><dl>\(facts.map { "<dt>\($0.0)</dt><dd>\($0.1)</dd>" as HTML })</dl></section>
            \(context.mayEdit ? changes(found, form, context) : "")
            <section><h2>What each device does</h2>
            \(LinkCreatePage.report(parameters, at: found.url, context))</section>
            \(statistics(counted, context))
            \(picture(found, context))
            <p><a href="\(context.path(of: .links))">All links</a></p>
            """, status: form.status
        ).answer(in: context)
    }

    private static func changes(_ found: Found, _ form: ConsoleForm<String>, _ context: ConsoleContext) -> HTML {
        let archive =
            found.link.isArchived
            ? context.form(hidden: [Action.unarchive.hidden], button: "Put it back on the list", .quiet)
            : context.form(hidden: [Action.archive.hidden], button: "Archive", .quiet)
        return """
            <section><h2>Change</h2>
            \(context.form(hidden: [Action.rename.hidden], form.html, button: "Rename"))
            <p class="soft">An archived link is not listed, and leads where it led. Where a link leads never changes.</p>
            \(archive)</section>
            """
    }

    // MARK: Statistics

    private static func statistics(_ counted: [LinkCounts.Day], _ context: ConsoleContext) -> HTML {
        guard !counted.isEmpty else {
            return "<section><h2>Opened</h2><p>Nobody opened it in the last \(Int(days)) days.</p></section>"
        }
        let rows = LinkCounts.table(of: counted).dropFirst().map { row in row.map { "\($0)" as HTML } }
        return """
            <section><h2>Opened</h2>
            \(chart(counted, context.homing.system.now()))
            <details><summary>The numbers</summary>
            \(ConsoleTable(
                "The last \(days) days, UTC",
                ["Day", "Platform", "Clicks", "Redirects", "First opens", "Re-opens"], rows).html)</details>
            <p><a href="\(context.path)/statistics.csv">All of it as CSV</a></p></section>
            """
    }

    /// Clicks of each day; the table beside it says the same in numbers.
    private static func chart(_ counted: [LinkCounts.Day], _ now: Moment) -> HTML {
        let dates = (0..<days).reversed().map { now.adding(seconds: -86_400 * $0).day }
        let clicks = dates.map { date in counted.filter { $0.date == date }.reduce(0) { $0 + $1[.click] } }
        let sum = clicks.reduce(0, +)
        let most = clicks.max() ?? 0
        let summary = "\(sum == 1 ? "1 click" : "\(sum) clicks") in the last \(days) days, at most \(most) on one day"
        return """
            <p>\(summary).</p>
            \(Chart(
                title: "Clicks by day", summary: summary, labels: dates,
                series: [Chart.Series(name: "clicks", values: clicks)]).picture)
            """
    }

    static func csv(_ context: ConsoleContext) async throws -> Response {
        let found = try await Found(context)
        let counted = try await context.homing.links.counts.daily(
            of: found.link.suffix, on: found.domain.text, project: try context.project.scope, days: 36_500)
        return PageAnswer.file(
            "\(found.link.suffix).csv", "text/csv; charset=utf-8", Array(LinkCounts.csv(of: counted).utf8))
    }

    // MARK: The QR code

    private static func picture(_ found: Found, _ context: ConsoleContext) -> HTML {
        guard let code = try? QRCode(found.url) else { return "" }
        return """
            <section><h2>QR code</h2>
            <div class="qr" role="img" aria-label="QR code of \(found.url)">\(HTML(trusted: code.svg))</div>
            <p><a href="\(context.path)/qr.svg">As SVG, for print</a> · <a href="\(context.path)/qr.png">as PNG</a></p>
            </section>
            """
    }

    static func svg(_ context: ConsoleContext) async throws -> Response {
        let found = try await Found(context)
        return PageAnswer.file("\(found.link.suffix).svg", "image/svg+xml", Array(try QRCode(found.url).svg.utf8))
    }

    static func png(_ context: ConsoleContext) async throws -> Response {
        let found = try await Found(context)
        return PageAnswer.file("\(found.link.suffix).png", "image/png", try QRCode(found.url).png)
    }

    // MARK: Changing

    static func change(_ action: Action, _ sent: SentForm) async throws -> Response {
        let (context, found) = (sent.context, try await Found(sent.context))
        let (links, project) = (context.homing.links, try context.project)
        switch action {
        case .archive, .unarchive:
            try await links.archive(
                found.link.suffix, on: found.domain, of: project, action == .archive, by: sent.author)
        case .rename:
            var form = name(of: found)
            _ = try form.take(sent)
            do {
                try await links.rename(
                    found.link.suffix, on: found.domain, of: project, to: form.value, by: sent.author)
            } catch let refusal as Refusal {
                form.faults["name"] = refusal.consoleSentence
                return try await page(context, found, form)
            }
        }
        return sent.saved()
    }
}
