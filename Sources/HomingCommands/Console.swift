// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import ArgumentParser
import HomingWire

/// Where a command writes: kept until it is done, because it may run in the server on behalf of somebody else.
struct Console {
    private(set) var output = ""
    /// For standard error of a command that is done all the same, one line each.
    private(set) var warnings = ""
    /// What came on standard input, for commands that read it.
    let input: [UInt8]?

    init(input: [UInt8]? = nil) {
        self.input = input
    }

    mutating func say(_ line: String) {
        output += line + "\n"
    }

    mutating func warn(_ line: String) {
        warnings += "warning: \(line)\n"
    }

    /// One answer in two forms: lines for a person, JSON with `--json`.
    mutating func answer(_ options: OutputOptions, json: JSON, lines: [String]) {
        if options.json {
            output += String(decoding: json.write(), as: UTF8.self)
            if !output.hasSuffix("\n") { output += "\n" }
        } else {
            for line in lines { say(line) }
        }
    }
}

/// `--json`, on every command that prints.
struct OutputOptions: ParsableArguments {
    @Flag(name: .long, help: "Print JSON.")
    var json = false
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
