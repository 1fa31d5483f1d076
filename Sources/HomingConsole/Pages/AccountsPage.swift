// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
import HomingCore
import HomingProjects
import HomingStore
import HomingTexts
import HomingWire
import Hummingbird

/// `…/accounts`: people's accounts, counted, sorted, and found by the beginning of an address or an id.
enum AccountsPage {
    static func show(_ context: ConsoleContext) async throws -> Response {
        let search = try AccountSearch(context)
        let page = try await search.found(context)
        return ConsolePage(
            .accounts, actions: try actions(context),
            """
            \(search.form.search(at: context.path(of: .accounts)))
            <section>\(search.summary(of: page))
            \(page.accounts.isEmpty ? "" : search.orders(of: page))\(list(page, search, context))\(more(page, search))</section>
            """
        ).answer(in: context)
    }

    /// What is begun here.
    private static func actions(_ context: ConsoleContext) throws -> HTML {
        let path = context.path(of: .accounts)
        let export: HTML =
            context.isOwner
            ? "<a class=\"button quiet\" href=\"\(path)/export\">\(ConsoleIcon.download.html)Export</a>" : ""
        let changes: HTML =
            context.mayEdit
            ? """
            <a class="button quiet" href="\(path)/import">\(ConsoleIcon.upload.html)Import</a>\(export)\
            <a class="button" href="\(path)/new">\(ConsoleIcon.plus.html)Create an account</a>
            """ : ""
        let tenants: HTML =
            try context.project.tenant == nil
            ? "<a class=\"button quiet\" href=\"\(TenantsPage.path(in: context))\">Tenants</a>" : ""
        return tenants + changes
    }

    private static func list(_ page: FoundAccounts, _ search: AccountSearch, _ context: ConsoleContext) -> HTML {
        guard !page.accounts.isEmpty else { return search.nothing(on: page, context) }
        let rows = page.accounts.map { account -> [HTML] in
            let address = account.email.map { context.shown($0.text) } ?? "No address"
            let name: HTML =
                context.mayEdit ? account.displayName.map { "<div class=\"soft\"><bdi>\($0)</bdi></div>" } ?? "" : ""
            return [
                "<a href=\"\(AccountPage.path(of: account.id, in: context.ofProject))\"><bdi>\(address)</bdi></a>\(name)",
                state(of: account), verified(account), ways(account), ConsoleTime(account.createdAt).html,
                account.lastLoginAt.map { ConsoleTime($0).html } ?? "Never", mails(of: account, context),
            ]
        }
        return ConsoleTable(
            "Accounts", ["Address", "Status", "Email verified", "Sign-in", "Created", "Last sign-in", "Actions"], rows
        ).html
    }

    private static func more(_ page: FoundAccounts, _ search: AccountSearch) -> HTML {
        guard let next = page.next else { return "" }
        return "<p><a class=\"button quiet\" href=\"\(search.address(page.order, after: next))\">More accounts</a></p>"
    }

    /// To the emails of somebody; nothing for a reader who is not told the address.
    private static func mails(of account: Account, _ context: ConsoleContext) -> HTML {
        guard context.mayEdit, let address = account.email else { return "" }
        let path = "\(context.path(of: .mail))?q=\(percentEncoded(address.text))"
        return "<a href=\"\(path)\" aria-label=\"Emails to \(address.text)\">Emails</a>"
    }

    // MARK: An account in a word

    static func state(of account: Account) -> HTML {
        account.isDisabled ? "<span class=\"tag bad\">Disabled</span>" : "<span class=\"tag good\">Enabled</span>"
    }

    private static func verified(_ account: Account) -> HTML {
        account.email == nil ? "–" : account.isEmailVerified ? "Yes" : "No"
    }

    /// How somebody signs in, as far as that is known.
    static func ways(_ account: Account) -> HTML {
        let own = account.isAnonymous ? "Anonymous" : account.passwordHash == nil ? "Passwordless" : "Password"
        return "\(([own] + account.identities.map(\.provider)).joined(separator: ", "))"
    }
}

extension Int {
    /// With a comma between thousands.
    var grouped: String { formatted(.number.grouping(.automatic).locale(Locale(identifier: "en_US"))) }
}
