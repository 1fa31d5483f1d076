// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingLinkRules
import HomingShortLinks
import HomingStore
import HomingTexts
import Hummingbird

/// `…/links/{domain}/{ending}/edit`: everything of a link that changes, and what each device would do then.
enum LinkEditPage {
    enum Action: String, ConsoleAction {
        case save, preview

        static let unnamed: Action? = .preview
    }

    static func show(_ context: ConsoleContext) async throws -> Response {
        let found = try await FoundLink(context)
        return try page(context, found, LinkForm.editing(try found.link.content(), in: try context.project))
    }

    private static func page(
        _ context: ConsoleContext, _ found: FoundLink, _ form: ConsoleForm<LinkDraft>
    ) throws -> Response {
        guard found.link.deletedAt == nil else {
            return ConsolePage(
                "Edit \(found.title)", in: .links,
                "<p>The link was deleted. <a href=\"\(found.path)/versions\">Restore one of its versions</a>.</p>"
            ).answer(in: context)
        }
        let body = LinkForm.body(
            form, first: ["link", "name", "on"], button: ("save", "Save"),
            preview: LinkForm.preview(form, at: found.url, context), context)
        return ConsolePage(
            "Edit \(found.title)", in: .links, back: (found.title, found.path),
            lead: "<bdi>\(found.url)</bdi> keeps its ending; a new destination is in force with the next click.",
            body, of: form
        ).answer(in: context)
    }

    static func change(_ action: Action, _ sent: SentForm) async throws -> Response {
        let (context, found) = (sent.context, try await FoundLink(sent.context))
        let before = try found.link.content()
        var form = LinkForm.editing(before, in: try context.project)
        _ = try form.take(sent)
        if form.meetsOthers {
            form.isOvertaken(by: LinkDraft(content: before), overtaken(by: found.link))
            return try page(context, found, form)
        }
        try await LinkForm.check(&form, on: found.domain, context)
        guard action == .save, !form.isRefused else { return try page(context, found, form) }
        do {
            let content = form.value.content
            try await context.homing.links.edit(
                found.link.suffix, at: found.site, seen: found.link.version, by: sent.author
            ) { $0 = content }
            return sent.saved(found.path)
        } catch let refusal as Refusal where refusal.code == .linkChanged {
            // Somebody has saved between our look and our change.
            let newest = try await FoundLink(context)
            form.isOvertaken(by: LinkDraft(content: try newest.link.content()), overtaken(by: newest.link))
            return try page(context, newest, form)
        } catch let refusal as Refusal where refusal.databaseReason == nil {
            form.problem = "\(refusal.consoleSentence)"
            return try page(context, found, form)
        }
    }

    private static func overtaken(by link: StoredLink) -> HTML {
        """
        \(link.author ?? "Somebody else") has changed the link meanwhile: it has version \(String(link.version)). Yours is \
        in the form, and nothing is saved yet: saving again replaces theirs.
        """
    }
}
