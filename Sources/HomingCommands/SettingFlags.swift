// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import ArgumentParser

/// Settings may stand anywhere among the arguments: `--listen 127.0.0.1:0`, `--smtp-url=mailbox:`, `--config PATH`.
enum SettingFlags {
    private static let names = Set(Setting.all.map(\.flag) + ["config"])

    /// The settings in the help of a command. Made once, since the parser makes the help of all commands at any start.
    static let help: String = {
        let rows = Setting.all.map { setting in
            "  --\(setting.flag) VALUE, \(setting.variable), \(setting.key)\n\(indented(setting.meaning))"
        }
        return """
            SETTINGS (flag, environment variable, key in homing.yaml)
              --config PATH
            \(indented("The homing.yaml to read instead of the one at the default place."))
            \(rows.joined(separator: "\n"))
            """
    }()

    /// The first sentence without Markdown, in lines that fit a terminal.
    private static func indented(_ text: String) -> String {
        let bytes = text.utf8
        let end = bytes.indices.first { bytes[$0...].starts(with: ". ".utf8) } ?? bytes.endIndex
        let plain = bytes[..<end].filter { $0 != UInt8(ascii: "`") }
        var lines: [String] = []
        for piece in plain.split(separator: UInt8(ascii: " ")) {
            let word = String(decoding: piece, as: UTF8.self)
            if let last = lines.last, last.utf8.count + piece.count < 79 {
                lines[lines.count - 1] += " \(word)"
            } else {
                lines.append("      \(word)")
            }
        }
        return lines.joined(separator: "\n") + (plain.last == UInt8(ascii: ".") ? "" : ".")
    }

    /// The settings among the arguments, and the arguments without them.
    static func split(_ arguments: [String]) throws -> ([String: String], [String]) {
        var flags: [String: String] = [:]
        var rest: [String] = []
        var index = arguments.startIndex
        while index < arguments.endIndex {
            let argument = arguments[index]
            index += 1
            guard argument.hasPrefix("--") else {
                rest.append(argument)
                continue
            }
            if argument == "--" {
                rest += arguments[(index - 1)...]
                break
            }
            let parts = argument.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = String(parts[0])
            guard names.contains(name) else {
                rest.append(argument)
                continue
            }
            if parts.count == 2 {
                flags[name] = String(parts[1])
            } else if index < arguments.endIndex {
                flags[name] = arguments[index]
                index += 1
            } else {
                throw ValidationError("--\(name) needs a value")
            }
        }
        return (flags, rest)
    }
}
