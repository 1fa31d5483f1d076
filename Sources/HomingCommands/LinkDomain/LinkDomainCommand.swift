// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import ArgumentParser
import HomingCore
import HomingProjects
import HomingShortLinks
import HomingStore
import HomingWire

/// `homing link-domain …`.
struct LinkDomainCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "link-domain", abstract: "Link domains: hosts of your own whose links open apps.",
        discussion: "EXAMPLE\n  homing link-domain add shop links.shop.example",
        subcommands: [
            LinkDomainAdd.self, LinkDomainRemove.self, LinkDomainList.self, LinkDomainDefault.self, LinkDomainSet.self,
        ])

    /// Warns an operator who takes over the settings of Firebase's console.
    static func warn(of domains: [LinkDomain], in project: ProjectID, _ output: inout CommandOutput) {
        for domain in domains where domain.isGoogles {
            output.note(
                "warning: \(domain.text) is Google's and was switched off: no link on it ever arrives here. Add a host of your "
                    + "own: homing link-domain add \(project) HOST")
        }
    }
}

struct LinkDomainAdd: LinkEndingCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Add a link domain: HOST[:PORT][/PREFIX].",
        discussion: """
            The first one added is the default, until homing link-domain default names another. A host under page.link or app.goo.gl is taken, because apps and settings \
            name it, and is never the default beside a host of your own: it is Google's, and no link on it arrives here. \
            An international host is kept in its xn-- form, and https:// before a host is left out.

            The host of one's own website is taken, too: where links lead there already, it says how many and proposes a \
            path of its own for links. What is no link there stays a page as long as the host is an authorised domain.

            EXAMPLE
              homing link-domain add shop links.shop.example
              homing link-domain add shop www.shop.example/l
            """)

    @Argument var project: ProjectID
    @Argument var domain: String
    @OptionGroup var consent: Consent
    @OptionGroup var format: OutputOptions

    func run(in homing: Homing, _ output: inout CommandOutput) async throws {
        let landing = try await homing.links.landing(
            on: LinkDomain(typed: domain), of: homing.projects.existing(project), at: homing.projects)
        try agree(to: landing.deaths)
        let added = try await homing.projects.addLinkDomain(
            domain, to: project, isWebsite: landing.leading > 0, by: .command)
        LinkDomainCommand.warn(of: [added], in: project, &output)
        var json = JSON.Object([("added", .string(added.text))])
        var lines = ["\(added.text) belongs to \(project) now"]
        // What DNS and certificates want to know.
        if !domain.utf8.allSatisfy({ $0 < 0x80 }) {
            lines.append("\(Printable.given(domain)) is called \(added.host.text) in DNS and certificates")
        }
        if landing.leading > 0 {
            json["linksLeadingThere"] = .int(Int64(landing.leading))
            json["proposed"] = landing.proposed.map { .string($0) }
            lines.append(landing.sentence(on: added))
        }
        output.answer(format, json: .object(json), lines: lines)
    }
}

struct LinkDomainRemove: LinkEndingCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove a link domain: HOST[:PORT][/PREFIX].",
        discussion: """
            The links on it lead nowhere from then on. Where there are any, it says how many and asks; a script says --yes.

            EXAMPLE
              homing link-domain remove shop links.shop.example
            """)

    @Argument var project: ProjectID
    @Argument(completion: .linkDomains) var domain: String
    @OptionGroup var consent: Consent
    @OptionGroup var format: OutputOptions

    func run(in homing: Homing, _ output: inout CommandOutput) async throws {
        let deaths = try await homing.links.deaths(
            ofRemoving: .linkDomain(domain), from: homing.projects.existing(project), at: homing.projects)
        try agree(to: deaths)
        try await homing.projects.removeLinkDomain(domain, from: project, by: .command)
        output.answer(removed: domain, from: project, deaths, format)
    }
}

struct LinkDomainList: DatabaseCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List them: which one is the default, and which ignore the case of endings.",
        discussion: "EXAMPLE\n  homing link-domain list shop --json")

    @Argument var project: ProjectID
    @OptionGroup var format: OutputOptions

    func run(in homing: Homing, _ output: inout CommandOutput) async throws {
        let project = try homing.projects.existing(project)
        let domains = project.linkDomains
        let standard = project.defaultLinkDomain
        output.answer(
            format, json: .array(domains.map { .string($0.text) }),
            lines: domains.isEmpty
                ? ["none yet: homing link-domain add \(project.projectID)"]
                : domains.map { domain in
                    let marks = [
                        domains.count > 1 && domain == standard ? "default" : nil,
                        project.ignoresCase(on: domain.text) ? "ignores case" : nil,
                    ].compactMap(\.self)
                    return marks.isEmpty ? domain.text : "\(domain.text) (\(marks.joined(separator: ", ")))"
                })
    }
}

struct LinkDomainDefault: DatabaseCommand {
    static let configuration = CommandConfiguration(
        commandName: "default", abstract: "Choose the link domain of links and emails that name none.",
        discussion: """
            Links that exist stay where they are.

            EXAMPLE
              homing link-domain default shop links.shop.example
            """)

    @Argument var project: ProjectID
    @Argument(completion: .linkDomains) var domain: String
    @OptionGroup var format: OutputOptions

    func run(in homing: Homing, _ output: inout CommandOutput) async throws {
        let chosen = try await homing.projects.setDefaultLinkDomain(domain, of: project, by: .command)
        output.answer(
            format, json: ["default": .string(chosen.text)],
            lines: ["\(chosen.text) is the default link domain of \(project) now"])
    }
}
