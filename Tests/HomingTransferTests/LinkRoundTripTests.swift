// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingLinkRules
import HomingProjects
import HomingShortLinks
import HomingStore
import HomingTesting
import HomingTransfer
import HomingWire
import Testing

@Suite struct `Links that leave and come back` {
    private func fill(_ homing: TestHoming) async throws {
        let shop = try homing.shop
        let domain = try #require(shop.defaultLinkDomain)
        var plain = LinkContent(
            DynamicLinkParameters(link: "https://shop.example/a?b=c,d&e=\"f\""), name: "=Spring, \"May\"")
        plain.parameters.social.title = "Line\none"
        plain.parameters.android.packageName = "com.example.shop"
        plain.parameters.forcesRedirect = true
        var full = LinkContent(DynamicLinkParameters(link: "https://shop.example/b"))
        full.details.tags = ["print", "tv"]
        full.details.startsAt = Moment(milliseconds: 1_577_836_800_000)
        full.details.endsAt = Moment(milliseconds: 1_893_456_000_000)
        full.details.maxClicks = 5
        full.details.afterEnd = "https://shop.example/over"
        full.details.languageLinks = [
            .init(tag: "de", link: "https://shop.example/de"), .init(tag: "pt-BR", link: "https://shop.example/br"),
        ]
        full.details.isOn = false
        let links = [
            ArrivingLink(
                domain: domain, suffix: "plain", content: plain, isArchived: true,
                createdAt: Moment(milliseconds: 1_556_714_096_000), clicks: 42),
            ArrivingLink(domain: domain, suffix: "full", content: full, createdAt: Moment(milliseconds: 0)),
            ArrivingLink(
                domain: domain, suffix: "gone",
                content: LinkContent(DynamicLinkParameters(link: "https://shop.example/c")),
                isDeleted: true),
        ]
        #expect(
            try await homing.links.takeOver(links, in: shop, by: .command) == [.imported, .imported, .imported])
    }

    private func export(_ homing: TestHoming, _ format: LinkFileWriter.Format) async throws -> [UInt8] {
        let writer = LinkFileWriter(format)
        var bytes = writer.beginning
        var count = 0
        var query = LinkQuery()
        query.order = .oldest
        query.includesUnnamed = true
        query.includesArchived = true
        query.includesDeleted = true
        query.pageSize = 1
        repeat {
            let (links, next) = try await homing.links.find(query, in: try homing.shop)
            bytes += try writer.page(links, isFirst: count == 0)
            count += links.count
            query.pageToken = next
        } while query.pageToken != nil
        return bytes + writer.end
    }

    @Test(arguments: [LinkFileWriter.Format.csv, .json], ["'=x", "''=x", "=x", "'x", "'", "-'"])
    func `a title comes back with its own apostrophes`(format: LinkFileWriter.Format, name: String) async throws {
        try await withHoming(linkDomains: ["go.shop.example"]) { homing in
            let domain = try #require(try homing.shop.defaultLinkDomain)
            let site = try #require(try homing.projects.linkSite(on: domain, of: homing.shop))
            _ = try await homing.core.makeLink(
                LinkContent(DynamicLinkParameters(link: "https://shop.example/a"), name: name), at: site,
                ending: .custom("one"), by: .command)
            var reader = LinkFileReader()
            reader.take(try await export(homing, format))
            reader.finish()
            #expect(try reader.next()?.name == name)
        }
    }

    @Test(arguments: [LinkFileWriter.Format.csv, .json])
    func `everything that a link is comes back, and so does who is gone`(format: LinkFileWriter.Format) async throws {
        try await withHoming(linkDomains: ["go.shop.example"]) { homing in
            try await fill(homing)
            var reader = LinkFileReader()
            reader.take(try await export(homing, format))
            reader.finish()
            var rows: [String: LinkFileRow] = [:]
            while let row = try reader.next() { rows[row.shortLink] = row }
            #expect(reader.source == .homing && reader.unreadColumns.isEmpty)
            #expect(reader.columnsNotKept.sorted() == ["updateTime", "version"])
            let (plain, full, gone) = (
                try #require(rows["https://go.shop.example/plain"]), try #require(rows["https://go.shop.example/full"]),
                try #require(rows["https://go.shop.example/gone"])
            )
            #expect(rows.count == 3)
            let stored = try await homing.links.stored(
                "plain", on: try #require(try homing.shop.defaultLinkDomain), of: try homing.shop)
            #expect(plain.parameters.query == stored?.query && plain.name == "=Spring, \"May\"")
            #expect(plain.isArchived && !plain.isOff && !plain.isDeleted && plain.clicks == 42)
            #expect(plain.createdAtMilliseconds == 1_556_714_096_000)
            #expect(full.tags == ["print", "tv"] && full.isOff && full.maxClicks == 5 && full.name == nil)
            #expect(full.startsAt == 1_577_836_800_000 && full.endsAt == 1_893_456_000_000)
            #expect(full.afterEnd == "https://shop.example/over")
            #expect(full.languageLinks.map(\.tag) == ["de", "pt-BR"])
            #expect(full.languageLinks.map(\.link) == ["https://shop.example/de", "https://shop.example/br"])
            #expect(gone.isDeleted && !full.isDeleted && full.notUnderstood.isEmpty && plain.notUnderstood.isEmpty)
        }
    }
}
