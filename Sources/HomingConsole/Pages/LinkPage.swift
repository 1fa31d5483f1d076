// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HTTPTypes
import HomingCore
import HomingLinkRules
import HomingProjects
import HomingServer
import HomingShortLinks
import HomingStore
import HomingTexts
import HomingWire
import Hummingbird

/// `…/links/{domain}/{ending}`: one dynamic link: how often it was opened, what it is and what may become of it, what
/// each device does, its QR code.
enum LinkPage {
    static func path(of link: StoredLink, in project: Project) -> String {
        "\(ConsoleSection.links.path(in: project))/\(percentEncoded(link.domain))/\(link.suffix)"
    }

    enum Action: String, ConsoleAction {
        case enable, disable, archive, unarchive
    }

    static func show(_ context: ConsoleContext) async throws -> Response {
        let found = try await FoundLink(context)
        let project = try context.project
        let listed = try await context.homing.links.listed(found.link, on: found.domain, of: project)
        let parameters = try found.link.content().parameters
        let clicks = try await LinkClicks(of: found.subject, context)
        let lead: HTML = """
            <a href="\(listed.url)" rel="noreferrer">\(listed.url)</a> \(CopyButton(listed.url, listed.url).html) \
            \(tag(of: listed, at: context.homing.system.now()))
            """
        return ConsolePage(
            found.title, in: .links, back: ("All links", context.path(of: .links)), lead: lead,
            actions: context.mayEdit ? changes(listed, found, context) : nil,
            """
            \(listed.state == .deleted ? deleted(found) : "")\(clicks.tiles)
            <div class="columns"><div>\(clicks.section(file: "\(found.path)/statistics.csv"))
            <section><h2>What each device does</h2>
            \(LinkForm.report(parameters, at: found.url, context))</section></div>
            <aside>\(facts(listed, context))\(picture(found, context))</aside></div>
            """
        ).answer(in: context)
    }

    // MARK: What it is

    /// Where a link leads, to be read.
    static func target(of link: StoredLink) -> String {
        (try? link.content()).map { readable($0.parameters.link) } ?? ""
    }

    private static func readable(_ url: String) -> String { BrowserSpelling.readable(SecretMask.masked(url)) }

    /// The state of a link as a mark.
    static func tag(of listed: ListedLink, at now: Moment) -> HTML {
        let details = listed.link.details
        let (words, shade) =
            switch listed.state {
            case .active: details.hasBegun(at: now) ? ("active", "good") : ("not begun", "warn")
            case .disabled: ("disabled", "warn")
            case .ended: ("ended", "warn")
            case .archived: ("archived", "warn")
            case .deleted: ("deleted", "bad")
            }
        return "<span class=\"tag \(shade)\">\(words)</span>"
    }

    private static func facts(_ listed: ListedLink, _ context: ConsoleContext) -> HTML {
        let (link, details) = (listed.link, listed.link.details)
        let path = path(of: link, context)
        let tags = details.tags.map { tag -> HTML in
            """
            <a class="tag plain" href="\(context.path(of: .links))?tag=\(percentEncoded(tag))"><bdi>\(tag)</bdi></a>\u{20}
            """
        }
        let languages = details.languageLinks.map { "\($0.tag): \(readable($0.link))" }
        let end = [
            details.endsAt.map { "on \(ConsoleTime($0).words)" },
            details.maxClicks.map { "after \($0) clicks of people" },
        ].compactMap(\.self)
        let last = link.author.map { context.shown($0) }
        let facts: [(String, HTML?)] = [
            ("Name", link.name.map { "<bdi>\($0)</bdi>" }), ("Destination", "<bdi>\(target(of: link))</bdi>"),
            (
                "By language",
                languages.isEmpty ? nil : HTML(joining: languages.map { "<div><bdi>\($0)</bdi></div>" })
            ),
            ("Tags", tags.isEmpty ? nil : HTML(joining: tags)),
            ("Begins", details.startsAt.map { ConsoleTime($0).html }),
            ("Ends", end.isEmpty ? nil : "\(end.joined(separator: ", or "))"),
            ("After its end", details.afterEnd.map { "<bdi>\(readable($0))</bdi>" }),
            (
                "Numbers", "<a href=\"\(path)/statistics.csv\">All events, as Firebase counts them, as CSV</a>"
            ),
            ("Created", ConsoleTime(link.createdAt).html),
            (
                "Version",
                """
                <a href="\(path)/versions">\(String(link.version))</a>\
                \(link.updatedAt.map { ", since \(ConsoleTime($0).html)" as HTML } ?? "")\
                \(last.map { ", by <bdi>\($0)</bdi>" as HTML } ?? "")
                """
            ),
        ]
        let lines = facts.compactMap { name, value in value.map { "<dt>\(name)</dt><dd>\($0)</dd>" as HTML } }
        return "<section><h2>Details</h2><dl>\(lines)</dl></section>"
    }

