// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
import HomingCore
import HomingDoctor
import HomingMail
package import HomingOperations
import HomingServer
import HomingStore
import HomingWire

/// One run of `homing setup`: asks and looks, then writes, then starts.
package struct SetupRun {
    var wishes: SetupWishes
    var places: SettingPlaces
    /// Nil when nothing is asked.
    let dialogue: SetupDialogue?
    private let program: any SetupProgram
    private let folders: DefaultFolders
    /// The `homing.yaml` that is read and written.
    private let path: String
    private let service: SetupService?
    /// The values that somebody has given, by key.
    private var given: [String: (value: String, source: SettingSource)] = [:]
    /// What the database has.
    private var data: SetupData
    /// The addresses of listeners that this server has already.
    private var held: Set<String> = []
    private var findings: [Finding] = []

    package init(_ wishes: SetupWishes, _ places: SettingPlaces, _ program: any SetupProgram) {
        self.wishes = wishes
        self.program = program
        data = SetupData(program)
        self.places = places
        folders = DefaultFolders(environment: places.environment)
        path = FilePath.absolute(places.configPath ?? folders.configurationPath)
        dialogue = wishes.asksNothing ? nil : SetupDialogue()
        service = wishes.startsNothing ? nil : SetupService(configuration: path)
    }

    /// - Throws: a ``SetupUsage`` for what the command line says; refusals; what the program throws.
    package mutating func run() async throws -> SetupReport {
        try await readPassword()
        try readGiven()
        try await lookAtData()
        dialogue?.say(
            "Each answer is looked at at once, and nothing is written before the end. Enter takes what stands in [brackets]."
        )
        for step in SetupStep.allCases { try await take(step) }
        let settings = try load()
        let file = SetupFile(path: path, changes: changes)
        if let dialogue, try file.isNew || wishes.project != nil || wishes.person != nil {
            let start = service == nil ? "" : ", and start the server"
            guard try dialogue.agrees("\nWrite \(path)\(start)?", proposal: true) else {
                throw Refusal.invalidSetting("nothing was written, as you wanted")
            }
        }
        let user = ServiceUser.owner(of: settings, folders)
        let isChanged = try file.write(group: user?.group)
        try await ProgressLine.during { progress in
            progress(Progress("making the database", done: 0, of: nil, .items))
            try await data.make(wishes, settings, user)
        }
        var report = SetupReport(
            settings: settings, path: path, configuration: configuration, isWritten: isChanged,
            project: data.project(wishes.project),
            person: wishes.person ?? data.standing.operators.first, link: data.standing.link,
            findings: dialogue == nil ? findings : [])
        try await ProgressLine.during { progress in
            progress(Progress("starting the server", done: 0, of: nil, .items))
            try await start(settings, user, isChanged, &report)
        }
        return report
    }

    // MARK: What is known

    /// The flag that says where mails leave: the older one where that is given.
    private var relayFlag: String { places.flags["smtp-url"] == nil ? "mail-url" : "smtp-url" }

    /// Puts the relay's password into its URL, and a provider's key beside it.
    private mutating func readPassword() async throws {
        guard places.flags["mail-secret"] == nil else {
            throw SetupUsage(
                "--mail-secret could be read by everybody on this machine: give --smtp-password-file FILE (- is standard "
                    + "input), or set HOMING_MAIL_SECRET in the environment")
        }
        let relayFlag = relayFlag
        let flag = places.flags[relayFlag]
        if let flag, SetupReading.hasSecret(relay: flag) {
            throw SetupUsage(
                "--\(relayFlag) with a password could be read by everybody on this machine: give smtp://USER@HOST:PORT, and "
                    + "--smtp-password-file FILE (- is standard input); or set HOMING_MAIL_URL in the environment")
        }
        guard let file = wishes.smtpPasswordFile else { return }
        let url = flag ?? places.environment["HOMING_MAIL_URL"] ?? places.environment["HOMING_SMTP_URL"]
        guard let url, SetupReading.wantsSecret(relay: url) else {
            throw SetupUsage(
                "--smtp-password-file belongs to --mail-url smtp://USER@HOST:PORT or a provider's, without a password in it"
            )
        }
        let line = try await program.read(file, atMost: 4_096)?.prefix { $0 != 0x0A && $0 != 0x0D }
        guard let line, !line.isEmpty, let password = String(validating: line, as: UTF8.self) else {
            throw Refusal.invalidSetting(
                "\(file == "-" ? "standard input" : file) is empty: its first line is to be the relay's password")
        }
        if MailProvider.of(url) != nil {
            places.flags["mail-secret"] = password
        } else {
            let isOlder = flag == nil && places.environment["HOMING_MAIL_URL"] == nil
            places.flags[isOlder ? "smtp-url" : relayFlag] = SetupReading.relay(url, password: password)
        }
    }

    mutating func readGiven() throws {
        let flag = relayFlag
        let lacking = places.flags[flag].flatMap { SetupReading.wantsSecret(relay: $0) && dialogue != nil ? $0 : nil }
        if lacking != nil { places.flags[flag] = nil }
        given = try allGiven()
        if let lacking {
            if hasSecretApart {
                places.flags[flag] = lacking
                given = try allGiven()
            } else {
                // It is asked for.
                relayProposal = lacking
            }
        }
        // Whoever has it in the file already has chosen the listeners, too.
        if case .file = given["tls.acme.agree"]?.source { return }
        for (key, value) in state.implied { places.flags[Self.flag(key)] = value }
    }

    private func allGiven() throws -> [String: (value: String, source: SettingSource)] {
        try Settings.given(
            flags: places.flags, environment: places.environment, configPath: path, folders: folders,
            isFileRequired: false)
    }

    /// Whether there is a secret outside of the URL of what takes the mails.
    var hasSecretApart: Bool { given["mail.secret"] != nil }

    /// Whether the relay is given under the older name of its setting.
    var isRelayOlder: Bool { given["smtp.url"] != nil }

    /// A relay's or provider's URL that lacks its secret.
    var relayProposal: String?

    private static func flag(_ key: String) -> String { Setting.all.first { $0.key == key }?.flag ?? key }

    private var state: SetupState {
        SetupState(
            values: given.mapValues(\.value), hasProject: !data.standing.projects.isEmpty,
            hasOperator: !data.standing.operators.isEmpty, project: wishes.project, person: wishes.person)
    }

    /// What is to stand in the file.
    private var changes: [String: String] {
        Setting.all.reduce(into: [:]) { changes, setting in
            if let value = places.flags[setting.flag] ?? places.environment[setting.variable] {
                changes[setting.key] = value
            }
        }
    }

    func load(isComplete: Bool = true) throws -> Settings {
        try Settings.load(
            flags: places.flags, environment: places.environment, configPath: path, folders: folders,
            isFileRequired: false, isComplete: isComplete)
    }

    private mutating func lookAtData() async throws {
        let settings = try load(isComplete: false)
        try await data.look(settings, ServiceUser.owner(of: settings, folders))
        let isHeld = try await service?.holdsPorts() ?? false
        guard data.isServed || isHeld else { return }
        // Those that the server was started with stand in the file, as setup writes them there.
        let before = try Settings.load(
            environment: [:], configPath: path, folders: folders, isFileRequired: false, isComplete: false)
        held = Set([before.listen, before.adminListen, before.redirectListen].compactMap { $0?.description })
    }

    // MARK: Step by step

    private mutating func take(_ step: SetupStep) async throws {
        var isAsked = !state.isAnswered(step)
        if isAsked, dialogue == nil {
            guard step.isRequired else { return }
            throw SetupUsage("\(step.flag) is missing, and nobody can be asked here: give it, or use a terminal")
        }
        dialogue?.heading(step.title)
        while true {
            if isAsked { try ask(step) } else { showGiven(step) }
            let settings = try load(isComplete: false)
            let checks = SetupChecks(
                settings: settings, user: ServiceUser.owner(of: settings, folders), configuration: path,
                isOffline: wishes.isOffline,
                held: held)
            let found = try await ProgressLine.during { progress in
                if step.isLookedAt { progress(Progress("looking", done: 0, of: nil, .items)) }
                return try await checks.findings(of: step)
            }
            dialogue?.show(found)
            guard let problem = found.first(where: SetupChecks.stops) else {
                findings += found
                return
            }
            guard let dialogue, step != .data else {
                let subject = problem.seen.contains(problem.subject) ? "" : "\(problem.subject): "
                throw Refusal.invalidSetting("\(subject)\(problem.seen); \(problem.advice)")
            }
            if try dialogue.agrees("Keep it all the same?", proposal: false) {
                findings += found
                return
            }
            if problem.code == "LISTENER_TAKEN" {
                try askForListener(problem, dialogue)
                isAsked = false
            } else {
                isAsked = true
            }
        }
    }

    /// The values of a step that nobody is asked for.
    private func showGiven(_ step: SetupStep) {
        guard let dialogue else { return }
        for key in step.keys {
            guard let (value, source) = given[key], let setting = Setting.all.first(where: { $0.key == key }) else {
                continue
            }
            dialogue.say("\(key): \(Printable.line(setting.masked(value), atMost: 200)) (\(source))", indent: 2)
        }
        switch step {
        case .project:
            let id = wishes.project?.text ?? data.standing.projects.map(\.id.text).joined(separator: ", ")
            dialogue.say(id, indent: 2)
        case .person:
            dialogue.say(wishes.person ?? data.standing.operators.joined(separator: ", "), indent: 2)
        default: break
        }
    }

    // MARK: The server

    private func start(
        _ settings: Settings, _ user: ServiceUser?, _ isChanged: Bool, _ report: inout SetupReport
    ) async throws {
        if let service {
            try await service.start(settings, isChanged: isChanged)
            try await waitUntilReady(settings)
        } else if data.isServed {
            if isChanged { report.notes += try await reload(settings) }
        } else {
            report.startCommand = startCommand(user)
            if let address = wishes.testMail {
                report.notes.append(
                    "no test email was sent, as the server does not run yet: "
                        + "homing mail test \(report.project?.id ?? "PROJECT") \(address) --wait")
            }
            return
        }
        report.isRunning = true
        await obtainCertificate(settings, user, &report)
        await sendTestMail(settings, user, &report)
    }

    /// Has a server that nobody else looks after read its settings.
    private func reload(_ settings: Settings) async throws -> [String] {
        guard settings.database.file != nil else {
            return ["restart the server, or send it SIGHUP: its settings have changed"]
        }
        return try await data.tell(["reload"], settings, nil)
    }

    private var configuration: String {
        path == folders.configurationPath ? "" : " --config \(Printable.shellWord(path))"
    }

    private func startCommand(_ user: ServiceUser?) -> String {
        guard let user else { return "homing serve\(configuration)" }
        return "runuser -u \(user.name) -- env XDG_CONFIG_HOME=/etc XDG_DATA_HOME=/var/lib homing serve\(configuration)"
    }

    /// Asks the public listener, as far as it has something to speak TLS with.
    private func waitUntilReady(_ settings: Settings) async throws {
        guard settings.acme == nil, settings.listen.port != 0 else { return }
        do {
            _ = try await Readiness.wait(for: settings, seconds: 20)
        } catch let refusal as Refusal {
            throw Refusal.invalidSetting(
                "the server has started, and \(RefusalLine.text(of: refusal)): look at its log, then run homing setup again"
            )
        }
    }

    private func obtainCertificate(_ settings: Settings, _ user: ServiceUser?, _ report: inout SetupReport) async {
        guard settings.acme != nil, !wishes.isOffline, let host = settings.publicURL?.host else { return }
        do {
            do {
                _ = try await data.tell(["certificate", "check", host], settings, user)
            } catch {
                // Nothing is ordered for a name that does not lead here; the server looks again every minute.
                report.notes.append("no certificate yet: \(RefusalLine.text(of: error))")
                return
            }
            report.notes += try await data.tell(["certificate", "renew", host], settings, user)
        } catch {
            report.problem = RefusalLine.text(of: error)
        }
    }

    private func sendTestMail(_ settings: Settings, _ user: ServiceUser?, _ report: inout SetupReport) async {
        guard let address = wishes.testMail else { return }
        guard let project = report.project else {
            report.problem = "no test email was sent: a project sends it, so give --project ID"
            return
        }
        do {
            report.notes += try await data.tell(["mail", "test", project.id.text, address, "--wait"], settings, user)
        } catch {
            report.problem = RefusalLine.text(of: error)
        }
    }
}
