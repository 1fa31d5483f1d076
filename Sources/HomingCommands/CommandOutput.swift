// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import ArgumentParser
import HomingCertificates
import HomingCore
import HomingLinkRules
import HomingMail
import HomingOperations
import HomingServer
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
        if options.json {
            text += String(decoding: json.write(), as: UTF8.self)
            if !text.hasSuffix("\n") { text += "\n" }
        } else {
            for line in lines { say(line) }
        }
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
            answer(options.format, json: json, lines: Table.lines(rows, empty: empty))
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
    static func lines(_ rows: [[String]], empty: String) -> [String] {
        guard let columns = rows.first?.count, rows.count > 1 else { return [empty] }
        let widths = (0..<columns).map { column in rows.map { $0[column].unicodeScalars.count }.max() ?? 0 }
        return rows.map { row in
            let cells = zip(row, widths).map { cell, width in
                cell + String(repeating: " ", count: max(0, width - cell.unicodeScalars.count))
            }
            let line = cells.joined(separator: "  ")
            return String(line.reversed().drop { $0 == " " }.reversed())
        }
    }
}
