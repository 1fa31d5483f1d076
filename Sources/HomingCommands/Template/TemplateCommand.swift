// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import ArgumentParser
import HomingCore
import HomingMail
import HomingProjects
import HomingStore
import HomingTexts
import HomingWire

/// `homing template …`: what a project says in its mails.
struct TemplateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "template", abstract: "Mail templates: a project's own words, by kind of email and language.",
        discussion: "EXAMPLE\n  homing template list shop",
        subcommands: [
            TemplateList.self, TemplateShow.self, TemplateSet.self, TemplateReset.self, TemplatePreview.self,
            TemplateTest.self, TemplateVersions.self, TemplateRestore.self, TemplateExport.self, TemplateImport.self,
        ])

    static func record(_ version: TemplateVersion) -> JSON {
        [
            "kind": .string(version.kind.rawValue), "language": .string(version.language),
            "version": .int(Int64(version.number)), "author": .string(version.author),
            "savedAt": .string(MailCommand.time(version.createdAt)),
            "template": version.template.map(record) ?? .null,
        ]
    }

    static func record(_ template: MailTemplate) -> JSON {
        .object(
            JSON.Object(
                MailTemplate.Field.allCases.compactMap { field in
                    template[field].map { (field.rawValue, .string($0)) }
                }))
    }

    /// Says beside the answer what the template of a version lacks.
    static func note(_ version: TemplateVersion, of project: Project, _ output: inout CommandOutput) {
        for note in version.template?.notes(for: version.kind, in: project.settings) ?? [] {
            output.note("note: \(note)")
        }
    }

    static func line(_ version: TemplateVersion) -> String {
        "version \(version.number) of \(version.kind.rawValue) \(version.language)"
    }
}

/// The template that a command is about.
struct TemplateName: ParsableArguments, Encodable {
    @Argument var project: ProjectID
    @Argument(
        help: "\(MailKind.withTemplates.map(\.rawValue).joined(separator: ", ")).",
        completion: .list(MailKind.withTemplates.map(\.rawValue)))
    var kind: String
    @Argument(
        help: "A language tag, such as en or pt-BR; one that Homing has no texts in, too.",
        completion: .list(Language.allCases.map(\.tag)))
    var language: String

    func parsed() throws(Refusal) -> (kind: MailKind, language: String) {
        (try Self.kind(kind), try Self.language(language))
    }

    static func kind(_ name: String) throws(Refusal) -> MailKind {
        guard let kind = MailKind.withTemplates.first(where: { ASCII.areEqual($0.rawValue, name) }) else {
            let names = MailKind.withTemplates.map(\.rawValue)
            let sentence = "there is no template \(Printable.line(name, atMost: 60))"
            guard let meant = Spelling.nearest(to: name, among: names) else {
                throw .invalidSetting("\(sentence); there are: \(names.joined(separator: ", "))")
            }
            throw .invalidSetting(sentence, remedy: .meant(meant))
        }
        return kind
    }

    static func language(_ tag: String) throws(Refusal) -> String {
        guard let language = LanguageTag(parsing: tag)?.text else {
            let sentence = "\(Printable.line(tag, atMost: 60)) is no language"
            guard let meant = Spelling.nearest(to: tag, among: Language.allCases.map(\.tag)) else {
                throw .invalidSetting("\(sentence): use a tag such as de or pt-BR")
            }
            throw .invalidSetting(sentence, remedy: .meant(meant))
        }
        return language
    }
}

struct TemplateList: DatabaseCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the templates in force.",
        discussion: "EXAMPLE\n  homing template list shop --json")

    @Argument var project: ProjectID
    @OptionGroup var format: OutputOptions

    func run(in homing: Homing, _ output: inout CommandOutput) async throws {
        let versions = try homing.projects.existing(project).templates.inForce
        let rows =
            [["KIND", "LANGUAGE", "VERSION", "BY", "FIELDS"]]
            + versions.map { version in
                let fields = MailTemplate.Field.allCases.filter { version.template?[$0] != nil }
                return [
                    version.kind.rawValue, version.language, String(version.number), version.author,
                    fields.map(\.rawValue).joined(separator: ","),
                ]
            }
        output.answer(
            format, json: .array(versions.map(TemplateCommand.record)),
            styled: Table.lines(rows, empty: "every email says what Homing says: homing template set"))
    }
}

