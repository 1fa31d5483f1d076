// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import ArgumentParser
import HomingCore
import HomingDatabase
import HomingLinkRules
import HomingOperations
import HomingProjects
import HomingShortLinks
import HomingStore
import HomingTexts
import HomingTransfer
import HomingWire

/// `homing link import`: takes over the links of a file, with their endings, or makes new ones for a list of targets.
///
/// The file is read twice, a piece at a time: first to check that all of it is well-formed, then to store its links. A
/// transaction stores a thousand links, so that a server goes on serving meanwhile.
struct LinkImport: DatabaseCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Take over short links from a file, or make many at once.",
        discussion: """
            The file is CSV, whose first row names the columns in any order, or JSON: Google Takeout's, what homing link \
            export wrote, or that of Bitly, Short.io, Branch, YOURLS, Shlink, Dub or Kutt. Whose it is shows in its columns; \
            --from says it where it does not. docs/moving-links.md has how each is exported, and what is kept.

            Links keep their endings. A list without endings, with a column "link" and any of title, tags, startsAt, endsAt \
            and the parameters of long links, makes links: the same row gets the same ending again.

            A file that is malformed imports nothing. A row that cannot be kept is named with its line, and the rest is \
            taken; the command then ends with 1 unless --partial is there. --strict imports nothing unless all rows can be \
            kept, and --dry-run only says what would become of them. Apps that links name and that are not registered are \
            named first. An ending that leads elsewhere is left alone. Links on *.page.link, bit.ly and their like are not \
            yours and cannot live again; those on a domain of your own do, once the domain points here: homing link-domain \
            add.

            A file may have any size, be separated by commas, semicolons or tabs, and be in UTF-8 or UTF-16. An import that \
            was cut off has kept a part of the links, each of them whole: run it again, rows that are here already are \
            counted and change nothing.

            EXAMPLE
              homing link import shop links.shop.example.csv --dry-run
              homing link import shop bitly.csv --partial
            """)

    @Argument var project: ProjectID
    @Argument(help: "The file; /dev/stdin for what comes through a pipe.", completion: .file()) var file: String
    @Option(
        help: ArgumentHelp(
            "Whose file it is: \(LinkFileSource.allCases.map(\.rawValue).joined(separator: ", ")).", valueName: "system"
        ))
    var from: LinkFileSource?
    @Option(
        help: "The link domain of rows that name none; the project's default one unless given.",
        completion: .linkDomains)
    var domain: String?
    @Flag(help: "Check all and store nothing.") var dryRun = false
    @Flag(help: "Store nothing unless every row can be kept.") var strict = false
    @Flag(help: "End with 0 although rows were left out.") var partial = false
    @OptionGroup var format: OutputOptions

    func validate() throws {
        if strict, partial { throw ValidationError("--strict and --partial exclude each other") }
    }

    var inputSource: InputSource { .file(file) }

    func run(in homing: Homing, _ output: inout CommandOutput) async throws {
        let project = try homing.projects.existing(project)
        let domain = try domain.map { try LinkCommand.domain($0, of: project) } ?? project.defaultLinkDomain
        let rows = LinkFileRows(homing: homing, project: project, domain: domain)
        let input = output.input ?? CommandInput([])
        let progress = output.progress
        var checked = LinkImportReport()
        do {
            try await read(input, "checking", progress, &checked) { found, report in
                if dryRun || strict { try await rows.take(found, isTrial: true, &report) }
            }
        } catch let fault as LinkFileFault {
            throw Refusal.invalidSetting("\(file) was not imported: \(fault)")
        }
        if dryRun || strict && checked.leftCount > 0 {
            output.answer(format, json: checked.json(isDone: false), lines: checked.lines(isDone: false))
            try judge(checked, isDone: false)
            return
        }
        var report = LinkImportReport()
        do {
            try await read(input, "importing", progress, &report) { found, report in
                try await rows.take(found, isTrial: false, &report)
            }
        } catch {
            let reason = error is LinkFileFault ? "the file changed meanwhile, \(error)" : Program.line(for: error)
            throw DatabaseFault(
                "\(file) was imported in part (\(report.imported) links; \(reason)): "
                    + "run this again, what is here already is only counted")
        }
        LinkDomainCommand.warn(of: report.domains, in: project.projectID, &output)
        output.answer(format, json: report.json(isDone: true), lines: report.lines(isDone: true))
        try judge(report, isDone: true)
    }

    /// Rows that were left out are no success, unless they were expected.
    private func judge(_ report: LinkImportReport, isDone: Bool) throws(Refusal) {
        guard report.leftCount > 0, !partial else { return }
        throw .invalidSetting(
            isDone
                ? "\(Printable.count(report.leftCount, "row")) left out, the others are imported: --partial takes that for "
                    + "success"
                : "nothing was imported: \(Printable.count(report.leftCount, "row")) cannot be kept"
                    + (dryRun ? "" : "; without --strict the others are"))
    }

    /// The number of links in one transaction; others write between two transactions.
    private static let rowsAtOnce = 1000

    /// Passes on all rows, some at a time.
    private func read(
        _ input: CommandInput, _ task: String, _ progress: ProgressReporter, _ report: inout LinkImportReport,
        _ take: ([LinkFileRow], inout LinkImportReport) async throws -> Void
    ) async throws {
        var reader = LinkFileReader(from)
        var offset: Int64 = 0
        var count = 0
        while true {
            progress(Progress(task, done: offset, of: input.size, .bytes, detail: Printable.count(count, "row")))
            let piece = try await input.piece(at: offset)
            offset += Int64(piece.count)
            if piece.isEmpty { reader.finish() } else { reader.take(piece) }
            var rows: [LinkFileRow] = []
            while let row = try reader.next() {
                count += 1
                if !row.isBlank { rows.append(row) }
                if rows.count == Self.rowsAtOnce {
                    try await take(rows, &report)
                    rows = []
                }
            }
            try await take(rows, &report)
            if piece.isEmpty { break }
        }
        report.source = reader.source
        report.unreadColumns = reader.unreadColumns
        report.columnsNotKept = reader.columnsNotKept
    }
}

