// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingShortLinks
import HomingStore
import HomingTexts
import Hummingbird

/// `…/links/{domain}/{ending}/delete`: asks, then deletes.
enum LinkDeletePage {
    static func show(_ context: ConsoleContext) async throws -> Response {
        let found = try await FoundLink(context)
        let listed = try await context.homing.links.listed(found.link, on: found.domain, of: try context.project)
        let clicks = listed.clicks == 1 ? "1 person has" : "\(listed.clicks) people have"
        return ConsolePage(
            "Delete \(found.title)?", in: .links, back: (found.title, found.path),
            """
            <section>
            <p><bdi>\(found.url)</bdi> leads to <bdi>\(LinkPage.target(of: found.link))</bdi>. \(clicks) clicked on it.</p>
            <p>Deleted, it leads nowhere: whoever has it, in a mail or on paper, sees a page that says so. Its ending is \
            never given to another link. Its versions stay, and any of them brings it back.</p>
            <p>To take it off the list and let it lead on, <a href="\(found.path)">archive it</a> instead.</p>
            <div class="actions"><a class="button quiet" href="\(found.path)">Keep it</a>\
            \(context.form(button: "Delete the link", .solid))</div>
            </section>
            """
        ).answer(in: context)
    }

    static func delete(_ sent: SentForm) async throws -> Response {
        let found = try await FoundLink(sent.context)
        try await sent.homing.links.delete(found.link.suffix, at: found.site, by: sent.author)
        return sent.saved(found.path, .deleted)
    }
}
