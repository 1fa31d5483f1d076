// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import ArgumentParser
import Foundation
import HomingCore
import HomingDatabase
import HomingMail
import HomingServer
import Logging

/// One run of `homing`: settings out of the arguments, the command out of the rest, and its exit status.
///
/// 0 done; 1 refused or failed, with one line on standard error; 2 wrong usage.
package struct Program: Sendable {
    private let environment: [String: String]

    package init(environment: [String: String] = ProcessInfo.processInfo.environment) {
        self.environment = environment
    }

    package func run(_ arguments: [String]) async -> Int32 {
        // A reader that goes away is an error of that write, not the end of the process.
        signal(SIGPIPE, SIG_IGN)
        let (flags, rest): ([String: String], [String])
        let command: any ParsableCommand
        do {
            (flags, rest) = try SettingFlags.split(arguments)
            command = try HomingCommand.parseAsRoot(rest)
        } catch {
            return tell(Self.parseFailure(error))
        }
        do {
            let settings = try Settings.load(
                flags: flags.filter { $0.key != "config" }, environment: environment, configPath: flags["config"])
            switch command {
            case let command as ServeCommand: return try await command.run(with: settings)
            case let command as any SettingsCommand: return tell(try await command.run(with: settings))
            case let command as any HouseCommand:
                return tell(try await answer(command, arguments: rest, settings))
            default: return tell(Self.help(command, isBare: rest.isEmpty))
            }
        } catch {
            return tell(CommandAnswer(status: 1, output: "", errors: Self.line(for: error)))
        }
    }

    /// Hands the command to the server that owns the database, or opens the database for it.
    private func answer(
        _ command: any HouseCommand, arguments: [String], _ settings: Settings
    ) async throws -> CommandAnswer {
        var arguments = arguments
        if let backup = command as? BackupCommand, !backup.path.hasPrefix("/"),
            // The last one: the command's own name may be the same word.
            let place = arguments.lastIndex(of: backup.path)
        {
            // The server may stand in another folder.
            arguments[place] = FileManager.default.currentDirectoryPath + "/" + backup.path
        }
        let input = try command.inputSource.read()
        if let answer = try await ControlSocket.ask(database: settings.database, arguments: arguments, input: input) {
            return answer
        }
        let house = try await House.open(settings, creating: command.createsDatabase)
        let answer = await Self.run(command, in: house, input: input)
        await house.close()
        return answer
    }

    /// Runs a command that arrived through the socket.
    static func answer(_ arguments: [String], input: [UInt8]?, in house: Homing) async -> CommandAnswer {
        do {
            guard let command = try HomingCommand.parseAsRoot(arguments) as? any HouseCommand else {
                return CommandAnswer(status: 2, output: "", errors: "this command does not run inside a server")
            }
            return await run(command, in: house, input: input)
        } catch {
            return parseFailure(error)
        }
    }

    private static func run(_ command: any HouseCommand, in house: Homing, input: [UInt8]?) async -> CommandAnswer {
        var console = Console(input: input)
        do {
            try await command.run(in: house, &console)
            return CommandAnswer(status: 0, output: console.output, errors: console.warnings)
        } catch let error as ValidationError {
            return CommandAnswer(status: 2, output: console.output, errors: error.message)
        } catch {
            return CommandAnswer(status: 1, output: console.output, errors: line(for: error))
        }
    }

    private func tell(_ answer: CommandAnswer) -> Int32 {
        let reason = Descriptor.write(answer.output, to: Descriptor.output)
        if !answer.errors.isEmpty {
            Descriptor.write(
                answer.errors.hasSuffix("\n") ? answer.errors : answer.errors + "\n", to: Descriptor.errors)
        }
        guard let reason else { return answer.status }
        // A reader that had enough, such as `head`, needs no line.
        if reason != EPIPE {
            Descriptor.write(
                "standard output cannot be written (\(String(cString: strerror(reason)))); the command itself was run\n",
                to: Descriptor.errors)
        }
        return max(answer.status, 1)
    }

    /// Help is no failure; everything else that the parser throws is wrong usage.
    private static func parseFailure(_ error: any Error) -> CommandAnswer {
        let text = HomingCommand.fullMessage(for: error)
        guard HomingCommand.exitCode(for: error) != .success else {
            return CommandAnswer(status: 0, output: text + "\n", errors: "")
        }
        return CommandAnswer(status: 2, output: "", errors: text)
    }

    /// `homing help …`, `--help`, and a group without a verb, such as `homing project`.
    private static func help(_ command: any ParsableCommand, isBare: Bool) -> CommandAnswer {
        if isBare { return CommandAnswer(status: 0, output: HomingCommand.helpMessage() + "\n", errors: "") }
        var command = command
        do {
            try command.run()
            return CommandAnswer(status: 2, output: "", errors: "what is to be done? homing help")
        } catch {
            let answer = parseFailure(error)
            let isGroup = !String(describing: type(of: command)).hasPrefix("HelpCommand")
            return isGroup ? CommandAnswer(status: 2, output: "", errors: answer.output) : answer
        }
    }

    /// One line for the operator: what happened, and what to do.
    static func line(for error: any Error) -> String {
        let text =
            switch error {
            case let refusal as Refusal: RefusalLine.text(refusal)
            case let error as any CustomStringConvertible: error.description
            default: error.localizedDescription
            }
        return text.split(whereSeparator: \.isNewline).joined(separator: " ")
    }
}

/// Commands that need the settings, and no open database.
protocol SettingsCommand: AsyncParsableCommand {
    func run(with settings: Settings) async throws -> CommandAnswer
}
