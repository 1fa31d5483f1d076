// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingProjects
import HomingStore
import HomingTexts
import Hummingbird

/// `…/links/new`: a form for a link with everything that it may have, and what each device would do.
enum LinkCreatePage {
    enum Action: String, ConsoleAction {
        case create, preview

        static let unnamed: Action? = .preview
    }

    static func show(_ context: ConsoleContext) async throws -> Response {
        try page(
            context, LinkForm.making(in: try context.project),
            preview: "<p class=\"soft\">Type the destination, then press Preview.</p>")
    }

    private static func page(
        _ context: ConsoleContext, _ form: ConsoleForm<LinkDraft>, preview: HTML
    ) throws -> Response {
        guard try !context.project.linkDomains.isEmpty else {
            return ConsolePage(
                "New link", in: .links,
                "<section>\(LinkForm.needsDomain(context))</section>"
            ).answer(in: context)
        }
        return ConsolePage(
            "New link", in: .links, back: ("All links", context.path(of: .links)),
            LinkForm.body(
                form, first: ["link", "domain", "suffix", "length", "name"], button: ("create", "Create the link"),
                preview: preview, context), of: form
        ).answer(in: context)
    }

    static func change(_ action: Action, _ sent: SentForm) async throws -> Response {
        let (context, project) = (sent.context, try sent.context.project)
        var form = LinkForm.making(in: project)
        _ = try form.take(sent)
        switch action {
        case .preview: try await LinkForm.check(&form, context)
        case .create: if let made = try await LinkForm.make(&form, sent) { return made }
        }
        let base = project.linkDomains.first { $0.text.utf8.elementsEqual(form.value.domain.utf8) }?.baseURL ?? ""
        return try page(
            context, form, preview: LinkForm.preview(form, at: "\(base)/\(form.value.ending ?? "…")", context))
    }
}
