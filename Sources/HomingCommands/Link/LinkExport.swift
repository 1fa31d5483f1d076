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
import HomingTransfer
import HomingWire

/// `homing link export`: writes all links of a project, so that `homing link import` takes them back.
struct LinkExport: DatabaseCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Write all links, for a spreadsheet or for homing link import.",
        discussion: """
            Everything is in it: links that apps made, archived, disabled, ended and deleted ones, with their endings, dates, \
            clicks and all parameters. homing link import takes the file back with the endings, the dates of creation and the \
            number of clicks; versions that were replaced, and clicks by day and device, are in no file: homing backup has \
            everything.

            JSON comes back without loss. In CSV a text that a spreadsheet would take for a formula gets an apostrophe, which \
            the import takes away.

            Without a path the links go to standard output, at most \(mostToOutput) of them; a running server writes the \
            file of a path, as its own user.

            EXAMPLE
              homing link export shop --csv > links.csv
              homing link export shop /var/backups/links-$(date +%F).json
            """)

    /// An answer is held in memory.
    static let mostToOutput = 50_000

    @Argument var project: ProjectID
    @Argument(help: "A file that is not there yet; standard output unless given.") var file: String?
    @Flag(help: "Comma-separated values.") var csv = false
    @Flag(help: "JSON, which is what it is without --csv.") var json = false

    func validate() throws {
        if csv, json { throw ValidationError("--json and --csv exclude each other") }
    }

    var work: PostgresDriver.Purpose { file == nil ? .verbs : .maintenance }

    var request: LinkExport {
        var request = self
        request.file = file.map { FilePath.absolute($0) }
        return request
    }

    func run(in homing: Homing, _ output: inout CommandOutput) async throws {
        let project = try homing.projects.existing(project)
        guard let file else {
            var (bytes, count): ([UInt8], Int) = ([], 0)
            try await write(project, homing, output.progress) { piece, links in
                bytes += piece
                count += links
                guard count <= Self.mostToOutput else {
                    throw Refusal.invalidSetting(
                        "there are more than \(Self.mostToOutput) links: give the path of a file to write them to")
                }
            }
            return output.say(whole: String(decoding: bytes, as: UTF8.self))
        }
        guard output.server == nil || file.hasPrefix("/") else {
            throw ValidationError("\(file) is no absolute path: a running server stands in another folder")
        }
        var count = 0
        let size = try await NewFile(path: file).writeBytes { put in
            try await write(project, homing, output.progress) { piece, links in
                try put(piece)
                count += links
            }
        }
        output.say("\(file) holds \(Printable.count(count, "link")) (\(size) bytes)")
    }

    private func write(
        _ project: Project, _ homing: Homing, _ progress: ProgressReporter,
        _ put: ([UInt8], _ links: Int) throws -> Void
    ) async throws {
        let writer = LinkFileWriter(csv ? .csv : .json)
        let counts = try await homing.links.count(project, includingUnnamed: true, includingArchived: true)
        try put(writer.beginning, 0)
        var count = 0
        // In one pass: a link that is deleted meanwhile stands in the file once.
        var query = LinkQuery()
        query.order = .oldest
        query.includesUnnamed = true
        query.includesArchived = true
        query.includesDeleted = true
        query.pageSize = LinkQuery.mostOnPage
        repeat {
            progress(Progress("exporting", done: Int64(count), of: Int64(counts.listed), .items))
            let (links, next) = try await homing.links.find(query, in: project)
            try put(try writer.page(links, isFirst: count == 0), links.count)
            count += links.count
            query.pageToken = next
        } while query.pageToken != nil
        try put(writer.end, 0)
    }
}
