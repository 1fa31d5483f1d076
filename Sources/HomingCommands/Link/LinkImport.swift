// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import ArgumentParser
import HomingCore
import HomingDatabase
import HomingLinkRules
import HomingOperations
import HomingStore
import HomingTransfer
import HomingWire

/// `homing link import`: imports the file that Google Takeout exports.
///
/// The file is read twice, a piece at a time: first to check that all of it is well-formed, then to store its links. A
/// transaction stores a thousand links, so that a server goes on serving meanwhile.
struct LinkImport: DatabaseCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Take over short links from a Firebase Takeout CSV.",
        discussion: """
            The links keep their endings. The first row names the columns, in any order; a short link and a deep link there \
            must be, what is unknown is named and not read. A file that is malformed imports nothing; a row that cannot be \
            kept is named with its line and the rest is taken; apps that links name and that are not registered are named \
            first. An ending that leads elsewhere is left alone. Links on *.page.link are Google's and cannot live again; \
            those on a domain of your own do, once the domain points here: homing link-domain add.

            A file may have any size. An import that was cut off has kept a part of the links, each of them whole: run it \
            again, rows that are here already are counted and change nothing.

            EXAMPLE
              homing link import shop links.shop.example.csv
            """)

    @Argument var project: ProjectID
    @Argument(help: "The CSV file; /dev/stdin for what comes through a pipe.") var file: String
    @OptionGroup var format: OutputOptions

    var inputSource: InputSource { .file(file) }

    func run(in homing: Homing, _ output: inout CommandOutput) async throws {
        let project = try homing.projects.existing(project)
        let input = output.input ?? CommandInput([])
        let progress = output.progress
        do {
            try await read(input, "checking", progress) { _ in }
        } catch let fault as TakeoutFault {
            throw Refusal.invalidSetting("\(file) was not imported: \(fault)")
        }
        var report = LinkImportReport()
        do {
            report.unreadColumns = try await read(input, "importing", progress) { rows in
                try await keep(rows, of: project, homing, &report)
            }
        } catch {
            let reason = error is TakeoutFault ? "the file changed meanwhile, \(error)" : Program.line(for: error)
            throw DatabaseFault(
                "\(file) was imported in part (\(report.imported) links; \(reason)): "
                    + "run this again, what is here already is only counted")
        }
        LinkDomainCommand.warn(of: report.domains, in: project.projectID, &output)
        output.answer(format, json: report.json, lines: report.lines)
    }

    /// The number of links in one transaction; others write between two transactions.
    private static let rowsAtOnce = 1000

    /// Passes on all rows, some at a time.
    ///
    /// - Returns: the names of columns that were not read.
    @discardableResult
    private func read(
        _ input: CommandInput, _ task: String, _ progress: ProgressReporter,
        _ take: ([TakeoutRow]) async throws -> Void
    ) async throws -> [String] {
        var reader = TakeoutReader()
        var offset: Int64 = 0
        var count = 0
        while true {
            progress(Progress(task, done: offset, of: input.size, .bytes, detail: "\(count) rows"))
            let piece = try await input.piece(at: offset)
            offset += Int64(piece.count)
            if piece.isEmpty { reader.finish() } else { reader.take(piece) }
            var rows: [TakeoutRow] = []
            while let row = try reader.next() {
                rows.append(row)
                count += 1
                if rows.count == Self.rowsAtOnce {
                    try await take(rows)
                    rows = []
                }
            }
            try await take(rows)
            if piece.isEmpty { return reader.unreadColumns }
        }
    }

    private func keep(
        _ rows: [TakeoutRow], of project: Project, _ homing: Homing, _ report: inout LinkImportReport
    ) async throws {
        var kept: [(row: TakeoutRow, site: LinkSite, link: StoredLink)] = []
        for row in rows {
            do {
                let (site, link) = try await link(row, of: project, homing)
                kept.append((row, site, link))
            } catch let refusal as Refusal where refusal.databaseReason == nil {
                report.leave(row, because: RefusalLine.text(refusal))
            }
        }
        guard !kept.isEmpty else { return }
        let outcomes = try await homing.links.takeOver(kept.map(\.link), in: project, by: .command)
        for (outcome, (row, site, _)) in zip(outcomes, kept) {
            switch outcome {
            case .imported: report.imported += 1
            case .unchanged: report.unchanged += 1
            case .endingTaken:
                report.leave(row, because: "this ending exists already, leads elsewhere and was left alone")
                continue
            }
            report.see(row, at: site)
        }
    }

    /// The link that is stored for a row, or the reason why there is none.
    private func link(
        _ row: TakeoutRow, of project: Project, _ homing: Homing
    ) async throws -> (LinkSite, StoredLink) {
        let url = row.shortLink.contains("://") ? row.shortLink : "https://\(row.shortLink)"
        guard let located = homing.projects.locate(url), located.site.project.scope == project.scope else {
            throw Refusal.notFound(
                url.contains(".page.link/") || url.contains(".app.goo.gl/")
                    ? "the host is Google's and stays dead"
                    : "not on a link domain of \(project.projectID): homing link-domain add")
        }
        guard case .suffix(let suffix) = located.part else { throw Refusal.notFound("this is no short link") }
        try await homing.links.check(row.parameters, by: located.site.rules, of: project)
        let base = located.site.domain.baseURL
        try Links.check(lengthOf: DynamicLinkURL(base: base, parameters: row.parameters).url)
        let now = homing.system.now()
        let link = StoredLink(
            project: project.scope, domain: located.site.domain.text, suffix: suffix, query: row.parameters.query,
            name: row.name.flatMap { StoredLink.isName($0) ? $0 : nil }, isArchived: row.isArchived,
            createdAt: row.createdAtMilliseconds.map { min(Moment(milliseconds: $0), now) } ?? now)
        return (located.site, link)
    }
}
