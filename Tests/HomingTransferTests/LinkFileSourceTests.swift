// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingTransfer
import HomingWire
import Testing

/// What the files of other systems say of a link.
@Suite struct LinkFileSourceTests {
    private func read(
        _ text: String, from source: LinkFileSource? = nil
    ) throws(LinkFileFault) -> (rows: [LinkFileRow], reader: LinkFileReader) {
        try read(Array(text.utf8), from: source)
    }

    private func read(
        _ bytes: [UInt8], from source: LinkFileSource? = nil
    ) throws(LinkFileFault) -> (rows: [LinkFileRow], reader: LinkFileReader) {
        var reader = LinkFileReader(source)
        var rows: [LinkFileRow] = []
        reader.take(bytes)
        while let row = try reader.next() { rows.append(row) }
        reader.finish()
        while let row = try reader.next() { rows.append(row) }
        return (rows, reader)
    }

    private static let created: Int64 = 1_556_714_096_000

    @Test func `Bitly's custom link is the one that people have`() throws {
        let (rows, reader) = try read(
            """
            Link,Custom Link,Destination URL,Title,Tags,Created,Total Clicks,Campaign
            go.example/3xYz,https://go.example/spring,https://shop.example/a,Spring,"print,tv",2019-05-01T12:34:56+0000,7,C
            https://go.example/4aBc,,https://shop.example/b,,,,,
            """)
        #expect(reader.source == .bitly && reader.columnsNotKept == ["Campaign"] && reader.unreadColumns.isEmpty)
        #expect(rows.map(\.shortLink) == ["https://go.example/spring", "https://go.example/4aBc"])
        #expect(rows[0].parameters.query == DynamicLinkParameters(link: "https://shop.example/a").query)
        #expect(rows[0].name == "Spring" && rows[0].tags == ["print", "tv"] && rows[0].clicks == 7)
        #expect(rows[0].createdAtMilliseconds == Self.created)
        #expect(rows[1].name == nil && rows[1].tags.isEmpty && rows[1].clicks == 0 && rows[1].notUnderstood.isEmpty)
    }

    @Test func `Bitly's API says the same`() throws {
        let (rows, reader) = try read(
            """
            {"links": [
              {"id": "go.example/3xYz", "link": "https://go.example/3xYz", "long_url": "https://shop.example/a", "title": "Spring",
               "custom_bitlinks": ["https://go.example/spring"], "archived": true, "tags": ["print", "tv"],
               "created_at": "2019-05-01T12:34:56+0000", "references": {"group": "https://api.example"}, "deeplinks": []}
            ], "pagination": {"total": 1}}
            """)
        #expect(reader.source == .bitly && reader.columnsNotKept.isEmpty)
        let row = try #require(rows.first)
        #expect(rows.count == 1 && row.line == 2)
        #expect(row.shortLink == "https://go.example/spring" && row.parameters.link == "https://shop.example/a")
        #expect(row.isArchived && row.tags == ["print", "tv"] && row.createdAtMilliseconds == Self.created)
    }

    @Test func `Short.io's ends, fallbacks and passwords are understood`() throws {
        let (rows, reader) = try read(
            """
            originalURL;path;shortURL;secureShortURL;title;createdAt;expiresAt;expiredURL;clicksLimit;iphoneURL;password;cloaking
            https://shop.example/a;spring;http://go.example/spring;https://go.example/spring;Spring;1556714096000;\
            2030-01-01T00:00:00.000Z;https://shop.example/over;10;https://shop.example/ios;;false
            https://shop.example/b;b;http://go.example/b;https://go.example/b;;;;;;;secret;
            """)
        #expect(reader.source == .shortIO && reader.columnsNotKept == ["cloaking"])
        #expect(rows[0].shortLink == "https://go.example/spring" && rows[0].ending == "spring")
        #expect(rows[0].parameters.ios.fallbackLink == "https://shop.example/ios")
        #expect(rows[0].endsAt == 1_893_456_000_000 && rows[0].maxClicks == 10)
        #expect(rows[0].afterEnd == "https://shop.example/over" && !rows[0].hasPassword)
        #expect(rows[1].hasPassword && rows[1].maxClicks == nil && rows[1].endsAt == nil)
    }

