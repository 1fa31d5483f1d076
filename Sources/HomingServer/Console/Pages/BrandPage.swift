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

    /// What the author of a change has seen; a logo by its digest.
    private static func texts(of brand: Brand) -> [(name: String, text: String)] {
        [
            ("logo", brand.logo?.digest ?? ""), ("color", brand.color?.text ?? ""),
            ("support", brand.supportAddress?.text ?? ""), ("postal", brand.postalLine ?? ""),
        ]
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
        let was = texts(of: brand).map { ("was:\($0.0)", seen[$0.0] ?? $0.1) }
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
        let upload = ConsoleField(
            "Logo", "logo", hint: "A PNG, or an SVG without scripts, of at most 64 KiB.", fault: faults["logo"],
            kind: .file(["image/png", "image/svg+xml"]))
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
                <p>What pages and mails carry beside the project's name.</p>
                <section>\(logo)\(shades)\(context.form(hidden: was, HTML(joining: ([upload] + fields).map { $0.html() }), button: "Save", hasFile: true))\
                \(removal)</section>
                """
                : "<section>\(logo)\(shades)<p>\(brand.supportAddress?.text ?? "")</p><p>\(brand.postalLine ?? "")</p></section>",
            problem: problem.map { "\($0)" },
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
        } catch Refusal.Code.changedMeanwhile {
            let context = try await form.context.renewed()
            let current = try context.project.brand
            var faults: [String: String] = [:]
            let changesLogo = form.text("way") == "remove" || form.files["logo"]?.isEmpty == false
            for (name, now) in texts(of: current) where name == "logo" ? changesLogo : typed[name] != nil {
                guard let before = form.fields["was:\(name)"], !before.utf8.elementsEqual(now.utf8) else { continue }
                faults[name] =
                    name == "logo"
                    ? "The logo is another one by now: it stands above. Choose your file again to replace it."
                    : "This is \(now.isEmpty ? "nothing" : now) by now, it was \(before.isEmpty ? "nothing" : before) when "
                        + "you began."
            }
            return try page(
                context, typed: typed, faults: faults,
                problem: "Somebody else has changed the brand meanwhile. What you typed is in the form, and nothing is "
                    + "saved yet: saving again replaces theirs.")
        }
    }
}

extension Logo {
    /// The picture itself as a URL, for a page that is not served beside it.
    var dataURL: String { "data:\(format.rawValue);base64,\(Data(bytes).base64EncodedString())" }
}
