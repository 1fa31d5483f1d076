// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingLinkRules
package import HomingShortLinks
import HomingStore
import HomingWire

/// Writes links a page at a time, so that ``LinkFileReader`` reads them back: as the admin API answers them, or as CSV.
package struct LinkFileWriter {
    package enum Format: Sendable {
        case json, csv
    }

    private let format: Format

    package init(_ format: Format) { self.format = format }

    /// What stands before the first link.
    package var beginning: [UInt8] {
        switch format {
        case .json: Array("{\"links\": [".utf8)
        case .csv: Array(CSV.text([Self.columns.map(\.name)]).utf8)
        }
    }

    package func page(_ links: [ListedLink], isFirst: Bool) throws -> [UInt8] {
        guard format == .json else {
            return Array(
                CSV.text(
                    try links.map { link in
                        let record = Self.Record(listed: link, content: try link.link.content())
                        return Self.columns.map { $0.text(record) ?? "" }
                    }
                ).utf8)
        }
        var bytes: [UInt8] = []
        for (index, link) in links.enumerated() {
            bytes += Array((isFirst && index == 0 ? "\n" : ",\n").utf8)
            var record = try LinkRecord.json(link).objectValue ?? JSON.Object()
            // The state says the first that holds.
            if link.link.isArchived { record["archived"] = .bool(true) }
            bytes += JSON.object(record).write(pretty: false)
        }
        return bytes
    }

    /// What stands behind the last link.
    package var end: [UInt8] { format == .json ? Array("\n]}\n".utf8) : [] }

    // MARK: Columns

    private struct Record {
        let listed: ListedLink
        let content: LinkContent
    }

    private struct Column {
        let name: String
        let text: (Record) -> String?
    }

    private static var columns: [Column] {
        [
            Column(name: "shortLink") { $0.listed.url }, Column(name: "link") { $0.content.parameters.link },
            Column(name: "title") { $0.content.name },
            Column(name: "tags") { $0.content.details.tags.joined(separator: ",") },
            Column(name: "state") { $0.listed.state.rawValue },
            Column(name: "clicks") { String($0.listed.clicks) },
            Column(name: "createTime") { $0.listed.link.createdAt.timestamp },
            Column(name: "updateTime") { ($0.listed.link.updatedAt ?? $0.listed.link.createdAt).timestamp },
            Column(name: "version") { String($0.listed.link.version) },
            Column(name: "archived") { String($0.listed.link.isArchived) },
            Column(name: "startsAt") { $0.content.details.startsAt?.timestamp },
            Column(name: "endsAt") { $0.content.details.endsAt?.timestamp },
            Column(name: "maxClicks") { $0.content.details.maxClicks.map { String($0) } },
            Column(name: "afterEnd") { $0.content.details.afterEnd },
            Column(name: "languageLinks") {
                $0.content.details.languageLinks.map { "\($0.tag)=\($0.link)" }.joined(separator: " ")
            },
        ]
            + DynamicLinkParameter.allCases.filter { $0 != .link }.map { parameter in
                Column(name: parameter.rawValue) { $0.content.parameters[parameter] }
            }
    }
}
