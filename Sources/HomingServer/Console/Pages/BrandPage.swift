// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
import HTTPTypes
import HomingCore
import HomingTexts
import HomingWire
import Hummingbird
import NIOCore

/// `…/brand`: the project's logo, colour, support address and postal line.
enum BrandPage {
    static func show(_ context: ConsoleContext) async throws -> Response { try page(context) }

    /// `…/brand/logo`: the picture alone.
    static func logo(_ context: ConsoleContext) async throws -> Response {
        guard let logo = try context.project.brand.logo else { throw ConsoleRefusal.notFound }
        return Response(
            status: .ok,
            headers: [
                .contentType: logo.format.rawValue, .cacheControl: "no-store", .xContentTypeOptions: "nosniff",
                // Opened by itself, an SVG is a document of the console's host: it runs nothing and belongs to no origin.
                .contentSecurityPolicy: "default-src 'none'; style-src 'unsafe-inline'; sandbox",
            ], body: .init(byteBuffer: ByteBuffer(bytes: logo.bytes)))
    }

    private static func page(
        _ context: ConsoleContext, typed: [String: String] = [:], seen: [String: String] = [:],
        faults: [String: String] = [:], problem: String? = nil
    ) throws -> Response {
        let project = try context.project
        let brand = project.brand
        let logo: HTML =
            brand.logo.map { logo in
                """
                <p><img src="\(context.path(of: .brand))/logo?v=\(logo.digest)" alt="The logo" height="48"></p>\
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
        let current = [
            ("logo", brand.logo?.digest ?? ""), ("color", brand.color?.text ?? ""),
            ("support", brand.supportAddress?.text ?? ""), ("postal", brand.postalLine ?? ""),
        ]
        let was = current.map { ("was:\($0.0)", seen[$0.0] ?? $0.1) }
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
                "Remove the logo", "Pages and mails show the first letter of the name.",
                hidden: [("way", "remove"), was[0]], button: "Remove")
        return ConsolePage(
            .brand,
            context.mayEdit
                ? """
                \(problem.map { "<p class=\"problem\" role=\"alert\">\($0)</p>" as HTML } ?? "")\
                <p>What pages and mails carry beside the project's name.</p>
                <section>\(logo)\(shades)\(context.form(hidden: was, upload + HTML(joining: fields.map { $0.html() }), button: "Save", hasFile: true))\
                \(removal)</section>
                """
                : "<section>\(logo)\(shades)<p>\(brand.supportAddress?.text ?? "")</p><p>\(brand.postalLine ?? "")</p></section>",
            status: problem != nil ? .conflict : faults.isEmpty ? .ok : .badRequest
        ).answer(in: context)
    }

    static func change(_ form: ConsoleForm) async throws -> Response {
        let id = try form.context.project.id
        var typed: [String: String] = [:]
        do {
            guard form.text("way") != "remove" else {
                let expected = BrandChange.Expected(logo: form.fields["was:logo"])
                try await form.homing.projects.setBrand(
                    BrandChange(logo: [], expected: expected), of: id, by: form.author)
                return form.saved(nil, .removed)
            }
            // What stays as its author saw it is no change, so that it takes nothing back that somebody else has set.
            var seen: [String: String] = [:]
            for name in ["color", "support", "postal"] where form.fields["was:\(name)"] != form.text(name) {
                typed[name] = form.text(name)
                seen[name] = form.fields["was:\(name)"]
            }
            // A form without a chosen file sends an empty one.
            let logo = form.files["logo"].flatMap { $0.isEmpty ? nil : $0 }
            if logo != nil { seen["logo"] = form.fields["was:logo"] }
            let parts = [
                ("logo", BrandChange(logo: logo)), ("color", BrandChange(color: typed["color"])),
                ("support", BrandChange(supportAddress: typed["support"])),
                ("postal", BrandChange(postalLine: typed["postal"])),
            ]
            var faults: [String: String] = [:]
            for (name, part) in parts {
                do {
                    try part.check()
                } catch {
                    faults[name] = error.consoleSentence
                }
            }
            guard faults.isEmpty else { return try page(form.context, typed: typed, seen: seen, faults: faults) }
            let change = BrandChange(
                logo: logo, color: typed["color"], supportAddress: typed["support"], postalLine: typed["postal"],
                expected: BrandChange.Expected(
                    logo: seen["logo"], color: seen["color"], supportAddress: seen["support"],
                    postalLine: seen["postal"]))
            try await form.homing.projects.setBrand(change, of: id, by: form.author)
            return form.saved()
        } catch Refusal.changedMeanwhile(let sentence) {
            return try page(
                form.context, typed: typed,
                problem: "Somebody else has changed the brand meanwhile: \(sentence). What you typed is in the form, a "
                    + "file is chosen again; nothing is saved yet.")
        }
    }
}

extension Logo {
    /// The picture itself as a URL, for a page that is not served beside it.
    var dataURL: String { "data:\(format.rawValue);base64,\(Data(bytes).base64EncodedString())" }
}
