// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingLinkRules
import HomingPasswords
import HomingTransfer
import HomingWire

/// What became of the accounts of an import. It stays small however many there are: the first refused ones are named,
/// and the others counted.
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
    /// How many were here and have been brought up to date.
    private(set) var updated = 0
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

    /// How many accounts have stayed as they are in what the file has of them, by its name.
    private var left: [String: Int] = [:]

    init(resume: Bool) {
        self.resume = resume
    }

    mutating func refuse(_ row: AccountExportReader.Row, because fault: ImportedAccount.Fault) {
        refused += 1
        guard named.count < Self.mostNamed else { return }
        let reason = fault.description + (fault.other.map { ": \($0)" } ?? "")
        named.append(
            Refused(
                line: row.line, name: Printable.line(row.name, atMost: 128),
                reason: Printable.line(reason, atMost: 1024)))
    }

    mutating func see(_ answer: Accounts.Imported, _ row: AccountExportReader.Row, _ account: ImportedAccount) {
        switch answer {
        case .refused(let fault): return refuse(row, because: fault)
        case .unchanged where !resume:
            return refuse(row, because: .init("this account is here already (--resume counts it)"))
        case .unchanged: unchanged += 1
        case .updated(let isChanged, let names):
            if isChanged { updated += 1 } else { unchanged += 1 }
            for name in names { left[name, default: 0] += 1 }
            if isChanged, let scheme = account.scheme, schemes.count < Self.mostSchemes { schemes.insert(scheme) }
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
        if updated > 0 { lines.append("\(updated) more were here and \(isDone ? "are" : "can be") brought up to date") }
        if verifiedElsewhere > 0 {
            lines.append("\(verifiedElsewhere) more have one that the old system verifies at their first sign-in")
        }
        for (name, count) in notKept.sorted(by: { $0.key < $1.key }) {
            let reason =
                switch name {
                case "password": "they choose a new one by mail"
                case "email": "your back end gives them another"
                case "initialEmail", "phoneNumber": "it cannot be understood"
                default: "Homing does not offer it"
                }
            lines.append("warning: \(name) of \(count) accounts is not kept: \(reason)")
        }
        for (name, count) in left.sorted(by: { $0.key < $1.key }) {
            let reason =
                switch name {
                case "password": "it was chosen here, or taken from them here"
                case "disabled": "homing account enable lets them in"
                default: "it was taken from them here"
                }
            lines.append("warning: \(name) of \(count) accounts stays as it is here: \(reason)")
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
