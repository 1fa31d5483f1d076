// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingPasswords
import HomingProjects
import HomingServer
import HomingStore
import HomingTexts
import HomingTransfer
import HomingWire
import Hummingbird
import NIOCore

/// `…/accounts/import`: a file of another system is checked, then taken over, as `homing account import` does.
struct AccountImportPage: Sendable {
    private let desk = AccountImportDesk()

    enum Action: String, ConsoleAction {
        case check
        case run = "import"
    }

    /// In bytes: a file of some ten thousand accounts.
    private static let largestFile = 16 << 20
    /// In bytes: the file, and the form around it.
    static let largestForm = largestFile + (1 << 16)
    private static let title = "Import accounts"

    // MARK: The form

    private struct Draft {
        var file: [UInt8]?
        var source = AccountSource.firebase.rawValue
        var parameters = ""
        var columns = ""
        var ignored = ""
        var address = ""
        var password = ""
        var takesWithoutPassword = false
        var takesWithoutAddress = false
        var updates = false
    }

    private static func form() -> ConsoleForm<Draft> {
        ConsoleForm(
            Draft(), scope: "import-",
            ConsoleField(
                label: "File", name: "file",
                hint: """
                    JSON or CSV, at most \(largestFile >> 20) MiB. A larger one: <code>homing account import</code> on the server.
                    """, input: .file([".json", ".csv", ".jsonl", ".txt"]), text: { _ in "" },
                setFile: { draft, bytes in draft.file = bytes }),
            ConsoleField("From", "from", \.source, .choice(AccountSource.allCases.map { ($0.rawValue, $0.words) })),
            ConsoleField(
                "Password hash parameters", "parameters", \.parameters,
                hint: """
                    Of Firebase's file, and of plain CSV with hashes: as Firebase's console shows them (Authentication, Users, \
                    the menu above the list). They are not shown again.
                    """, .area(rows: 6)),
            ConsoleField(
                "Columns of plain CSV", "columns", \.columns,
                hint: "Optional: FIELD=COLUMN,… such as <code>id=user_id,email=mail</code>."),
            ConsoleField(
                "Columns to leave out", "ignored", \.ignored, hint: "Optional: the names, with commas between them."),
            ConsoleField(
                "Address whose password you know", "address", \.address,
                hint: """
                    Optional: nothing is imported unless its password below fits. No file tells whether the key of the hashes is \
                    the right one.
                    """, .line("email")),
            ConsoleField("Its password", "password", \.password, .line("password")),
            ConsoleField(
                "Take accounts whose password cannot be verified, without it", "without-passwords",
                \.takesWithoutPassword, hint: "They choose a new one by email."),
            ConsoleField(
                "Take accounts whose address is none, or another account's, without it", "without-addresses",
                \.takesWithoutAddress),
            ConsoleField(
                "Bring accounts that are here already up to date", "update", \.updates,
                hint: "It changes no address, lets nobody in who is disabled here, and leaves passwords chosen here."))
    }

    func show(_ context: ConsoleContext) async throws -> Response {
        Self.page(context, Self.form())
    }

    private static func page(_ context: ConsoleContext, _ form: ConsoleForm<Draft>) -> Response {
        let rest = ["without-passwords", "without-addresses", "update"]
        let trial: HTML = form.html(of: ["columns", "ignored", "address", "password"])
        let isOpen = ["columns", "ignored", "address", "password"].contains { form.faults[$0] != nil }
        return ConsolePage(
            title, in: .accounts, back: ("All accounts", context.path(of: .accounts)),
            lead: """
                The file is checked first, and you see what would be imported. People then sign in with the passwords that they \
                have.
                """,
            """
            <section>\(context.form(
                hidden: [Action.check.hidden],
                """
                \(form.html(of: ["file", "from", "parameters"]))\(form.html(of: rest))
                <details\(isOpen ? " open" as HTML : "")><summary>Columns, and a password to try</summary>\(trial)</details>
                """, button: "Check the file", hasFile: true))</section>
            """, of: form
        ).answer(in: context)
    }

