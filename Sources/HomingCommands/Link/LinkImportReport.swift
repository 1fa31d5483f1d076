// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingLinkRules
import HomingOperations
import HomingStore
import HomingTransfer
import HomingWire

/// The outcomes of an import's rows. The report stays small however many rows there are: it names the first rows of
/// each kind and counts the others.
struct LinkImportReport {
    private static let mostNamedRows = 1000
    private static let mostNamedApps = 100

    var imported = 0
    var unchanged = 0
    var unreadColumns: [String] = []
    /// The domains on which links were stored.
    private(set) var domains: [LinkDomain] = []

    private struct Left {
        let line: Int
        let link: String
        let reason: String
    }

    private var left: [Left] = []
    private var leftCounts: [String: Int] = [:]
    private var warnings: [Warning: Count] = [:]

    private struct Warning: Hashable {
        let warning: DynamicLinkWarning
        /// The app that is not registered, for warnings of that kind; empty where there were too many apps.
        let app: String?
    }

    private struct Count {
        var links = 0
        let firstLine: Int
    }

    mutating func leave(_ row: TakeoutRow, because reason: String) {
        leftCounts[reason, default: 0] += 1
        guard leftCounts[reason, default: 0] <= Self.mostNamedRows else { return }
        left.append(Left(line: row.line, link: Printable.ascii(row.shortLink, atMost: 300), reason: reason))
    }

    /// Records the warnings about a link that was imported.
    mutating func see(_ row: TakeoutRow, at site: LinkSite) {
        if !domains.contains(site.domain) { domains.append(site.domain) }
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

    private var leftCount: Int { leftCounts.values.reduce(0, +) }

    /// For each reason, the number of rows that are not named.
    private var unnamed: [(reason: String, rows: Int)] {
        leftCounts.filter { $0.value > Self.mostNamedRows }.sorted { $0.key < $1.key }
            .map { ($0.key, $0.value - Self.mostNamedRows) }
    }

    private var sortedLeft: [Left] { left.sorted { $0.line < $1.line } }

    var lines: [String] {
        var lines = ["\(imported) links imported, \(unchanged) here already, \(leftCount) rows left out"]
        for (key, count) in sortedWarnings {
            let app = key.app.map { $0.isEmpty ? "other apps: " : "\($0): " } ?? ""
            lines.append(
                "warning: \(key.warning.code.rawValue): \(app)\(count.links) links, the first on line "
                    + "\(count.firstLine): \(key.warning.message)".with(key.warning.remedy))
        }
        if !unreadColumns.isEmpty {
            lines.append(
                "warning: these columns are unknown and were not read: \(unreadColumns.joined(separator: ", "))")
        }
        lines += sortedLeft.map { "line \($0.line): \($0.link): \($0.reason)" }
        lines += unnamed.map { "\($0.rows) more rows: \($0.reason)" }
        return lines
    }

    var json: JSON {
        [
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
            "unreadColumns": .array(unreadColumns.map { .string($0) }),
            "left": .array(
                sortedLeft.map { row in
                    [
                        "line": .int(Int64(row.line)), "link": .string(row.link), "reason": .string(row.reason),
                    ]
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