    @Test func `Branch's link leads to its page, else to what it falls back to`() throws {
        let (rows, reader) = try read(
            """
            [{"url": "https://go.example/spring", "alias": "spring", "channel": "mail", "feature": "letter", "campaign": "May",
              "tags": ["print"], "type": 2,
              "data": {"$marketing_title": "Spring", "$canonical_url": "https://shop.example/a",
                       "$desktop_url": "https://shop.example/d", "$ios_url": "https://shop.example/i", "$og_title": "T",
                       "$deeplink_path": "cart/7", "own": 7}},
             {"url": "https://go.example/two", "data": {"$fallback_url": "https://shop.example/f"}},
             {"url": "https://go.example/three", "data": {"$desktop_url": "https://shop.example/d"}}]
            """)
        #expect(reader.source == .branch)
        #expect(reader.columnsNotKept == ["$deeplink_path"] && reader.unreadColumns == ["own"])
        #expect(
            rows.map(\.parameters.link) == [
                "https://shop.example/a", "https://shop.example/f", "https://shop.example/d",
            ])
        let row = try #require(rows.first)
        #expect(row.name == "Spring" && row.tags == ["print"] && row.shortLink == "https://go.example/spring")
        #expect(row.parameters.desktopFallbackLink == "https://shop.example/d")
        #expect(row.parameters.ios.fallbackLink == "https://shop.example/i" && row.parameters.social.title == "T")
        #expect(row.parameters.campaign.source == "mail" && row.parameters.campaign.campaign == "May")
    }

    @Test func `YOURLS has keywords, and no domain`() throws {
        let (rows, reader) = try read(
            "keyword\turl\ttitle\ttimestamp\tip\tclicks\r\nspring\thttps://shop.example/a\tSpring\t2019-05-01 12:34:56\t::1\t42\r\n\r\n"
        )
        #expect(reader.source == .yourls && reader.columnsNotKept == ["ip"] && rows.count == 1)
        #expect(rows[0].shortLink.isEmpty && rows[0].ending == "spring" && rows[0].clicks == 42)
        #expect(rows[0].createdAtMilliseconds == Self.created)
    }

    @Test func `Shlink separates tags by a stroke, and counts people apart`() throws {
        let (csv, reader) = try read(
            """
            createdAt,title,shortUrl,domain,shortCode,longUrl,tags,visits
            2019-05-01T12:34:56Z,Spring,https://go.example/spring,,spring,https://shop.example/a,print|tv,9
            """)
        #expect(reader.source == .shlink && csv[0].tags == ["print", "tv"] && csv[0].clicks == 9)
        let (json, other) = try read(
            """
            [{"shortCode": "spring", "shortUrl": "https://go.example/spring", "longUrl": "https://shop.example/a",
              "dateCreated": "2019-05-01T12:34:56+00:00", "tags": ["print"], "title": null, "crawlable": false,
              "meta": {"validSince": "2020-01-01T00:00:00+00:00", "validUntil": null, "maxVisits": 5}, "domain": null,
              "visitsSummary": {"total": 9, "nonBots": 7, "bots": 2}, "hasRedirectRules": false}]
            """)
        #expect(other.source == .shlink && other.unreadColumns.isEmpty)
        #expect(json[0].clicks == 7 && json[0].maxClicks == 5 && json[0].startsAt == 1_577_836_800_000)
        #expect(json[0].endsAt == nil && json[0].name == nil && json[0].createdAtMilliseconds == Self.created)
    }

    @Test func `Dub's export and its API are the same links`() throws {
        let (csv, reader) = try read(
            """
            Short link,Destination URL,Clicks,Created at,Tags,Archived
            https://go.example/spring,https://shop.example/a,3,2019-05-01T12:34:56.000Z,"print, tv",true
            """)
        #expect(reader.source == .dub || reader.source == .homing)
        #expect(csv[0].tags == ["print", "tv"] && csv[0].isArchived && csv[0].clicks == 3)
        let (json, other) = try read(
            """
            [{"id": "l_1", "domain": "go.example", "key": "spring", "url": "https://shop.example/a", "archived": false,
              "expiresAt": "2030-01-01T00:00:00.000Z", "expiredUrl": "https://shop.example/over", "password": "x",
              "title": "Spring", "ios": "https://shop.example/i", "geo": {"DE": "https://shop.example/de"}, "clicks": 3,
              "shortLink": "https://go.example/spring", "tags": [{"id": "t", "name": "print", "color": "red"}]}]
            """)
        #expect(other.source == .dub && other.columnsNotKept == ["geo"] && other.unreadColumns.isEmpty)
        #expect(json[0].tags == ["print"] && json[0].hasPassword && json[0].ending == "spring")
        #expect(json[0].parameters.ios.fallbackLink == "https://shop.example/i" && json[0].endsAt == 1_893_456_000_000)
    }

    @Test func `Kutt's link is the short one, and its target the long one`() throws {
        let (rows, reader) = try read(
            """
            {"limit": 10, "skip": 0, "total": 2, "data": [
              {"id": "1", "address": "spring", "target": "https://shop.example/a", "link": "https://go.example/spring",
               "description": "Spring", "visit_count": 4, "created_at": "2019-05-01T12:34:56.000Z", "banned": false,
               "password": false, "domain": null, "expire_in": "2030-01-01T00:00:00.000Z"},
              {"id": "2", "address": "b", "target": "https://shop.example/b", "link": "https://go.example/b", "banned": true,
               "password": true}]}
            """)
        #expect(reader.source == .kutt && reader.unreadColumns.isEmpty)
        #expect(rows[0].shortLink == "https://go.example/spring" && rows[0].parameters.link == "https://shop.example/a")
        #expect(rows[0].clicks == 4 && !rows[0].isOff && !rows[0].hasPassword && rows[0].endsAt == 1_893_456_000_000)
        #expect(rows[1].isOff && rows[1].hasPassword)
    }

    @Test(arguments: [
        "link\nhttps://shop.example/a\n\n", "sep=;\nurl;title\nhttps://shop.example/a;\n",
        "Destination URL\tOwner\nhttps://shop.example/a\tada", "\n\nTARGET\nhttps://shop.example/a",
    ])
    func `a list of targets needs no ending`(text: String) throws {
        let (rows, reader) = try read(text)
        #expect(rows.map(\.trimmedParameters.link) == ["https://shop.example/a"])
        #expect(rows[0].shortLink.isEmpty && rows[0].ending == nil && reader.source == .homing)
    }

    @Test func `a spreadsheet's UTF-16 is read, and its workbook is named`() throws {
        let text = "link;title\r\nhttps://shop.example/ü;Grün\r\n"
        let little: [UInt8] = text.utf16.flatMap { unit in [UInt8(unit & 0xFF), UInt8(unit >> 8)] }
        let big: [UInt8] = text.utf16.flatMap { unit in [UInt8(unit >> 8), UInt8(unit & 0xFF)] }
        let mark: [UInt8] = [0xFF, 0xFE]
        for bytes in [mark + little, big] {
            let (rows, _) = try read(bytes)
            #expect(rows.map(\.name) == ["Grün"] && rows[0].parameters.link == "https://shop.example/%C3%BC")
        }
        let workbook: [UInt8] = [0x50, 0x4B, 0x03, 0x04, 0x14, 0x00, 0x06, 0x00]
        let fault = #expect(throws: LinkFileFault.self) { try read(workbook) }
        #expect(fault?.description.contains("Excel workbook") == true)
    }

    @Test func `a file is read as the system's that was named, or its columns are asked for`() throws {
        #expect(try read("url,keyword\nhttps://shop.example/a,b", from: .yourls).rows[0].ending == "b")
        let fault = #expect(throws: LinkFileFault.self) { try read("url,title\nhttps://shop.example/a,b", from: .kutt) }
        let sentence = fault?.description ?? ""
        #expect(
            sentence.contains("\"link\"") && sentence.contains("\"target\"") && sentence.contains("kutt"), "\(sentence)"
        )
    }

    @Test(arguments: ["[1]", "{\"links\": [{]}", "{\"users\": []}", "[", "{}"])
    func `JSON that is none, or has no links, is refused`(text: String) {
        #expect(throws: LinkFileFault.self) { try read(text) }
    }

    @Test(arguments: ["9223372036854775807", "1000000000001"])
    func `a number of clicks that no link has is left out and said`(clicks: String) throws {
        let text = "link,clicks,maxClicks\nhttps://shop.example/a,\(clicks),\(clicks)"
        let row = try #require(try read(text).rows.first)
        #expect(row.clicks == 0 && row.maxClicks == nil && row.notUnderstood.count == 2)
        let greatest = try #require(try read("link,clicks\nhttps://shop.example/a,1000000000000").rows.first)
        #expect(greatest.clicks == 1_000_000_000_000 && greatest.notUnderstood.isEmpty)
    }

    @Test func `a value that cannot be understood is said, and its link is there`() throws {
        let row = try #require(
            try read("link,endsAt,maxClicks,clicks,createdAt\nhttps://shop.example/a,soon,many,1.5,May").rows.first)
        #expect(row.notUnderstood.count == 4 && row.endsAt == nil && row.maxClicks == nil && row.clicks == 0)
        #expect(row.parameters.link == "https://shop.example/a")
    }
}