extension LinkFileSource: ExpressibleByArgument {}

/// Stores the rows of a file, or looks what would become of them.
private struct LinkFileRows {
    let homing: Homing
    let project: Project
    /// The link domain of rows that name none.
    let domain: LinkDomain?

    private struct Kept {
        let row: LinkFileRow
        let site: LinkSite
        let link: ArrivingLink
        /// What of it cannot be kept, in words.
        let left: [String]
    }

    func take(_ rows: [LinkFileRow], isTrial: Bool, _ report: inout LinkImportReport) async throws {
        var kept: [Kept] = []
        for row in rows {
            do {
                let link = try await link(row)
                // In a trial nothing is stored that a later row could find.
                guard !isTrial || report.isFirst(link.link) else {
                    report.leave(row, because: Self.endingTaken)
                    continue
                }
                kept.append(link)
            } catch let refusal as Refusal where refusal.databaseReason == nil {
                report.leave(row, because: RefusalLine.text(refusal), about: Self.host(of: row, in: refusal))
            }
        }
        guard !kept.isEmpty else { return }
        let outcomes = try await homing.links.takeOver(
            kept.map(\.link), in: project, isTrial: isTrial, rules: homing.projects.linkRules(of: project),
            by: .command)
        for (outcome, kept) in zip(outcomes, kept) {
            switch outcome {
            case .imported: report.imported += 1
            case .unchanged: report.unchanged += 1
            case .endingTaken:
                report.leave(kept.row, because: Self.endingTaken)
                continue
            case .leadsToLink:
                report.leave(kept.row, because: "it leads to a short link: name the page that this one leads to")
                continue
            }
            report.see(kept.row, at: kept.site, left: kept.left)
        }
    }

    private static let endingTaken = "this ending exists already, leads elsewhere and was left alone"

    /// The host that a target leads to and the project does not know.
    private static func host(of row: LinkFileRow, in refusal: Refusal) -> String? {
        guard ASCII.areEqual(refusal.wireCode, "UNAUTHORIZED_DOMAIN"),
            let url = try? WebURL(parsing: row.trimmedParameters.link, takesHTTP: true)
        else { return nil }
        return url.host.text
    }