    private static func path(of link: StoredLink, _ context: ConsoleContext) -> String {
        "\(context.path(of: .links))/\(percentEncoded(link.domain))/\(link.suffix)"
    }

    // MARK: What may become of it

    private static func deleted(_ found: FoundLink) -> HTML {
        """
        <p class="note">The link was deleted. <a href="\(found.path)/versions">Restore one of its versions</a> to bring it \
        back.</p>
        """
    }

    private static func changes(_ listed: ListedLink, _ found: FoundLink, _ context: ConsoleContext) -> HTML {
        guard listed.state != .deleted else { return "" }
        func button(_ action: Action, _ label: String) -> HTML {
            context.form(to: found.path, hidden: [action.hidden], button: label, .quiet)
        }
        return """
            <a class="button" href="\(found.path)/edit">Edit</a>
            \(listed.link.details.isOn ? button(.disable, "Disable") : button(.enable, "Enable"))
            \(listed.link.isArchived ? button(.unarchive, "Put it back on the list") : button(.archive, "Archive"))
            <a class="button danger" href="\(found.path)/delete">Delete …</a>
            """
    }

    static func change(_ action: Action, _ sent: SentForm) async throws -> Response {
        let (links, found) = (sent.homing.links, try await FoundLink(sent.context))
        switch action {
        case .archive, .unarchive:
            try await links.archive(
                found.link.suffix, on: found.domain, of: try sent.context.project, action == .archive, by: sent.author)
        case .enable, .disable:
            let isOn = action == .enable
            try await links.edit(found.link.suffix, at: found.site, seen: nil, by: sent.author) {
                $0.details.isOn = isOn
            }
        }
        return sent.saved()
    }

    // MARK: The QR code

    /// How a code is to look, as a query says it.
    private struct Picture {
        var size = 600
        var hasLogo = false
    }

    private static let sizes = [200, 600, 1_200, 2_048]

    private static func pictureForm(_ logo: Logo?) -> ConsoleForm<Picture> {
        let size = ConsoleField<Picture>(
            label: "Size", name: "size", input: .choice(sizes.map { ("\($0)", "\($0) pixels a side") }),
            text: { "\($0.size)" },
            set: { picture, text in
                guard let size = Int(text) else { throw ConsoleFault("A size is a number of pixels.") }
                picture.size = size
            })
        let withLogo = ConsoleField<Picture>(
            "With the logo", "logo", \.hasLogo,
            hint: logo?.format == .svg ? "The project's logo is an SVG: a PNG shows none." : nil)
        return ConsoleForm(Picture(), logo == nil ? [size] : [size, withLogo])
    }

    private static func picture(_ found: FoundLink, _ context: ConsoleContext) -> HTML {
        guard let code = try? QRCode(found.url) else { return "" }
        let logo = context.ofProject?.brand.logo
        return """
            <section id="qr"><h2>QR code</h2>
            <div class="qr" role="img" aria-label="QR code of \(found.url)">\(HTML(trusted: code.svg))</div>
            <form method="get" action="\(found.path)/qr.svg" class="row">\(pictureForm(logo).html)\
            <button type="submit" class="quiet">As SVG, for print</button>\
            <button type="submit" class="quiet" formaction="\(found.path)/qr.png">As PNG</button></form>
            \(logo == nil
                ? """
                <p class="hint">With a <a href="\(context.path(of: .brand))">logo</a> of the project it may stand in the \
                middle.</p>
                """ as HTML
                : "")</section>
            """
    }

    /// The code that a query asks for.
    private static func code(of found: FoundLink, _ context: ConsoleContext) throws -> QRCode {
        let logo = context.ofProject?.brand.logo
        var form = pictureForm(logo)
        try form.take(query: context.query)
        let isSized = context.query?["size"] != nil
        return try QRCode(
            found.url, size: isSized ? form.value.size : nil, logo: form.value.hasLogo ? logo?.inQRCode : nil)
    }

    static func svg(_ context: ConsoleContext) async throws -> Response {
        let found = try await FoundLink(context)
        return PageAnswer.file(
            "\(found.link.suffix).svg", "image/svg+xml", Array(try code(of: found, context).svg.utf8))
    }

    static func png(_ context: ConsoleContext) async throws -> Response {
        let found = try await FoundLink(context)
        return PageAnswer.file("\(found.link.suffix).png", "image/png", try code(of: found, context).png)
    }

    // MARK: The numbers

    /// By what the query says, or else events day by day as Firebase counts them.
    static func csv(_ context: ConsoleContext) async throws -> Response {
        let found = try await FoundLink(context)
        let name = found.link.suffix.text
        if context.query?["by"] != nil,
            let file = try await LinkClicks(of: found.subject, context).file(name, context)
        {
            return file
        }
        let counted = try await context.homing.links.counts.daily(
            of: found.link.suffix, on: found.domain.text, project: try context.project.scope, days: 36_500)
        return PageAnswer.file("\(name).csv", "text/csv; charset=utf-8", Array(LinkCounts.csv(of: counted).utf8))
    }
}
