// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingWire

/// What became of the accounts of an import. It stays small however many there are: the first refused ones are named, and
/// the others counted.
struct AccountImportReport {
    private static let mostNamed = 100_000
    private static let mostPrinted = 20

    private struct Refused {
        let line: Int
        let name: String
        let reason: String
    }

    /// Whether accounts that are here already are no fault.
    let resume: Bool
    private(set) var taken = 0
    private(set) var unchanged = 0
    private(set) var refused = 0
    private var withPassword = 0
    /// How many have no hash, and an old system that is asked.
    private(set) var verifiedElsewhere = 0
    /// How the hashes of the accounts that can be taken were made.
    private(set) var schemes: Set<PasswordScheme> = []
    private static let mostSchemes = 1000
    private var named: [Refused] = []
    /// How many accounts have had what is not kept, by its name.
    private var notKept: [String: Int] = [:]

    init(resume: Bool) {
        self.resume = resume
    }

    mutating func refuse(_ row: AccountExportReader.Row, because fault: ImportedAccount.Fault) {
        refused += 1
        guard named.count < Self.mostNamed else { return }
        named.append(Refused(line: row.line, name: Printable.line(row.name, atMost: 128), reason: fault.description))
    }

    mutating func see(_ answer: Accounts.Imported, _ row: AccountExportReader.Row, _ account: ImportedAccount) {
        switch answer {
        case .refused(let fault): return refuse(row, because: fault)
        case .unchanged where !resume:
            return refuse(row, because: .init("this account is here already (--resume counts it)"))
        case .unchanged: unchanged += 1
        case .taken:
            taken += 1
            if account.scheme?.oldSystem != nil {
                verifiedElsewhere += 1
            } else if account.hasPassword {
                withPassword += 1
            }
            if let scheme = account.scheme, schemes.count < Self.mostSchemes { schemes.insert(scheme) }
        }
        for name in Set(account.notKept) where notKept[name] != nil || notKept.count < 100 {
            notKept[Printable.line(name, atMost: 100), default: 0] += 1
        }
    }

    // MARK: For the operator

    func lines(isDone: Bool) -> [String] {
        var lines = [
            "\(taken) accounts \(isDone ? "imported" : "can be imported"), \(withPassword) of them with a password; "
                + "\(unchanged) here already, \(refused) refused"
        ]
        if verifiedElsewhere > 0 {
            lines.append("\(verifiedElsewhere) more have one that the old system verifies at their first sign-in")
        }
        for (name, count) in notKept.sorted(by: { $0.key < $1.key }) {
            let reason =
                name.utf8.elementsEqual("password".utf8) ? "they choose a new one by mail" : "Homing does not offer it"
            lines.append("warning: \(name) of \(count) accounts is not kept: \(reason)")
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
            "unchanged": .int(Int64(unchanged)), "refused": .int(Int64(refused)),
            "notKept": .object(JSON.Object(notKept.sorted { $0.key < $1.key }.map { ($0.key, .int(Int64($0.value))) })),
            "named": .array(
                named.prefix(1000).map {
                    ["line": .int(Int64($0.line)), "localId": .string($0.name), "reason": .string($0.reason)]
                }),
        ]
    }

    /// A file for a spreadsheet, with the first refused accounts.
    var csv: String {
        CSV.text([["line", "localId", "reason"]] + named.map { [String($0.line), $0.name, $0.reason] })
    }
}
