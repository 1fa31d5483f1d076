// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import ArgumentParser
import HomingCertificates
import HomingCore
import HomingLinkRules
import HomingMail
import HomingOperations
import HomingServer
import HomingShortLinks
import HomingStore
import HomingWire
import Logging

/// Not Foundation's.
typealias Progress = HomingOperations.Progress

/// The output of a command, kept until the command is done, because the command may run in the server on behalf of
/// another process; and the input for its work.
struct CommandOutput {
    /// For standard output.
    private(set) var text = ""
    /// How parts of it look on a terminal.
    private(set) var styles: [TerminalStyle.Part] = []
    /// For standard error, whether or not the command succeeds.
    private(set) var notes = ""
    /// For files in the command's folder, by their paths in it.
    var files: [String: String] = [:]
    /// The file or the standard input of the operator's process, for commands that read one.
    let input: CommandInput?
    /// Gets the progress of the command.
    let progress: ProgressReporter
    /// The server that runs the command; nil when no server does.
    let server: RunningServer?
    /// The provider that writes mails anew and signs them itself; nil where they arrive as they are.
    let rewriter: String?

    init(
        input: CommandInput? = nil, progress: ProgressReporter = .unseen, server: RunningServer? = nil,
        rewriter: String? = nil
    ) {
        self.input = input
        self.progress = progress
        self.server = server
        self.rewriter = rewriter ?? server?.rewriter()
    }

    mutating func say(_ line: String) {
        text += line + "\n"
    }

    mutating func say(_ line: StyledLine) {
        styles += line.parts(from: text.utf8.count)
        say(line.text)
    }

    /// Adds a text that ends its last line itself.
    mutating func say(whole text: String) {
        self.text += text
    }

    /// Adds a line beside the answer, such as the number of rows that a list leaves out.
    mutating func note(_ line: String) {
        notes += line + "\n"
    }

    /// Adds one answer in two forms: lines for a person, JSON with `--json`.
    mutating func answer(_ options: OutputOptions, json: JSON, lines: [String]) {
        answer(options, json: json, styled: lines.map { StyledLine($0) })
    }

    /// The same with styles, which a terminal shows.
    mutating func answer(_ options: OutputOptions, json: JSON, styled lines: [StyledLine]) {
        if options.json {
            text += String(decoding: json.write(), as: UTF8.self)
            if !text.hasSuffix("\n") { text += "\n" }
        } else {
            for line in lines { say(line) }
        }
    }

    /// The answer of a command that runs in the operator's process.
    func answer(status: Int32 = 0) -> CommandAnswer {
        CommandAnswer(
            status: status, output: text, styles: styles, errors: notes, files: files.isEmpty ? nil : files)
    }

    /// Says that a part of a project is gone, and what came of it for its links.
    mutating func answer(
        removed part: String, from project: ProjectID, _ deaths: LinkDeaths, _ options: OutputOptions
    ) {
        answer(
            options,
            json: [
                "removed": .string(part), "deadLinks": .int(Int64(deaths.dead)),
                "linksWithoutApp": .int(Int64(deaths.withoutApp)),
            ],
            lines: ["\(part) is removed from \(project)"] + [deaths.sentence].compactMap(\.self))
    }

    /// Adds a table: columns of equal width, JSON with `--json`, comma-separated values with `--csv`.
    mutating func answer(_ options: TableOutputOptions, json: JSON, rows: [[String]], empty: String) {
        if options.csv {
            text += CSV.text(rows)
        } else {
            answer(options.format, json: json, styled: Table.lines(rows, empty: empty))
        }
    }
}

/// The operations that only a running server can do for a command.
struct RunningServer: Sendable {
    /// Makes a link that opens the mailbox once; nil where mails go to a relay.
    let newMailboxLink: @Sendable () async throws -> String?
    /// Reads the settings again; nil in a process that serves nobody.
    let reload: (@Sendable () throws -> LiveSettings.Outcome)?
    /// Gets certificates; nil where the operator has not agreed to an authority's terms.
    let certificates: CertificateKeeper?
    /// The provider that writes mails anew, if one does.
    let rewriter: @Sendable () -> String?
}

extension RunningServer {
    /// The servers on a database that they share with this process, as far as this one's settings are theirs too.
    init(_ homing: Homing, _ settings: Settings) {
        self.init(
            newMailboxLink: {
                guard settings.relay == .mailbox else { return nil }
                return try await HomingServer.mailboxLink(
                    in: homing, at: settings.adminListen.description, isSecure: settings.tls != nil)
            }, reload: nil,
            certificates: CertificateKeeper(
                homing, settings, certificates: Certificates(homing), files: nil,
                logger: Logger(label: "homing.command")), rewriter: { settings.relay?.rewriter })
    }
}

/// `--json`, on every command that prints.
struct OutputOptions: ParsableArguments, Encodable {
    @Flag(name: .long, help: "Print JSON.")
    var json = false
}

/// `--json` and `--csv`, on commands whose answer is one table.
struct TableOutputOptions: ParsableArguments, Encodable {
    @OptionGroup var format: OutputOptions
    @Flag(name: .long, help: "Print comma-separated values, for a spreadsheet.")
    var csv = false

    func validate() throws {
        if csv, format.json { throw ValidationError("--json and --csv exclude each other") }
    }
}

/// The number of rows that a list shows, and the note about the others.
enum ListLimit {
    static func checked(_ limit: Int) throws(ValidationError) -> Int {
        guard (1...100_000).contains(limit) else { throw ValidationError("--limit is a whole number from 1 to 100000") }
        return limit
    }

    static func note(_ left: Int, _ what: String, _ output: inout CommandOutput) {
        if left > 0 { output.note("\(left) \(what) are not shown: --limit shows more") }
    }
}

/// Columns of equal width, for lists.
enum Table {
    /// - Parameters:
    ///   - rows: the first is the head.
    ///   - states: how the states in the column `STATUS` look.
    static func lines(
        _ rows: [[String]], empty: String, states: [String: TerminalStyle] = [:]
    ) -> [StyledLine] {
        guard let head = rows.first, rows.count > 1 else { return [StyledLine(empty)] }
        let status = head.firstIndex { $0.utf8.elementsEqual("STATUS".utf8) }
        return lines(rows) { row, column in
            row == 0 ? .heading : column == status ? states[rows[row][column]] : nil
        }
    }

    /// Values below each other, with their names in front.
    static func facts(_ rows: [(String, String)]) -> [StyledLine] {
        lines(rows.map { [$0.0, $0.1] }) { _, column in column == 0 ? .key : nil }
    }

    private static func lines(_ rows: [[String]], style: (Int, Int) -> TerminalStyle?) -> [StyledLine] {
        let columns = rows.first?.indices ?? 0..<0
        let widths = columns.map { column in rows.map { $0[column].unicodeScalars.count }.max() ?? 0 }
        return rows.enumerated().map { number, row in
            // No line ends in blanks.
            let end = row.lastIndex { !$0.isEmpty } ?? 0
            return row[...end].indices.reduce(StyledLine("")) { line, column in
                let text = style(number, column).map { StyledLine(row[column], $0) } ?? StyledLine(row[column])
                guard column < end else { return line + text }
                let blanks = max(0, widths[column] - row[column].unicodeScalars.count) + 2
                return line + text + StyledLine(String(repeating: " ", count: blanks))
            }
        }
    }
}
