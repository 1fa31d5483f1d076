// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
import HomingCore
import HomingStore
import HomingTexts
import HomingWire
import Hummingbird

/// `/console/audit`: who changed what.
enum AuditPage {
    private static let pageLength = 100

    /// A value, cut where it is long, as the ids of an import are: `homing audit list --json` has it whole.
    private static func shown(_ value: String?) -> String {
        let value = value ?? ""
        return value.utf8.count > 300 ? value.prefix(300) + "…" : value
    }

    static func show(_ context: ConsoleContext) async throws -> Response {
        let projects = [("", "all")] + context.homing.projects.all().map { ($0.projectID.text, $0.projectID.text) }
        var filter = ConsoleForm(String?.none, [ConsoleField("Project", "project", \.self, .choice(projects))])
        try filter.take(query: context.query)
        let project = filter.value.map { ProjectID($0) }
        let position = context.query?["before"].flatMap { AuditLog.Position(parsing: $0) }
        let entries = try await context.homing.audit.list(
            project: project, before: position, limit: pageLength)
        let rows = entries.map { entry -> [HTML] in
            [
                "<time>\(entry.at.inWords)</time>", "<bdi>\(entry.author)</bdi>",
                "<code>\(entry.action)</code>", "\(entry.project?.text ?? "")", "<bdi>\(entry.subject)</bdi>",
                "<bdi>\(shown(entry.before))</bdi>", "<bdi>\(shown(entry.after))</bdi>",
            ]
        }
        let older: HTML =
            entries.count == pageLength
            ? entries.last.map { last in
                let query = "?before=\(AuditLog.position(of: last).text)" + (project.map { "&project=\($0)" } ?? "")
                return "<p><a class=\"button quiet\" href=\"/console/audit\(query)\">Older entries</a></p>"
            } ?? "" : ""
        return ConsolePage(
            .audit,
            """
            \(filter.search(at: "/console/audit", button: "Show"))
            <section>\(rows.isEmpty ? "<p>Nothing has been changed yet.</p>" as HTML
                : ConsoleTable("Changes, the newest first", ["When", "Who", "What", "Project", "Of", "Before", "After"], rows).html)
            \(older)</section>
            """
        ).answer(in: context)
    }
}

extension Moment {
    /// The time in the console: UTC, to the second.
    var inWords: String {
        let date = Date(timeIntervalSince1970: Double(milliseconds) / 1000)
        return date.formatted(.iso8601).replacing("T", with: " ").replacing("Z", with: " UTC")
    }
}
