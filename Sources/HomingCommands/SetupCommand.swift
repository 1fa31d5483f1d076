// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import ArgumentParser
import Foundation
import HomingCore
import HomingOperations
import HomingProjects
import HomingSetup
import HomingStore
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

            The relay's password, or the provider's key, is asked for, or read with --smtp-password-file, or stands in \
            HOMING_MAIL_URL or HOMING_MAIL_SECRET; it is never a flag, which everybody on the machine can read.

            EXAMPLE
              homing setup
              homing setup --public-url https://auth.shop.example \\
                --tls-acme-agree yes --mail-url smtp://shop@smtp.example.net:587 \\
                --smtp-password-file relay --mail-from noreply@shop.example \\
                --project shop --authorized-domain www.shop.example \\
                --operator ann@shop.example --test-mail ann@shop.example

            \(SettingFlags.help)
            """)

    @Option(
        help: ArgumentHelp(
            "The relay's password, or the provider's key, is the first line of this file; - is standard input.",
            valueName: "file"))
    var smtpPasswordFile: String?
    @Option(help: ArgumentHelp("The id of the first project, as for homing project create.", valueName: "id"))
    var project: ProjectID?
    @Option(help: "What people read in the project's emails and on its pages.") var projectName: String?
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
    @Option(help: ArgumentHelp("Send a test email there, once the server runs.", valueName: "address"))
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
        var wishes = wishes
        (wishes.testMail, wishes.smtpPasswordFile) = (testMail, smtpPasswordFile)
        (wishes.asksNothing, wishes.isOffline, wishes.startsNothing) = (yes || format.json, offline, noStart)
        var run = SetupRun(wishes, places, SetupCommands(command: self))
        do {
            let report = try await run.run()
            var output = CommandOutput()
            output.answer(format, json: report.json, styled: report.lines)
            return CommandAnswer(
                status: report.problem == nil ? 0 : 1, output: output.text, styles: output.styles,
                errors: report.problem ?? "", code: report.problem.map { _ in "FAILED" })
        } catch let stop as SetupStop {
            return stop.answer
        } catch let usage as SetupUsage {
            throw ValidationError(usage.sentence)
        }
    }

    /// Makes what is missing, and answers what is there.
    func run(in homing: Homing, _ output: inout CommandOutput) async throws {
        let standing = try await SetupStanding(making: wishes, in: homing)
        output.say(String(decoding: try JSONEncoder().encode(standing), as: UTF8.self))
    }

    /// What is to be made in a database.
    fileprivate var wishes: SetupWishes {
        get {
            var wishes = SetupWishes()
            (wishes.project, wishes.projectName, wishes.locale) = (project, projectName, locale)
            (wishes.authorizedDomains, wishes.linkDomains, wishes.person) = (authorizedDomains, linkDomains, person)
            return wishes
        }
        set {
            (project, projectName, locale) = (newValue.project, newValue.projectName, newValue.locale)
            (authorizedDomains, linkDomains) = (newValue.authorizedDomains, newValue.linkDomains)
            person = newValue.person
        }
    }
}

/// The program around setup: its commands, and the server that owns the data.
private struct SetupCommands: SetupProgram {
    let command: SetupCommand

    func make(_ wishes: SetupWishes, inServerOf file: DatabaseFile) async throws -> SetupStanding? {
        var command = command
        command.wishes = wishes
        guard let answer = try await ControlSocket.ask(database: file, request: CommandRequest(command)) else {
            return nil
        }
        guard answer.status == 0 else { throw SetupStop(answer: answer) }
        return try JSONDecoder().decode(SetupStanding.self, from: Data(answer.output.utf8))
    }

    func tell(_ words: [String], _ settings: Settings) async throws -> [String] {
        guard let command = try HomingCommand.parseAsRoot(words) as? any DatabaseCommand else { return [] }
        guard let answer = try await answer(command, settings) else {
            throw Refusal.notFound(
                "homing \(words.joined(separator: " ")): no server is reached that could do it; try it in a minute")
        }
        guard answer.status == 0 else { throw SetupStop(answer: answer) }
        return answer.output.split(whereSeparator: \.isNewline).map(String.init)
    }

    /// The server's answer; on a database that servers share this process's own.
    private func answer(_ command: any DatabaseCommand, _ settings: Settings) async throws -> CommandAnswer? {
        if let file = settings.database.file {
            return try await ControlSocket.ask(database: file, request: CommandRequest(command))
        }
        let homing = try await Homing.open(settings, creating: false)
        let answer = await Program.run(
            command, in: homing, CommandOutput(server: RunningServer(homing, settings)))
        await homing.close()
        return answer
    }

    func read(_ file: String, atMost limit: Int) async throws -> [UInt8]? {
        let source: InputSource = file == "-" ? .startOfStandardInput(limit) : .file(file)
        return try await source.open()?.whole(atMost: limit)
    }
}

/// A command that another process has refused, with its answer.
private struct SetupStop: Error, CustomStringConvertible {
    let answer: CommandAnswer

    var description: String { answer.errors }
}
