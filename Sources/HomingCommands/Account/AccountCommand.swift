// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import ArgumentParser
import HomingCore
import HomingOperations
import HomingPasswords
import HomingProjects
import HomingStore
import HomingWire

/// `homing account …`.
struct AccountCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "account", abstract: "Accounts of people.",
        discussion: "EXAMPLE\n  homing account show shop ada@example.com",
        subcommands: [
            AccountCreate.self, AccountList.self, AccountSearch.self, AccountShow.self, AccountSessions.self,
            AccountSendReset.self, AccountDisable.self, AccountEnable.self, AccountDelete.self, AccountErase.self,
            AccountImport.self, AccountExport.self, AccountOldSystem.self,
        ])

    /// The account of an address; throws a line when there is none.
    static func find(_ text: String, in project: Project, _ homing: Homing) async throws -> Account {
        let address = try EmailAddress(parsing: text)
        guard let account = try await homing.accounts.find(address, in: project) else {
            throw Refusal.notFound("no account of \(project.scope) has the address \(address.text)")
        }
        return account
    }

    static func table(_ accounts: [Account]) -> [[String]] {
        [["ID", "ADDRESS", "EMAIL VERIFIED", "PASSWORD", "STATUS", "CREATED"]]
            + accounts.map { account in
                [
                    account.id.text, account.email?.text ?? "", account.isEmailVerified ? "yes" : "no",
                    account.passwordHash == nil ? "none" : "set", account.isDisabled ? "disabled" : "enabled",
                    MailCommand.time(account.createdAt),
                ]
            }
    }

    static func record(_ account: Account) -> JSON {
        var record = JSON.Object([("id", .string(account.id.text))])
        if let email = account.email { record["email"] = .string(email.text) }
        record["emailVerified"] = .bool(account.isEmailVerified)
        record["hasPassword"] = .bool(account.passwordHash != nil)
        record["usesEmailLink"] = .bool(account.usesEmailLink)
        record["disabled"] = .bool(account.isDisabled)
        record["createdAt"] = .int(account.createdAt.milliseconds)
        if let language = account.language { record["language"] = .string(language) }
        if let time = account.lastLoginAt { record["lastLoginAt"] = .int(time.milliseconds) }
        return .object(record)
    }
}

struct AccountCreate: DatabaseCommand {
    static let configuration = CommandConfiguration(
        commandName: "create", abstract: "Make an account.",
        discussion: """
            EXAMPLE
              homing account create shop ada@example.com --password-stdin <<< "a password"
            """)

    @Argument var project: Scope
    @Argument var address: String
    @Flag(help: "Read the password from standard input; without it the account has none yet.") var passwordStdin = false
    @OptionGroup var format: OutputOptions

    var inputSource: InputSource { passwordStdin ? .standardInput : .nothing }

    func run(in homing: Homing, _ output: inout CommandOutput) async throws {
        let project = try homing.projects.existingOrTenant(project)
        var change = AccountChange()
        change.email = .set(try EmailAddress(parsing: address))
        if passwordStdin {
            var bytes = try await output.input?.whole(atMost: 1 << 20) ?? []
            // The line end of a terminal or of `echo` is not part of the password.
            if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
            if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
            let password = String(decoding: bytes, as: UTF8.self)
            try project.settings.passwordPolicy.check(password)
            change.password = .set(password)
        }
        let account = try await homing.accounts.create(change, id: nil, in: project, by: .command)
        output.answer(format, json: AccountCommand.record(account), lines: ["account \(account.id) of \(address)"])
    }
}

struct AccountList: DatabaseCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List accounts, the newest first.",
        discussion: """
            It reads all accounts of the project; with very many, `homing account search` is quicker.

            EXAMPLE
              homing account list shop --search example.com --limit 20
            """)

    @Argument var project: Scope
    @Option(help: "Only those whose address or id has this in it, in upper or lower case.") var search: String?
    @Option(help: "At most so many.") var limit = 100
    @OptionGroup var format: OutputOptions

    func run(in homing: Homing, _ output: inout CommandOutput) async throws {
        let project = try homing.projects.existingOrTenant(project)
        let limit = try ListLimit.checked(limit)
        let (accounts, total) = try await homing.accounts.list(in: project, search: search, limit: limit)
        let empty = search.map { "no account of \(project.scope) has \($0) in its address or id" }
        output.answer(
            format, json: .array(accounts.map(AccountCommand.record)),
            styled: Table.lines(
                AccountCommand.table(accounts), empty: empty ?? "no account yet: homing account create \(project.scope)"
            ))
        ListLimit.note(total - accounts.count, "older accounts", &output)
    }
}

struct AccountSearch: DatabaseCommand {
    static let configuration = CommandConfiguration(
        commandName: "search", abstract: "Find accounts by the beginning of their address or id.",
        discussion: """
            It is as quick with a million accounts as with ten.

            EXAMPLE
              homing account search shop ada --limit 20
            """)

    @Argument var project: Scope
    @Argument(help: "The beginning of an address, or of an id, in which the case of letters counts.") var text: String
    @Option(help: "Go on behind the page that ended here.") var after: String?
    @Option(help: "At most so many.") var limit = 100
    @OptionGroup var format: OutputOptions

    func run(in homing: Homing, _ output: inout CommandOutput) async throws {
        let project = try homing.projects.existingOrTenant(project)
        let (accounts, next) = try await homing.accounts.search(
            text, in: project, after: after, limit: try ListLimit.checked(limit))
        output.answer(
            format, json: .array(accounts.map(AccountCommand.record)),
            styled: Table.lines(
                AccountCommand.table(accounts),
                empty: "no account of \(project.scope) has an address or id that begins with \(text)"))
        if let next { output.note("there are more: --after \(next)") }
    }
}

