// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import ArgumentParser
import HomingCore
import HomingServer
import HomingWire

/// `homing link import`: moves in with the file that Google Takeout gives out.
struct LinkImport: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Take over short links from a Firebase Takeout CSV.",
        discussion: """
            The links keep their endings. A file that is malformed imports nothing; a row that cannot be kept is named with \
            its line and the rest is taken. Links on *.page.link are Google's and cannot live again; those on a domain of \
            your own do, once the domain points here: homing link-domain add.

            EXAMPLE
              homing link import shop links.shop.example.csv
            """)

    @Argument var project: String
    @Argument(help: "The CSV file, 29 columns.") var file: String
    @OptionGroup var output: OutputOptions

    var inputSource: InputSource { .file(file) }

    private struct Left {
        let line: Int
        let link: String
        let reason: String
    }

    func run(in house: Homing, _ console: inout Console) async throws {
        let project = try house.projects.existing(project)
        let rows: [TakeoutRow]
        do {
            rows = try TakeoutCSV.rows(try await console.input?.whole(atMost: 64 << 20) ?? [])
        } catch let error as TakeoutFault {
            throw Refusal.invalidSetting("\(file) was not imported: \(error)")
        }
        var links: [(row: TakeoutRow, link: StoredLink)] = []
        var left: [Left] = []
        for row in rows {
            do {
                links.append((row, try await link(row, of: project, house)))
            } catch let error as Refusal {
                left.append(Left(line: row.line, link: row.shortLink.printable, reason: RefusalLine.text(error)))
            }
        }
        let taken = try await house.links.takeOver(links.map(\.link))
        for row in taken.map({ links[$0].row }) {
            left.append(
                Left(
                    line: row.line, link: row.shortLink.printable,
                    reason: "this ending exists already and was left alone"))
        }
        left.sort { $0.line < $1.line }
        tell(imported: links.count - taken.count, left, &console)
    }

    /// What is stored for a row, or why it cannot be.
    private func link(_ row: TakeoutRow, of project: Project, _ house: Homing) async throws -> StoredLink {
        let url = row.shortLink.contains("://") ? row.shortLink : "https://\(row.shortLink)"
        guard let located = DynamicLinks.locate(url, house), located.place.project.id == project.id else {
            throw Refusal.notFound(
                url.contains(".page.link/") || url.contains(".app.goo.gl/")
                    ? "the host is Google's and stays dead"
                    : "not on a link domain of \(project.id): homing link-domain add")
        }
        guard case .suffix(let suffix) = located.part else { throw Refusal.notFound("this is no short link") }
        try await DynamicLinks.check(row.parameters, by: located.place.rules, in: house)
        let base = located.place.domain.baseURL
        try DynamicLinks.check(lengthOf: DynamicLinkURL(base: base, parameters: row.parameters).url)
        let now = house.surroundings.now()
        return StoredLink(
            project: project.id, domain: located.place.domain.text, suffix: String(suffix), query: row.parameters.query,
            name: row.name.flatMap { StoredLink.isName($0) ? $0 : nil }, isArchived: row.isArchived,
            createdAt: row.createdAtMilliseconds.map { min(Moment(milliseconds: $0), now) } ?? now)
    }

    private func tell(imported: Int, _ left: [Left], _ console: inout Console) {
        console.answer(
            output,
            json: [
                "imported": .int(Int64(imported)),
                "left": .array(
                    left.map { row in
                        [
                            "line": .int(Int64(row.line)), "link": .string(row.link), "reason": .string(row.reason),
                        ]
                    }),
            ],
            lines: ["\(imported) links imported, \(left.count) rows left out"]
                + left.map { "line \($0.line): \($0.link): \($0.reason)" })
    }
}

extension String {
    /// What may be shown on a terminal, and no more than a line holds.
    fileprivate var printable: String {
        String(decoding: utf8.prefix(300).filter { (0x20...0x7E).contains($0) }, as: UTF8.self)
    }
}
