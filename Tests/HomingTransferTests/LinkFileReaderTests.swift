// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingTransfer
import HomingWire
import Testing

@Suite struct LinkFileReaderTests {
    private static let names = [
        "Short link", "Deep link", "apn", "afl", "amv", "ibi", "ifl", "ius", "ipfl", "ipbi", "isi", "imv", "efr",
        "ofl", "st", "sd", "si", "utm_source", "utm_medium", "utm_campaign", "utm_term", "utm_content", "at", "ct",
        "mt", "pt", "Archived?", "Link name", "Creation timestamp",
    ]
    private static let header = names.joined(separator: ",")
    private static let numbered = (1...29).map { [13: "true", 27: "false"][$0] ?? "v\($0)" }
    private static let blank = String(repeating: ",", count: 28)

    private func rows(_ text: String) throws(LinkFileFault) -> [LinkFileRow] {
        try rows(Array(text.utf8))
    }

    private func rows(_ bytes: [UInt8], inPiecesOf size: Int = 1 << 18) throws(LinkFileFault) -> [LinkFileRow] {
        var reader = LinkFileReader()
        var rows: [LinkFileRow] = []
        for start in stride(from: 0, to: bytes.count, by: size) {
            reader.take(Array(bytes[start..<min(start + size, bytes.count)]))
            while let row = try reader.next() { rows.append(row) }
        }
        reader.finish()
        while let row = try reader.next() { rows.append(row) }
        return rows
    }

