// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
import HomingCore
import HomingTexts
import HomingWire
import Hummingbird

/// `…/brand`: the project's logo, colour, support address and postal line.
enum BrandPage {
    static func show(_ context: ConsoleContext) async throws -> Response { try page(context) }

    private static func page(
        _ context: ConsoleContext, typed: [String: String] = [:], faults: [String: String] = [:]
    ) throws -> Response {
        let project = try context.project
        let brand = project.brand
        let logo: HTML =
            brand.logo.map { logo in
                """
                <p><img src="\(logo.dataURL)" alt="The logo" height="48"></p>\
                <p class="soft">\(logo.format == .svg ? "Mails show the name's first letter: hardly any mail program shows SVG." : "Mails carry it along.")</p>
                """
            } ?? "<p>No logo: pages and mails show the first letter of the name.</p>"
        let shades: HTML =
            brand.shades.map { shades in
                """
                <p class="soft">Shown as <code>\(shades.day.accent.text)</code> by day and \
                <code>\(shades.night.accent.text)</code> in the dark, where text on it can be read.</p>
                """
            } ?? ""
        let fields = [
            ConsoleField(
                "Colour", "color", value: typed["color"] ?? brand.color?.text ?? "",
                hint: "Of buttons and links: <code>#RRGGBB</code>, or nothing for Homing's blue.",
                fault: faults["color"]),
            ConsoleField(
                "Support address", "support", value: typed["support"] ?? brand.supportAddress?.text ?? "",
                hint: "Where people find help, below pages and mails.", fault: faults["support"], kind: .line("email")),
            ConsoleField(
                "Postal line", "postal", value: typed["postal"] ?? brand.postalLine ?? "",
                hint: "Who you are and where, in one line.", fault: faults["postal"]),
        ]
        let upload: HTML = """
            <div class="field"><label for="f-logo">Logo</label><input type="file" id="f-logo" name="logo" \
            accept="image/png,image/svg+xml" aria-describedby="f-logo-hint\(faults["logo"] == nil ? "" : " f-logo-fault")"\
            \(faults["logo"] == nil ? "" : " aria-invalid=\"true\"" as HTML)><p class="hint" id="f-logo-hint">A PNG, or an SVG \
            without scripts, of at most 64 KiB.</p>\(faults["logo"].map { "<p class=\"fault\" id=\"f-logo-fault\">\($0)</p>" as HTML } ?? "")</div>
            """
        let removal: HTML =
            brand.logo == nil
            ? ""
            : context.confirmation(
                "Remove the logo", "Pages and mails show the first letter of the name.", hidden: [("way", "remove")],
                button: "Remove")
        return ConsolePage(
            .brand,
            context.mayEdit
                ? """
                <p>What pages and mails carry beside the project's name.</p>
                <section>\(logo)\(shades)\(context.form(upload + HTML(joining: fields.map { $0.html() }), button: "Save", hasFile: true))\
                \(removal)</section>
                """
                : "<section>\(logo)\(shades)<p>\(brand.supportAddress?.text ?? "")</p><p>\(brand.postalLine ?? "")</p></section>",
            status: faults.isEmpty ? .ok : .badRequest
        ).answer(in: context)
    }

    static func change(_ form: ConsoleForm) async throws -> Response {
        let id = try form.context.project.id
        guard form.text("way") != "remove" else {
            try await form.homing.projects.setBrand(BrandChange(logo: []), of: id, by: form.author)
            return form.saved(nil, .removed)
        }
        let (color, support, postal) = (form.text("color"), form.text("support"), form.text("postal"))
        // A form without a chosen file sends an empty one.
        let logo = form.files["logo"].flatMap { $0.isEmpty ? nil : $0 }
        let parts = [
            ("logo", BrandChange(logo: logo)), ("color", BrandChange(color: color)),
            ("support", BrandChange(supportAddress: support)), ("postal", BrandChange(postalLine: postal)),
        ]
        var faults: [String: String] = [:]
        for (name, part) in parts {
            do {
                try part.check()
            } catch {
                faults[name] = error.consoleSentence
            }
        }
        guard faults.isEmpty else {
            return try page(
                form.context, typed: ["color": color, "support": support, "postal": postal], faults: faults)
        }
        try await form.homing.projects.setBrand(
            BrandChange(logo: logo, color: color, supportAddress: support, postalLine: postal), of: id, by: form.author)
        return form.saved()
    }
}

extension Logo {
    /// The picture itself as a URL, for a page that is not served beside it.
    var dataURL: String { "data:\(format.rawValue);base64,\(Data(bytes).base64EncodedString())" }
}
