// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import ArgumentParser
import HomingOperations
import HomingWire

/// The words with which a command line begins: groups and a command.
enum CommandPath {
    /// A sentence about the word that is no command, with the probable command; nil when all words are commands.
    static func fault(in arguments: [String]) -> String? {
        var words = arguments.prefix { $0 != "--" }.filter { !$0.hasPrefix("-") }
        // `homing help mail` asks for help about the words behind `help`.
        let isHelp = words.first == "help"
        if isHelp { words.removeFirst() }
        var command: any ParsableCommand.Type = HomingCommand.self
        var path = "homing"
        for word in words {
            let commands = command.configuration.subcommands
            guard !commands.isEmpty else { return isHelp ? "\(path) has no commands of its own: homing help" : nil }
            if let next = commands.first(where: { name(of: $0) == word }) {
                command = next
                path += " \(word)"
                continue
            }
            let names = commands.map(name)
            let shown = Printable.line(word, atMost: 60)
            guard let meant = Spelling.nearest(to: word, among: names) else {
                return "there is no command \(path) \(shown); there are: \(names.joined(separator: ", "))"
            }
            return "there is no command \(path) \(shown); did you mean \(path) \(meant)?"
        }
        return nil
    }

    static func name(of command: any ParsableCommand.Type) -> String {
        command.configuration.commandName ?? ""
    }
}
