// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import ArgumentParser
import HomingCore
import HomingWire

/// `homing domain …`.
struct DomainCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "domain", abstract: "Authorised domains: where continue URLs may lead.",
        discussion: "EXAMPLE\n  homing domain add shop www.shop.example",
        subcommands: [DomainAdd.self, DomainRemove.self, DomainList.self])
}

struct DomainAdd: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Add an authorised domain: host, *.host or host:port.",
        discussion: "EXAMPLE\n  homing domain add shop www.shop.example")

    @Argument var project: String
    @Argument var domain: String
    @OptionGroup var output: OutputOptions

    func run(in house: Homing, _ console: inout Console) async throws {
        try await house.projects.addDomain(domain, to: project)
        console.answer(output, json: ["added": .string(domain)], lines: ["\(domain) belongs to \(project) now"])
    }
}

struct DomainRemove: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove an authorised domain: host, *.host or host:port.",
        discussion: "EXAMPLE\n  homing domain remove shop www.shop.example")

    @Argument var project: String
    @Argument var domain: String
    @OptionGroup var output: OutputOptions

    func run(in house: Homing, _ console: inout Console) async throws {
        try await house.projects.removeDomain(domain, from: project)
        console.answer(output, json: ["removed": .string(domain)], lines: ["\(domain) is removed from \(project)"])
    }
}

struct DomainList: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List them.", discussion: "EXAMPLE\n  homing domain list shop")

    @Argument var project: String
    @OptionGroup var output: OutputOptions

    func run(in house: Homing, _ console: inout Console) async throws {
        let domains = try house.projects.existing(project).authorizedDomains.map(\.text)
        console.answer(
            output, json: .array(domains.map { .string($0) }),
            lines: domains.isEmpty ? ["none yet: homing domain add \(project)"] : domains)
    }
}
