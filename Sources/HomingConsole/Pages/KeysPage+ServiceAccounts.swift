// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
import HomingCore
import HomingProjects
import HomingStore
import HomingTexts
import HomingWire
import Hummingbird

/// The service accounts of a project.
extension KeysPage {
    struct NewAccount {
        var name: String?
        var makesTokensOnly = false
    }

    static func serviceAccounts(_ context: ConsoleContext, _ sent: ConsoleForm<NewAccount>?) async throws -> HTML {
        let accounts = try await context.homing.accounts.serviceAccounts.list(in: try context.project)
        let list: HTML =
            accounts.isEmpty
            ? "<p>The project has none.</p>"
            : ConsoleTable(
                "Service accounts", ["Name", "For", "Created", "Status", "Actions"],
                accounts.map { row(of: $0, context) }
            ).html
        let card = section(
            "Service accounts",
            """
            Key files in Google's form, with which Firebase's Admin SDKs reach this project and make custom tokens. One \
            signs anybody in, and unless it is for tokens only, it may change everything in the project.
            """, list)
        guard context.isOwner else { return card }
        let form = sent ?? newAccount
        let creation = FoldedForm(
            "New service account",
            """
            <p>Its key file is shown once.</p>
            \(context.form(hidden: [Action.createAccount.hidden], form.html, button: "Create the service account"))
            """, isOpen: sent != nil)
        return "\(card)\(creation.html)"
    }

    private static func row(of account: ServiceAccount, _ context: ConsoleContext) -> [HTML] {
        let revocation: HTML =
            account.revokedAt == nil && context.isOwner
            ? context.confirmation(
                "Revoke", "The key, and the tokens that it made or got, are refused at once; people's sessions go on.",
                hidden: [Action.revokeAccount.hidden, ("id", account.id)], button: "Revoke this service account") : ""
        let state: HTML =
            account.revokedAt.map { "\(tag("revoked", isInForce: false)) \(ConsoleTime($0).html)" }
            ?? tag("in force", isInForce: true)
        return [
            "<bdi>\(account.name ?? "")</bdi> <code>\(account.id)</code>",
            account.opensAdmin ? "admin listener, custom tokens" : "custom tokens only",
            ConsoleTime(account.createdAt).html, state, revocation,
        ]
    }

    private static var newAccount: ConsoleForm<NewAccount> {
        ConsoleForm(
            NewAccount(), scope: "account-",
            ConsoleField(
                "Name", "name", \.name, hint: "The back end that has the file. Optional.",
                check: { _ = try Projects.checkedName($0, of: "a service account") }),
            ConsoleField(
                "Custom tokens only", "tokens-only", \.makesTokensOnly,
                hint: "It signs people in by their id, and does nothing else."))
    }

    static func createAccount(_ sent: SentForm) async throws -> Response {
        let project = try sent.context.project
        var form = newAccount
        guard try form.take(sent) else { return try await page(sent.context, Outcome(account: form)) }
        do {
            let file = try await sent.homing.accounts.serviceAccounts.create(
                named: form.value.name, in: project, opensAdmin: !form.value.makesTokensOnly, by: sent.author)
            return try await page(sent.context, Outcome(secret: note(file, of: project)))
        } catch let refusal as Refusal where refusal.code == .invalidSetting {
            // There are as many as a project may have.
            form.faults["name"] = refusal.consoleSentence
            return try await page(sent.context, Outcome(account: form))
        }
    }

    /// The key file, to be downloaded or copied. No other request gets it, so it stands in the link itself.
    private static func note(_ file: JSON, of project: Project) -> HTML {
        let bytes = file.write()
        let name = "\(project.projectID.text)-service-account.json"
        return """
            <section class="note" role="status"><h2>A service account's key file, shown this once</h2>
            <p>Keep it like a password. Its <code>token_uri</code> is where your back end reaches the admin listener: change \
            it in the file if your back end reaches it elsewhere.</p>
            <p><a class="button" download="\(name)" href="data:application/json;base64,\(Data(bytes).base64EncodedString())">\
            \(ConsoleIcon.download.html)Download \(name)</a></p>
            \(ConsoleLines("key file", String(decoding: bytes, as: UTF8.self)).html)</section>
            """
    }
}