    // MARK: What was sent

    func change(_ action: Action, _ sent: SentForm) async throws -> Response {
        switch action {
        case .check: try await check(sent)
        case .run: try run(sent)
        }
    }

    private func check(_ sent: SentForm) async throws -> Response {
        var form = Self.form()
        if try form.take(sent), form.value.file == nil { form.faults["file"] = "Choose a file." }
        // It may hold a key, and is not shown again.
        form.shows("", in: "parameters")
        guard !form.isRefused, let run = try Self.run(&form, sent) else { return Self.page(sent.context, form) }
        try desk.begin()
        defer { desk.end() }
        let project = try sent.context.project
        let check: AccountImportRun.Check
        do {
            check = try await run.check()
            try await sent.homing.accounts.schemes.check(adding: check.report.schemes, to: project)
        } catch let fault as AccountExportReader.Fault {
            form.faults["file"] = "\(fault.description)".asSentence
            return Self.page(sent.context, form)
        } catch let refusal as Refusal where refusal.databaseReason == nil {
            form.problem = "\(refusal.consoleSentence)"
            return Self.page(sent.context, form)
        }
        let file = AccountImportDesk.File(
            ticket: sent.homing.system.randomName(length: 22), project: project.scope, author: sent.author,
            keptUntil: sent.homing.system.now().adding(seconds: AccountImportDesk.patience), run: run, check: check)
        desk.keep(file)
        return Self.result(of: file, sent.context)
    }

    /// What is to be read, and how; nil where the form says why it cannot be.
    private static func run(_ form: inout ConsoleForm<Draft>, _ sent: SentForm) throws -> AccountImportRun? {
        let draft = form.value
        guard let bytes = draft.file, let source = AccountSource(rawValue: draft.source) else { return nil }
        guard bytes.count <= largestFile else {
            form.faults["file"] = "The file is larger than \(largestFile >> 20) MiB: use homing account import."
            return nil
        }
        func taken<Taken>(_ name: String, _ take: () throws -> Taken) throws -> Taken? {
            do {
                return try take()
            } catch let refusal as Refusal {
                form.faults[name] = refusal.consoleSentence
                return nil
            }
        }
        let scheme: PasswordScheme?? = try taken("parameters") {
            try source.namesItsHashes || ASCII.trimmed(draft.parameters).isEmpty
                ? nil : HashParameters.scheme(draft.parameters)
        }
        let ignored = ASCII.split(draft.ignored, at: UInt8(ascii: ",")).map { String(ASCII.trimmed($0)) }
            .filter { !$0.isEmpty }
        let columns = try taken("columns") {
            try source == .csv && !draft.columns.isEmpty
                ? AccountColumns(parsing: draft.columns, ignoring: ignored) : AccountColumns(ignoring: ignored)
        }
        let trial: ImportTrial?? = try taken("address") {
            try draft.address.isEmpty
                ? nil : ImportTrial(address: EmailAddress(parsing: draft.address), password: draft.password)
        }
        guard let scheme, let columns, let trial else { return nil }
        let reader = AccountExportReader(
            source, scheme: scheme, columns: columns, takesWithoutPassword: draft.takesWithoutPassword,
            takesWithoutAddress: draft.takesWithoutAddress, at: sent.homing.system.now())
        var options = AccountImportRun.Options()
        // Whoever imports a file twice is told how many were here.
        options.resume = true
        (options.update, options.withoutAddresses) = (draft.updates, draft.takesWithoutAddress)
        return AccountImportRun(
            of: bytes, reader, into: try sent.context.project, sent.homing, options, trying: trial)
    }

