// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import ArgumentParser
import HomingCore
import HomingProjects
import HomingStore
import HomingTexts
import HomingWire

/// `homing text …`: sentences of pages and emails in a project's own words.
struct TextCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "text", abstract: "Sentences of pages and emails that a project says in its own words.",
        discussion: """
            A template replaces a whole email (homing template); this replaces a sentence, such as the title of a page.

            EXAMPLE
              homing text set shop de pages.done.passwordReset.title "Das neue Passwort gilt"
            """,
        subcommands: [TextList.self, TextSet.self, TextReset.self, TextDiff.self])

    static func language(_ tag: String) throws(Refusal) -> Language {
        guard let language = Language(tag: tag) else {
            throw .invalidSetting(
                "Homing has no words in \(Printable.line(tag, atMost: 60))", remedy: .listLanguages)
        }
        return language
    }
}

struct TextList: DatabaseCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the sentences in a project's own words, or all sentences of a language.",
        discussion: "EXAMPLE\n  homing text list shop de --all")

    @Argument var project: ProjectID
    @Argument(help: "A tag of homing language list; all where it is left out.") var language: String?
    @Flag(help: "Also the sentences that are Homing's; with a language.") var all = false
    @OptionGroup var format: TableOutputOptions

    func validate() throws {
        guard !all || language != nil else {
            throw ValidationError("--all wants a language: homing text list shop de --all")
        }
    }

    func run(in homing: Homing, _ output: inout CommandOutput) async throws {
        let own = try homing.projects.existing(project).texts.changes
        let chosen = try language.map { try TextCommand.language($0) }
        var rows: [(language: String, key: String, text: String, isOwn: Bool)] = []
        for (tag, texts) in own where chosen.map({ $0.tag == tag }) ?? true {
            rows += texts.map { (tag, $0.key, $0.value, true) }
        }
        if all, let chosen {
            let changed = own[chosen.tag] ?? [:]
            rows += OwnTexts.sentences(of: chosen).filter { changed[$0.key] == nil }
                .map { (chosen.tag, $0.key, $0.value, false) }
        }
        rows.sort { ($0.language, $0.key) < ($1.language, $1.key) }
        output.answer(
            format,
            json: .array(
                rows.map {
                    [
                        "language": .string($0.language), "key": .string($0.key), "text": .string($0.text),
                        "own": .bool($0.isOwn),
                    ]
                }),
            rows: [["LANGUAGE", "KEY", "TEXT"]] + rows.map { [$0.language, $0.key, $0.text] },
            empty: "\(project) says everything in Homing's words: homing text set")
    }
}

struct TextSet: DatabaseCommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Say a sentence in a project's own words.",
        discussion: """
            homing text list PROJECT LANGUAGE --all names the keys. A text may have the placeholders that Homing's sentence \
            has, and no markup. A language counts by the plural categories that its sentence has.

            EXAMPLE
              homing text set shop de pages.done.passwordReset.title "Das neue Passwort gilt"
            """)

    @Argument var project: ProjectID
    @Argument(help: "A tag of homing language list.") var language: String
    @Argument(help: "The key of the sentence, such as pages.reset.title.") var key: String
    @Argument var text: String
    @OptionGroup var format: OutputOptions

    func run(in homing: Homing, _ output: inout CommandOutput) async throws {
        let language = try TextCommand.language(language)
        try await homing.projects.setTexts([key: text], in: language, of: project, by: .command)
        output.answer(
            format, json: ["language": .string(language.tag), "key": .string(key), "text": .string(text)],
            lines: ["\(project) says \(key) in its own words in \(language.tag)"])
    }
}

struct TextReset: DatabaseCommand {
    static let configuration = CommandConfiguration(
        commandName: "reset", abstract: "Say a sentence in Homing's words again.",
        discussion: "EXAMPLE\n  homing text reset shop de pages.done.passwordReset.title")

    @Argument var project: ProjectID
    @Argument(help: "A tag of homing language list.") var language: String
    @Argument(help: "The key of the sentence; all of the language where it is left out.") var key: String?
    @OptionGroup var format: OutputOptions

    func run(in homing: Homing, _ output: inout CommandOutput) async throws {
        let language = try TextCommand.language(language)
        let own = try homing.projects.existing(project).texts.changes[language.tag] ?? [:]
        let keys = key.map { [$0] } ?? own.keys.sorted()
        try await homing.projects.setTexts(
            Dictionary(uniqueKeysWithValues: keys.map { ($0, nil) }), in: language, of: project, by: .command)
        let count = keys.filter { own[$0] != nil }.count
        output.answer(
            format, json: ["language": .string(language.tag), "reset": .int(Int64(count))],
            lines: [
                "\(project) says \(count) \(count == 1 ? "sentence" : "sentences") in Homing's words again in "
                    + language.tag
            ])
    }
}

struct TextDiff: DatabaseCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff", abstract: "Show a project's own sentences beside Homing's.",
        discussion: """
            After an upgrade it shows what Homing says now in the place of each.

            EXAMPLE
              homing text diff shop de
            """)

    @Argument var project: ProjectID
    @Argument(help: "A tag of homing language list; all where it is left out.") var language: String?
    @OptionGroup var format: OutputOptions

    func run(in homing: Homing, _ output: inout CommandOutput) async throws {
        let own = try homing.projects.existing(project).texts.changes
        let chosen = try language.map { try TextCommand.language($0).tag }
        var differences: [JSON] = []
        var lines: [String] = []
        for (tag, texts) in own.sorted(by: { $0.key < $1.key }) where chosen.map({ $0 == tag }) ?? true {
            let ours = Language(tag: tag).map { OwnTexts.sentences(of: $0) } ?? [:]
            for (key, text) in texts.sorted(by: { $0.key < $1.key }) {
                differences.append([
                    "language": .string(tag), "key": .string(key), "homing": ours[key].map { .string($0) } ?? .null,
                    "project": .string(text),
                ])
                lines += ["\(tag) \(key)", "- \(ours[key] ?? "(Homing has no such sentence any more)")", "+ \(text)"]
            }
        }
        output.answer(
            format, json: .array(differences),
            lines: lines.isEmpty ? ["\(project) says everything in Homing's words"] : lines)
    }
}
