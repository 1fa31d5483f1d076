// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingLinkRules
import HomingOperations
import HomingProjects
import HomingShortLinks
import HomingStore
import HomingTransfer
import HomingWire

/// The outcomes of an import's rows. The report stays small however many rows there are: every reason is said once, with
/// the number of its rows and the first of them.
struct LinkImportReport {
    /// How many rows of each reason `--json` has, and how many a person reads.
    private static let mostNamedRows = 1000
    private static let mostPrintedRows = 10
    private static let mostReasons = 200
    private static let mostNamedApps = 100

    var imported = 0
    var unchanged = 0
    var source: LinkFileSource?
    var unreadColumns: [String] = []
    var columnsNotKept: [String] = []
    /// The domains on which links were stored.
    private(set) var domains: [LinkDomain] = []

    private struct Row {
        let line: Int
        let link: String
    }

    private struct Reason {
        var rows = 0
        var first: [Row] = []
        /// Hosts that rows lead to, and how many do.
        var hosts: [String: Int] = [:]
    }

    private var left: [String: Reason] = [:]
    private var withoutParts: [String: Count] = [:]
    private var warnings: [Warning: Count] = [:]
    /// The links with endings of a trial, by their places, and where they lead; as numbers, since there may be millions.
    private var seen: [Int: Int] = [:]

    private struct Warning: Hashable {
        let warning: DynamicLinkWarning
        /// The app that is not registered, for warnings of that kind; empty where there were too many apps.
        let app: String?
    }

    private struct Count {
        var links = 0
        let firstLine: Int
    }

    /// - Parameter host: the host that the reason is about.
    mutating func leave(_ row: LinkFileRow, because reason: String, about host: String? = nil) {
        let reason = left[reason] == nil && left.count >= Self.mostReasons ? "for other reasons" : reason
        left[reason, default: Reason()].rows += 1
        if let host, left[reason]?.hosts[host] != nil || left[reason]?.hosts.count ?? 0 < Self.mostNamedRows {
            left[reason]?.hosts[host, default: 0] += 1
        }
        guard let count = left[reason]?.first.count, count < Self.mostNamedRows else { return }
        let text = row.shortLink.utf8.isEmpty ? row.ending ?? row.parameters.link : row.shortLink
        left[reason]?.first.append(Row(line: row.line, link: Printable.ascii(SecretMask.masked(text), atMost: 300)))
    }

    /// Whether no other row of this file has the ending and leads elsewhere.
    mutating func isFirst(_ link: ArrivingLink) -> Bool {
        guard let suffix = link.suffix else { return true }
        var (place, target) = (Hasher(), Hasher())
        place.combine(link.domain.text)
        place.combine(suffix.text)
        target.combine(link.content.parameters.query)
        let number = target.finalize()
        let known = seen.updateValue(number, forKey: place.finalize())
        return known.map { $0 == number } ?? true
    }

    /// Records the warnings about a link that was imported, and what of it was not kept.
    mutating func see(_ row: LinkFileRow, at site: LinkSite, left parts: [String]) {
        if !domains.contains(site.domain) { domains.append(site.domain) }
        for part in parts { withoutParts[part, default: Count(firstLine: row.line)].links += 1 }
        for warning in site.rules.warnings(row.parameters) {
            var app = warning.code.app(of: row.parameters).map { Printable.ascii($0) }
            if app != nil, warnings[Warning(warning: warning, app: app)] == nil,
                warnings.keys.count(where: { $0.app != nil }) >= Self.mostNamedApps
            {
                app = ""
            }
            warnings[Warning(warning: warning, app: app), default: Count(firstLine: row.line)].links += 1
        }
    }

    // MARK: For the operator

    /// Warnings about links that open no app come first; then the first line decides.
    private var sortedWarnings: [(key: Warning, value: Count)] {
        warnings.sorted { one, other in
            if (one.key.app == nil) != (other.key.app == nil) { return one.key.app != nil }
            return (one.value.firstLine, one.key.warning.message) < (other.value.firstLine, other.key.warning.message)
        }
    }

    var leftCount: Int { left.values.reduce(0) { $0 + $1.rows } }

    /// The reason with the most rows first.
    private var sortedLeft: [(key: String, value: Reason)] {
        left.sorted { ($1.value.rows, $0.key) < ($0.value.rows, $1.key) }
    }

