// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingCore
package import HomingPasswords
package import HomingProjects
package import HomingStore

/// An import of a file of accounts, for the command and the console.
///
/// The file is read twice, a piece at a time: first all of it is checked, then stored. A transaction stores a thousand
/// accounts, so that a server goes on serving meanwhile.
package struct AccountImportRun: Sendable {
    /// What is made of accounts that cannot be taken as they are.
    package struct Options: Sendable {
        /// Whether accounts whose address is none, or another account's, are taken without it.
        package var withoutAddresses = false
        /// Whether accounts that are here already are brought up to date.
        package var update = false
        /// Whether accounts that are here already are no fault.
        package var resume = false

        package init() {}
    }

    /// A part of the work, such as "checking", with the bytes and the accounts that it has read.
    package struct Step: Sendable {
        package let task: String
        package let bytes: Int64
        package let accounts: Int
    }

    /// The import was cut off when so many accounts were stored, each of them whole.
    package struct CutOff: Error {
        package let taken: Int
        package let cause: any Error
    }

    /// What a check has found.
    package struct Check: Sendable {
        package let report: AccountImportReport
        /// Who keeps the addresses that several accounts of the file have.
        fileprivate let holders: [Int: AddressHolder]
    }

    private let homing: Homing
    private let project: Project
    private let reader: AccountExportReader
    private let options: Options
    private let trial: ImportTrial?
    private let piece: @Sendable (Int64) async throws -> [UInt8]

    /// The number of accounts in one transaction; others write between two transactions.
    private static let rowsAtOnce = 1000

    /// - Parameters:
    ///   - reader: before it has read anything.
    ///   - trial: what has to fit before anything is stored.
    ///   - piece: the bytes of the file from an offset on; none at the end.
    package init(
        of reader: AccountExportReader, into project: Project, _ homing: Homing, _ options: Options,
        trying trial: ImportTrial? = nil, piece: @escaping @Sendable (_ offset: Int64) async throws -> [UInt8]
    ) {
        (self.reader, self.project, self.homing) = (reader, project, homing)
        (self.options, self.trial, self.piece) = (options, trial, piece)
    }

    /// An import of bytes.
    package init(
        of bytes: [UInt8], _ reader: AccountExportReader, into project: Project, _ homing: Homing, _ options: Options,
        trying trial: ImportTrial? = nil
    ) {
        self.init(of: reader, into: project, homing, options, trying: trial) { offset in
            Array(bytes[min(Int(offset), bytes.count)...].prefix(256 << 10))
        }
    }

    // MARK: Reading

    /// Passes on all rows, some at a time.
    private func read(
        _ task: String, _ progress: (Step) async throws -> Void,
        _ take: ([AccountExportReader.Row]) async throws -> Void
    ) async throws {
        var reader = reader
        var offset: Int64 = 0
        var count = 0
        var rows: [AccountExportReader.Row] = []
        while true {
            try await progress(Step(task: task, bytes: offset, accounts: count))
            let piece = try await piece(offset)
            offset += Int64(piece.count)
            if piece.isEmpty { reader.finish() } else { reader.take(piece) }
            while let row = try reader.next() {
                rows.append(row)
                count += 1
                if rows.count == Self.rowsAtOnce {
                    try await take(rows)
                    rows = []
                }
            }
            if piece.isEmpty { return try await take(rows) }
        }
    }

    // MARK: Checking

    /// Checks the whole file and stores nothing.
    ///
    /// - Throws: ``AccountExportReader/Fault`` of a file of which nothing counts, and a refusal where a trial does not
    ///   fit.
    package func check(_ progress: (Step) async throws -> Void = { _ in }) async throws -> Check {
        let (report, contested) = try await check([:], progress)
        guard !contested.isEmpty else { return Check(report: report, holders: [:]) }
        let holders = try await holders(of: contested, progress)
        return Check(report: try await check(holders, progress).report, holders: holders)
    }

    /// - Parameter holders: who keeps an address that several accounts have, once that is known.
    /// - Returns: what would become of the accounts, and the addresses that several have.
    private func check(
        _ holders: [Int: AddressHolder], _ progress: (Step) async throws -> Void
    ) async throws -> (report: AccountImportReport, contested: Set<Int>) {
        var report = AccountImportReport(resume: options.resume)
        var seen = SeenAccounts(holders: holders, dropsAddresses: options.withoutAddresses)
        var trial = trial
        try await read("checking", progress) { rows in
            let accounts = unique(rows, &seen, &report)
            for (_, account) in accounts { try await trial?.look(at: account, homing) }
            try await settle(accounts, &report) { accounts in
                try await homing.accounts.look(at: accounts, in: project, updating: options.update)
            }
        }
        // Whose address it is may not be known before.
        if seen.contested.isEmpty { try trial?.check() }
        return (report, seen.contested)
    }

    /// Who keeps the addresses that several accounts of the file have.
    private func holders(
        of contested: Set<Int>, _ progress: (Step) async throws -> Void
    ) async throws -> [Int: AddressHolder] {
        var holders: [Int: AddressHolder] = [:]
        try await read("comparing", progress) { rows in
            for row in rows {
                guard let account = try? row.account.get(), let email = account.email else { continue }
                let number = SeenAccounts.number(of: email)
                guard contested.contains(number) else { continue }
                let holder = AddressHolder(account)
                if holders[number].map({ $0.rank < holder.rank }) ?? true { holders[number] = holder }
            }
        }
        return holders
    }

    /// The accounts that can be taken by themselves; the others are refused.
    private func unique(
        _ rows: [AccountExportReader.Row], _ seen: inout SeenAccounts, _ report: inout AccountImportReport
    ) -> [(row: AccountExportReader.Row, account: ImportedAccount)] {
        var accounts: [(row: AccountExportReader.Row, account: ImportedAccount)] = []
        for row in rows {
            do throws(ImportedAccount.Fault) {
                accounts.append((row, try seen.take(try row.account.get())))
            } catch {
                report.refuse(row, because: error)
            }
        }
        return accounts
    }

    /// Has a verb look at accounts, or take them; once more without their addresses those whose address is another's,
    /// where that is wanted.
    private func settle(
        _ accounts: [(row: AccountExportReader.Row, account: ImportedAccount)], _ report: inout AccountImportReport,
        _ verb: ([ImportedAccount]) async throws -> [Accounts.Imported]
    ) async throws {
        guard !accounts.isEmpty else { return }
        var again: [(row: AccountExportReader.Row, account: ImportedAccount)] = []
        for (answer, (row, account)) in zip(try await verb(accounts.map(\.account)), accounts) {
            if case .refused(let fault) = answer, options.withoutAddresses, fault.isAboutAddress,
                account.email != nil
            {
                var account = account
                account.dropAddress()
                again.append((row, account))
            } else {
                report.see(answer, row, account)
            }
        }
        guard !again.isEmpty else { return }
        for (answer, (row, account)) in zip(try await verb(again.map(\.account)), again) {
            report.see(answer, row, account)
        }
    }

    // MARK: Storing

    /// Stores what can be taken, and leaves an entry in the audit log.
    ///
    /// - Parameter oldSystem: what is asked about passwords from now on.
    /// - Throws: ``CutOff`` where a part is stored.
    package func store(
        _ check: Check, verifiedBy oldSystem: OldSystem? = nil, by author: Authority,
        _ progress: (Step) async throws -> Void = { _ in }
    ) async throws -> AccountImportReport {
        var report = AccountImportReport(resume: options.resume)
        var seen = SeenAccounts(holders: check.holders, dropsAddresses: options.withoutAddresses)
        do {
            try await read("importing", progress) { rows in
                try await settle(unique(rows, &seen, &report), &report) { accounts in
                    try await homing.accounts.take(accounts, in: project, updating: options.update, by: author)
                }
            }
        } catch {
            throw CutOff(taken: report.taken, cause: error)
        }
        try await homing.accounts.noteImport(
            of: report.taken + report.updated, verifiedBy: oldSystem, in: project, by: author)
        return report
    }
}
