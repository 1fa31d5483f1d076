// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import ArgumentParser
import Foundation
import HomingCore
import HomingDatabase
import HomingMail
import HomingOperations
import HomingStore
import HomingWire
import Logging

/// One run of `homing`: reads the settings from the arguments, runs the command in the rest, and has an exit status.
///
/// 0 done; 1 refused or failed, with one line on standard error; 2 wrong usage.
package struct Program: Sendable {
    private let environment: [String: String]

    package init(environment: [String: String] = ProcessInfo.processInfo.environment) {
        self.environment = environment
    }

    package func run(_ arguments: [String]) async -> Int32 {
        // A reader that goes away is an error of that write and does not end the process.
        signal(SIGPIPE, SIG_IGN)
        if arguments.first == "---completion" { return await complete(arguments) }
        let wantsJSON = arguments.prefix { $0 != "--" }.contains("--json")
        let (flags, rest): ([String: String], [String])
        let command: any ParsableCommand
        do {
            (flags, rest) = try SettingFlags.split(arguments)
            if let fault = CommandPath.fault(in: rest) { throw ValidationError(fault) }
            command = try HomingCommand.parseAsRoot(rest)
        } catch {
            var answer = Self.failure(error)
            if let fault = CommandPath.settingFault(in: arguments, answer.errors) {
                answer = Self.failure(ValidationError(fault))
            }
            return tell(answer, asJSON: wantsJSON)
        }
        let status = await run(command, flags, isBare: rest.isEmpty, asJSON: wantsJSON)
        return status == 1 && command is MailBounce ? MailBounce.failureStatus : status
    }

    private func run(
        _ command: any ParsableCommand, _ flags: [String: String], isBare: Bool, asJSON wantsJSON: Bool
    ) async -> Int32 {
        do {
            // A command without settings cannot be refused because of one.
            switch command {
            case is ServeCommand, is any SettingsCommand, is any DatabaseCommand: break
            case let command as any PlainCommand: return tell(try command.answer(), asJSON: wantsJSON)
            default: return tell(Self.help(command, isBare: isBare), asJSON: wantsJSON)
            }
            let places = SettingPlaces(
                flags: flags.filter { $0.key != "config" }, environment: environment, configPath: flags["config"])
            if let command = command as? ServeCommand { return try await command.run(from: places) }
            _ = Self.quietLog
            // Its settings may not be there yet.
            if let command = command as? SetupCommand {
                return tell(try await command.run(from: places), asJSON: wantsJSON)
            }
            let settings = try places.load()
            switch command {
            case let command as any SettingsCommand:
                return tell(try await command.run(with: settings), asJSON: wantsJSON)
            case let command as any DatabaseCommand:
                var answer = try await answer(command, settings)
                if let agreed = try (command as? any LinkEndingCommand)?.agreed(after: answer) {
                    answer = try await self.answer(agreed, settings)
                }
                if let files = answer.files, let folder = command.outputFolder {
                    try InputFiles.write(files.filter { command.writes($0.key) }, to: folder)
                }
                return tell(answer, asJSON: wantsJSON)
            default: return tell(Self.help(command, isBare: isBare), asJSON: wantsJSON)
            }
        } catch {
            return tell(Self.failure(error), asJSON: wantsJSON)
        }
    }

    /// Answers a shell that asks which names there are: at once, or not at all.
    private func complete(_ arguments: [String]) async -> Int32 {
        LoggingSystem.bootstrap { _ in SwiftLogNoOpLogHandler() }
        // The process ends by it, without a word.
        alarm(Self.longestCompletion)
        let words = Array(arguments.drop { $0 != "--" }.dropFirst())
        let names = (try? await knownNames(for: words)) ?? KnownNames(projects: [])
        let answer = Self.completion(arguments, among: names)
        Descriptor.write(answer.output, to: Descriptor.output)
        return answer.status
    }

    private static func completion(_ arguments: [String], among names: KnownNames) -> CommandAnswer {
        KnownNames.$current.withValue(names) {
            do {
                _ = try HomingCommand.parseAsRoot(arguments)
                return CommandAnswer(status: 1, output: "", errors: "")
            } catch {
                let isAnswer = HomingCommand.exitCode(for: error) == .success
                let names = isAnswer ? HomingCommand.fullMessage(for: error) + "\n" : ""
                return CommandAnswer(status: isAnswer ? 0 : 1, output: names, errors: "")
            }
        }
    }

    /// In seconds.
    private static let longestCompletion: UInt32 = 3

    private func knownNames(for words: [String]) async throws -> KnownNames {
        let flags = try SettingFlags.split(words).0
        let settings = try SettingPlaces(
            flags: flags.filter { $0.key != "config" }, environment: environment, configPath: flags["config"]
        ).load()
        guard let list = try HomingCommand.parseAsRoot(["project", "list", "--json"]) as? ProjectList else {
            return KnownNames(projects: [])
        }
        return try KnownNames(of: try await answer(list, settings).output.utf8)
    }

    /// A command says what it has to say by itself. What else is logged is meant for a server's log, but for warnings.
    private static let quietLog: Void = LoggingSystem.bootstrap { label in
        JSONLogHandler(label: label, level: Live(.warning), format: .text) {
            Descriptor.show($0, on: Descriptor.errors)
        }
    }

    /// Sends the command to the server that owns the database, or opens the database for the command.
    private func answer(_ command: any DatabaseCommand, _ settings: Settings) async throws -> CommandAnswer {
        if let irreversible = command as? any IrreversibleCommand { try irreversible.askForConsent() }
        let input = try command.inputSource.open()
        return try await ProgressLine.during { progress in
            if let file = settings.database.file {
                let answer = try await ControlSocket.ask(
                    database: file, request: CommandRequest(command), input: input, progress: progress)
                if let answer { return answer }
            }
            if let command = command as? ReloadCommand {
                return try command.withoutSocket(settings, serverProcess: environment["MAINPID"])
            }
            let path = settings.database.file?.path
            let made = path.flatMap { FileManager.default.fileExists(atPath: $0) ? nil : $0 }
            let homing = try await Homing.open(settings, creating: command.createsDatabase, for: command.work)
            let server = settings.database.file == nil ? RunningServer(homing, settings) : nil
            if let made { Descriptor.show("the database is new: \(made)\n", on: Descriptor.errors) }
            let output = CommandOutput(
                input: input, progress: progress, server: server, rewriter: settings.relay?.rewriter)
            let own = await Self.run(command, in: homing, output)
            await homing.close()
            return own
        }
    }

    /// Runs a command from the socket.
    static func answer(
        _ request: CommandRequest, input: CommandInput?, progress: ProgressReporter, in homing: Homing,
        server: RunningServer
    ) async -> CommandAnswer {
        var command = request.command
        do {
            // The parser of this process has not checked the values.
            try command.validate()
        } catch {
            return failure(error)
        }
        return await run(command, in: homing, CommandOutput(input: input, progress: progress, server: server))
    }

    static func run(
        _ command: any DatabaseCommand, in homing: Homing, _ output: CommandOutput
    ) async -> CommandAnswer {
        var output = output
        do {
            try await command.run(in: homing, &output)
            return output.answer()
        } catch {
            return failure(error, after: output)
        }
    }

    private func tell(_ answer: CommandAnswer, asJSON wantsJSON: Bool) -> Int32 {
        let reason = Descriptor.show(answer.output, answer.styles ?? [], on: Descriptor.output)
        var errors = answer.errors
        if wantsJSON, let code = answer.code, !errors.isEmpty {
            // One line, like the sentence.
            errors = "{\"error\":{\"code\":\(Printable.quoted(code)),\"message\":\(Printable.quoted(errors))}}"
        }
        if !errors.isEmpty {
            Descriptor.show(errors.hasSuffix("\n") ? errors : errors + "\n", on: Descriptor.errors)
        }
        guard let reason else { return answer.status }
        // A reader that has read enough, such as `head`, needs no line.
        if reason != EPIPE {
            Descriptor.write(
                "standard output cannot be written (\(String(cString: strerror(reason)))); the command itself was run\n",
                to: Descriptor.errors)
        }
        return max(answer.status, 1)
    }

    /// The answer of a command that threw. Help and the version, for which the parser throws too, are no failures.
    private static func failure(_ error: any Error, after said: CommandOutput = CommandOutput()) -> CommandAnswer {
        let (output, styles, files) = (said.text, said.styles, said.files.isEmpty ? nil : said.files)
        func failed(_ status: Int32, _ errors: String, _ code: String) -> CommandAnswer {
            CommandAnswer(
                status: status, output: output, styles: styles, errors: errors, code: code,
                files: error is Refusal ? files : nil)
        }
        return switch error {
        case let error as ValidationError: failed(2, error.message, "USAGE")
        case let refusal as Refusal: failed(1, line(for: refusal), refusal.wireCode)
        case is SettingsFault: failed(1, line(for: error), "INVALID_SETTING")
        case let error where HomingCommand.exitCode(for: error) == .success:
            help(HomingCommand.fullMessage(for: error))
        case let error where HomingCommand.exitCode(for: error) == .validationFailure:
            failed(2, HomingCommand.fullMessage(for: error), "USAGE")
        default: failed(1, line(for: error), "FAILED")
        }
    }

    private static func help(_ text: String) -> CommandAnswer {
        CommandAnswer(status: 0, output: text + "\n", styles: HelpText.headings(in: text), errors: "")
    }

    /// `homing help …`, `--help`, and a group without a verb, such as `homing project`.
    private static func help(_ command: any ParsableCommand, isBare: Bool) -> CommandAnswer {
        if isBare { return help(HomingCommand.helpMessage()) }
        var command = command
        do {
            try command.run()
            return CommandAnswer(status: 2, output: "", errors: "what is to be done? homing help", code: "USAGE")
        } catch {
            let answer = failure(error)
            let isGroup = !type(of: command).configuration.subcommands.isEmpty
            return isGroup ? CommandAnswer(status: 2, output: "", errors: answer.output, code: "USAGE") : answer
        }
    }

    /// One line for the operator: the error, and the remedy.
    static func line(for error: any Error) -> String { RefusalLine.text(of: error) }
}

/// Commands that need neither settings nor a database.
protocol PlainCommand: AsyncParsableCommand {
    func answer() throws -> CommandAnswer
}

/// Commands that need the settings, and no open database.
protocol SettingsCommand: AsyncParsableCommand {
    func run(with settings: Settings) async throws -> CommandAnswer
}
