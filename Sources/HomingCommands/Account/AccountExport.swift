// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import ArgumentParser
import HomingCore
import HomingDatabase
import HomingOperations
import HomingProjects
import HomingStore
import HomingTransfer
import HomingWire

/// `homing account export`: writes the accounts of a project into a file, with their passwords' hashes.
///
/// The process that has the database open writes the file, a page at a time, as `homing backup` does: an answer would
/// have to hold all of it.
struct AccountExport: DatabaseCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Write all accounts into a file, as firebase auth:export does.",
        discussion: """
            The file holds the hashes of the passwords, and the keys of hashes that came from other systems: keep it as you \
            keep the database, and remove it when it has done its work. A running server writes the file, as its own user.

            JSON comes back without loss: homing account import reads it as it is, without --hash-config, and people sign in \
            with the passwords that they have. CSV, in Firebase's columns, is for a spreadsheet: it has no words for hashes \
            that came from other systems, and a text that a spreadsheet would take for a formula gets an apostrophe. \
            Sessions, sent mails and the project's settings are in neither: homing backup has everything.

            EXAMPLE
              homing account export shop /var/backups/shop-$(date +%F).json
            """)

    @Argument var project: Scope
    @Argument(help: "A file that is not there yet.") var file: String
    @Option(name: .customLong("format"), help: "How the file is written.") var form = AccountExportWriter.Format.json
    @OptionGroup var format: OutputOptions

    var work: PostgresDriver.Purpose { .maintenance }

    var request: AccountExport {
        var request = self
        request.file = FilePath.absolute(file)
        return request
    }

    func run(in homing: Homing, _ output: inout CommandOutput) async throws {
        guard output.server == nil || file.hasPrefix("/") else {
            throw ValidationError("\(file) is no absolute path: a running server stands in another folder")
        }
        let project = try homing.projects.existingOrTenant(project)
        let total = Int64(try await homing.accounts.count(.everybody, in: project))
        let progress = output.progress
        var export = try await AccountExportFile(of: homing.accounts, as: form, in: project)
        let size = try await NewFile(path: file).writeBytes { put in
            while let bytes = try await export.next() {
                progress(Progress("exporting", done: Int64(export.writer.count), of: total, .items))
                try put(bytes)
            }
        }
        let writer = export.writer
        try await homing.accounts.noteExport(of: writer.count, in: project, by: .command)
        if writer.withoutTheirHash > 0 {
            output.note(
                "warning: \(writer.withoutTheirHash) accounts have a hash that came from another system, for which CSV has no "
                    + "words: they are there without a password (--format json has them)")
        }
        if writer.verifiedElsewhere > 0 {
            output.note(
                "warning: the passwords of \(Printable.count(writer.verifiedElsewhere, "account")) are verified by an old "
                    + "system, whose key is not in the file: import it with --verify-with and --verify-key")
        }
        output.answer(
            format,
            json: [
                "path": .string(file), "bytes": .int(size), "exported": .int(Int64(writer.count)),
                "withPassword": .int(Int64(writer.withPassword)),
                "verifiedElsewhere": .int(Int64(writer.verifiedElsewhere)),
            ],
            lines: [
                "\(file) holds \(writer.count) accounts, \(writer.withPassword) of them with a password (\(size) bytes)",
                "it has hashes and keys in it: keep it as you keep the database",
            ])
    }
}

extension AccountExportWriter.Format: ExpressibleByArgument {}
