// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import ArgumentParser
import HomingCore
import HomingDoctor
import HomingMail
import HomingProjects
import HomingStore
import HomingWire

/// `homing mail domain …`: signatures by Homing itself, for relays that do not sign in a project's name.
struct MailDomainCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "domain", abstract: "Sender domains whose emails are signed here (DKIM), and their DNS records.",
        discussion: """
            A signature shows receivers that an email is the domain's own and unchanged. A relay that signs for the domain by \
            itself needs none of this. Publish the records that `add` prints; emails are signed as soon as `check` has \
            seen them.

            EXAMPLE
              homing mail domain add shop shop.example
              homing mail domain check shop shop.example
            """,
        subcommands: [
            MailDomainAdd.self, MailDomainList.self, MailDomainShow.self, MailDomainLookUp.self, MailDomainRotate.self,
            MailDomainRemove.self,
        ])

    static func answer(
        _ domain: String, _ records: [SenderDomainRecord], _ project: Project, _ format: OutputOptions,
        _ output: inout CommandOutput, after lines: [String] = []
    ) {
        let rewriter = rewriter(of: project, output)
        let signs = rewriter == nil && !project.signingKeys(for: domain).isEmpty
        let unused = rewriter.map {
            "emails are not signed with these keys, as \($0) writes them anew and signs them itself: publish the records that it "
                + "shows for the domain"
        }
        output.answer(
            format,
            json: [
                "domain": .string(domain), "signs": .bool(signs), "unused": unused.map { .string($0) } ?? .null,
                "records": .array(records.map(\.json)),
            ],
            lines: records.flatMap(\.lines) + (unused == nil ? lines : [])
                + [
                    unused
                        ?? (signs ? "emails from \(domain) are signed" : "emails from \(domain) are not signed yet")
                ])
    }

    /// The provider that writes the project's mails anew, if one does.
    static func rewriter(of project: Project, _ output: CommandOutput) -> String? {
        guard let own = project.ownTransport else { return output.rewriter }
        return MailProvider.of(own.url)?.rewriter
    }

    /// The domain that was named, or the only one that there is.
    static func domain(_ given: String?, of project: Project) throws -> String {
        if let given {
            let domain = try Projects.senderDomain(given)
            guard project.senderDomains.contains(where: { ASCII.areEqual($0, domain) }) else {
                throw Refusal.notFound(
                    "\(project.projectID) has no keys for \(domain)",
                    remedy: .addSenderDomain(project: project.projectID))
            }
            return domain
        }
        guard let only = project.senderDomains.first, project.senderDomains.count == 1 else {
            throw ValidationError(
                project.senderDomains.isEmpty
                    ? "\(project.projectID) has no sender domain: homing mail domain add \(project.projectID) DOMAIN"
                    : "which one? \(project.senderDomains.joined(separator: ", "))")
        }
        return only
    }
}

struct MailDomainAdd: DatabaseCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Make keys for a sender domain and print the records to publish.",
        discussion: """
            Two keys are made, RSA of 2048 bits and Ed25519: an email gets a signature by each. Emails are signed once \
            `homing mail domain check` or the server, which looks by itself, has seen the records, and never by Ed25519 \
            alone.

            EXAMPLE
              homing mail domain add shop shop.example
            """)

    @Argument var project: ProjectID
    @Argument var domain: String
    @Flag(help: "Sign at once, before anybody has seen the records.") var now = false
    @OptionGroup var format: OutputOptions

    func run(in homing: Homing, _ output: inout CommandOutput) async throws {
        let domain = try Projects.senderDomain(domain)
        try await homing.makeSenderDomainKeys(
            for: domain, of: project, isRotation: false, isSeen: now, by: .command)
        let added = try homing.projects.existing(project)
        MailDomainCommand.answer(
            domain, SenderDomainLook(domain, of: added, at: homing.system.now()).records, added, format, &output,
            after: now ? [] : ["publish these records, then: homing mail domain check \(project) \(domain)"])
    }
}

