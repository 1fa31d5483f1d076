// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingCore
package import HomingPasswords
import HomingWire

/// What became of the accounts of an import. It stays small however many there are: the first refused ones are named,
/// and the others counted.
package struct AccountImportReport: Sendable {
    private static let mostNamed = 100_000

    /// An account that is not taken.
    package struct Refused: Sendable {
        /// Of the file.
        package let line: Int
        /// What the file calls it.
        package let name: String
        package let reason: String
    }

    /// Whether accounts that are here already are no fault.
    package let resume: Bool
    package private(set) var taken = 0
    package private(set) var unchanged = 0
    /// How many were here and have been brought up to date.
    package private(set) var updated = 0
    package private(set) var refused = 0
    package private(set) var withPassword = 0
    /// How many have no hash, and an old system that is asked.
    package private(set) var verifiedElsewhere = 0
    /// How the hashes of the accounts that can be taken were made.
    package private(set) var schemes: Set<PasswordScheme> = []
    private static let mostSchemes = 1000
    package private(set) var named: [Refused] = []
    /// How many accounts are refused, by the reason.
    package private(set) var reasons: [String: Int] = [:]
    private static let mostReasons = 50
    private static let otherReasons = "other reasons"
    /// The first accounts that can be taken.
    package private(set) var first: [ImportedAccount] = []
    private static let mostFirst = 10
    /// How many accounts have had what is not kept, by its name.
    package private(set) var notKept: [String: Int] = [:]
    /// How many accounts have stayed as they are in what the file has of them, by its name.
    package private(set) var left: [String: Int] = [:]

    package init(resume: Bool) {
        self.resume = resume
    }

    mutating func refuse(_ row: AccountExportReader.Row, because fault: ImportedAccount.Fault) {
        refused += 1
        let kind = Printable.line(fault.description, atMost: 200)
        let isCounted = reasons[kind] != nil || reasons.count < Self.mostReasons
        reasons[isCounted ? kind : Self.otherReasons, default: 0] += 1
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
            if first.count < Self.mostFirst { first.append(account) }
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
}