    @Test func `each column belongs to its own field`() throws {
        let row = try #require(try rows("\(Self.header)\r\n\(Self.numbered.joined(separator: ","))\r\n").first)
        #expect(row.shortLink == "v1")
        #expect(
            row.parameters.query == "link=v2&apn=v3&afl=v4&amv=v5&ibi=v6&ifl=v7&ius=v8&ipfl=v9&ipbi=v10&isi=v11"
                + "&imv=v12&efr=1&ofl=v14&st=v15&sd=v16&si=v17&utm_source=v18&utm_medium=v19&utm_campaign=v20"
                + "&utm_term=v21&utm_content=v22&at=v23&ct=v24&mt=v25&pt=v26")
        #expect(!row.isArchived)
        #expect(row.name == "v28")
        #expect(row.createdAt == "v29")
        #expect(row.createdAtMilliseconds == nil)
        #expect(row.line == 2)
    }

    @Test func `quoted fields hold commas, quotes and lines, and rows know where they begin`() throws {
        var fields = Self.numbered
        fields[1] = "\"https://a.test/?q=\"\"x\"\",y\""
        fields[14] = "\"one\r\ntwo\nthree\""
        fields[26] = "\"TRUE\""
        fields[27] = "\"\""
        let text = "\u{FEFF}\(Self.header)\n\(fields.joined(separator: ","))\n\(Self.blank)\r\n\(Self.blank)"
        let rows = try rows(text)
        #expect(rows.map(\.line) == [2, 5, 6])
        #expect(rows[0].parameters.link == "https://a.test/?q=\"x\",y")
        #expect(rows[0].parameters.social.title.map { Array($0.utf8) } == Array("one\r\ntwo\nthree".utf8))
        #expect(rows[0].isArchived)
        #expect(rows[0].name == nil)
        #expect(rows[1].shortLink.isEmpty)
        #expect(rows[1].parameters == DynamicLinkParameters(link: ""))
    }

    @Test(arguments: [
        "Short link,link", "SHORT LINK,LINK", "short_link,deep_link", "\"Short Link\",\"Deep link (link)\"",
        " shortlink,Deeplink",
    ])
    func `the two columns that must be there are known however they are written`(header: String) throws {
        #expect(try rows("\(header)\na,b").map { [$0.shortLink, $0.parameters.link] } == [["a", "b"]])
    }

    @Test func `columns may be in any order, and a missing column is empty`() throws {
        let text = """
            Link name,iTunes ct,Bundle (ibi),Clicks,Archived?,utmSource,androidPackageName,Short link,Deep link,,efr
            n,c,b,9,true,s,p,l,d,x,1
            """
        let row = try #require(try rows(text).first)
        #expect(row.parameters.query == "link=d&apn=p&ibi=b&efr=1&utm_source=s&ct=c")
        #expect(row.shortLink == "l" && row.name == "n" && row.isArchived && row.createdAt.isEmpty)
        var reader = LinkFileReader()
        reader.take(Array(text.utf8))
        _ = try reader.next()
        #expect(reader.unreadColumns == ["Clicks"])
    }

    @Test func `a header that comes again, as where files were put together, is no link`() throws {
        let file = "\(Self.header)\r\n\(Self.numbered.joined(separator: ","))\r\n"
        #expect(try rows(file + file).map(\.line) == [2, 4])
    }

    @Test func `missing columns are named beside the ones that were found, without any code`() {
        let code = String(repeating: "c0De", count: 14)
        let fault = #expect(throws: LinkFileFault.self) {
            try rows("Short link,Deep links,https://a.test/?oobCode=x,\(code)\na,b,c,d")
        }
        let sentence = fault?.description ?? ""
        #expect(
            sentence
                == "line 1: the first row must name the columns \"Short link\" and \"Deep link\" as Google Takeout does, "
                + "\"link\" alone for new links, or those of another service (docs/moving-links.md); it names "
                + "\"Short link\", \"Deep links\", \"a URL\", \"***\"")
    }

    @Test func `the pieces in which a file comes make no difference`() throws {
        var fields = Self.numbered
        fields[1] = "\"é, \"\"x\"\"\r\n\""
        let row = fields.joined(separator: ",")
        let text = Array("\u{FEFF}\(Self.header)\r\n\(row)\r\n\"\"\(Self.blank)\n\(row)".utf8)
        let whole = try rows(text)
        #expect(whole.map(\.line) == [2, 4, 5])
        for size in 1...text.count { #expect(try rows(text, inPiecesOf: size) == whole, "pieces of \(size)") }
        for end in 0..<text.count {
            let (pieces, one) = (
                Result { () throws(LinkFileFault) in try rows(Array(text[..<end]), inPiecesOf: 7) },
                Result { () throws(LinkFileFault) in try rows(Array(text[..<end])) }
            )
            #expect(pieces == one, "the first \(end) bytes")
        }
    }

    @Test(arguments: ["\"a", "a", ",", "\"\n"]) func `a row without an end is not kept`(start: String) {
        var reader = LinkFileReader()
        reader.take(Array("\(Self.header)\n\(start)".utf8))
        let piece = [UInt8](repeating: UInt8(ascii: start.contains(",") ? "," : "a"), count: 1 << 18)
        let fault = #expect(throws: LinkFileFault.self) {
            for _ in 0..<6 {
                reader.take(piece)
                while try reader.next() != nil {}
            }
        }
        #expect(fault?.reason == .longRecord)
        #expect(fault?.line == 2)
    }

    @Test(arguments: [
        ("", LinkFileFault.Reason.empty, 1),
        ("\n\n", .empty, 1),
        ("\nShort link\na", .missingColumns(nil, found: ["Short link"]), 2),
        ("Deep link\na", .missingColumns(nil, found: ["Deep link"]), 1),
        ("PK\u{3}\u{4}\u{14}\u{0}", .workbook, 1),
        ("Short link,link,Deep link", .columnTwice("Deep link"), 1),
        ("Short link,link,Short Link\na,b,c", .columnTwice("Short Link"), 1),
        ("\(header)\n\(blank)\n\(blank),", .columns(found: 30, named: 29), 3),
        ("\(header)\na,b", .columns(found: 2, named: 29), 2),
        ("\(header)\na\"b\(blank)", .strayQuote, 2),
        ("\(header)\n\"a\"b\(blank)", .strayQuote, 2),
        ("\(header)\n\"a\nb\" \(blank)", .strayQuote, 3),
        ("\(header)\n\(blank)\n\"a\n\n\(blank)", .openQuote, 3),
        ("\(header)\n\"a\"\"\(blank)", .openQuote, 2),
        ("\(header)\r\(blank)", .loneCarriageReturn, 1),
        ("\(header)\n\(blank)\r", .loneCarriageReturn, 2),
        ("\(header)\na\u{0}\(blank)", .nul, 2),
        ("\(header)\n,,,,,,,,,,,,maybe,,,,,,,,,,,,,,,,", .flag(column: "efr"), 2),
        ("\(header)\n,,,,,,,,,,,,,,,,,,,,,,,,,,2,,", .flag(column: "Archived?"), 2),
    ])
    func `a malformed file is refused whole and by line`(text: String, reason: LinkFileFault.Reason, line: Int) {
        let fault = #expect(throws: LinkFileFault.self) { try rows(text) }
        #expect(fault?.reason == reason)
        #expect(fault?.line == line)
        #expect(fault?.description.hasPrefix("line \(line): ") == true)
    }

    @Test func `bytes that are not UTF-8 are refused`() {
        let bytes = Array("\(Self.header)\n\(Self.blank)\nx".utf8) + [0xE9] + Array(Self.blank.utf8)
        let fault = #expect(throws: LinkFileFault.self) { try rows(bytes) }
        #expect(fault?.reason == .invalidUTF8)
        #expect(fault?.line == 3)
    }

    @Test(arguments: [
        ("1970-01-01T00:00:00Z", 0), ("2019-05-01T12:34:56Z", 1_556_714_096_000),
        ("2019-05-01T12:34:56.789Z", 1_556_714_096_789), ("2019-05-01 12:34:56.7891234 UTC", 1_556_714_096_789),
        ("2019-05-01T12:34:56.7", 1_556_714_096_700), ("2019-05-01T14:34:56+02:00", 1_556_714_096_000),
        ("2019-05-01T07:04:56-0530", 1_556_714_096_000), ("2019-05-01 12:34", 1_556_714_040_000),
        ("2019-05-01", 1_556_668_800_000), ("2000-02-29T23:59:59Z", 951_868_799_000),
        ("2024-03-01", 1_709_251_200_000), ("2100-03-01", 4_107_542_400_000), ("1556714096", 1_556_714_096_000),
        ("1556714096789", 1_556_714_096_789), ("1556714096789123", 1_556_714_096_789), ("0", 0),
    ])
    func `a creation time is understood in the forms that exports use`(text: String, milliseconds: Int64) throws {
        let row = try #require(try rows("\(Self.header)\n\(Self.blank)\(text)").first)
        #expect(row.createdAtMilliseconds == milliseconds)
        #expect(row.createdAt == text)
    }

    @Test(arguments: [
        "", "yesterday", "2019-13-01", "2019-02-29", "2100-02-29", "1969-12-31", "2019-05-01T24:00:00Z",
        "2019-05-01T12:60:00Z", "2019-05-01T12:34:60Z", "2019-05-01T12:34:56.Z", "2019-05-01T12:34:56Z ", "20190501T1",
        "2019-05-01T12:34:56+2", "-1", "123456789012345678", "2019-5-1", "2019-05-01T",
    ])
    func `a creation time that is not understood stays a text`(text: String) throws {
        let row = try #require(try rows("\(Self.header)\n\(Self.blank)\(text)").first)
        #expect(row.createdAtMilliseconds == nil)
        #expect(row.createdAt == text)
    }

    @Test func `rows that were written with quotes come back`() throws {
        let seed = UInt64.random(in: .min ... .max)
        print("Takeout rows, seed \(seed)")
        var state = seed
        func next(_ count: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % count
        }
        let pieces = ["a", ",", "\"", "\n", "\r\n", "\r", "é", "\u{301}", "%", " ", "=1+1"]
        var refused = 0
        for round in 0..<300 {
            var fields = Self.numbered
            for index in [0, 1, 14, 15, 27] { fields[index] = (0..<next(6)).map { _ in pieces[next(11)] }.joined() }
            let quoted = fields.map { field in
                let doubled = field.unicodeScalars.map { $0 == "\"" ? "\"\"" : String($0) }.joined()
                return "\"\(doubled)\""
            }
            let row = try #require(try rows("\(Self.header)\n\(quoted.joined(separator: ","))").first)
            let read =
                [row.shortLink, row.parameters.link, row.parameters.social.title ?? ""]
                + [row.parameters.social.description ?? "", row.name ?? ""]
            let written = [0, 1, 14, 15, 27].map { fields[$0] }
            #expect(read.map { Array($0.utf8) } == written.map { Array($0.utf8) }, "seed \(seed), round \(round)")
            // Without the quotes the same texts give other rows, or a refusal; never a crash.
            do throws(LinkFileFault) {
                _ = try rows("\(Self.header)\n\(fields.joined(separator: ","))")
            } catch {
                refused += 1
                #expect(error.line >= 2, "seed \(seed), round \(round)")
            }
        }
        #expect(refused > 0)
    }
}
