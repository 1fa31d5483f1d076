// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import ArgumentParser
import HomingCore
import HomingDatabase
import HomingLinkRules
import HomingOperations
import HomingPasswords
import HomingStore
import HomingTransfer
import HomingWire

/// `homing account import`: takes over the accounts of another system, with their passwords.
///
/// The file is read twice, a piece at a time: first all of it is checked, then stored. A transaction stores a thousand
/// accounts, so that a server goes on serving meanwhile.
struct AccountImport: DatabaseCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Take over the accounts of another system, with their passwords.",
        discussion: """
            The file is what firebase auth:export or homing account export wrote, JSON or CSV; or with --from \
            \(AccountSource.others): docs/moving-accounts.md has the commands that write each, and what is kept. \
            People then sign in with the passwords that they have, and the first sign-in hashes theirs anew.

            Of Firebase's file, and of plain CSV with digests, --hash-config says how the passwords were hashed: a text file \
            with the parameters as Firebase's console shows them (Authentication, Users, the menu above the list). Known are \
            \(PasswordScheme.algorithms).

            The whole file is checked first. One account that cannot be taken stops the import before anything is stored, and \
            is named with its line, and --dry-run ends with 1 then, too; --skip-refused takes the others, --without-passwords \
            takes those whose password cannot be verified without it, and --without-addresses those whose address is none or \
            another account's. Of several accounts with one address the one keeps it that has proven it, else the one with a \
            password. Phone numbers, and of Firebase's files identity providers, are kept as data: nobody signs in \
            with them. What is not kept is counted. An import that was cut off has kept a part of the accounts, each of them \
            whole: run it again with --resume.

            --update brings accounts that are here already up to date, so that a script can run each night until the move: it \
            never changes an address, never lets in who is blocked here, and leaves passwords that were chosen here. \
            docs/moving-from-firebase.md says what else.

            CSV may be separated by commas, semicolons or tabs, and the file be in UTF-8 or UTF-16. Columns are known whatever \
            their case, spaces and underscores. One that is nearly a field stops the import, because who is blocked would \
            come in with a misspelt "disabled": --ignore-column leaves it out.

            Whether the key of the hashes is the right one no file can tell: --try an address whose password you know, and \
            nothing is imported unless it fits.

            Of a system that hands out no hashes, --verify-with names a URL of yours beside it, which is asked at the first \
            sign-in of each account whether the password is right, and never again. The key is in a file \
            (openssl rand -hex 32 > verify.key), and the URL is tried before anything is imported: \
            docs/moving-accounts.md has the fifteen lines that answer.

            EXAMPLE
              homing account import shop accounts.json --hash-config hash.txt --dry-run \\
                --try you@example.com --password-file - <<< "your password"
              homing account import shop accounts.json --hash-config hash.txt
              homing account import shop users.csv --from supabase
              homing account import shop users.csv --from csv --columns id=user_id
              homing account import shop users.json --from cognito --dry-run \\
                --verify-with https://old.example/verify --verify-key verify.key
            """)

    @Argument var project: Scope
    @Argument(help: "The file; /dev/stdin for what comes through a pipe.") var file: String
    @Option(help: "Whose file it is.") var from = AccountSource.firebase
    @Option(
        help: ArgumentHelp("How the passwords were hashed.", valueName: "file"), transform: HashConfig.init(path:))
    var hashConfig: HashConfig?
    @Option(
        help: ArgumentHelp(
            "Which columns of --from csv mean \(AccountColumns.fields.joined(separator: ", ")); columns of these names "
                + "need none.", valueName: "field=column,…"))
    var columns: String?
    @Option(
        name: .customLong("ignore-column"),
        help: ArgumentHelp("A column of CSV that is left out; may stand more than once.", valueName: "column"))
    var ignoredColumns: [String] = []
    @Option(
        help: ArgumentHelp(
            "What verifies the passwords of those who have no hash, once each: https, or http on this machine.",
            valueName: "url"))
    var verifyWith: String?
    @Option(
        help: ArgumentHelp("The file with the key that it knows Homing by.", valueName: "file"),
        transform: SharedKey.init(path:))
    var verifyKey: SharedKey?
    @Option(
        name: .customLong("try"),
        help: ArgumentHelp(
            "Somebody in the file whose password has to fit before anything is stored.", valueName: "address"))
    var tried: String?
    @Option(
        help: ArgumentHelp("The file with that password in its first line; - is standard input.", valueName: "file"),
        transform: TriedPassword.init(path:))
    var passwordFile: TriedPassword?
    @Flag(help: "Check all and store nothing.") var dryRun = false
    @Flag(help: "Take the accounts that can be taken, and leave the others.") var skipRefused = false
    @Flag(help: "Take accounts whose password cannot be verified without it: they choose a new one by mail.")
    var withoutPasswords = false
    @Flag(help: "Take accounts whose address is none, or another account's, without it.")
    var withoutAddresses = false
    @Flag(help: "Bring accounts that are here already up to date.") var update = false
    @Flag(help: "Go on with an import that was cut off: accounts that are here already are counted.") var resume = false
    @Option(help: ArgumentHelp("Write each account that is refused into this file, as CSV.", valueName: "file"))
    var report: String?
    @OptionGroup var format: OutputOptions

    func validate() throws {
        guard hashConfig == nil || !from.namesItsHashes else {
            throw ValidationError("--hash-config is for firebase and csv: \(from) says how its hashes were made")
        }
        guard (verifyWith == nil) == (verifyKey == nil) else {
            throw ValidationError("--verify-with URL and --verify-key FILE go together")
        }
        guard (tried == nil) == (passwordFile == nil) else {
            throw ValidationError("--try ADDRESS and --password-file FILE go together")
        }
        guard columns == nil || from == .csv else { throw ValidationError("--columns is for --from csv") }
        guard ignoredColumns.isEmpty || !from.columns.isEmpty else {
            throw ValidationError("--ignore-column is for CSV with a first row that names the columns")
        }
    }

    var inputSource: InputSource { .file(file) }
    var work: PostgresDriver.Purpose { .maintenance }
    var outputFolder: String? { report.map { FilePath.folder(of: FilePath.absolute($0)) } }

    /// The report's name in its folder.
    private var reportName: String? {
        report.flatMap { ASCII.split($0, at: UInt8(ascii: "/")).last.map { String($0) } }
    }

    func writes(_ name: String) -> Bool { reportName.map { $0.utf8.elementsEqual(name.utf8) } ?? false }

    func run(in homing: Homing, _ output: inout CommandOutput) async throws {
        let project = try homing.projects.existingOrTenant(project)
        let oldSystem = try oldSystem()
        let reader = AccountExportReader(
            from, scheme: try hashConfig?.scheme(),
            columns: try columns.map { try AccountColumns(parsing: $0, ignoring: ignoredColumns) }
                ?? AccountColumns(ignoring: ignoredColumns),
            oldSystem: oldSystem, takesWithoutPassword: withoutPasswords, takesWithoutAddress: withoutAddresses,
            at: homing.system.now())
        if let oldSystem { try await homing.accounts.oldSystems.check(oldSystem, for: project) }
        let input = output.input ?? CommandInput([])
        var checked = AccountImportReport(resume: resume)
        var holders: [Int: AddressHolder] = [:]
        do {
            var contested: Set<Int> = []
            (checked, contested) = try await check(input, reader, project, homing, holders, output.progress)
            if !contested.isEmpty {
                holders = try await self.holders(of: contested, input, reader, output.progress)
                (checked, _) = try await check(input, reader, project, homing, holders, output.progress)
            }
        } catch let fault as AccountExportReader.Fault {
            throw Refusal.invalidSetting("\(file) was not imported: \(fault)")
        }
        keep(checked, &output)
        guard checked.refused == 0 || skipRefused else {
            output.answer(format, json: checked.json(isDone: false), lines: checked.lines(isDone: false))
            throw Refusal.invalidSetting(
                "nothing was imported, because of \(checked.refused) accounts: mend the file, or add --skip-refused")
        }
        try await homing.accounts.schemes.check(adding: checked.schemes, to: project)
        if tried == nil, checked.schemes.contains(where: \.hasKey) {
            output.note(
                "whether the key of the hashes is right, no file can tell: try a password that you know with --try ADDRESS "
                    + "--password-file FILE")
        }
        guard !dryRun else {
            output.answer(format, json: checked.json(isDone: false), lines: checked.lines(isDone: false))
            return
        }
        let before = try await homing.accounts.schemes.oldSystem(of: project)?.system
        let done = try await store(input, reader, project, homing, holders, output.progress)
        if let before, let oldSystem, before != oldSystem, done.verifiedElsewhere > 0 {
            output.note(
                "\(oldSystem.place) is asked from now on, for everybody who was to be verified by \(before.place)")
        }
        keep(done, &output)
        output.answer(format, json: done.json(isDone: true), lines: done.lines(isDone: true))
    }

    private func oldSystem() throws -> OldSystem? {
        guard let verifyWith, let verifyKey else { return nil }
        return try OldSystem(url: verifyWith, key: try verifyKey.value())
    }

    private func trial() throws -> ImportTrial? {
        guard let tried, let passwordFile else { return nil }
        return ImportTrial(address: try EmailAddress(parsing: tried), password: try passwordFile.value())
    }

    private func keep(_ outcome: AccountImportReport, _ output: inout CommandOutput) {
        if let reportName { output.files[reportName] = outcome.csv }
    }

    // MARK: Reading

    /// The number of accounts in one transaction; others write between two transactions.
    private static let rowsAtOnce = 1000

    /// Passes on all rows, some at a time.
    private func read(
        _ input: CommandInput, _ reader: AccountExportReader, _ task: String, _ progress: ProgressReporter,
        _ take: ([AccountExportReader.Row]) async throws -> Void
    ) async throws {
        var reader = reader
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

    /// Checks the whole file.
    ///
    /// - Parameter holders: who keeps an address that several accounts have, once that is known.
    /// - Returns: what would become of the accounts, and the addresses that several have.
    private func check(
        _ input: CommandInput, _ reader: AccountExportReader, _ project: Project, _ homing: Homing,
        _ holders: [Int: AddressHolder], _ progress: ProgressReporter
    ) async throws -> (AccountImportReport, contested: Set<Int>) {
        var report = AccountImportReport(resume: resume)
        var seen = SeenAccounts(holders: holders, dropsAddresses: withoutAddresses)
        var trial = try trial()
        try await read(input, reader, "checking", progress) { rows in
            let accounts = unique(rows, &seen, &report)
            for (_, account) in accounts { try await trial?.look(at: account, homing) }
            try await settle(accounts, &report) { accounts in
                try await homing.accounts.look(at: accounts, in: project, updating: update)
            }
        }
        // Whose address it is may not be known before.
        if seen.contested.isEmpty { try trial?.check() }
        return (report, seen.contested)
    }

    /// Who keeps the addresses that several accounts of the file have.
    private func holders(
        of contested: Set<Int>, _ input: CommandInput, _ reader: AccountExportReader, _ progress: ProgressReporter
    ) async throws -> [Int: AddressHolder] {
        var holders: [Int: AddressHolder] = [:]
        try await read(input, reader, "comparing", progress) { rows in
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
            if case .refused(let fault) = answer, withoutAddresses, fault.isAboutAddress, account.email != nil {
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

    private func store(
        _ input: CommandInput, _ reader: AccountExportReader, _ project: Project, _ homing: Homing,
        _ holders: [Int: AddressHolder], _ progress: ProgressReporter
    ) async throws -> AccountImportReport {
        var report = AccountImportReport(resume: resume)
        var seen = SeenAccounts(holders: holders, dropsAddresses: withoutAddresses)
        do {
            try await read(input, reader, "importing", progress) { rows in
                try await settle(unique(rows, &seen, &report), &report) { accounts in
                    try await homing.accounts.take(accounts, in: project, updating: update, by: .command)
                }
            }
        } catch {
            let reason =
                error is AccountExportReader.Fault ? "the file changed meanwhile, \(error)" : Program.line(for: error)
            throw DatabaseFault(
                "\(file) was imported in part (\(report.taken) accounts; \(reason)): run this again with --resume")
        }
        try await homing.accounts.noteImport(
            of: report.taken + report.updated, verifiedBy: try oldSystem(), in: project, by: .command)
        return report
    }
}

extension AccountSource: ExpressibleByArgument {
    /// All but the one that needs no word.
    fileprivate static var others: String {
        let names = allCases.filter { $0 != .firebase }.map(\.rawValue)
        return names.dropLast().joined(separator: ", ") + " or " + (names.last ?? "")
    }
}