    private var sortedParts: [(key: String, value: Count)] {
        withoutParts.sorted { ($1.value.links, $0.key) < ($0.value.links, $1.key) }
    }

    func lines(isDone: Bool) -> [String] {
        var lines = [
            "\(Printable.count(imported, "link")) \(isDone ? "imported" : "can be imported"), "
                + "\(unchanged) here already, \(Printable.count(leftCount, "row")) left out"
        ]
        for (key, count) in sortedWarnings {
            let app = key.app.map { $0.isEmpty ? "other apps: " : "\($0): " } ?? ""
            lines.append(
                "warning: \(key.warning.code.rawValue): \(app)\(Printable.count(count.links, "link")), the first on line "
                    + "\(count.firstLine): \(key.warning.message)".with(key.warning.remedy))
        }
        for (part, count) in sortedParts {
            lines.append(
                "warning: \(part) of \(Printable.count(count.links, "link")) cannot be understood or kept, the first on line "
                    + "\(count.firstLine)")
        }
        if !columnsNotKept.isEmpty {
            lines.append("warning: these columns are not kept: \(columnsNotKept.joined(separator: ", "))")
        }
        if !unreadColumns.isEmpty {
            lines.append(
                "warning: these columns are unknown and were not read: \(unreadColumns.joined(separator: ", "))")
        }
        for (reason, rows) in sortedLeft { lines.append(Self.line(reason, rows)) }
        return lines
    }

    private static func line(_ reason: String, _ rows: Reason) -> String {
        var about = reason
        if !rows.hosts.isEmpty {
            let hosts = rows.hosts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
            let more = hosts.count - mostPrintedRows
            about +=
                " (" + hosts.prefix(mostPrintedRows).map { "\($0.key) \($0.value)" }.joined(separator: ", ")
                + (more > 0 ? " and \(Printable.count(more, "more host")))" : ")")
        }
        if rows.rows == 1, let row = rows.first.first { return "line \(row.line): \(row.link): \(about)" }
        let more = rows.rows - mostPrintedRows
        return "\(Printable.count(rows.rows, "row")): \(about): "
            + rows.first.prefix(mostPrintedRows).map { "line \($0.line) \($0.link)" }.joined(separator: ", ")
            + (more > 0 ? " and \(more) more" : "")
    }

    func json(isDone: Bool) -> JSON {
        [
            "done": .bool(isDone),
            "from": source.map { .string($0.rawValue) } ?? .null,
            "imported": .int(Int64(imported)),
            "unchanged": .int(Int64(unchanged)),
            "leftOut": .int(Int64(leftCount)),
            "warnings": .array(
                sortedWarnings.map { key, count in
                    [
                        "code": .string(key.warning.code.rawValue), "app": key.app.map { .string($0) } ?? .null,
                        "links": .int(Int64(count.links)), "line": .int(Int64(count.firstLine)),
                        "message": .string(key.warning.message.with(key.warning.remedy)),
                    ]
                }),
            "notKept": .array(
                sortedParts.map { part, count in
                    [
                        "what": .string(part), "links": .int(Int64(count.links)),
                        "line": .int(Int64(count.firstLine)),
                    ]
                }),
            "columnsNotKept": .array(columnsNotKept.map { .string($0) }),
            "unreadColumns": .array(unreadColumns.map { .string($0) }),
            "reasons": .array(
                sortedLeft.map { reason, rows in
                    [
                        "reason": .string(reason), "rows": .int(Int64(rows.rows)),
                        "hosts": .object(
                            JSON.Object(rows.hosts.sorted { $0.key < $1.key }.map { ($0.key, .int(Int64($0.value))) })),
                    ]
                }),
            "left": .array(
                sortedLeft.flatMap { reason, rows in rows.first.map { (row: $0, reason: reason) } }
                    .sorted { $0.row.line < $1.row.line }
                    .map { row, reason in
                        ["line": .int(Int64(row.line)), "link": .string(row.link), "reason": .string(reason)]
                    }),
        ]
    }
}

extension DynamicLinkWarning.Code {
    /// The app that a link names and the project has not registered.
    fileprivate func app(of parameters: DynamicLinkParameters) -> String? {
        switch self {
        case .notInProjectAndroidPackageName: parameters.android.packageName
        case .notInProjectIOSBundleID: parameters.ios.bundleID
        case .notInProjectIPadBundleID: parameters.ios.ipadBundleID
        default: nil
        }
    }
}
