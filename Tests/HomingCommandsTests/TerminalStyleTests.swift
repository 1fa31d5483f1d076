// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCommands
import HomingOperations
import Testing

@Suite struct `Colour on a terminal` {
    @Test(
        arguments: [
            (true, ["TERM": "xterm"], true), (true, ["TERM": "dumb"], false), (true, [:], false),
            (false, ["TERM": "xterm"], false), (true, ["TERM": "xterm", "NO_COLOR": "1"], false),
            (true, ["TERM": "xterm", "NO_COLOR": ""], true), (false, ["CLICOLOR_FORCE": "1"], true),
            (false, ["CLICOLOR_FORCE": "0"], false), (false, ["CLICOLOR_FORCE": "1", "NO_COLOR": "yes"], false),
        ] as [(Bool, [String: String], Bool)])
    func `is there where it can be shown and nobody forbids it`(
        isTerminal: Bool, environment: [String: String], isShown: Bool
    ) {
        #expect(TerminalStyle.isShown(onTerminal: isTerminal, environment) == isShown)
    }

    @Test func `paints the parts of a text and leaves the rest`() {
        let line = "  " + StyledLine("OK", .ok) + " it is fine, " + StyledLine("größe", .key)
        #expect(line.text == "  OK it is fine, größe")
        let painted = TerminalStyle.painted(line.text, line.parts)
        #expect(painted == "  \u{1B}[32mOK\u{1B}[0m it is fine, \u{1B}[2mgröße\u{1B}[0m")
        #expect(TerminalStyle.painted("plain", []) == "plain")
        #expect(StyledLine.fact("name", "The Shop").text == "name The Shop")
    }

    @Test func `makes each piece fit for a terminal by itself`() {
        let line = StyledLine("a\u{1B}b", .fix) + "\u{1B}c"
        let painted = TerminalStyle.painted(line.text, line.parts) { $0.replacing("\u{1B}", with: "?") }
        #expect(painted == "\u{1B}[31ma?b\u{1B}[0m?c")
    }

    @Test(arguments: [(-1, 2), (0, 0), (0, 9), (4, 1), (2, Int.max), (Int.max, Int.max), (1, -1)])
    func `leaves out what a server that was taken over says of parts that are not there`(start: Int, length: Int) {
        let part = TerminalStyle.Part(.fix, from: start, length: length)
        #expect(TerminalStyle.painted("text", [part]) == "text")
        let twice = [TerminalStyle.Part(.ok, from: 0, length: 3), TerminalStyle.Part(.fix, from: 2, length: 2)]
        #expect(TerminalStyle.painted("text", twice) == "\u{1B}[32mtex\u{1B}[0mt")
    }

    @Test func `makes the headings of help bold`() {
        let text = """
            OVERVIEW: Make a thing.

            EXAMPLE
              homing A B

            SETTINGS (flag)
            ID: no heading
            KEY AND BACKUP SUBCOMMANDS:
            """
        let bytes = Array(text.utf8)
        let headings = HelpText.headings(in: text).map { part in
            String(decoding: bytes[part.start..<part.start + part.length], as: UTF8.self)
        }
        #expect(headings == ["OVERVIEW", "EXAMPLE", "SETTINGS ", "KEY AND BACKUP SUBCOMMANDS"])
    }
}