struct TemplateShow: DatabaseCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show a template in force.",
        discussion: "EXAMPLE\n  homing template show shop PASSWORD_RESET de")

    @OptionGroup var name: TemplateName
    @OptionGroup var format: OutputOptions

    func run(in homing: Homing, _ output: inout CommandOutput) async throws {
        let (kind, language) = try name.parsed()
        let project = try homing.projects.existing(name.project)
        let newest = project.templates.newest(kind, language)
        guard let newest, let template = newest.template else {
            throw Refusal.notFound(
                "\(name.project) has no template \(kind.rawValue) \(language): homing template set")
        }
        var lines = [
            TemplateCommand.line(newest), "by \(newest.author)", "saved \(MailCommand.time(newest.createdAt))",
        ]
        for field in MailTemplate.Field.allCases {
            guard let value = template[field] else { continue }
            lines += field == .text || field == .html ? ["\(field.rawValue):", value] : ["\(field.rawValue) \(value)"]
        }
        output.answer(format, json: TemplateCommand.record(newest), lines: lines)
        TemplateCommand.note(newest, of: project, &output)
    }
}

struct TemplateSet: DatabaseCommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Write a template, or change fields of it.",
        discussion: """
            Fields that are not given stay as they are; an empty one goes back to what Homing says. Placeholders: %LINK%, \
            %EMAIL%, %NEW_EMAIL%, %APP_NAME%, %DISPLAY_NAME%, %LIFETIME%, %TIME%, %CLOCK%, %DEVICE%, %NETWORK%, %CODE%, \
            %NUMBER%, %REQUEST%. HTML is laid-out text: no \
            script, no form, nothing that is loaded. docs/templates.md has the rules.

            EXAMPLE
              homing template set shop PASSWORD_RESET de \\
                --subject "Neues Passwort für %APP_NAME%" --text reset.de.txt
            """)

    @OptionGroup var name: TemplateName
    @Option(help: "The sender's name, such as \"%APP_NAME%\".") var senderName: String?
    @Option(help: "The part of the sender's address before the @; the domain is that of mail.from.")
    var senderLocalPart: String?
    @Option(help: "The reply-to address.") var replyTo: String?
    @Option(help: "One line of at most 200 bytes.") var subject: String?
    @Option(help: "A file with the plain text.") var text: String?
    @Option(help: "A file with the HTML: a whole document, or the content of the card.") var html: String?
    @Option(help: "The version that you began from: if another is in force, nothing is saved.") var from: Int?
    @OptionGroup var format: OutputOptions

    var inputSource: InputSource {
        let files = [("text", text), ("html", html)].compactMap { name, path in
            path.flatMap { $0.isEmpty ? nil : (name, $0) }
        }
        return files.isEmpty ? .nothing : .files(files)
    }

    func run(in homing: Homing, _ output: inout CommandOutput) async throws {
        let (kind, language) = try name.parsed()
        let files = try await output.input?.files() ?? [:]
        let project = try homing.projects.existing(name.project)
        let newest = project.templates.newest(kind, language)
        var template = newest?.template ?? MailTemplate()
        let values: [(MailTemplate.Field, String?)] = [
            (.senderName, senderName), (.senderLocalPart, senderLocalPart), (.replyTo, replyTo), (.subject, subject),
            (.text, text.map { _ in files["text"] ?? "" }), (.html, html.map { _ in files["html"] ?? "" }),
        ]
        guard values.contains(where: { $0.1 != nil }) else {
            throw ValidationError("what is to be said? --subject, --text, --html, --sender-name, …")
        }
        for (field, value) in values { if let value { template[field] = value } }
        let change = try TemplateChange(kind, language, to: template, from: from ?? newest?.number ?? 0)
        let saved = try await homing.projects.save([change], of: name.project, by: .command)[0]
        output.answer(
            format, json: TemplateCommand.record(saved), lines: ["\(TemplateCommand.line(saved)) is in force"])
        TemplateCommand.note(saved, of: project, &output)
    }
}

struct TemplateReset: DatabaseCommand {
    static let configuration = CommandConfiguration(
        commandName: "reset", abstract: "Go back to what Homing says. The versions stay.",
        discussion: "EXAMPLE\n  homing template reset shop PASSWORD_RESET de")

