// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import ArgumentParser

/// A parsed command as a value: the operator's process sends it to the process that has the database open.
///
/// The value travels as the command's words, such as `account create`, with the values of its arguments and options. A
/// new command only needs its entry in the tree of commands.
package struct CommandRequest: Codable, Sendable {
    let command: any DatabaseCommand

    init(_ command: any DatabaseCommand) {
        self.command = command.request
    }

    /// - Throws: the parser's error when the arguments are no command that works on the open database.
    package init(parsing arguments: [String]) throws {
        guard let command = try HomingCommand.parseAsRoot(arguments) as? any DatabaseCommand else {
            throw ValidationError("this command does not work on the open database")
        }
        self.init(command)
    }

    enum CodingKeys: CodingKey {
        case name, values
    }

    package init(from decoder: any Decoder) throws {
        let request = try decoder.container(keyedBy: CodingKeys.self)
        let name = try request.decode(String.self, forKey: .name)
        guard let type = Self.types[name] else {
            throw DecodingError.dataCorruptedError(
                forKey: .name, in: request, debugDescription: "no command that works on the open database")
        }
        command = try request.decode(type, forKey: .values)
    }

    package func encode(to encoder: any Encoder) throws {
        var request = encoder.container(keyedBy: CodingKeys.self)
        try request.encode(Self.types.first { $0.value == type(of: command) }?.key, forKey: .name)
        try request.encode(command, forKey: .values)
    }

    /// The words of every command that can be requested.
    package static var names: [String] { types.keys.sorted() }

    private static let types = types(below: HomingCommand.self)

    private static func types(below group: any ParsableCommand.Type) -> [String: any DatabaseCommand.Type] {
        group.configuration.subcommands.reduce(into: [:]) { types, command in
            let name = CommandPath.name(of: command)
            types[name] = command as? any DatabaseCommand.Type
            for (words, type) in Self.types(below: command) { types["\(name) \(words)"] = type }
        }
    }
}
