// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
import HomingCore
import HomingDoctor
import HomingOperations
import HomingStore
import HomingWire

/// The questions at a terminal: asked on standard error, as the answer of the command goes to standard output.
struct SetupDialogue: Sendable {
    private static let width = 78

    /// Nil without a terminal.
    init?() {
        guard isatty(STDIN_FILENO) == 1, isatty(STDERR_FILENO) == 1 else { return nil }
    }

    func say(_ text: String, indent: Int = 0) {
        let blanks = String(repeating: " ", count: indent)
        for line in SettingsDocument.wrapped(text, at: Self.width - indent) { write("\(blanks)\(line)\n") }
    }

    func heading(_ title: String) { write("\n" + StyledLine(title, .heading) + "\n") }

    func show(_ findings: [Finding]) {
        for finding in findings {
            let mark = "  " + finding.level.styledMark + " "
            let indent = mark.text.utf8.count
            let lines = SettingsDocument.wrapped(Printable.line(finding.seen, atMost: 400), at: Self.width - indent)
            for (index, line) in lines.enumerated() {
                let start = index == 0 ? mark : StyledLine(String(repeating: " ", count: indent))
                write(start + "\(line)\n")
            }
            if !finding.advice.isEmpty { say(Printable.line(finding.advice, atMost: 400), indent: indent) }
        }
    }

    /// - Parameter sentence: what is wrong, or what is accepted.
    func refuse(_ key: String, _ sentence: String) { show([.problem("REFUSED", key, "That is refused.", sentence)]) }

    /// A line of what was typed, without blanks around it; the proposal when nothing was.
    func ask(_ question: String, proposal: String? = nil) throws(Refusal) -> String {
        while true {
            write("  \(question)\(proposal.map { " [\($0)]" } ?? ""): ")
            guard let line = readLine() else { throw Self.ended }
            let typed = line.trimmingCharacters(in: .whitespaces)
            if !typed.isEmpty { return typed }
            if let proposal { return proposal }
        }
    }

    /// The same where nothing is an answer, too.
    func askOptional(_ question: String) throws(Refusal) -> String? {
        write("  \(question): ")
        guard let line = readLine() else { throw Self.ended }
        let typed = line.trimmingCharacters(in: .whitespaces)
        return typed.isEmpty ? nil : typed
    }

    func agrees(_ question: String, proposal: Bool) throws(Refusal) -> Bool {
        while true {
            switch try askOptional("\(question) [\(proposal ? "Y/n" : "y/N")]")?.lowercased() {
            case nil: return proposal
            case "y", "yes": return true
            case "n", "no": return false
            default: continue
            }
        }
    }

    /// The number of a choice, from 0.
    func choose(_ choices: [String]) throws(Refusal) -> Int {
        for (index, choice) in choices.enumerated() { say("\(index + 1). \(choice)", indent: 2) }
        while true {
            let typed = try ask("Which", proposal: "1")
            if let number = Int(typed), choices.indices.contains(number - 1) { return number - 1 }
        }
    }

    /// A line that nobody sees. Ctrl-C ends the command; the terminal is as before in any case.
    func askSecretly(_ question: String) throws(Refusal) -> String {
        var before = termios()
        guard tcgetattr(STDIN_FILENO, &before) == 0 else { throw Self.ended }
        var silent = before
        silent.c_lflag &= ~tcflag_t(ECHO | ICANON | ISIG)
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent)
        write("  \(question): ")
        defer {
            tcsetattr(STDIN_FILENO, TCSADRAIN, &before)
            write("\n")
        }
        var typed: [UInt8] = []
        while true {
            var byte: UInt8 = 0
            let count = read(STDIN_FILENO, &byte, 1)
            if count < 0, errno == EINTR { continue }
            guard count == 1 else { throw Self.ended }
            switch byte {
            case 0x0A, 0x0D: if !typed.isEmpty { return String(decoding: typed, as: UTF8.self) }
            case 0x03, 0x04: throw Self.ended
            case 0x08, 0x7F:
                // A whole character of UTF-8.
                while let last = typed.popLast(), last & 0xC0 == 0x80 {}
            case 0x15: typed = []
            default: typed.append(byte)
            }
        }
    }

    private func write(_ text: StyledLine) { Descriptor.show(text, on: Descriptor.errors) }

    /// Whether there is nobody left to ask.
    static func isOver(_ refusal: Refusal) -> Bool { refusal == ended }

    private static let ended = Refusal.invalidSetting(
        "nothing was written: the answers ended before the questions; run homing setup again")
}
