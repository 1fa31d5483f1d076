// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import ArgumentParser
import HomingCore
import HomingDatabase
import HomingLinkRules
import HomingOperations
import HomingPasswords
import HomingProjects
import HomingStore
import HomingTransfer
import HomingWire

/// `homing account import`: takes over the accounts of another system, with their passwords (``AccountImportRun``).
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
        let input = output.input ?? CommandInput([])
        let reported = output.progress
        func progress(_ step: AccountImportRun.Step) {
            reported(
                Progress(step.task, done: step.bytes, of: input.size, .bytes, detail: "\(step.accounts) accounts"))
        }
        let run = AccountImportRun(
            of: try reader(oldSystem, at: homing.system.now()), into: project, homing, options, trying: try trial()
        ) { try await input.piece(at: $0) }
        if let oldSystem { try await homing.accounts.oldSystems.check(oldSystem, for: project) }
        let check: AccountImportRun.Check
        do {
            check = try await run.check(progress)
        } catch let fault as AccountExportReader.Fault {
            throw Refusal.invalidSetting("\(file) was not imported: \(fault)")
        }
        let checked = check.report
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
        let done = try await store(run, check, oldSystem, progress)
        if let before, let oldSystem, before != oldSystem, done.verifiedElsewhere > 0 {
            output.note(
                "\(oldSystem.place) is asked from now on, for everybody who was to be verified by \(before.place)")
        }
        keep(done, &output)
        output.answer(format, json: done.json(isDone: true), lines: done.lines(isDone: true))
    }

    private var options: AccountImportRun.Options {
        var options = AccountImportRun.Options()
        (options.withoutAddresses, options.update, options.resume) = (withoutAddresses, update, resume)
        return options
    }

    private func reader(_ oldSystem: OldSystem?, at now: Moment) throws -> AccountExportReader {
        AccountExportReader(
            from, scheme: try hashConfig?.scheme(),
            columns: try columns.map { try AccountColumns(parsing: $0, ignoring: ignoredColumns) }
                ?? AccountColumns(ignoring: ignoredColumns),
            oldSystem: oldSystem, takesWithoutPassword: withoutPasswords, takesWithoutAddress: withoutAddresses,
            at: now)
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

    private func store(
        _ run: AccountImportRun, _ check: AccountImportRun.Check, _ oldSystem: OldSystem?,
        _ progress: (AccountImportRun.Step) -> Void
    ) async throws -> AccountImportReport {
        do {
            return try await run.store(check, verifiedBy: oldSystem, by: .command, progress)
        } catch let cut as AccountImportRun.CutOff {
            let reason =
                cut.cause is AccountExportReader.Fault
                ? "the file changed meanwhile, \(cut.cause)" : Program.line(for: cut.cause)
            throw DatabaseFault(
                "\(file) was imported in part (\(cut.taken) accounts; \(reason)): run this again with --resume")
        }
    }
}

extension AccountSource: ExpressibleByArgument {
    /// All but the one that needs no word.
    fileprivate static var others: String {
        let names = allCases.filter { $0 != .firebase }.map(\.rawValue)
        return names.dropLast().joined(separator: ", ") + " or " + (names.last ?? "")
    }
}
