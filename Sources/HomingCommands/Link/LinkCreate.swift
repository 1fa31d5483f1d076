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

/// `homing link create`: every parameter of a long link under its own name.
struct LinkCreate: DatabaseCommand {
    static let configuration = CommandConfiguration(
        commandName: "create", abstract: "Make a short link.",
        discussion: """
            Without an ending of your own it gets one of seven characters. The options from --apn on are the parameters of a \
            long link, by their names. With --ibi it takes the App Store id that the app is registered with, unless --isi says \
            another one, or none.

            EXAMPLE
              homing link create shop --link https://www.shop.example/cart \\
                --ending spring --apn com.example.shop --ibi com.example.shop
            """)

    @Argument var project: ProjectID
    @Option(help: "Where it leads: the URL that the app gets, and the web page elsewhere.") var link: String
    @Option(help: "On which link domain; the project's default one unless given.", completion: .linkDomains)
    var domain: String?
    @Option(name: [.customLong("name"), .customLong("title")], help: "What it is called in lists.") var name: String?
    @Option(
        name: [.customLong("suffix"), .customLong("ending")],
        help: "An ending of your own: links.shop.example/ENDING.")
    var suffix: String?
    @Flag(help: "An ending of four characters on, which is found by trying.") var short = false
    @Flag(help: "An ending of 17 characters, which nobody finds by trying.") var unguessable = false
    @OptionGroup var details: LinkDetailOptions
    @OptionGroup var parameters: LinkParameterOptions
    @OptionGroup var format: OutputOptions

    func validate() throws {
        guard [suffix != nil, short, unguessable].count(where: { $0 }) <= 1 else {
            throw ValidationError("--ending, --short and --unguessable exclude each other")
        }
    }

    func run(in homing: Homing, _ output: inout CommandOutput) async throws {
        let project = try homing.projects.existing(project)
        let domain = try linkDomain(of: project)
        let site = try LinkCommand.site(of: domain, in: project, homing)
        LinkDomainCommand.warn(of: [domain], in: project.projectID, &output)
        var content = LinkContent(DynamicLinkParameters(link: link), name: name ?? suffix)
        parameters.apply(to: &content.parameters)
        if parameters.isi == nil { content.parameters.takeStoreID(of: project.apps) }
        try details.apply(to: &content.details, at: homing.system.now())
        try Links.check(lengthOf: DynamicLinkURL(base: domain.baseURL, parameters: content.parameters).url)
        let stored = try await homing.makeLink(content, at: site, ending: ending, by: .command)
        if stored.isArchived {
            output.note(
                "this link exists already and is archived, so that lists leave it out: homing link unarchive "
                    + "\(project.projectID) \(stored.suffix)")
        }
        try await LinkCommand.answer(
            stored, at: site, homing, format, lines: ["\(domain.baseURL)/\(stored.suffix)"], &output)
    }

    private var ending: LinkEnding {
        if let suffix { return .custom(LinkSuffix(suffix)) }
        return unguessable ? .unguessable : short ? .short : .handy
    }

    private func linkDomain(of project: Project) throws -> LinkDomain {
        guard let domain else {
            guard let standard = project.defaultLinkDomain else { throw Refusal.dynamicLinkNotActivated }
            return standard
        }
        return try LinkCommand.domain(domain, of: project)
    }
}