    @OptionGroup var name: TemplateName
    @OptionGroup var format: OutputOptions

    func run(in homing: Homing, _ output: inout CommandOutput) async throws {
        let (kind, language) = try name.parsed()
        let saved = try await homing.projects.save(
            [TemplateChange(kind, language, to: nil)], of: name.project, by: .command)[0]
        output.answer(
            format, json: TemplateCommand.record(saved),
            lines: ["\(kind.rawValue) \(language) says what Homing says: homing template versions has the others"])
    }
}

struct TemplateVersions: DatabaseCommand {
    static let configuration = CommandConfiguration(
        commandName: "versions", abstract: "List everything that a template has said.",
        discussion: "EXAMPLE\n  homing template versions shop PASSWORD_RESET de --json")

    @OptionGroup var name: TemplateName
    @OptionGroup var format: OutputOptions

    func run(in homing: Homing, _ output: inout CommandOutput) async throws {
        let (kind, language) = try name.parsed()
        let versions = try await homing.projects.versions(kind, language, of: name.project)
        let rows =
            [["VERSION", "SAVED", "BY", "SUBJECT"]]
            + versions.map {
                [
                    String($0.number), MailCommand.time($0.createdAt), $0.author,
                    $0.template == nil ? "(reset)" : $0.template?[.subject] ?? "",
                ]
            }
        output.answer(
            format, json: .array(versions.map(TemplateCommand.record)),
            styled: Table.lines(rows, empty: "it was never written: homing template set"))
    }
}

struct TemplateRestore: DatabaseCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore", abstract: "Put an older version in force again, as a new one.",
        discussion: "EXAMPLE\n  homing template restore shop PASSWORD_RESET de 3")

    @OptionGroup var name: TemplateName
    @Argument(help: "A number of homing template versions.") var version: Int
    @OptionGroup var format: OutputOptions

    func run(in homing: Homing, _ output: inout CommandOutput) async throws {
        let (kind, language) = try name.parsed()
        let saved = try await homing.projects.restore(version, of: kind, language, in: name.project, by: .command)
        output.answer(
            format, json: TemplateCommand.record(saved), lines: ["\(TemplateCommand.line(saved)) is in force"])
        TemplateCommand.note(saved, of: try homing.projects.existing(name.project), &output)
    }
}

struct TemplatePreview: DatabaseCommand {
    static let configuration = CommandConfiguration(
        commandName: "preview", abstract: "Print an email with sample facts, as it would be sent.",
        discussion: "EXAMPLE\n  homing template preview shop PASSWORD_RESET de --html > reset.html")

    @OptionGroup var name: TemplateName
    @Flag(help: "Print the HTML part.") var html = false
    @OptionGroup var format: OutputOptions

    func run(in homing: Homing, _ output: inout CommandOutput) async throws {
        let (kind, language) = try name.parsed()
        let project = try homing.projects.existing(name.project)
        let voice = LetterVoice(kind, in: project, for: language)
        let letter = Letter(
            sample: kind, of: project, in: voice, publicURL: homing.publicURL, at: homing.system.now())
        output.answer(
            format,
            json: [
                "language": .string(voice.tag), "version": voice.template.map { .int(Int64($0.number)) } ?? .null,
                "subject": .string(letter.subject), "text": .string(letter.text), "html": .string(letter.html),
            ], lines: html ? [letter.html] : ["Subject: \(letter.subject)", "", letter.text])
    }
}

struct TemplateTest: DatabaseCommand {
    static let configuration = CommandConfiguration(
        commandName: "test", abstract: "Mail a template with sample facts to an address; the link does nothing.",
        discussion: "EXAMPLE\n  homing template test shop PASSWORD_RESET de you@example.com")

    @OptionGroup var name: TemplateName
    @Argument var address: String
    @OptionGroup var format: OutputOptions

    func run(in homing: Homing, _ output: inout CommandOutput) async throws {
        let (kind, language) = try name.parsed()
        let project = try homing.projects.existing(name.project)
        let id = try await homing.outbox.enqueueTest(
            to: try EmailAddress(parsing: address), in: project, showing: kind, language: language, by: .command)
        output.answer(
            format, json: ["id": .string(id)], lines: ["email \(id) is in the outbox: homing mail show \(id)"])
    }
}
