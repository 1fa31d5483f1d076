// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import ArgumentParser
import HomingCore
import HomingLinkRules
import HomingOperations
import HomingProjects
import HomingShortLinks
import HomingStore
import HomingWire

/// `homing link edit`: everything of a link but its ending.
struct LinkEdit: DatabaseCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit",
        abstract: "Change where a link leads, its name, its tags, its end, or what it does in apps.",
        discussion: """
            What is left out stays as it is, and an empty text takes a value away. The ending stays. What was before is kept: \
            homing link versions, homing link restore. Clicks follow at once, on other nodes within three seconds.

            EXAMPLE
              homing link edit shop spring --link https://www.shop.example/summer \\
                --title "Summer letter" --ends 2027-09-30
            """)

    @Argument var project: ProjectID
    @Argument(help: LinkCommand.linkHelp) var link: String
    @Option(name: .customLong("link"), help: "Where it leads: the URL that the app gets, and the web page elsewhere.")
    var target: String?
    @Option(name: [.customLong("title"), .customLong("name")], help: "What it is called in lists.") var title: String?
    @Option(
        name: .customLong("if-version"),
        help: "Only if this version is still the newest: whoever saved in the meantime is not overwritten.")
    var seen: Int64?
    @OptionGroup var details: LinkDetailOptions
    @OptionGroup var parameters: LinkParameterOptions
    @OptionGroup var format: OutputOptions

    func run(in homing: Homing, _ output: inout CommandOutput) async throws {
        let (found, site) = try await LinkCommand.find(link, in: project, homing)
        let now = homing.system.now()
        // Before the transaction: what is said wrongly stops without a look at the link.
        var tried = LinkDetails()
        try details.apply(to: &tried, at: now)
        let edited = try await homing.links.edit(found.suffix, at: site, seen: seen, by: .command) { content in
            if let target { content.parameters.link = target }
            if let title { content.name = title.utf8.isEmpty ? nil : title }
            let before = content.parameters
            parameters.apply(to: &content.parameters)
            if parameters.isi == nil { content.parameters.takeStoreID(of: site.project.apps, changing: before) }
            try details.apply(to: &content.details, at: now)
        }
        let url = "\(site.domain.baseURL)/\(edited.suffix)"
        try await LinkCommand.answer(
            edited, at: site, homing, format,
            lines: [
                edited.version == found.version
                    ? "\(url) is as it was"
                    : "\(url) leads to \(LinkCommand.target(try edited.content())) (version \(edited.version))"
            ], &output)
    }
}

struct LinkEnable: DatabaseCommand {
    static let configuration = CommandConfiguration(
        commandName: "enable", abstract: "Let a link lead where it led.",
        discussion: "EXAMPLE\n  homing link enable shop spring")

    @Argument var project: ProjectID
    @Argument(help: LinkCommand.linkHelp) var link: String
    @OptionGroup var format: OutputOptions

    func run(in homing: Homing, _ output: inout CommandOutput) async throws {
        try await LinkDisable.set(true, link, project, homing, format, &output)
    }
}

struct LinkDisable: DatabaseCommand {
    static let configuration = CommandConfiguration(
        commandName: "disable", abstract: "Let a link lead nowhere until it is enabled.",
        discussion: """
            Whoever opens it gets the page of a link that is not there. homing link enable brings it back, homing link archive \
            only takes it off the list.

            EXAMPLE
              homing link disable shop spring
            """)

    @Argument var project: ProjectID
    @Argument(help: LinkCommand.linkHelp) var link: String
    @OptionGroup var format: OutputOptions

    func run(in homing: Homing, _ output: inout CommandOutput) async throws {
        try await Self.set(false, link, project, homing, format, &output)
    }

    static func set(
        _ isOn: Bool, _ text: String, _ project: ProjectID, _ homing: Homing, _ format: OutputOptions,
        _ output: inout CommandOutput
    ) async throws {
        let (found, site) = try await LinkCommand.find(text, in: project, homing)
        let edited = try await homing.links.edit(found.suffix, at: site, seen: nil, by: .command) {
            $0.details.isOn = isOn
        }
        let url = "\(site.domain.baseURL)/\(edited.suffix)"
        try await LinkCommand.answer(
            edited, at: site, homing, format,
            lines: [isOn ? "\(url) leads to \(LinkCommand.target(try edited.content()))" : "\(url) leads nowhere"],
            &output)
    }
}

struct LinkDelete: DatabaseCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Take a link back: whoever opens it reads that it is gone.",
        discussion: """
            Its ending is never given to another link, and its versions stay: homing link restore brings it back.

            EXAMPLE
              homing link delete shop spring
            """)

    @Argument var project: ProjectID
    @Argument(help: LinkCommand.linkHelp) var link: String
    @OptionGroup var format: OutputOptions

    func run(in homing: Homing, _ output: inout CommandOutput) async throws {
        let (found, site) = try await LinkCommand.find(link, in: project, homing)
        try await homing.links.delete(found.suffix, at: site, by: .command)
        let url = "\(site.domain.baseURL)/\(found.suffix)"
        output.answer(
            format, json: ["deleted": .string(url), "version": .int(found.version)],
            lines: [
                "\(url) is gone; homing link restore \(project) \(found.suffix) \(found.version) brings it back"
            ])
    }
}

struct LinkVersions: DatabaseCommand {
    static let configuration = CommandConfiguration(
        commandName: "versions", abstract: "What a link was, when, and who changed it; the newest first.",
        discussion: "EXAMPLE\n  homing link versions shop spring")

    @Argument var project: ProjectID
    @Argument(help: LinkCommand.linkHelp) var link: String
    @OptionGroup var format: OutputOptions

    func run(in homing: Homing, _ output: inout CommandOutput) async throws {
        let (found, site) = try await LinkCommand.find(link, in: project, homing)
        let versions = try await homing.links.versions(of: found.suffix, on: site.domain, of: site.project)
        var rows = [["VERSION", "SINCE", "BY", "DESTINATION", "CHANGED"]]
        for (index, version) in versions.enumerated() {
            let before = versions.dropFirst(index + 1).first
            rows.append([
                String(version.version), MailCommand.time(version.at), version.author ?? "",
                LinkCommand.target(version.content),
                before.flatMap { version.content.difference(from: $0.content).after } ?? "",
            ])
        }
        output.answer(
            format, json: .array(versions.map { LinkRecord.json($0, on: site.domain) }),
            styled: Table.lines(rows, empty: "it has no version"))
    }
}

struct LinkRestore: DatabaseCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore", abstract: "Make a link what it was, also one that was deleted.",
        discussion: """
            It becomes a new version, and is checked as a new link is: a target whose host is no longer authorised is refused.

            EXAMPLE
              homing link versions shop spring
              homing link restore shop spring 3
            """)

    @Argument var project: ProjectID
    @Argument(help: LinkCommand.linkHelp) var link: String
    @Argument(help: "The number of the version.") var version: Int64
    @OptionGroup var format: OutputOptions

    func run(in homing: Homing, _ output: inout CommandOutput) async throws {
        let (found, site) = try await LinkCommand.find(link, in: project, homing)
        let restored = try await homing.links.restore(version, of: found.suffix, at: site, by: .command)
        let url = "\(site.domain.baseURL)/\(restored.suffix)"
        try await LinkCommand.answer(
            restored, at: site, homing, format,
            lines: [
                "\(url) is what it was in version \(version), and leads to "
                    + "\(LinkCommand.target(try restored.content())) (version \(restored.version))"
            ], &output)
    }
}
