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
        abstract: "Take over the accounts of another system, with their passwords.",
        discussion: """
            The file is what firebase auth:export or homing account export wrote, JSON or CSV; or with --from \
            \(AccountSource.others): docs/moving-accounts.md has the commands that write each, and what is kept. \
            People then sign in with the passwords that they have, and the first sign-in hashes theirs anew.

            Of Firebase's file, and of plain CSV with digests, --hash-config says how the passwords were hashed: a text file \
            with the parameters as Firebase's console shows them (Authentication, Users, the menu above the list). Known are \
            \(PasswordScheme.algorithms).

            The whole file is checked first. One account that cannot be taken stops the import before anything is stored, and \
            is named with its line; --skip-refused takes the others, and --without-passwords takes those whose password \
            cannot be verified without it. Phone numbers, and of Firebase's files identity providers, are kept as data: nobody signs in \
            with them. What is not kept is counted. An import that was cut off has kept a part of the accounts, each of them \
            whole: run it again with --resume.

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

    @Argument var project: String
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
            from, scheme: try hashConfig?.scheme(), columns: try columns.map(AccountColumns.init(parsing:)) ?? .init(),
            oldSystem: oldSystem, takesWithoutPassword: withoutPasswords, at: homing.system.now())
        if let oldSystem { try await homing.accounts.oldSystems.check(oldSystem, for: project) }
        let input = output.input ?? CommandInput([])
        var checked = AccountImportReport(resume: resume)
        var seen = SeenAccounts()
        var trial = try trial()
        do {
            try await read(input, reader, "checking", output.progress) { rows in
                try await check(rows, of: project, homing, &seen, &trial, &checked)
            }
        } catch let fault as AccountExportReader.Fault {
            throw Refusal.invalidSetting("\(file) was not imported: \(fault)")
        }
        try trial?.check()
        keep(checked, &output)
        guard checked.refused == 0 || skipRefused || dryRun else {
            output.answer(format, json: checked.json(isDone: false), lines: checked.lines(isDone: false))
            throw Refusal.invalidSetting(
                "nothing was imported, because of \(checked.refused) accounts: mend the file, or add --skip-refused")
        }
        try await homing.accounts.schemes.check(adding: checked.schemes, to: project)
        if trial == nil, checked.schemes.contains(where: \.hasKey) {
            output.note(
                "whether the key of the hashes is right, no file can tell: try a password that you know with --try ADDRESS "
                    + "--password-file FILE")
        }
        guard !dryRun else {
            output.answer(format, json: checked.json(isDone: false), lines: checked.lines(isDone: false))
            return
        }
        let before = try await homing.accounts.schemes.oldSystem(of: project)?.system
        let done = try await store(input, reader, project, homing, output.progress)
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

    private func check(
        _ rows: [AccountExportReader.Row], of project: Project, _ homing: Homing, _ seen: inout SeenAccounts,
        _ trial: inout ImportTrial?, _ report: inout AccountImportReport
    ) async throws {
        let accounts = unique(rows, &seen, &report)
        for (_, account) in accounts { try await trial?.look(at: account, homing) }
        let answers = try await homing.accounts.look(at: accounts.map(\.account), in: project)
        for (answer, (row, account)) in zip(answers, accounts) { report.see(answer, row, account) }
    }

    /// The accounts that can be taken by themselves; the others are refused.
    private func unique(
        _ rows: [AccountExportReader.Row], _ seen: inout SeenAccounts, _ report: inout AccountImportReport
    ) -> [(row: AccountExportReader.Row, account: ImportedAccount)] {
        var accounts: [(row: AccountExportReader.Row, account: ImportedAccount)] = []
        for row in rows {
            do throws(ImportedAccount.Fault) {
                let account = try row.account.get()
                try seen.take(account)
                accounts.append((row, account))
            } catch {
                report.refuse(row, because: error)
            }
        }
        return accounts
    }

    // MARK: Storing

    private func store(
        _ input: CommandInput, _ reader: AccountExportReader, _ project: Project, _ homing: Homing,
        _ progress: ProgressReporter
    ) async throws -> AccountImportReport {
        var report = AccountImportReport(resume: resume)
        var seen = SeenAccounts()
        do {
            try await read(input, reader, "importing", progress) { rows in
                let accounts = unique(rows, &seen, &report)
                guard !accounts.isEmpty else { return }
                let answers = try await homing.accounts.take(accounts.map(\.account), in: project)
                for (answer, (row, account)) in zip(answers, accounts) { report.see(answer, row, account) }
            }
        } catch {
            let reason =
                error is AccountExportReader.Fault ? "the file changed meanwhile, \(error)" : Program.line(for: error)
            throw DatabaseFault(
                "\(file) was imported in part (\(report.taken) accounts; \(reason)): run this again with --resume")
        }
        try await homing.accounts.noteImport(
            of: report.taken, verifiedBy: try oldSystem(), in: project, by: .command)
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

/// The ids and addresses that a file has had so far, as numbers: sixteen bytes and a little for each account.
private struct SeenAccounts {
    private var ids: Set<Int> = []
    private var addresses: Set<Int> = []
    private var others: Set<Int> = []

    /// - Throws: a fault for the second account with an id, an address, a phone number or another provider's id.
    mutating func take(_ account: ImportedAccount) throws(ImportedAccount.Fault) {
        // As bytes: two spellings of one text are two ids.
        guard ids.insert(Array(account.id.utf8).hashValue).inserted else {
            throw ImportedAccount.Fault("this id stands in the file before")
        }
        if let email = account.email, !addresses.insert(Array(email.text.utf8).hashValue).inserted {
            throw ImportedAccount.Fault("this email stands in the file before")
        }
        if let phone = account.phoneNumber, !others.insert(Array(phone.utf8).hashValue).inserted {
            throw ImportedAccount.Fault("this phone number stands in the file before")
        }
        for identity in account.identities {
            let key = Array("\(identity.provider)\u{0}\(identity.id)".utf8)
            guard others.insert(key.hashValue).inserted else {
                throw ImportedAccount.Fault("this account of \(identity.provider) stands in the file before")
            }
        }
    }
}
