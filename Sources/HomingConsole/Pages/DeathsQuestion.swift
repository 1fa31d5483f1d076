// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingShortLinks
import HomingStore
import HomingTexts
import HomingWire
import Hummingbird

/// Asks before links die of a change: of a domain or an app that is taken away, or a host that becomes a link domain.
struct DeathsQuestion {
    /// The page's heading, a question.
    let title: String
    let section: ConsoleSection
    /// What the button does.
    let button: String
    /// What the form has sent, which it sends again with the answer.
    let hidden: [(String, String)]

    private static let agreed = "agreed"

    /// - Returns: the page that asks; nil where no link would notice, and where the author has agreed.
    func page(about deaths: LinkDeaths, _ sent: SentForm) -> Response? {
        guard sent.fields[Self.agreed] == nil, let sentence = deaths.sentence else { return nil }
        let context = sent.context
        return ConsolePage(
            title, in: section,
            """
            <section><p><strong>\(sentence.asSentence)</strong></p>
            <p>Nothing has been changed yet.</p>
            <div class="actions"><a class="button quiet" href="\(context.path)">Leave it as it is</a>\
            \(context.form(hidden: hidden + [(Self.agreed, "true")], button: button, .solid))</div></section>
            """, status: .conflict
        ).answer(in: context)
    }

    /// The same for a part of the project that is to be taken away.
    func page(beforeRemoving support: LinkSupport, _ sent: SentForm) async throws -> Response? {
        guard sent.fields[Self.agreed] == nil else { return nil }
        let (homing, project) = (sent.homing, try sent.context.project)
        return page(
            about: try await homing.links.deaths(ofRemoving: support, from: project, at: homing.projects), sent)
    }
}
