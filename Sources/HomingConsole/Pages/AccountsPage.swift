// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingStore
import HomingTexts
import HomingWire
import Hummingbird

/// `…/accounts`: people's accounts, found by address or id.
enum AccountsPage {
    private static let pageLength = 50

    static func show(_ context: ConsoleContext) async throws -> Response {
        var search = ConsoleForm(
            "Address or id", "search",
            hint: context.mayEdit
                ? "The beginning is enough; the case of letters counts in ids only."
                : "The whole address, or the beginning of an id: as a viewer you see addresses masked.",
            .line("search"), isRequired: false)
        try search.take(query: context.query)
        let typed = search.value
        let (accounts, next) = try await found(typed, context)
        let path = context.path(of: .accounts)
        let rows = accounts.map { account -> [HTML] in
            let address = account.email.map { context.shown($0.text) } ?? "no address"
            return [
                "<a href=\"\(path)/\(percentEncoded(account.id.text))\"><bdi>\(address)</bdi></a>", state(of: account),
                account.isEmailVerified ? "yes" : "no", account.passwordHash == nil ? "none" : "set",
                "<time>\(account.createdAt.inWords)</time>", "<code>\(account.id.text)</code>",
            ]
        }
        let more: HTML =
            next.map { place in
                let query = "search=\(percentEncoded(typed))&after=\(percentEncoded(place))"
                return "<p><a class=\"button quiet\" href=\"\(path)?\(query)\">More accounts</a></p>"
            } ?? ""
        let empty: HTML =
            typed.isEmpty
            ? "<p>Nobody has signed up yet.</p>"
            : "<p>No account has an address or an id that begins with <bdi>\(typed)</bdi>.</p>"
        return ConsolePage(
            .accounts,
            """
            \(search.search(at: path))
            <section>\(rows.isEmpty
                ? empty
                : ConsoleTable("Accounts", ["Address", "State", "Proven", "Password", "Since", "Id"], rows).html)
            \(more)</section>
            """
        ).answer(in: context)
    }

    /// Who sees addresses masked finds by the whole address or by the id only: otherwise a search would tell letter by
    /// letter what the mask hides.
    private static func found(
        _ typed: String, _ context: ConsoleContext
    ) async throws -> (accounts: [Account], next: String?) {
        let (accounts, project) = (context.homing.accounts, try context.project)
        if !context.mayEdit, let address = try? EmailAddress(parsing: typed) {
            return (try await accounts.find(address, in: project).map { [$0] } ?? [], nil)
        }
        return try await accounts.search(
            typed, in: project, byAddress: context.mayEdit, after: context.query?["after"], limit: pageLength)
    }

    static func state(of account: Account) -> HTML {
        account.isDisabled ? "<span class=\"tag bad\">disabled</span>" : "<span class=\"tag good\">enabled</span>"
    }
}