    /// The link that is stored for a row, or the reason why there is none.
    private func link(_ row: LinkFileRow) async throws -> Kept {
        let (site, suffix) = try place(of: row)
        guard !row.hasPassword else {
            throw Refusal.invalidArgument("it has a password, which Homing does not offer: it would lead without one")
        }
        guard !row.parameters.link.utf8.isEmpty else { throw Refusal.invalidArgument("it has no target") }
        var left = row.notUnderstood
        var content = LinkContent(row.trimmedParameters)
        if let name = row.name {
            let line = String(name.map { $0.isNewline ? " " : $0 })
            if StoredLink.isName(line) { content.name = line } else { left.append("the name") }
        }
        let details = details(of: row, &left)
        content.details = details
        do {
            try await homing.links.check(content, ending: suffix, at: site)
        } catch let refusal as Refusal where refusal.databaseReason == nil && details.isSendingElsewhere {
            // Where the link leads is all right, if it is without what only qualifies it.
            content.details.afterEnd = nil
            content.details.languageLinks = []
            guard (try? await homing.links.check(content, ending: suffix, at: site)) != nil else { throw refusal }
            left.append("a target by language or after the end")
        }
        return Kept(
            row: row, site: site,
            link: ArrivingLink(
                domain: site.domain, suffix: suffix, content: content, isArchived: row.isArchived,
                isDeleted: row.isDeleted, createdAt: row.createdAtMilliseconds.map { Moment(milliseconds: $0) },
                clicks: row.clicks, beside: homing.projects.linkDomains(hostKey: site.domain.hostKey)), left: left)
    }

    /// Where the short link of a row is; without a suffix it gets one.
    private func place(of row: LinkFileRow) throws -> (site: LinkSite, suffix: LinkSuffix?) {
        let shortLink = String(ASCII.trimmed(row.shortLink))
        guard shortLink.utf8.isEmpty else {
            let url = shortLink.contains("://") ? shortLink : "https://\(shortLink)"
            guard let located = homing.projects.locate(url), located.site.project.scope == project.scope else {
                throw Refusal.notFound(
                    url.contains(".page.link/") || url.contains(".app.goo.gl/")
                        ? "the host is Google's and stays dead"
                        : "not on a link domain of \(project.projectID): homing link-domain add")
            }
            guard case .suffix(let suffix) = located.part else { throw Refusal.notFound("this is no short link") }
            return (located.site, suffix)
        }
        guard let domain = try row.domain.map({ try LinkCommand.domain($0, of: project) }) ?? domain else {
            throw Refusal.dynamicLinkNotActivated
        }
        let site = try LinkCommand.site(of: domain, in: project, homing)
        return (site, try row.ending.map { try LinkSuffix.custom($0) })
    }

    private func details(of row: LinkFileRow, _ left: inout [String]) -> LinkDetails {
        var details = LinkDetails()
        details.isOn = !row.isOff
        details.setTags(row.tags.filter(LinkDetails.isTag))
        if details.tags.count > LinkDetails.mostTags || row.tags.contains(where: { !LinkDetails.isTag($0) }) {
            details.tags = Array(details.tags.prefix(LinkDetails.mostTags))
            left.append("a tag")
        }
        details.setLanguageLinks(
            row.languageLinks.compactMap { link in
                LanguageTag(parsing: link.tag).map { .init(tag: $0.text, link: link.link) }
            })
        if details.languageLinks.count < row.languageLinks.count { left.append("a target by language") }
        details.startsAt = row.startsAt.map { Moment(milliseconds: $0) }
        details.endsAt = row.endsAt.map { Moment(milliseconds: $0) }
        if let start = details.startsAt, let end = details.endsAt, end <= start {
            details.startsAt = nil
            left.append("the start")
        }
        details.maxClicks = row.maxClicks
        details.afterEnd = row.afterEnd
        return details
    }
}

extension LinkDetails {
    fileprivate var isSendingElsewhere: Bool { afterEnd != nil || !languageLinks.isEmpty }
}
