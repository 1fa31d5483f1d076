// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingStore
import HomingTexts
import HomingWire

/// Which accounts somebody looks for, as the query of the page has it.
struct AccountSearch {
    struct Wanted {
        var text = ""
        var status = ""
        var verified = ""
        var signIn = ""

        var isEverybody: Bool { text.isEmpty && !hasFilter }
        var hasFilter: Bool { !(status.isEmpty && verified.isEmpty && signIn.isEmpty) }
    }

    private static let pageLength = 20

    let form: ConsoleForm<Wanted>
    private let path: String
    private let order: AccountQuery.Order
    private let after: String?
    /// Who sees addresses masked finds by the whole address or by the id only, and has no order by addresses: otherwise
    /// the answers would tell letter by letter what the mask hides.
    private let readsAddresses: Bool

    init(_ context: ConsoleContext) throws {
        readsAddresses = context.mayEdit
        var form = ConsoleForm(
            Wanted(), scope: "find-",
            ConsoleField(
                "Address or id", "search", \.text,
                hint: context.mayEdit
                    ? "The beginning is enough; the case of letters counts in ids only."
                    : "The whole address, or the beginning of an id: as a viewer you see addresses masked.",
                .line("search")),
            ConsoleField(
                "Status", "status", \.status,
                .choice([("", "All"), ("enabled", "Enabled"), ("disabled", "Disabled")])),
            ConsoleField(
                "Email verified", "verified", \.verified, .choice([("", "All"), ("yes", "Yes"), ("no", "No")])),
            ConsoleField(
                "Sign-in", "signin", \.signIn,
                .choice([("", "All"), ("password", "Password"), ("passwordless", "Passwordless")])))
        try form.take(query: context.query)
        self.form = form
        path = context.path(of: .accounts)
        order = context.query?["order"].flatMap(AccountQuery.Order.init) ?? .newest
        after = context.query?["after"]
    }

    func found(_ context: ConsoleContext) async throws -> FoundAccounts {
        let wanted = form.value
        var query = AccountQuery()
        query.beginning = wanted.text
        query.readsAddresses = readsAddresses
        query.isDisabled = Self.flag(wanted.status, on: "disabled", off: "enabled")
        query.isEmailVerified = Self.flag(wanted.verified, on: "yes", off: "no")
        query.hasPassword = Self.flag(wanted.signIn, on: "password", off: "passwordless")
        query.order = order
        query.after = after
        query.limit = Self.pageLength
        return try await context.homing.accounts.find(query, in: try context.project)
    }

    private static func flag(_ text: String, on: String, off: String) -> Bool? {
        if text.utf8.elementsEqual(on.utf8) { return true }
        return text.utf8.elementsEqual(off.utf8) ? false : nil
    }

    /// The path of another page of what is looked for.
    func address(_ order: AccountQuery.Order, after: String = "") -> String {
        let wanted = form.value
        let parts = [
            ("search", wanted.text), ("status", wanted.status), ("verified", wanted.verified),
            ("signin", wanted.signIn), ("order", order.rawValue), ("after", after),
        ].filter { !$0.1.isEmpty }
        return "\(path)?" + parts.map { "\($0.0)=\(percentEncoded($0.1))" }.joined(separator: "&")
    }

    // MARK: What the page says

    /// How many there are.
    func summary(of page: FoundAccounts) -> HTML {
        guard let total = page.total else {
            let most = AccountQuery.mostRead.grouped
            let filter = form.value.hasFilter ? " Each page looks at \(most) accounts." : ""
            return "<p>More than \(most) accounts.\(filter)</p>"
        }
        let all = total == 1 ? "1 account" : "\(total.grouped) accounts"
        guard !form.value.isEverybody, let matching = page.matching else { return "<p>\(all)</p>" }
        return "<p>\(matching.grouped) of \(all)</p>"
    }

    /// The orders that the list may have, as links.
    func orders(of page: FoundAccounts) -> HTML {
        let many: [(AccountQuery.Order, String)] = [(.id, "By id"), (.address, "By address")]
        let few: [(AccountQuery.Order, String)] = [
            (.newest, "Newest first"), (.lastSignIn, "Last sign-in first"), (.address, "By address"),
        ]
        let items = (page.total == nil ? many : few).filter { readsAddresses || $0.0 != .address }
            .map { order, words -> HTML in
                let mark: HTML = order == page.order ? " aria-current=\"true\"" : ""
                return "<li><a href=\"\(address(order))\"\(mark)>\(words)</a></li>"
            }
        return "<ul class=\"orders\" aria-label=\"Order\">\(items)</ul>"
    }

    /// What stands in the place of an empty list.
    func nothing(on page: FoundAccounts, _ context: ConsoleContext) -> HTML {
        if page.next != nil { return "<p>None of the accounts that this page looked at is like that.</p>" }
        guard form.value.isEverybody else {
            let all: HTML = "<a href=\"\(path)\">Show all accounts</a>"
            return form.value.hasFilter || form.value.text.isEmpty
                ? "<p>No account is like that. \(all)</p>"
                : "<p>No account has an address or an id that begins with <bdi>\(form.value.text)</bdi>. \(all)</p>"
        }
        let action: HTML = context.mayEdit ? "<a class=\"button\" href=\"\(path)/new\">Create an account</a>" : ""
        return EmptyState(
            .accounts, "No accounts yet",
            "People who sign up in your app are listed here. Accounts of another system come with an import.",
            action: action
        ).html
    }
}