struct MailDomainList: DatabaseCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the sender domains of a project.",
        discussion: "EXAMPLE\n  homing mail domain list shop")

    @Argument var project: ProjectID
    @OptionGroup var format: OutputOptions

    func run(in homing: Homing, _ output: inout CommandOutput) async throws {
        let project = try homing.projects.existing(project)
        let isUnused = MailDomainCommand.rewriter(of: project, output) != nil
        let domains = project.senderDomains.map {
            (name: $0, signs: !isUnused && !project.signingKeys(for: $0).isEmpty)
        }
        output.answer(
            format, json: .array(domains.map { ["domain": .string($0.name), "signs": .bool($0.signs)] }),
            styled: Table.lines(
                [["DOMAIN", "SIGNS"]] + domains.map { [$0.name, $0.signs ? "yes" : isUnused ? "no" : "not yet"] },
                empty: "no sender domain: homing mail domain add \(project.projectID) DOMAIN"))
    }
}

struct MailDomainShow: DatabaseCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show the records of a sender domain, as they are known here.",
        discussion: "EXAMPLE\n  homing mail domain show shop shop.example --json")

    @Argument var project: ProjectID
    @Argument var domain: String?
    @OptionGroup var format: OutputOptions

    func run(in homing: Homing, _ output: inout CommandOutput) async throws {
        let project = try homing.projects.existing(project)
        let domain = try MailDomainCommand.domain(domain, of: project)
        MailDomainCommand.answer(
            domain, SenderDomainLook(domain, of: project, at: homing.system.now()).records, project, format, &output)
    }
}

struct MailDomainLookUp: DatabaseCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Look whether the records are in the DNS, and sign from then on.",
        discussion: """
            Exit 1 where a record is missing or has another value.

            EXAMPLE
              homing mail domain check shop shop.example --nameserver 9.9.9.9
            """)

    @Argument var project: ProjectID
    @Argument var domain: String?
    @Option(
        help: ArgumentHelp("Ask this name server, an IPv4 address, instead of the system's.", valueName: "ip[:port]"),
        transform: NameServer.argument)
    var nameserver: String?
    @OptionGroup var format: OutputOptions

    func run(in homing: Homing, _ output: inout CommandOutput) async throws {
        let before = try homing.projects.existing(project)
        let domain = try MailDomainCommand.domain(domain, of: before)
        let names = nameserver.flatMap(NameServer.init(parsing:)) ?? .system
        let records = await SenderDomainLook(domain, of: before, at: homing.system.now()).records(by: names)
        try await homing.useSenderDomainKeys(in: records, of: domain, in: project, by: .command)
        MailDomainCommand.answer(domain, records, try homing.projects.existing(project), format, &output)
        let wrong = records.filter { [.missing, .different, .unknown].contains($0.state) }
        guard wrong.isEmpty else {
            throw Refusal.invalidSetting(
                "not as they should be: \(wrong.map(\.name).joined(separator: ", ")); name servers may take some hours to "
                    + "show what was published")
        }
    }
}

struct MailDomainRotate: DatabaseCommand {
    static let configuration = CommandConfiguration(
        commandName: "rotate",
        abstract: "Make new keys for a sender domain; the present ones sign until those are seen.",
        discussion: """
            Publish the new records beside the old ones. Once `check` has seen them the new keys sign; the old records \
            stay for a week, for emails that are under way.

            EXAMPLE
              homing mail domain rotate shop shop.example
            """)

    @Argument var project: ProjectID
    @Argument var domain: String?
    @OptionGroup var format: OutputOptions

    func run(in homing: Homing, _ output: inout CommandOutput) async throws {
        let domain = try MailDomainCommand.domain(domain, of: try homing.projects.existing(project))
        try await homing.makeSenderDomainKeys(for: domain, of: project, isRotation: true, by: .command)
        let rotated = try homing.projects.existing(project)
        MailDomainCommand.answer(
            domain, SenderDomainLook(domain, of: rotated, at: homing.system.now()).records, rotated, format, &output,
            after: ["publish the new records, then: homing mail domain check \(project) \(domain)"])
    }
}

struct MailDomainRemove: DatabaseCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Sign no more emails of a sender domain, and forget its keys.",
        discussion: "EXAMPLE\n  homing mail domain remove shop shop.example")

    @Argument var project: ProjectID
    @Argument var domain: String
    @OptionGroup var format: OutputOptions

    func run(in homing: Homing, _ output: inout CommandOutput) async throws {
        let domain = try Projects.senderDomain(domain)
        try await homing.projects.removeSenderDomain(domain, from: project, by: .command)
        output.answer(
            format, json: ["removed": .string(domain)],
            lines: ["emails from \(domain) are signed no more; its records may be deleted"])
    }
}
