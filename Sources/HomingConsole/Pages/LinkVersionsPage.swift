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

/// `…/links/{domain}/{ending}/versions`: what a link was, by whom and since when, and a way back.
enum LinkVersionsPage {
    enum Action: String, ConsoleAction {
        case restore
    }

    static func show(_ context: ConsoleContext) async throws -> Response {
        try await page(context, try await FoundLink(context))
    }

    private static func page(
        _ context: ConsoleContext, _ found: FoundLink, problem: HTML? = nil
    ) async throws -> Response {
        let project = try context.project
        let versions = try await context.homing.links.versions(of: found.link.suffix, on: found.domain, of: project)
        let isDeleted = found.link.deletedAt != nil
        let items = versions.enumerated().map { index, version -> HTML in
            let older = index + 1 < versions.count ? versions[index + 1] : nil
            let isPresent = index == 0 && !isDeleted
            let tag: HTML = isPresent ? " <span class=\"tag good\">in force</span>" : ""
            let restore: HTML =
                context.mayEdit && !isPresent
                ? context.form(
                    hidden: [Action.restore.hidden, ("version", String(version.version))],
                    button: "Restore \(String(version.version))", .quiet) : ""
            return """
                <li><div><h2>Version \(String(version.version))\(tag)</h2>
                <p class="soft">\(ConsoleTime(version.at).html), by \
                <bdi>\(version.author.map { context.shown($0) } ?? "an app")</bdi></p>
                \(changes(version.content, since: older?.content, in: project))</div>\(restore)</li>
                """
        }
        return ConsolePage(
            "Versions of \(found.title)", in: .links, back: (found.title, found.path), lead: "<bdi>\(found.url)</bdi>",
            """
            \(isDeleted ? "<p class=\"note\">The link was deleted. To restore a version brings it back.</p>" as HTML : "")
            <section><ul class="list versions">\(items)</ul></section>
            <p class="hint">A version that is restored is a new one, and is checked by the domains and apps of now.</p>
            """, problem: problem, status: problem == nil ? .ok : .badRequest
        ).answer(in: context)
    }

    /// What a version has changed, or all that the first one has.
    private static func changes(_ content: LinkContent, since older: LinkContent?, in project: Project) -> HTML {
        let before = older.map { LinkForm.facts(of: $0, in: project).map(\.text) }
        let lines = LinkForm.facts(of: content, in: project).enumerated().filter { index, fact in
            before.map { !$0[index].utf8.elementsEqual(fact.text.utf8) } ?? !fact.text.isEmpty
        }.map(\.element).map { fact -> HTML in
            "<dt>\(fact.name)</dt><dd><bdi>\(fact.text.isEmpty ? "nothing" : fact.text)</bdi></dd>"
        }
        return lines.isEmpty ? "" : "<dl>\(lines)</dl>"
    }

    static func change(_ action: Action, _ sent: SentForm) async throws -> Response {
        let found = try await FoundLink(sent.context)
        guard let version = Int64(sent.text("version")) else { throw ConsoleRefusal.notFound }
        do {
            try await sent.homing.links.restore(version, of: found.link.suffix, at: found.site, by: sent.author)
            return sent.saved(found.path, .restored)
        } catch let refusal as Refusal where refusal.databaseReason == nil {
            return try await page(sent.context, found, problem: "\(refusal.consoleSentence)")
        }
    }
}
