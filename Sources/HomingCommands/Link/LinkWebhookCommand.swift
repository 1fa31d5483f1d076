// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import ArgumentParser
import Foundation
import HomingCore
import HomingMail
import HomingOperations
import HomingProjects
import HomingShortLinks
import HomingStore
import HomingWire

/// `homing link webhook …`: who hears of clicks on a project's links.
struct LinkWebhookCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "webhook", abstract: "Tell a server of the project's own of clicks and of apps that were opened.",
        discussion: """
            Requests are signed as Standard Webhooks says; docs/link-webhooks.md describes them. The URL is https on an \
            authorised domain of the project, or http on this machine for development.

            EXAMPLE
              homing link webhook set shop https://shop.example/hooks/links
              homing link webhook test shop
            """,
        subcommands: [LinkWebhookSet.self, LinkWebhookShow.self, LinkWebhookTest.self, LinkWebhookRemove.self])
}

struct LinkWebhookSet: DatabaseCommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Tell this URL of clicks and openings from now on.",
        discussion: """
            Prints the secret that requests are signed with, once: it is kept encrypted and shown nowhere. Where the URL \
            stays the same the secret stays, too, unless --new-secret or --secret-file is given.

            EXAMPLE
              homing link webhook set shop https://shop.example/hooks/links
            """)

    @Argument var project: ProjectID
    @Argument(help: "https on an authorised domain of the project.") var url: String
    @Flag(help: "Make another secret.") var newSecret = false
    @Option(help: "The file with a secret of yours, whsec_ and 24 to 64 bytes in base64; - for standard input.")
    var secretFile: String?
    @OptionGroup var format: OutputOptions

    private static let secretName = "secret"

    var inputSource: InputSource { secretFile.map { .files([(Self.secretName, $0)]) } ?? .nothing }

    func validate() throws {
        if newSecret, secretFile != nil { throw ValidationError("--new-secret and --secret-file exclude each other") }
    }

    func run(in homing: Homing, _ output: inout CommandOutput) async throws {
        let old = try homing.projects.existing(project).linkWebhook
        let given = try await output.input?.files()[Self.secretName].map { String(ASCII.trimmed($0)) }
        if let given, WebhookSignature(secret: given) == nil {
            throw Refusal.invalidSetting("the secret is not whsec_ and 24 to 64 bytes in base64")
        }
        let keeps = given == nil && !newSecret && (old?.url.utf8.elementsEqual(url.utf8) ?? false)
        let made = given == nil && !keeps ? WebhookSignature.newSecret(homing.system) : nil
        try await homing.projects.setLinkWebhook(
            url, secret: given ?? made, of: project,
            reachesPrivateAddresses: homing.serverMail.value.reachesPrivateAddresses, by: .command)
        output.answer(
            format,
            json: .object([
                ("project", .string(project.text)), ("url", .string(url)), ("secret", made.map { .string($0) }),
            ]),
            lines: ["\(url) is told of clicks and openings"]
                + (made.map { ["secret \($0)", "it is shown this once: give it to the receiver"] } ?? [])
                + ["try it: homing link webhook test \(project)"])
    }
}

struct LinkWebhookShow: DatabaseCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show who hears of clicks, and whether it takes what it is told.",
        discussion: "EXAMPLE\n  homing link webhook show shop --json")

    @Argument var project: ProjectID
    @OptionGroup var format: OutputOptions

    func run(in homing: Homing, _ output: inout CommandOutput) async throws {
        guard let webhook = try homing.projects.existing(project).linkWebhook,
            let state = try await homing.links.events.state(of: project.scope)
        else { throw Refusal.noLinkWebhook(of: project) }
        let time = { (moment: Moment?) -> JSON in moment.map { .string(MailCommand.time($0)) } ?? .null }
        let record: JSON = [
            "project": .string(project.text), "url": .string(webhook.url), "changedAt": time(webhook.changedAt),
            "sentAt": time(state.sentAt), "failingSince": time(state.failingSince),
            "problem": state.problem.map { .string($0) } ?? .null,
            "nextTryAt": time(state.failingSince.map { _ in state.nextAt }), "waiting": .int(state.waiting),
            "dropped": .int(state.dropped),
        ]
        var lines: [StyledLine] = [
            .fact("url", webhook.url), .fact("last taken", state.sentAt.map { MailCommand.time($0) } ?? "never"),
            .fact("queued events", "\(state.waiting)"),
        ]
        if let since = state.failingSince {
            let problem = Printable.line(state.problem ?? "", atMost: 300)
            lines.append(StyledLine("failing since", .fix) + " \(MailCommand.time(since)): \(problem)")
            lines.append(.fact("next try", MailCommand.time(state.nextAt)))
        }
        if state.dropped > 0 { lines.append(.fact("dropped events", "\(state.dropped)")) }
        output.answer(format, json: record, styled: lines)
    }
}

struct LinkWebhookTest: DatabaseCommand {
    static let configuration = CommandConfiguration(
        commandName: "test", abstract: "Send a request of the type link.test, and say whether it was taken.",
        discussion: "EXAMPLE\n  homing link webhook test shop")

    @Argument var project: ProjectID
    @OptionGroup var format: OutputOptions

    func run(in homing: Homing, _ output: inout CommandOutput) async throws {
        guard let webhook = try homing.projects.existing(project).linkWebhook else {
            throw Refusal.noLinkWebhook(of: project)
        }
        if let problem = await LinkWebhookCall.test(webhook, in: homing).send() {
            throw Refusal.invalidSetting("\(webhook.url) did not take the test: \(problem)")
        }
        output.answer(
            format, json: ["url": .string(webhook.url), "taken": true], lines: ["\(webhook.url) took the test"])
    }
}

struct LinkWebhookRemove: DatabaseCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Tell nobody of clicks any more; what waits is dropped.",
        discussion: "EXAMPLE\n  homing link webhook remove shop")

    @Argument var project: ProjectID
    @OptionGroup var format: OutputOptions

    func run(in homing: Homing, _ output: inout CommandOutput) async throws {
        try await homing.projects.removeLinkWebhook(of: project, by: .command)
        output.answer(
            format, json: ["project": .string(project.text), "url": .null],
            lines: ["nobody is told of clicks on links of \(project)"])
    }
}
