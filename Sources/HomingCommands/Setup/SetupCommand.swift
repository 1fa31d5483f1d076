// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import ArgumentParser
import Foundation
import HomingCore
import HomingOperations
import HomingWire

/// `homing setup`.
///
/// The questions are asked in the operator's process. The server that owns the data, where one runs, gets the same
/// command, and makes what is missing in it.
struct SetupCommand: DatabaseCommand {
    static let configuration = CommandConfiguration(
        commandName: "setup", abstract: "Configure a server step by step, or by flags, and start it.",
        discussion: """
            On a terminal it asks for what is missing, looks at each answer at once, and writes nothing before the end. \
            Without a terminal, or with --yes, it asks nothing: every setting is a flag or an environment variable, as \
            for the other commands, and what is given so is written into homing.yaml; comments and all else there stay. \
            Then it makes the database, the project and the operator, and has systemd start the server. Run again, it \
            shows what stands, and mends what is missing.

            The relay's password is asked for, or read with --smtp-password-file, or stands in HOMING_SMTP_URL; it is \
            never a flag, which everybody on the machine can read.

            EXAMPLE
              homing setup
              homing setup --public-url https://auth.shop.example \\
                --tls-acme-agree yes --smtp-url smtp://shop@smtp.example.net:587 \\
                --smtp-password-file relay --mail-from noreply@shop.example \\
                --project shop --authorized-domain www.shop.example \\
                --operator ann@shop.example --test-mail ann@shop.example

            \(SettingFlags.help)
            """)

    @Option(
        help: ArgumentHelp(
            "The relay's password is the first line of this file; - is standard input.", valueName: "file"))
    var smtpPasswordFile: String?
    @Option(help: ArgumentHelp("The id of the first project, as for homing project create.", valueName: "id"))
    var project: String?
    @Option(help: "What people read in the project's mails and on its pages.") var projectName: String?
    @Option(
        name: .customLong("authorized-domain"),
        help: "A host that the project's continue URLs may lead to: the app's page. May be repeated.")
    var authorizedDomains: [String] = []
    @Option(
        name: .customLong("link-domain"), help: "A host for the project's app links: HOST[/PREFIX]. May be repeated.")
    var linkDomains: [String] = []
    @Option(help: "The project's language where a request names none.") var locale: String?
    @Option(
        name: .customLong("operator"),
        help: ArgumentHelp("The first person who may use the console, as an owner.", valueName: "address"))
    var person: String?
    @Option(help: ArgumentHelp("Send a test mail there, once the server runs.", valueName: "address"))
    var testMail: String?
    @Flag(name: .shortAndLong, help: "Ask nothing.") var yes = false
    @Flag(help: "Check nothing with others: no relay, no DNS, no authority.") var offline = false
    @Flag(help: "Start no service.") var noStart = false
    @OptionGroup var format: OutputOptions

    func validate() throws {
        for (flag, address) in [("operator", person), ("test-mail", testMail)] {
            guard let address, (try? EmailAddress(parsing: address)) == nil else { continue }
            throw ValidationError(
                "--\(flag) \(Printable.line(address, atMost: 200)): \(RefusalLine.text(.invalidEmail))")
        }
        do {
            if let project { try Projects.check(id: project) }
            for domain in authorizedDomains { _ = try AuthorizedDomain(parsing: domain) }
            for domain in linkDomains { _ = try LinkDomain(parsing: domain) }
        } catch {
            throw ValidationError(Program.line(for: error))
        }
        if project == nil, projectName != nil || locale != nil || !(authorizedDomains + linkDomains).isEmpty {
            throw ValidationError("--project ID is missing: whose name, locale and domains are these?")
        }
    }

    func run(from places: SettingPlaces) async throws -> CommandAnswer {
        var run = SetupRun(self, places)
        do {
            return try await run.run()
        } catch let stop as SetupStop {
            return stop.answer
        }
    }

    /// Makes what is missing, and answers what is there.
    func run(in homing: Homing, _ output: inout CommandOutput) async throws {
        if let project, homing.projects.project(project) == nil {
            _ = try await homing.projects.create(
                id: project, name: projectName, apiKey: nil, authorizedDomains: authorizedDomains,
                linkDomains: linkDomains, language: locale, by: .command)
        }
        var link: String?
        if let person {
            let address = try EmailAddress(parsing: person).text
            if !(try await homing.operators.list().contains { $0.address == address }) {
                _ = try await homing.operators.add(address, role: .owner, projects: nil, by: .command)
            }
            link = try await OperatorCommand.link(for: address, in: homing)
        }
        let standing = SetupData.Standing(
            projects: homing.projects.all().map {
                .init(id: $0.id, apiKey: $0.linkKey, authorizedDomains: $0.authorizedDomains.map(\.text))
            },
            operators: try await homing.operators.list().map(\.address),
            nodes: try await homing.nodes.list().filter(\.isAlive).map(\.node.name), link: link)
        output.say(String(decoding: try JSONEncoder().encode(standing), as: UTF8.self))
    }
}
