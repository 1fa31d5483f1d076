// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingStore
import HomingTexts
import HomingTransfer

/// What an import would do, or has done: numbers, every reason, the first accounts. No hash is in it.
enum AccountImportView {
    private static let mostNamed = 20

    static func html(of report: AccountImportReport, isDone: Bool) -> HTML {
        """
        <section><h2>\(isDone ? "Imported" : "What would be imported")</h2>\(numbers(report, isDone: isDone))</section>
        \(accounts(report))\(refused(report))\(notes(report))
        """
    }

    private static func numbers(_ report: AccountImportReport, isDone: Bool) -> HTML {
        let rows: [(String, Int)] = [
            (isDone ? "Imported" : "Can be imported", report.taken), ("With a password", report.withPassword),
            (isDone ? "Brought up to date" : "Can be brought up to date", report.updated),
            ("Here already", report.unchanged), ("Left out", report.refused),
        ]
        return "<dl>\(rows.map { "<dt>\($0.0)</dt><dd>\($0.1.grouped)</dd>" as HTML })</dl>"
    }

    private static func accounts(_ report: AccountImportReport) -> HTML {
        guard !report.first.isEmpty else { return "" }
        let rows = report.first.map { account -> [HTML] in
            [
                "<bdi>\(account.email?.text ?? "No address")</bdi>", "<code>\(account.id.text)</code>",
                account.isEmailVerified ? "Yes" : "No", account.hasPassword ? "Password" : "Passwordless",
                account.isDisabled ? "Disabled" : "Enabled",
            ]
        }
        return """
            <section><h2>The first accounts</h2>\(ConsoleTable(
                "The first accounts", ["Address", "Id", "Email verified", "Sign-in", "Status"], rows).html)
            </section>
            """
    }

    private static func refused(_ report: AccountImportReport) -> HTML {
        guard report.refused > 0 else { return "" }
        let reasons = report.reasons.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
            .map { ["\($0.key)", "\($0.value.grouped)"] as [HTML] }
        let named = report.named.prefix(mostNamed).map { account -> [HTML] in
            ["\(account.line)", "<bdi>\(account.name)</bdi>", "<bdi>\(account.reason)</bdi>"]
        }
        return """
            <section><h2>Left out</h2>
            \(ConsoleTable("Reasons", ["Reason", "Accounts"], reasons).html)
            \(ConsoleTable("The first that are left out", ["Line", "Account", "Reason"], named).html)
            </section>
            """
    }

    /// What accounts have and Homing does not keep, and what stays as it is here.
    private static func notes(_ report: AccountImportReport) -> HTML {
        func rows(_ counts: [String: Int], _ words: String) -> [[HTML]] {
            counts.sorted { $0.key < $1.key }.map { ["<bdi>\($0.key)</bdi>", "\(words)", "\($0.value.grouped)"] }
        }
        let rows = rows(report.notKept, "Not kept") + rows(report.left, "Stays as it is here")
        guard !rows.isEmpty else { return "" }
        return """
            <section><h2>Not taken over</h2>
            \(ConsoleTable("Not taken over", ["What", "Why", "Accounts"], rows).html)</section>
            """
    }
}
