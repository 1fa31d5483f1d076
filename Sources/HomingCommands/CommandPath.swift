// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import ArgumentParser
import HomingStore
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
            let names = commands.filter { $0.configuration.shouldDisplay }.map(name)
            let shown = Printable.line(word, atMost: 60)
            guard let meant = Spelling.nearest(to: word, among: names) else {
                return "there is no command \(path) \(shown); there are: \(names.joined(separator: ", "))"
            }
            return "there is no command \(path) \(shown); did you mean \(path) \(meant)?"
        }
        return nil
    }

    /// A sentence about the option that is no setting, with the probable setting: the parser knows its own options
    /// alone. Nil where the parser knows better.
    ///
    /// - Parameter message: the parser's.
    static func settingFault(in arguments: [String], _ message: String) -> String? {
        guard message.contains("Unknown option"), !message.contains("Did you mean") else { return nil }
        for argument in arguments.prefix(while: { $0 != "--" }) where argument.hasPrefix("--") {
            let name = String(argument.dropFirst(2).prefix { $0 != "=" })
            guard message.contains("'--\(name)'"), let meant = Spelling.nearest(to: name, among: SettingFlags.names)
            else { continue }
            return "there is no option --\(Printable.line(name, atMost: 60)); did you mean --\(meant)?"
        }
        return nil
    }

    static func name(of command: any ParsableCommand.Type) -> String {
        command.configuration.commandName ?? ""
    }
}
