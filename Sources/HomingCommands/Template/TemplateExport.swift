// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import ArgumentParser
import HomingCore
import HomingProjects
import HomingStore
import HomingWire

/// `homing template export`.
struct TemplateExport: DatabaseCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Write the templates in force as files, to keep them beside your code.",
        discussion: """
            A folder for each kind, in it one for each language, with template.yaml, body.txt and body.html. Files that \
            are there are written anew; none is removed.

            EXAMPLE
              homing template export shop mails/
            """)

    @Argument var project: ProjectID
    @Argument(help: "The folder, which is made where it is not there.") var folder: String
    @OptionGroup var format: OutputOptions

    var outputFolder: String? { folder }

    func run(in homing: Homing, _ output: inout CommandOutput) async throws {
        let versions = try homing.projects.existing(project).templates.inForce
        output.files = try TemplateFiles.files(versions)
        output.answer(
            format, json: .array(output.files.keys.sorted().map { .string($0) }),
            lines: versions.isEmpty
                ? ["there is no template: every email says what Homing says"]
                : output.files.keys.sorted().map { "wrote \($0)" })
    }
}

/// `homing template import`.
struct TemplateImport: DatabaseCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Put the templates of a folder in force, all or none.",
        discussion: """
            The folder is one as homing template export writes it. Templates that it does not hold stay as they are. Names \
            that begin with a dot, and README.md, are not read.

            EXAMPLE
              homing template import shop mails/ --dry-run
            """)

    @Argument var project: ProjectID
    @Argument var folder: String
    @Flag(help: "Say what would change, and change nothing.") var dryRun = false
    @OptionGroup var format: OutputOptions

    var inputSource: InputSource { .folder(folder) }

    func run(in homing: Homing, _ output: inout CommandOutput) async throws {
        let changes = try TemplateFiles.changes(try await output.input?.files() ?? [:])
        guard !changes.isEmpty else {
            throw Refusal.notFound("there is no template in \(folder): homing template export writes some")
        }
        let shelf = try homing.projects.existing(project).templates
        if dryRun {
            try homing.projects.check(changes)
        } else {
            try await homing.projects.save(changes, of: project, by: .command)
        }
        let verb = dryRun ? "would change" : "changed"
        var records: [JSON] = []
        var lines: [String] = []
        for change in changes {
            let newest = shelf.newest(change.kind, change.language)?.template
            let fields = MailTemplate.Field.allCases.filter { newest?[$0] != change.template?[$0] }
            records.append([
                "kind": .string(change.kind.rawValue), "language": .string(change.language),
                "changed": .array(fields.map { .string($0.rawValue) }),
            ])
            let name = "\(change.kind.rawValue) \(change.language)"
            lines.append(
                fields.isEmpty
                    ? "\(name) is the same" : "\(name) \(verb): \(fields.map(\.rawValue).joined(separator: ", "))")
        }
        let others = shelf.inForce.filter { version in
            !changes.contains { $0.kind == version.kind && ASCII.areEqual($0.language, version.language) }
        }
        lines += others.map { "\($0.kind.rawValue) \($0.language) is not in \(folder) and stays" }
        output.answer(format, json: .array(records), lines: lines)
    }
}
