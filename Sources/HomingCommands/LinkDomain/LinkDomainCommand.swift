// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import ArgumentParser
import HomingCore
import HomingStore
import HomingWire

/// `homing link-domain …`.
struct LinkDomainCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "link-domain", abstract: "Link domains: hosts of your own whose links open apps.",
        discussion: "EXAMPLE\n  homing link-domain add shop links.shop.example",
        subcommands: [LinkDomainAdd.self, LinkDomainRemove.self, LinkDomainList.self])

    /// Warns an operator who takes over the settings of Firebase's console.
    static func warn(of domains: [LinkDomain], in project: ProjectID, _ output: inout CommandOutput) {
        for domain in domains where domain.isGoogles {
            output.note(
                "warning: \(domain.text) is Google's and was switched off: no link on it ever arrives here. Add a host of your "
                    + "own: homing link-domain add \(project) HOST")
        }
    }
}

struct LinkDomainAdd: DatabaseCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Add a link domain: HOST[:PORT][/PREFIX].",
        discussion: """
            The first one added is the default. A host under page.link or app.goo.gl is taken, because apps and settings \
            name it, and is never the default beside a host of your own: it is Google's, and no link on it arrives here. \
            An international host is kept in its xn-- form.

            EXAMPLE
              homing link-domain add shop links.shop.example
            """)

    @Argument var project: ProjectID
    @Argument var domain: String
    @OptionGroup var format: OutputOptions

    func run(in homing: Homing, _ output: inout CommandOutput) async throws {
        let added = try await homing.projects.addLinkDomain(domain, to: project, by: .command)
        LinkDomainCommand.warn(of: [added], in: project, &output)
        output.answer(format, json: ["added": .string(added.text)], lines: ["\(added.text) belongs to \(project) now"])
    }
}

struct LinkDomainRemove: DatabaseCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove a link domain: HOST[:PORT][/PREFIX].",
        discussion: "EXAMPLE\n  homing link-domain remove shop links.shop.example")

    @Argument var project: ProjectID
    @Argument var domain: String
    @OptionGroup var format: OutputOptions

    func run(in homing: Homing, _ output: inout CommandOutput) async throws {
        try await homing.projects.removeLinkDomain(domain, from: project, by: .command)
        output.answer(format, json: ["removed": .string(domain)], lines: ["\(domain) is removed from \(project)"])
    }
}

struct LinkDomainList: DatabaseCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List them.", discussion: "EXAMPLE\n  homing link-domain list shop")

    @Argument var project: ProjectID
    @OptionGroup var format: OutputOptions

    func run(in homing: Homing, _ output: inout CommandOutput) async throws {
        let domains = try homing.projects.existing(project).linkDomains.map(\.text)
        output.answer(
            format, json: .array(domains.map { .string($0) }),
            lines: domains.isEmpty ? ["none yet: homing link-domain add \(project)"] : domains)
    }
}
