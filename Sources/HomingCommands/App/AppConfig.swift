// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import ArgumentParser
import HomingCore
import HomingOperations
import HomingProjects
import HomingStore
import HomingWire

/// `homing app config`.
struct AppConfig: DatabaseCommand {
    static let configuration = CommandConfiguration(
        commandName: "config", abstract: "Print the files and the lines that an app needs.",
        discussion: """
            Homing-Info.plist for an Apple app, homing-services.json for an Android app, and the lines for their other \
            files. Without an id, those of all apps of the project, and of web pages.

            EXAMPLE
              homing app config shop com.example.shop
              homing app config shop com.example.shop --file Homing-Info.plist
            """)

    @Argument var project: ProjectID
    @Argument(help: "Bundle id or package name.", completion: .apps) var id: String?
    @Option(help: "Only this platform: \(AppConfiguration.Platform.allCases.map(\.rawValue).joined(separator: ", ")).")
    var platform: AppConfiguration.Platform?
    @Option(help: ArgumentHelp("Only this file, as it is to be written.", valueName: "name")) var file: String?
    @OptionGroup var format: OutputOptions

    func run(in homing: Homing, _ output: inout CommandOutput) async throws {
        let project = try homing.projects.existing(self.project)
        let all = try AppConfiguration.all(in: project, app: id, platform: platform, publicURL: homing.publicURL)
        if let file { return try print(file, of: all, &output) }
        if project.linkDomains.isEmpty, all.contains(where: { $0.app != nil }) {
            output.note("\(project.projectID) has no link domain yet: with one there are more lines")
        }
        output.answer(format, json: .array(all.flatMap(Self.json)), styled: all.flatMap(Self.lines))
    }

    private func print(
        _ file: String, of all: [AppConfiguration], _ output: inout CommandOutput
    ) throws {
        let parts = all.flatMap(\.parts)
        guard let part = parts.first(where: { $0.name.utf8.elementsEqual(file.utf8) }) else {
            throw Refusal.notFound(
                "\(Printable.given(file)) is not among \(parts.map(\.name).joined(separator: ", "))")
        }
        output.answer(format, json: .string(part.text), lines: [part.text])
    }

    private static func json(_ configuration: AppConfiguration) -> [JSON] {
        configuration.parts.map { part in
            .object([
                ("platform", .string(configuration.platform.rawValue)), ("app", configuration.app.map { .string($0) }),
                ("name", .string(part.name)), ("place", .string(part.place)), ("text", .string(part.text)),
            ])
        }
    }

    private static func lines(_ configuration: AppConfiguration) -> [StyledLine] {
        configuration.parts.flatMap { part in
            [
                StyledLine("\(configuration.app ?? "web pages"): \(part.name), \(part.place)", .heading),
                StyledLine(part.text), "",
            ]
        }
    }
}

extension AppConfiguration.Platform: ExpressibleByArgument, Codable {}
