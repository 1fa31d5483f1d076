// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import ArgumentParser
import HomingCore
import HomingLinkRules
import HomingOperations
import HomingProjects
import HomingStore
import HomingTexts
import HomingWire

/// `homing project …`.
struct ProjectCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "project", abstract: "Projects: one app family each.",
        discussion: "EXAMPLE\n  homing project create shop --authorized-domain shop.example",
        subcommands: [
            ProjectCreate.self, ProjectList.self, ProjectShow.self, ProjectDelete.self, ProjectSet.self,
            ProjectImport.self,
        ])
}

struct ProjectCreate: DatabaseCommand {
    static let configuration = CommandConfiguration(
        commandName: "create", abstract: "Make a project and print its API key.",
        discussion: """
            EXAMPLE
              homing project create shop --name "The Shop" --locale es \\
                --authorized-domain www.shop.example
            """)

    @Argument(help: "1 to 63 of a-z, 0-9 and -.") var id: ProjectID
    @Option(help: "What people read in emails and on pages.") var name: String?
    @Option(help: "An API key of your own; otherwise one is made.") var apiKey: String?
    @Option(
        name: .customLong("authorized-domain"), help: "A host that continue URLs may lead to: host, *.host, host:port.")
    var authorizedDomains: [String] = []
    @Option(name: .customLong("link-domain"), help: "A host of your own for app links: HOST[/PREFIX].")
    var linkDomains: [String] = []
    @Option(
        help: """
            The language where a request names none, such as de or pt-BR: homing language list names those of Homing's \
            own words.
            """)
    var locale: String?
    @OptionGroup var format: OutputOptions

    var createsDatabase: Bool { true }

    func run(in homing: Homing, _ output: inout CommandOutput) async throws {
        let project = try await homing.projects.create(
            id: id, name: name, apiKey: apiKey, authorizedDomains: authorizedDomains, linkDomains: linkDomains,
            language: locale, by: .command)
        LinkDomainCommand.warn(of: project.linkDomains, in: id, &output)
        let target =
            project.authorizedDomains.first.map {
                "\($0.host.isLoopback ? "http" : "https")://\($0.text.replacing("*.", with: "www."))/"
            } ?? ""
        let continueURL = target.isEmpty ? "" : ",\"continueUrl\":\"\(target)\""
        let curl = """
            curl -H 'Content-Type: application/json' -d '{"requestType":"EMAIL_SIGNIN","email":"you@example.com"\
            \(continueURL)\(target.isEmpty ? "" : ",\"canHandleCodeInApp\":true")}' \
            '\(homing.publicURL)/identitytoolkit.googleapis.com/v1/accounts:sendOobCode?key=\(project.linkKey)'
            """
        output.answer(
            format, json: ProjectRecord.json(project),
            lines: [
                "project \(project.projectID)", "API key \(project.linkKey)",
                "a first email, once `homing serve` runs:", "  \(curl)",
            ])
    }
}

struct ProjectList: DatabaseCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the projects.", discussion: "EXAMPLE\n  homing project list --json")

    @OptionGroup var format: OutputOptions

    func run(in homing: Homing, _ output: inout CommandOutput) async throws {
        let projects = homing.projects.all()
        let rows = [["ID", "NAME", "API KEY"]] + projects.map { [$0.projectID.text, $0.name, $0.linkKey] }
        output.answer(
            format, json: .array(projects.map(ProjectRecord.json)),
            styled: Table.lines(rows, empty: "there is no project yet: homing project create"))
    }
}

struct ProjectShow: DatabaseCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show a project with its settings.",
        discussion: "EXAMPLE\n  homing project show shop")

    @Argument var id: ProjectID
    @OptionGroup var format: OutputOptions

    func run(in homing: Homing, _ output: inout CommandOutput) async throws {
        let project = try homing.projects.existing(id)
        var lines: [StyledLine] = [
            .fact("project", project.projectID.text), .fact("name", project.name), .fact("number", project.number),
            .fact("API key", project.linkKey),
        ]
        for key in project.apiKeys where key.text != project.linkKey {
            lines.append(.fact("further API key", key.text + (key.name.map { " (\($0))" } ?? "")))
        }
        lines += project.authorizedDomains.map { .fact("authorised domain", $0.text) }
        lines += project.linkDomains.map { .fact("link domain", $0.text) }
        lines += project.apps.map { .fact("\($0.platform.rawValue) app", $0.id) }
        lines += ProjectSetting.all.map { .fact($0.name, $0.printed(project.settings[$0])) }
        output.answer(format, json: ProjectRecord.json(project), styled: lines)
    }
}

struct ProjectDelete: IrreversibleCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Remove a project with its accounts, for ever.",
        discussion: """
            On a terminal it asks for the project's id; a script says --yes.

            EXAMPLE
              homing project delete shop --yes
            """)

    @Argument var id: ProjectID
    @OptionGroup var consent: Consent
    @OptionGroup var format: OutputOptions

    var loss: String { "the project \(id) with its accounts and links" }
    var lossName: String { id.text }

    func run(in homing: Homing, _ output: inout CommandOutput) async throws {
        try await homing.deleteProject(id, by: .command)
        output.answer(format, json: ["deleted": .string(id.text)], lines: ["project \(id) is gone, with its accounts"])
    }
}

struct ProjectSet: DatabaseCommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Change a setting, by its name in the admin config document.",
        discussion: """
            An empty value goes back to the default. `homing project show` lists the names. A duration is a number of \
            seconds, or a number and a unit: 90m, 72h, 3d.

            EXAMPLE
              homing project set shop actionCodes.lifetimeSeconds.PASSWORD_RESET 30m
              homing project set shop actionCodes.binding.EMAIL_SIGNIN required
            """)

    @Argument var id: ProjectID
    @Argument(
        help: "Such as signIn.email.passwordRequired, or displayName.",
        completion: .list(["displayName"] + ProjectSetting.all.map(\.name)))
    var key: String
    @Argument var value: String
    @OptionGroup var format: OutputOptions

    func run(in homing: Homing, _ output: inout CommandOutput) async throws {
        let setting = ProjectSetting.named(key)
        try await homing.projects.set(id, key, to: setting?.kept(value) ?? value, by: .command)
        let project = try homing.projects.existing(id)
        let now = setting.map { project.settings[$0] } ?? project.name
        output.answer(
            format, json: [key: setting.map { project.settings.json($0) } ?? .string(now)],
            lines: ["\(key) is now \(now.isEmpty ? "empty" : setting?.printed(now) ?? now)"])
        if key.hasPrefix("quota."), let note = project.settings.quotaNote(at: homing.system.now()) { output.note(note) }
    }
}
