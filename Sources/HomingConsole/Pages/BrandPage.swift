// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HTTPTypes
import HomingCore
import HomingProjects
import HomingStore
import HomingTexts
import HomingWire
import Hummingbird
import NIOCore

/// `…/brand`: the project's logo, colour, support address and postal line.
enum BrandPage {
    static func show(_ context: ConsoleContext) async throws -> Response {
        try page(context, form(of: try context.project.brand))
    }

    /// `…/brand/logo`: the picture alone.
    static func logo(_ context: ConsoleContext) async throws -> Response {
        guard let logo = try context.project.brand.logo else { throw ConsoleRefusal.notFound }
        return Response(
            status: .ok,
            headers: [
                .contentType: logo.format.rawValue, .cacheControl: "no-store", .xContentTypeOptions: "nosniff",
                // Opened by itself, an SVG is a document of the console's host: it runs nothing and belongs to no
                // origin.
                .contentSecurityPolicy: "default-src 'none'; style-src 'unsafe-inline'; sandbox",
            ], body: .init(byteBuffer: ByteBuffer(bytes: logo.bytes)))
    }

    enum Action: String, ConsoleAction {
        case save, remove

        static let field = "way"
        static let unnamed: Action? = .save
    }

    /// The brand as it is, and what is to change of it.
    private struct Edited {
        let brand: Brand
        var change = BrandChange()
    }

    private static func form(of brand: Brand) -> ConsoleForm<Edited> {
        func line(
            _ label: String, _ name: String, _ part: WritableKeyPath<BrandChange, String?>, hint: HTML,
            _ input: ConsoleInput = .line("text"), text: @escaping (Brand) -> String?
        ) -> ConsoleField<Edited> {
            ConsoleField(
                label: label, name: name, hint: hint, input: input, text: { text($0.brand) ?? "" },
                set: { edited, text in
                    edited.change[keyPath: part] = text
                    var change = BrandChange()
                    change[keyPath: part] = text
                    try change.check()
                })
        }
        return ConsoleForm(
            Edited(brand: brand), remembersSeen: true,
            ConsoleField(
                label: "Logo", name: "logo", hint: "A PNG, or an SVG without scripts, of at most 64 KiB.",
                input: .file(["image/png", "image/svg+xml"]), text: { $0.brand.logo?.digest ?? "" },
                setFile: { edited, bytes in
                    edited.change.logo = bytes
                    try BrandChange(logo: bytes).check()
                }),
            line(
                "Colour", "color", \.color,
                hint: "Of buttons and links: <code>#RRGGBB</code>, or nothing for Homing's blue.",
                .color(standard: "#3350D4"), text: { $0.color?.text }),
            line(
                "Support address", "support", \.supportAddress,
                hint: "Where people find help, below pages and emails.", .line("email"),
                text: { $0.supportAddress?.text }),
            line(
                "Postal line", "postal", \.postalLine,
                hint: "Who you are and where, in one line, below pages and emails.",
                text: { $0.postalLine }))
    }

    private static func page(_ context: ConsoleContext, _ form: ConsoleForm<Edited>) throws -> Response {
        let brand = try context.project.brand
        let card: HTML =
            context.mayEdit
            ? """
            <section><h2>Look</h2>\(logo(brand, form, context))\
            \(context.form(
                form.html, buttons: "<button type=\"submit\">Save</button>",
                attributes: " enctype=\"multipart/form-data\" data-frames=\"frames\""))</section>
            """
            : "<section><h2>Look</h2>\(logo(brand, form, context))\(facts(brand))</section>"
        return ConsolePage(
            .brand, lead: "What pages and emails carry beside the project's name.",
            "<div class=\"columns wide\"><div>\(card)</div><aside>\(BrandPreview.frames(context))</aside></div>",
            of: form
        ).answer(in: context)
    }

    /// The logo as it is, and a way to take it away.
    private static func logo(_ brand: Brand, _ form: ConsoleForm<Edited>, _ context: ConsoleContext) -> HTML {
        guard let logo = brand.logo else { return "" }
        let note =
            logo.format == .svg
            ? "Emails show the name's first letter: hardly any mail program shows SVG." : "Emails carry it along."
        let removal: HTML =
            context.mayEdit
            ? context.confirmation(
                "Remove the logo", "Pages and emails show the first letter of the name.",
                hidden: [Action.remove.hidden, form.sight(of: "logo")], button: "Remove") : ""
        return """
            <div class="logo"><img src="\(context.path(of: .brand))/logo?v=\(logo.digest)" alt="The logo" height="48">\
            <p class="soft">\(note)</p>\(removal)</div>
            """
    }

    /// What somebody reads who may not change it.
    private static func facts(_ brand: Brand) -> HTML {
        let facts = [
            ("Colour", brand.color?.text), ("Support address", brand.supportAddress?.text),
            ("Postal line", brand.postalLine),
        ]
        return "<dl>\(facts.map { "<dt>\($0.0)</dt><dd>\($0.1 ?? "none")</dd>" as HTML })</dl>"
    }

    static func change(_ action: Action, _ sent: SentForm) async throws -> Response {
        let id = try sent.context.project.projectID
        var form = Self.form(of: try sent.context.project.brand)
        var change = BrandChange(logo: [])
        switch action {
        case .remove: form.seen["logo"] = sent.fields["was:logo"]
        case .save:
            guard try form.take(sent) else { return try page(sent.context, form) }
            change = form.value.change
        }
        change.expected = BrandChange.Expected(
            logo: form.seen["logo"], color: form.seen["color"], supportAddress: form.seen["support"],
            postalLine: form.seen["postal"])
        do {
            try await sent.homing.projects.setBrand(change, of: id, by: sent.author)
            return sent.saved(nil, action == .remove ? .removed : .saved)
        } catch Refusal.Code.changedMeanwhile {
            let context = try await sent.context.renewed()
            form.isOvertaken(
                by: Edited(brand: try context.project.brand),
                """
                Somebody else has changed the brand meanwhile. What you typed is in the form, and nothing is saved yet: \
                saving again replaces theirs.
                """)
            return try page(context, form)
        }
    }
}