    private static func result(of file: AccountImportDesk.File, _ context: ConsoleContext) -> Response {
        let report = file.check.report
        let count = report.taken + report.updated
        let some = count == 1 ? "this account" : "these \(count.grouped) accounts"
        let confirmation: HTML =
            count == 0
            ? "<p>There is nothing to import.</p>"
            : context.form(
                hidden: [Action.run.hidden, ("ticket", file.ticket)],
                """
                <p>Nothing is stored yet. The file is kept in memory for a quarter of an hour.\
                \(report.refused > 0 ? " Those that are left out stay out." : "")</p>
                """, button: "Import \(some)")
        return ConsolePage(
            title, in: .accounts, back: ("All accounts", context.path(of: .accounts)),
            """
            \(AccountImportView.html(of: report, isDone: false))
            <section>\(confirmation)
            <p><a href="\(context.path)">Choose another file</a></p></section>
            """
        ).answer(in: context)
    }

    // MARK: The import

    /// A page that grows while accounts are stored. It needs no script.
    private func run(_ sent: SentForm) throws -> Response {
        let (context, project, author) = (sent.context, try sent.context.project, sent.author)
        let now = sent.homing.system.now()
        guard let file = desk.take(sent.text("ticket"), of: project.scope, by: author, at: now) else {
            var form = Self.form()
            form.problem = "This file is no longer kept, or its import has begun already. Choose it again to go on."
            return Self.page(context, form)
        }
        let marker = "<!-- the import -->"
        let page = ConsolePage(
            Self.title, in: .accounts, back: ("All accounts", context.path(of: .accounts)),
            "<div aria-live=\"polite\">\(HTML(trusted: marker))</div>")
        let parts = page.html(in: context).utf8Text.split(separator: marker, maxSplits: 1).map(String.init)
        let desk = desk
        var response = page.answer(in: context)
        response.headers[.contentLength] = nil
        response.body = ResponseBody { writer in
            try await writer.write(ByteBuffer(string: parts[0]))
            let (lines, continuation) = AsyncStream.makeStream(of: HTML.self)
            async let ending = Self.store(file, desk, context, telling: continuation)
            // Whoever goes away stops nothing.
            for await line in lines { try? await writer.write(ByteBuffer(bytes: line.bytes)) }
            try await writer.write(ByteBuffer(bytes: await ending.bytes))
            try await writer.write(ByteBuffer(string: parts.last ?? ""))
            try await writer.finish(nil)
        }
        return response
    }

    /// - Returns: what became of it.
    private static func store(
        _ file: AccountImportDesk.File, _ desk: AccountImportDesk, _ context: ConsoleContext,
        telling lines: AsyncStream<HTML>.Continuation
    ) async -> HTML {
        defer { lines.finish() }
        do {
            try desk.begin()
            defer { desk.end() }
            var told = 0
            let report = try await file.run.store(file.check, by: file.author) { step in
                guard step.accounts >= told + 1000 else { return }
                told = step.accounts
                lines.yield("<p>\(step.accounts.grouped) accounts read …</p>\n")
            }
            return AccountImportView.html(of: report, isDone: true)
        } catch let cut as AccountImportRun.CutOff {
            context.logger.pageFailed(at: context.path, cut.cause)
            return """
                <p class="problem" role="alert">The import was cut off when \(cut.taken.grouped) accounts were stored, each of \
                them whole. Choose the file again to go on: accounts that are here already are counted.</p>
                """
        } catch {
            let refusal = error as? Refusal
            if refusal == nil { context.logger.pageFailed(at: context.path, error) }
            let reason = refusal?.consoleSentence ?? "The import failed: the server's log says why."
            return "<p class=\"problem\" role=\"alert\">\(reason)</p>"
        }
    }
}

extension AccountSource {
    fileprivate var words: String {
        switch self {
        case .firebase: "Firebase (auth:export), or Homing"
        case .supabase: "Supabase"
        case .auth0: "Auth0"
        case .cognito: "Amazon Cognito"
        case .keycloak: "Keycloak"
        case .django: "Django"
        case .csv: "Plain CSV"
        }
    }
}
