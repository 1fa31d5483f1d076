// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import ArgumentParser
import HomingOperations

/// Settings may stand anywhere among the arguments: `--listen 127.0.0.1:0`, `--smtp-url=mailbox:`, `--config PATH`.
enum SettingFlags {
    static let names = Setting.all.map(\.flag) + ["config"]
    private static let known = Set(names)

    /// The settings in the help of a command. Made once, since the parser makes the help of all commands at any start.
    static let help: String = {
        let rows = Setting.all.map { setting in
            """
            \(lines("--\(setting.flag) VALUE, \(setting.variable), \(setting.key)", "  "))
            \(lines(plain(firstSentence(of: setting.meaning)) + ". Default: \(plain(setting.standardText))."))
            """
        }
        return """
            SETTINGS (flag, environment variable, key in homing.yaml)
              --config PATH
            \(lines("The homing.yaml to read instead of the one at the default place."))
            \(rows.joined(separator: "\n"))
            """
    }()

    /// The first sentence of a text, without its full stop.
    private static func firstSentence(of text: String) -> Substring {
        let bytes = text.utf8
        let end = bytes.indices.first { bytes[$0...].starts(with: ". ".utf8) } ?? bytes.endIndex
        let sentence = text[..<end]
        return sentence.hasSuffix(".") ? sentence.dropLast() : sentence
    }

    /// A text of the table without its Markdown: code keeps its brackets, links lose their targets.
    private static func plain(_ text: some StringProtocol) -> String {
        var plain: [UInt8] = []
        var (isCode, isTarget) = (false, false)
        var last: UInt8 = 0
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "`"): isCode.toggle()
            case _ where isCode: plain.append(byte)
            case UInt8(ascii: "(") where last == UInt8(ascii: "]"): isTarget = true
            case UInt8(ascii: ")") where isTarget: isTarget = false
            case UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "<"), UInt8(ascii: ">"): break
            case _ where !isTarget: plain.append(byte)
            default: break
            }
            last = isCode ? 0 : byte
        }
        return String(decoding: plain, as: UTF8.self)
    }

    /// A text in lines that fit a terminal.
    private static func lines(_ text: String, _ first: String = indent) -> String {
        var lines: [String] = []
        for word in text.split(separator: " ") {
            if let last = lines.last, last.count + word.count < 79 {
                lines[lines.count - 1] += " \(word)"
            } else {
                lines.append("\(lines.isEmpty ? first : indent)\(word)")
            }
        }
        return lines.joined(separator: "\n")
    }

    private static let indent = "      "

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
            guard known.contains(name) else {
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
