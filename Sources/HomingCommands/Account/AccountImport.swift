// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import ArgumentParser
import HomingCore
import HomingDatabase
import HomingWire

/// `homing account import`: takes over the accounts of another system, with their passwords.
///
/// The file is read twice, a piece at a time: first all of it is checked, then stored. A transaction stores a thousand
/// accounts, so that a server goes on serving meanwhile.
struct AccountImport: DatabaseCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Take over the accounts that firebase auth:export wrote, with their passwords.",
        discussion: """
            The file is JSON or CSV. --hash-config is a text file with the password hash parameters, as Firebase's console \
            shows them (Authentication, Users, the menu above the list); people then sign in with the passwords that they \
            have, and the first sign-in hashes theirs anew. \
            Known are \(PasswordScheme.algorithms).

            The whole file is checked first. One account that cannot be taken stops the import before anything is stored, and \
            is named with its line; --skip-refused takes the others. Phone numbers and identity providers are not kept, and \
            counted. An import that was cut off has kept a part of the accounts, each of them whole: run it again with \
            --resume.

            EXAMPLE
              homing account import shop accounts.json --hash-config hash.txt --dry-run
              homing account import shop accounts.json --hash-config hash.txt
            """)

    @Argument var project: String
    @Argument(help: "The file; /dev/stdin for what comes through a pipe.") var file: String
    @Option(
        help: ArgumentHelp("How the passwords were hashed.", valueName: "file"), transform: HashConfig.init(path:))
    var hashConfig: HashConfig?
    @Flag(help: "Check all and store nothing.") var dryRun = false
    @Flag(help: "Take the accounts that can be taken, and leave the others.") var skipRefused = false
    @Flag(help: "Go on with an import that was cut off: accounts that are here already are counted.") var resume = false
    @Option(help: ArgumentHelp("Write each account that is refused into this file, as CSV.", valueName: "file"))
    var report: String?
    @OptionGroup var format: OutputOptions

    var inputSource: InputSource { .file(file) }
    var work: PostgresDriver.Purpose { .maintenance }
    var outputFolder: String? { report.map { FilePath.folder(of: FilePath.absolute($0)) } }

    /// The report's name in its folder.
    private var reportName: String? {
        report.flatMap { ASCII.split($0, at: UInt8(ascii: "/")).last.map { String($0) } }
    }

    func writes(_ name: String) -> Bool { reportName.map { $0.utf8.elementsEqual(name.utf8) } ?? false }

    func run(in homing: Homing, _ output: inout CommandOutput) async throws {
        let project = try homing.projects.existing(project)
        let scheme = try hashConfig?.scheme()
        let input = output.input ?? CommandInput([])
        var checked = AccountImportReport(resume: resume)
        var seen = SeenAccounts()
        do {
            try await read(input, scheme, "checking", output.progress) { rows in
                try await check(rows, of: project, homing, &seen, &checked)
            }
        } catch let fault as AccountExportReader.Fault {
            throw Refusal.invalidSetting("\(file) was not imported: \(fault)")
        }
        keep(checked, &output)
        guard checked.refused == 0 || skipRefused || dryRun else {
            output.answer(format, json: checked.json(isDone: false), lines: checked.lines(isDone: false))
            throw Refusal.invalidSetting(
                "nothing was imported, because of \(checked.refused) accounts: mend the file, or add --skip-refused")
        }
        guard !dryRun else {
            output.answer(format, json: checked.json(isDone: false), lines: checked.lines(isDone: false))
            return
        }
        let done = try await store(input, scheme, project, homing, output.progress)
        keep(done, &output)
        output.answer(format, json: done.json(isDone: true), lines: done.lines(isDone: true))
    }

    private func keep(_ outcome: AccountImportReport, _ output: inout CommandOutput) {
        if let reportName { output.files[reportName] = outcome.csv }
    }

    // MARK: Reading

    /// The number of accounts in one transaction; others write between two transactions.
    private static let rowsAtOnce = 1000

    /// Passes on all rows, some at a time.
    private func read(
        _ input: CommandInput, _ scheme: PasswordScheme?, _ task: String, _ progress: ProgressReporter,
        _ take: ([AccountExportReader.Row]) async throws -> Void
    ) async throws {
        var reader = AccountExportReader(scheme: scheme)
        var offset: Int64 = 0
        var count = 0
        var rows: [AccountExportReader.Row] = []
        while true {
            progress(Progress(task, done: offset, of: input.size, .bytes, detail: "\(count) accounts"))
            let piece = try await input.piece(at: offset)
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

    private func check(
        _ rows: [AccountExportReader.Row], of project: Project, _ homing: Homing, _ seen: inout SeenAccounts,
        _ report: inout AccountImportReport
    ) async throws {
        var accounts: [(row: AccountExportReader.Row, account: ImportedAccount)] = []
        for row in rows {
            do {
                let account = try row.account.get()
                try seen.take(account)
                accounts.append((row, account))
            } catch {
                report.refuse(row, because: error)
            }
        }
        let answers = try await homing.accounts.look(at: accounts.map(\.account), in: project)
        for (answer, (row, account)) in zip(answers, accounts) { report.see(answer, row, account) }
    }

    // MARK: Storing

    private func store(
        _ input: CommandInput, _ scheme: PasswordScheme?, _ project: Project, _ homing: Homing,
        _ progress: ProgressReporter
    ) async throws -> AccountImportReport {
        var report = AccountImportReport(resume: resume)
        do {
            var id: String?
            if let scheme { id = try await homing.accounts.schemes.add(scheme, to: project) }
            try await read(input, scheme, "importing", progress) { [id] rows in
                var accounts: [(row: AccountExportReader.Row, account: ImportedAccount)] = []
                for row in rows {
                    switch row.account {
                    case .success(let account): accounts.append((row, account))
                    case .failure(let fault): report.refuse(row, because: fault)
                    }
                }
                guard !accounts.isEmpty else { return }
                let answers = try await homing.accounts.take(accounts.map(\.account), hashedBy: id, in: project)
                for (answer, (row, account)) in zip(answers, accounts) { report.see(answer, row, account) }
            }
        } catch {
            let reason =
                error is AccountExportReader.Fault ? "the file changed meanwhile, \(error)" : Program.line(for: error)
            throw DatabaseFault(
                "\(file) was imported in part (\(report.taken) accounts; \(reason)): run this again with --resume")
        }
        try await homing.accounts.noteImport(of: report.taken, in: project, by: .command)
        return report
    }
}

/// The ids and addresses that a file has had so far, as numbers: sixteen bytes and a little for each account.
private struct SeenAccounts {
    private var ids: Set<Int> = []
    private var addresses: Set<Int> = []

    /// - Throws: a fault for the second account with an id or an address.
    mutating func take(_ account: ImportedAccount) throws(ImportedAccount.Fault) {
        // As bytes: two spellings of one text are two ids.
        guard ids.insert(Array(account.id.utf8).hashValue).inserted else {
            throw ImportedAccount.Fault("this localId stands in the file before")
        }
        guard let email = account.email else { return }
        guard addresses.insert(Array(email.text.utf8).hashValue).inserted else {
            throw ImportedAccount.Fault("this email stands in the file before")
        }
    }
}
