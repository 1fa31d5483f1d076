// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import ArgumentParser
import HomingCore
import HomingProjects
import HomingStore
import HomingTexts
import HomingWire

/// `homing brand …`: how a project looks.
struct BrandCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "brand", abstract: "The brand: what pages and emails carry beside the project's name.",
        discussion: "EXAMPLE\n  homing brand set shop --color '#0A7D55' --logo logo.png",
        subcommands: [BrandSet.self, BrandShow.self, BrandReset.self])

    static func answer(_ brand: Brand, _ format: OutputOptions, _ output: inout CommandOutput) {
        let lines = [
            brand.logo.map { logo in
                "logo \(logo.format.rawValue), \(logo.bytes.count) bytes"
                    + (logo.size.map { ", \($0.width) by \($0.height) pixels" }
                        ?? "; emails show the name's first letter")
            },
            brand.shades.map { shades in
                "colour \(brand.color?.text ?? ""), shown as \(shades.day.accent.text) by day and "
                    + "\(shades.night.accent.text) in the dark"
            },
            brand.supportAddress.map { "support \($0.text)" }, brand.postalLine.map { "postal \($0)" },
        ].compactMap(\.self)
        output.answer(
            format,
            json: [
                "logo": brand.logo.map {
                    [
                        "type": .string($0.format.rawValue), "bytes": .int(Int64($0.bytes.count)),
                        "digest": .string($0.digest),
                    ]
                } ?? .null,
                "color": brand.color.map { .string($0.text) } ?? .null,
                "shownByDay": brand.shades.map { .string($0.day.accent.text) } ?? .null,
                "shownInTheDark": brand.shades.map { .string($0.night.accent.text) } ?? .null,
                "support": brand.supportAddress.map { .string($0.text) } ?? .null,
                "postal": brand.postalLine.map { .string($0) } ?? .null,
            ], lines: lines.isEmpty ? ["pages and emails carry the project's name: homing brand set"] : lines)
    }
}

struct BrandSet: DatabaseCommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Change how pages and emails look.",
        discussion: """
            What is not given stays, an empty value removes. A logo is a PNG or an SVG without scripts, of at most 64 KiB; \
            emails carry a PNG along and show no SVG. A colour that could not be read is darkened or lightened until it can.

            EXAMPLE
              homing brand set shop --logo logo.png --color '#0A7D55' \\
                --support help@shop.example --postal "The Shop, 1 Main Street, Springfield"
            """)

    @Argument var project: ProjectID
    @Option(help: "A file; empty for no logo.") var logo: String?
    @Option(help: "The colour of buttons and links: #RRGGBB.") var color: String?
    @Option(help: "An address where people find help.") var support: String?
    @Option(help: "One line that says who you are and where.") var postal: String?
    @OptionGroup var format: OutputOptions

    var inputSource: InputSource { logo.flatMap { $0.isEmpty ? nil : .file($0) } ?? .nothing }

    func run(in homing: Homing, _ output: inout CommandOutput) async throws {
        guard [logo, color, support, postal].contains(where: { $0 != nil }) else {
            throw ValidationError("what is to change? --logo, --color, --support, --postal")
        }
        let bytes = try await output.input?.whole(atMost: Logo.largest)
        try await homing.projects.setBrand(
            BrandChange(
                logo: logo.map { $0.isEmpty ? [] : bytes ?? [] }, color: color, supportAddress: support,
                postalLine: postal), of: project, by: .command)
        BrandCommand.answer(try homing.projects.existing(project).brand, format, &output)
    }
}

struct BrandShow: DatabaseCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show how pages and emails look.",
        discussion: "EXAMPLE\n  homing brand show shop --json")

    @Argument var project: ProjectID
    @OptionGroup var format: OutputOptions

    func run(in homing: Homing, _ output: inout CommandOutput) async throws {
        BrandCommand.answer(try homing.projects.existing(project).brand, format, &output)
    }
}

struct BrandReset: DatabaseCommand {
    static let configuration = CommandConfiguration(
        commandName: "reset", abstract: "Go back to Homing's own look.",
        discussion: "EXAMPLE\n  homing brand reset shop")

    @Argument var project: ProjectID
    @OptionGroup var format: OutputOptions

    func run(in homing: Homing, _ output: inout CommandOutput) async throws {
        try await homing.projects.setBrand(.reset, of: project, by: .command)
        BrandCommand.answer(try homing.projects.existing(project).brand, format, &output)
    }
}
