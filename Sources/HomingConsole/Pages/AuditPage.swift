// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingProjects
import HomingStore
import HomingTexts
import HomingWire
import Hummingbird

/// `/console/audit`: who changed what.
enum AuditPage {
    private static let pageLength = 40

    static func show(_ context: ConsoleContext) async throws -> Response {
        let projects = [("", "All")] + context.homing.projects.all().map { ($0.projectID.text, $0.projectID.text) }
        var filter = ConsoleForm(String?.none, [ConsoleField("Project", "project", \.self, .choice(projects))])
        try filter.take(query: context.query)
        let project = filter.value.map { ProjectID($0) }
        let position = context.query?["before"].flatMap { AuditLog.Position(parsing: $0) }
        let entries = try await context.homing.audit.list(
            project: project, before: position, limit: pageLength)
        let list: HTML =
            entries.isEmpty
            ? EmptyState(.audit, "No entries yet", "Every change by a person, a command or a back end is noted here.")
                .html
            : "<h2>Changes, the newest first</h2><ul class=\"list\">\(entries.map(item))</ul>"
        return ConsolePage(
            .audit, lead: "Who changed what, before and after. Entries stay for good, and hold no secret.",
            """
            \(filter.search(at: "/console/audit", button: "Show"))
            <section>\(list)</section>\(older(entries, of: project))
            """
        ).answer(in: context)
    }

    private static func older(_ entries: [AuditLog.Entry], of project: ProjectID?) -> HTML {
        guard entries.count == pageLength, let last = entries.last else { return "" }
        let query = "?before=\(AuditLog.position(of: last).text)" + (project.map { "&project=\($0)" } ?? "")
        return "<p><a class=\"button quiet\" href=\"/console/audit\(query)\">Older entries</a></p>"
    }

    // MARK: An entry

    /// An entry as an item of a list.
    static func item(_ entry: AuditLog.Entry) -> HTML {
        let place: HTML = entry.project.map { " in <code>\($0.text)</code>" } ?? ""
        return """
            <li><div><div><strong><bdi>\(entry.author)</bdi></strong> \(words(of: entry.action)) \
            <bdi>\(entry.subject)</bdi>\(place)</div><div class="soft">\(ConsoleTime(entry.at).html) · \
            <code>\(entry.action)</code></div></div>\(change(entry))</li>
            """
    }

    /// What was there before and what is there now, in a fold.
    private static func change(_ entry: AuditLog.Entry) -> HTML {
        let values = [("Before", entry.before), ("After", entry.after)].compactMap { name, value in
            value.map { "<dt>\(name)</dt><dd><bdi>\(shown($0))</bdi></dd>" as HTML }
        }
        return values.isEmpty ? "" : "<details><summary>Before and after</summary><dl>\(values)</dl></details>"
    }

    /// A value, cut where it is long, as the ids of an import are: `homing audit list --json` has it whole.
    static func shown(_ value: String?) -> String {
        let value = value ?? ""
        return value.utf8.count > 300 ? value.prefix(300) + "…" : value
    }

    /// `added link domain` of `linkDomain.add`: the last part of an action is a verb.
    static func words(of action: String) -> String {
        if let whole = sentences[action] { return whole }
        let parts = action.split(separator: ".").map { apart(String($0)) }
        guard parts.count > 1, let verb = parts.last, !verb.utf8.contains(UInt8(ascii: " ")) else { return action }
        let past = irregular[verb] ?? (verb.hasSuffix("e") ? "\(verb)d" : "\(verb)ed")
        return "\(past) \(parts.dropLast().joined(separator: " "))"
    }

    /// `link domain` of `linkDomain` and of `link-domain`.
    private static func apart(_ name: String) -> String {
        name.reduce(into: "") { words, letter in
            words += letter == "-" ? " " : letter.isUppercase ? " \(letter.lowercased())" : String(letter)
        }
    }

    /// Actions that are more than a verb and its object.
    private static let sentences = [
        "project.set": "changed the setting", "operator.signIn": "signed in as operator",
        "operator.endSessions": "ended the sessions of operator",
        "account.endSessions": "ended the sessions of account",
        "operator.recoveryCodeUsed": "used a recovery code of operator", "link.importPart": "imported a part of links",
        "account.sessionCookie": "made a session cookie for account",
    ]

    private static let irregular = [
        "set": "changed", "reset": "reset", "retry": "retried", "lift": "removed", "begin": "began",
        "link": "made a link for", "test": "sent a test of",
    ]
}