struct AccountShow: DatabaseCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show an account.",
        discussion: "EXAMPLE\n  homing account show shop ada@example.com")

    @Argument var project: Scope
    @Argument var address: String
    @OptionGroup var format: OutputOptions

    func run(in homing: Homing, _ output: inout CommandOutput) async throws {
        let account = try await AccountCommand.find(address, in: try homing.projects.existingOrTenant(project), homing)
        let lines: [StyledLine] = [
            .fact("account", account.id.text), .fact("address", account.email?.text ?? "none"),
            .fact("email verified", account.isEmailVerified ? "yes" : "no"),
            .fact("password", account.passwordHash == nil ? "none" : "set"),
            .fact("disabled", account.isDisabled ? "yes" : "no"),
            .fact("created", MailCommand.time(account.createdAt)),
        ]
        output.answer(format, json: AccountCommand.record(account), styled: lines)
    }
}

struct AccountSessions: DatabaseCommand {
    static let configuration = CommandConfiguration(
        commandName: "sessions", abstract: "Show where somebody is signed in, or end it.",
        discussion: """
            Ended sessions get no more ID tokens. One that a back end verifies by itself stays good for its hour.

            EXAMPLE
              homing account sessions shop ada@example.com --end
            """)

    @Argument var project: Scope
    @Argument var address: String
    @Flag(help: "End all of them.") var end = false
    @OptionGroup var format: OutputOptions

    func run(in homing: Homing, _ output: inout CommandOutput) async throws {
        let project = try homing.projects.existingOrTenant(project)
        let account = try await AccountCommand.find(address, in: project, homing)
        guard !end else {
            let ended = try await homing.accounts.endSessions(of: account.id, in: project, by: .command)
            output.answer(
                format, json: ["ended": .int(Int64(ended))],
                lines: ["\(Printable.count(ended, "session")) of \(address) ended"])
            return
        }
        let sessions = try await homing.accounts.openSessions(of: account.id, in: project)
        let rows = [["STARTED", "PROVIDER"]] + sessions.map { [MailCommand.time($0.startedAt), $0.provider] }
        output.answer(
            format,
            json: .array(
                sessions.map {
                    ["startedAt": .string(MailCommand.time($0.startedAt)), "provider": .string($0.provider)]
                }), styled: Table.lines(rows, empty: "\(address) has no active sessions"))
    }
}

struct AccountSendReset: DatabaseCommand {
    static let configuration = CommandConfiguration(
        commandName: "send-reset", abstract: "Mail somebody a link to choose a new password.",
        discussion: "EXAMPLE\n  homing account send-reset shop ada@example.com")

    @Argument var project: Scope
    @Argument var address: String
    @OptionGroup var format: OutputOptions

    func run(in homing: Homing, _ output: inout CommandOutput) async throws {
        let project = try homing.projects.existingOrTenant(project)
        let account = try await AccountCommand.find(address, in: project, homing)
        try await homing.actionCodes.sendReset(to: account, in: project, by: .command)
        let recipient = account.email?.text ?? address
        output.answer(
            format, json: ["recipient": .string(recipient)],
            lines: ["a reset is on its way: homing mail list --project \(project.scope) --address \(recipient)"])
    }
}

struct AccountDisable: DatabaseCommand {
    static let configuration = CommandConfiguration(
        commandName: "disable", abstract: "Keep somebody out; the account stays.",
        discussion: "EXAMPLE\n  homing account disable shop ada@example.com")

    @Argument var project: Scope
    @Argument var address: String
    @OptionGroup var format: OutputOptions

    func run(in homing: Homing, _ output: inout CommandOutput) async throws {
        try await AccountSwitch.set(disabled: true, address, project, homing, format, &output)
    }
}

struct AccountEnable: DatabaseCommand {
    static let configuration = CommandConfiguration(
        commandName: "enable", abstract: "Let somebody in again.",
        discussion: "EXAMPLE\n  homing account enable shop ada@example.com")

    @Argument var project: Scope
    @Argument var address: String
    @OptionGroup var format: OutputOptions

    func run(in homing: Homing, _ output: inout CommandOutput) async throws {
        try await AccountSwitch.set(disabled: false, address, project, homing, format, &output)
    }
}

private enum AccountSwitch {
    static func set(
        disabled: Bool, _ address: String, _ scope: Scope, _ homing: Homing, _ format: OutputOptions,
        _ output: inout CommandOutput
    ) async throws {
        let project = try homing.projects.existingOrTenant(scope)
        let account = try await AccountCommand.find(address, in: project, homing)
        var change = AccountChange()
        change.isDisabled = disabled
        let changed = try await homing.accounts.change(account.id, change, in: project, by: .command)
        output.answer(
            format, json: AccountCommand.record(changed),
            lines: ["\(address) is \(disabled ? "disabled" : "enabled")"])
    }
}

struct AccountDelete: IrreversibleCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Remove an account and what is kept of its person, for ever.",
        discussion: """
            The emails and codes of its address go with it; a suppression and the audit log keep a digest in its place.
            On a terminal it asks for the address; a script says --yes.

            EXAMPLE
              homing account delete shop ada@example.com --yes
            """)

    @Argument var project: Scope
    @Argument var address: String
    @OptionGroup var consent: Consent
    @OptionGroup var format: OutputOptions

    var loss: String { "the account of \(address) in \(project)" }
    var lossName: String { address }

    func run(in homing: Homing, _ output: inout CommandOutput) async throws {
        let project = try homing.projects.existingOrTenant(project)
        let account = try await AccountCommand.find(address, in: project, homing)
        try await homing.accounts.delete(account.id, in: project, by: .command)
        output.answer(format, json: ["deleted": .string(account.id.text)], lines: ["the account of \(address) is gone"])
    }
}
