// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingTransfer
import HomingWire

/// What an import says on a terminal, and in a file.
extension AccountImportReport {
    private static let mostPrinted = 20

    func lines(isDone: Bool) -> [String] {
        var lines = [
            "\(Printable.count(taken, "account")) \(isDone ? "imported" : "can be imported"), "
                + "\(withPassword) of them with a password; \(unchanged) here already, \(refused) refused"
        ]
        if updated > 0 { lines.append("\(updated) more were here and \(isDone ? "are" : "can be") brought up to date") }
        if verifiedElsewhere > 0 {
            lines.append("\(verifiedElsewhere) more have one that the old system verifies at their first sign-in")
        }
        for (name, count) in notKept.sorted(by: { $0.key < $1.key }) {
            let reason =
                switch name {
                case "password": "they choose a new one by email"
                case "email": "your back end gives them another"
                case "initialEmail", "phoneNumber": "it cannot be understood"
                default: "Homing does not offer it"
                }
            lines.append("warning: \(name) of \(Printable.count(count, "account")) is not kept: \(reason)")
        }
        for (name, count) in left.sorted(by: { $0.key < $1.key }) {
            let reason =
                switch name {
                case "password": "it was chosen here, or taken from them here"
                case "disabled": "homing account enable lets them in"
                default: "it was taken from them here"
                }
            lines.append("warning: \(name) of \(Printable.count(count, "account")) stays as it is here: \(reason)")
        }
        lines += named.prefix(Self.mostPrinted).map { "line \($0.line): \($0.name): \($0.reason)" }
        let more = refused - Self.mostPrinted
        if more > 0 { lines.append("\(more) more are refused: see --report FILE") }
        return lines
    }

    func json(isDone: Bool) -> JSON {
        [
            "done": .bool(isDone), "imported": .int(Int64(taken)), "withPassword": .int(Int64(withPassword)),
            "verifiedElsewhere": .int(Int64(verifiedElsewhere)),
            "unchanged": .int(Int64(unchanged)), "updated": .int(Int64(updated)), "refused": .int(Int64(refused)),
            "notKept": Self.json(notKept), "left": Self.json(left),
            "named": .array(
                named.prefix(1000).map {
                    ["line": .int(Int64($0.line)), "localId": .string($0.name), "reason": .string($0.reason)]
                }),
        ]
    }

    private static func json(_ counts: [String: Int]) -> JSON {
        .object(JSON.Object(counts.sorted { $0.key < $1.key }.map { ($0.key, .int(Int64($0.value))) }))
    }

    /// A file for a spreadsheet, with the first refused accounts.
    var csv: String {
        CSV.text([["line", "localId", "reason"]] + named.map { [String($0.line), $0.name, $0.reason] })
    }
}
