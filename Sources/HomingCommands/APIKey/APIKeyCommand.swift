// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import ArgumentParser
import HomingCore
import HomingProjects
import HomingStore
import HomingWire

/// `homing api-key …`.
struct APIKeyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "api-key", abstract: "API keys: what apps send to name their project.",
        discussion: """
            To change a key: create one, ship apps and pages with it, use it for links, and revoke the old one when no app \
            sends it any more.

            EXAMPLE
              homing api-key create shop "Autumn apps"
            """,
        subcommands: [APIKeyCreate.self, APIKeyList.self, APIKeyUse.self, APIKeyRevoke.self])

    static func record(_ key: APIKey, of project: Project) -> JSON {
        .object([
            ("key", .string(key.text)), ("name", key.name.map { .string($0) } ?? .null),
            ("createdAt", .string(MailCommand.time(key.createdAt))),
            ("revokedAt", key.revokedAt.map { .string(MailCommand.time($0)) } ?? .null),
            ("inLinks", .bool(key.revokedAt == nil && key.text == project.linkKey)),
        ])
    }
}

struct APIKeyCreate: DatabaseCommand {
    static let configuration = CommandConfiguration(
        commandName: "create", abstract: "Make one more key; links carry the same one as before.",
        discussion: """
            EXAMPLE
              homing api-key create shop "Autumn apps"
            """)

    @Argument var project: ProjectID
    @Argument(help: "What you call it.") var name: String?
    @Option(help: "A key of your own, such as Firebase's; otherwise one is made.") var key: String?
    @OptionGroup var format: OutputOptions

    func run(in homing: Homing, _ output: inout CommandOutput) async throws {
        let key = try await homing.projects.createAPIKey(named: name, text: key, in: project, by: .command)
        output.answer(
            format, json: APIKeyCommand.record(key, of: try homing.projects.existing(project)),
            lines: ["API key \(key.text)", "links carry it after: homing api-key use \(project) \(key.text)"])
    }
}

struct APIKeyList: DatabaseCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the keys, revoked ones too.",
        discussion: "EXAMPLE\n  homing api-key list shop")

    @Argument var project: ProjectID
    @OptionGroup var format: OutputOptions

    func run(in homing: Homing, _ output: inout CommandOutput) async throws {
        let project = try homing.projects.existing(project)
        let rows =
            [["KEY", "NAME", "CREATED", "STATUS"]]
            + project.allKeys.map { key in
                let state = key.text == project.linkKey ? "in force, in links" : "in force"
                return [
                    key.text, key.name ?? "", MailCommand.time(key.createdAt), key.revokedAt == nil ? state : "revoked",
                ]
            }
        output.answer(
            format, json: .array(project.allKeys.map { APIKeyCommand.record($0, of: project) }),
            styled: Table.lines(rows, empty: "no API key"))
    }
}

struct APIKeyUse: DatabaseCommand {
    static let configuration = CommandConfiguration(
        commandName: "use", abstract: "Have links carry this key from now on.",
        discussion: "EXAMPLE\n  homing api-key use shop hk_shop_for_the_test")

    @Argument var project: ProjectID
    @Argument var key: String
    @OptionGroup var format: OutputOptions

    func run(in homing: Homing, _ output: inout CommandOutput) async throws {
        try await homing.projects.useAPIKey(key, in: project, by: .command)
        output.answer(
            format, json: ["project": .string(project.text), "linkKey": .string(key)],
            lines: ["links of \(project) carry \(key) from now on"])
    }
}

struct APIKeyRevoke: DatabaseCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke", abstract: "Refuse whatever comes with this key.",
        discussion: """
            Apps and pages that still send it are locked out. Links that were mailed with it open Homing's page as before; an \
            action page of your own that sends the link's key on is refused, so wait until those links are over.

            EXAMPLE
              homing api-key revoke shop hk_shop_for_the_test
            """)

    @Argument var project: ProjectID
    @Argument var key: String
    @OptionGroup var format: OutputOptions

    func run(in homing: Homing, _ output: inout CommandOutput) async throws {
        try await homing.projects.revokeAPIKey(key, in: project, by: .command)
        let linkKey = try homing.projects.existing(project).linkKey
        output.answer(
            format, json: ["revoked": .string(key), "linkKey": .string(linkKey)],
            lines: ["API key \(key) is revoked; links carry \(linkKey)"])
    }
}
