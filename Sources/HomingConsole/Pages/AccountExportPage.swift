// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingProjects
import HomingServer
import HomingStore
import HomingTexts
import HomingTransfer
import Hummingbird
import NIOCore

/// `…/accounts/export`: all accounts as a file, as `homing account export` writes it. It has hashes of passwords, which
/// an admin key does not read either unless somebody on the server has said so.
enum AccountExportPage {
    private static func form(_ chosen: String = AccountExportWriter.Format.json.rawValue) -> ConsoleForm<String> {
        ConsoleForm(
            "Format", "format", holding: chosen,
            hint: """
                JSON comes back without loss. CSV, in Firebase's columns, is for a spreadsheet: it has no words for hashes that \
                came from other systems.
                """,
            .choice([
                (AccountExportWriter.Format.json.rawValue, "JSON"), (AccountExportWriter.Format.csv.rawValue, "CSV"),
            ]))
    }

    static func show(_ context: ConsoleContext) async throws -> Response {
        ConsolePage(
            "Export accounts", in: .accounts, back: ("All accounts", context.path(of: .accounts)),
            """
            <section><p>The file has all accounts with the hashes of their passwords, and the keys of hashes that came from \
            other systems. Keep it as you keep the database, and delete it when it has done its work. The audit log says \
            that you took it.</p>
            \(context.form(form().html, button: "Download the file"))</section>
            """
        ).answer(in: context)
    }

    /// The file, written while it is read from the database.
    static func download(_ sent: SentForm) async throws -> Response {
        let (accounts, project) = (sent.homing.accounts, try sent.context.project)
        guard let format = AccountExportWriter.Format(rawValue: sent.text("format")) else {
            throw ConsoleRefusal.notFound
        }
        // Before the first byte leaves: whoever breaks the download off has the part that came.
        let count = try await accounts.count(.everybody, in: project)
        try await accounts.noteExport(of: count, in: project, by: sent.author)
        let name = project.scope.text.replacing("/", with: "-")
        let type = format == .json ? "application/json" : "text/csv; charset=utf-8"
        var response = PageAnswer.file("\(name)-accounts.\(format.rawValue)", type, [])
        response.headers[.contentLength] = nil
        response.body = ResponseBody { writer in
            var export = try await AccountExportFile(of: accounts, as: format, in: project)
            while let bytes = try await export.next() { try await writer.write(ByteBuffer(bytes: bytes)) }
            try await writer.finish(nil)
        }
        return response
    }
}
