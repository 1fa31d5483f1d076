// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import ArgumentParser
import Foundation
import HomingCore
import HomingCurl
import HomingDoctor
import HomingMail
import HomingOperations
import HomingStore
import HomingWire

/// `homing doctor`.
///
/// The checks run in the operator's process, with the relay of its environment. The server that owns the data gets the
/// same command, and answers with an ``Examination`` of the data.
struct DoctorCommand: SettingsCommand, DatabaseCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "See what the world sees: association files, TLS, relay or provider, SPF, DKIM and DMARC.",
        discussion: """
            Asks the link domains and the public URL as a stranger would, follows a link of each as three devices, asks \
            the relay as a delivery does up to the recipient, or the provider what it knows (no email is sent), and the DNS \
            about the domain that emails come from. Exit 1 when there is a problem; every line says \
            what to do.

            --from-firebase looks at a Firebase project's files instead, and says what of it can come here and what cannot.

            --letter does nothing but mail a letter of each kind, with sample facts, by the way that all emails take. With \
            --inbox it fetches them back and says what became of them; the password is in HOMING_INBOX_SECRET or \
            --inbox-secret-file, or asked for. Without --inbox give the source of each to homing mail probe.

            EXAMPLE
              homing doctor --project shop --dkim-selector s1
              homing doctor --letter you@example.com --inbox imaps://you@imap.example.com
              homing doctor --from-firebase config.json
            """)

    @Option(help: "Only this project's hosts and apps.") var project: ProjectID?
    @Option(
        help: ArgumentHelp("Ask this name server, an IPv4 address, instead of the system's.", valueName: "ip[:port]"),
        transform: NameServer.argument)
    var nameserver: String?
    @Option(help: ArgumentHelp("Trust the authorities in this PEM file instead of the system's.", valueName: "file"))
    var ca: String?
    @Option(
        help: ArgumentHelp(
            "Reach this host at this address, as curl does; may be given several times.",
            valueName: "host:port:address"),
        transform: Self.resolution)
    var resolve: [String] = []
    @Option(help: ArgumentHelp("The selector in DKIM-Signature; may be given several times.", valueName: "s"))
    var dkimSelector: [String] = []
    @Option(
        help: ArgumentHelp(
            "Judge this file of a Firebase project and nothing else: its admin config, google-services.json or "
                + "GoogleService-Info.plist; may be given several times.", valueName: "file"))
    var fromFirebase: [String] = []
    @Option(help: ArgumentHelp("Mail letters to this address and judge what arrives.", valueName: "address"))
    var letter: String?
    @Option(
        help: ArgumentHelp("Fetch the letters from this mailbox: \(InboxURL.form).", valueName: "url"),
        transform: Self.inbox)
    var inbox: String?
    @Option(help: ArgumentHelp("The mailbox's password is in this file.", valueName: "file"))
    var inboxSecretFile: String?
    @Option(help: ArgumentHelp("Wait so many seconds for the letters.", valueName: "seconds")) var wait = 120
    @Flag(help: "Ask nobody: judge what is registered and set.") var offline = false
    @OptionGroup var format: OutputOptions

    func run(with settings: Settings) async throws -> CommandAnswer {
        if let ca, !FileManager.default.isReadableFile(atPath: ca) {
            throw Refusal.invalidSetting("--ca \(ca): there is no such file that this user can read")
        }
        guard fromFirebase.isEmpty else {
            return Self.answer(DoctorReport(findings: try FirebaseCheck.findings(of: fromFirebase)), format)
        }
        if let letter { return try await judgeLetters(to: letter, settings) }
        let answer = try await answerOfServer(settings)
        guard answer.status == 0 else { return answer }
        let examination = try JSONDecoder().decode(Examination.self, from: Data(answer.output.utf8))
        let doctor = Doctor(
            examination, settings, fetcher: WebFetcher(authorityFile: ca, resolutions: resolve),
            names: nameserver.flatMap(NameServer.init(parsing:)) ?? .system, selectors: dkimSelector)
        return Self.answer(DoctorReport(findings: await findings(of: doctor)), format)
    }

    static func answer(_ report: DoctorReport, _ format: OutputOptions) -> CommandAnswer {
        var output = CommandOutput()
        output.answer(format, json: report.json, styled: report.lines)
        if report.hasProblems { output.note("\(report.request), then run this again") }
        return output.answer(status: report.hasProblems ? 1 : 0)
    }

    /// Answers the examination, or mails the letters, in the server that owns the data.
    func run(in homing: Homing, _ output: inout CommandOutput) async throws {
        if let letter { return try await mailLetters(to: letter, in: homing, &output) }
        let examination = try await Examination(of: homing, project: project)
        output.say(String(decoding: try JSONEncoder().encode(examination), as: UTF8.self))
    }

    func answerOfServer(_ settings: Settings) async throws -> CommandAnswer {
        if let file = settings.database.file,
            let answer = try await ControlSocket.ask(database: file, request: CommandRequest(self))
        {
            return answer
        }
        let homing = try await Homing.open(settings, creating: false)
        var output = CommandOutput(server: settings.database.file == nil ? RunningServer(homing, settings) : nil)
        do {
            try await run(in: homing, &output)
        } catch {
            await homing.close()
            throw error
        }
        await homing.close()
        return output.answer()
    }

    private func findings(of doctor: Doctor) async -> [Finding] {
        if offline { return doctor.findingsOffline() }
        return await ProgressLine.during { progress in
            progress(Progress("asking hosts, relay and name servers", done: 0, of: nil, .items))
            return await doctor.findings { total, ended, last in
                progress(Progress("looked at", done: Int64(ended), of: Int64(total), .items, detail: "last \(last)"))
            }
        }
    }

    @Sendable
    private static func inbox(_ text: String) throws -> String {
        guard InboxURL(parsing: text) != nil else {
            throw ValidationError("\(Printable.given(text)) is no mailbox: give \(InboxURL.form), without a password")
        }
        return text
    }

    @Sendable
    private static func resolution(_ text: String) throws -> String {
        guard WebFetcher.isResolution(text) else {
            throw ValidationError("\(text) is not HOST:PORT:ADDRESS, as in links.shop.example:443:192.0.2.7")
        }
        return text
    }
}

extension NameServer {
    @Sendable
    static func argument(_ text: String) throws -> String {
        guard NameServer(parsing: text) != nil else {
            throw ValidationError(
                "\(text) is no name server: give an IPv4 address, or one with a port, as in 9.9.9.9:53")
        }
        return text
    }
}
