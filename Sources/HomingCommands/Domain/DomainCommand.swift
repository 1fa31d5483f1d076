// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import ArgumentParser
import HomingCore
import HomingProjects
import HomingShortLinks
import HomingStore
import HomingWire

/// `homing domain …`.
struct DomainCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "domain", abstract: "Authorised domains: where continue URLs may lead.",
        discussion: "EXAMPLE\n  homing domain add shop www.shop.example",
        subcommands: [DomainAdd.self, DomainRemove.self, DomainList.self])
}

struct DomainAdd: DatabaseCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Add an authorised domain: host, *.host or host:port.",
        discussion: """
            An international host (bücher.example) is kept in its xn-- form, as browsers send it.

            EXAMPLE
              homing domain add shop www.shop.example
            """)

    @Argument var project: ProjectID
    @Argument var domain: String
    @OptionGroup var format: OutputOptions

    func run(in homing: Homing, _ output: inout CommandOutput) async throws {
        let added = try await homing.projects.addDomain(domain, to: project, by: .command).text
        output.answer(format, json: ["added": .string(added)], lines: ["\(added) belongs to \(project) now"])
    }
}

struct DomainRemove: LinkEndingCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove an authorised domain: host, *.host or host:port.",
        discussion: """
            Links that lead there lead nowhere from then on. Where there are any, it says how many and asks; a script says \
            --yes.

            EXAMPLE
              homing domain remove shop www.shop.example
            """)

    @Argument var project: ProjectID
    @Argument(completion: .domains) var domain: String
    @OptionGroup var consent: Consent
    @OptionGroup var format: OutputOptions

    func run(in homing: Homing, _ output: inout CommandOutput) async throws {
        let deaths = try await homing.links.deaths(
            ofRemoving: .authorizedDomain(domain), from: homing.projects.existing(project), at: homing.projects)
        try agree(to: deaths)
        try await homing.projects.removeDomain(domain, from: project, by: .command)
        output.answer(removed: domain, from: project, deaths, format)
    }
}

struct DomainList: DatabaseCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List them.", discussion: "EXAMPLE\n  homing domain list shop")

    @Argument var project: ProjectID
    @OptionGroup var format: OutputOptions

    func run(in homing: Homing, _ output: inout CommandOutput) async throws {
        let domains = try homing.projects.existing(project).authorizedDomains.map(\.text)
        output.answer(
            format, json: .array(domains.map { .string($0) }),
            lines: domains.isEmpty ? ["none yet: homing domain add \(project)"] : domains)
    }
}
