// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingWire
import Testing

@Suite struct DynamicLinkFuzzTests {
    @Test func `a written value is read again`() throws {
        let seed = UInt64.random(in: .min ... .max)
        print("long links, seed \(seed)")
        var random = SeededGenerator(seed: seed)
        for round in 0..<2_000 {
            var parameters = DynamicLinkParameters(link: text(using: &random))
            for parameter in DynamicLinkParameter.allCases.dropFirst() where Int.random(in: 0...3, using: &random) == 0
            {
                parameters[parameter] = text(using: &random)
            }
            let link = DynamicLinkURL(base: "https://l.example/app", parameters: parameters)
            #expect(try DynamicLinkURL(parsing: link.url) == link, "seed \(seed), round \(round)")
            #expect(
                try DynamicLinkURL(parsing: link.url).url.utf8.elementsEqual(link.url.utf8),
                "seed \(seed), round \(round)")
            #expect(try DynamicLinkQuery(parsing: link.query).unknown.isEmpty, "seed \(seed), round \(round)")
        }
    }

    @Test func `any query is refused or has one spelling`() throws {
        let seed = UInt64.random(in: .min ... .max)
        print("queries, seed \(seed)")
        var random = SeededGenerator(seed: seed)
        var accepted = 0
        for round in 0..<2_000 {
            let query = (0..<Int.random(in: 0...8, using: &random)).map { _ in piece(using: &random) }
                .joined(separator: "&")
            guard let read = try? DynamicLinkParameters(query: query) else { continue }
            accepted += 1
            #expect(try DynamicLinkParameters(query: read.query) == read, "seed \(seed), round \(round): \(query)")
            let isKnown = DynamicLinkShape.isParsable(
                "https://l.example/?\(query)", customDomains: ["https://l.example"])
            #expect(!isKnown || read.link.lowercased().hasPrefix("http"), "seed \(seed), round \(round): \(query)")
        }
        #expect((1..<2_000).contains(accepted))
    }

    @Test func `no text is a trap for the other readers`() {
        let seed = UInt64.random(in: .min ... .max)
        print("URLs, seed \(seed)")
        var random = SeededGenerator(seed: seed)
        let pieces = [
            "https://", "http:", "//", "a.page.link", "google", "/link", "/", "?", "#", "&", "=", "link=", "%", "%2",
            "\r\n", "\u{301}", "com.app", ":", "app.goo.gl", "deep_link_id=", "i/", "é", "\u{0}", "x",
        ]
        for round in 0..<2_000 {
            let url = (0..<Int.random(in: 0...9, using: &random)).compactMap { _ in pieces.randomElement(using: &random)
            }
            .joined()
            let isShort = DynamicLinkShape.matchesShortLinkFormat(url, customDomains: [url, "https://x"])
            let isParsable = DynamicLinkShape.isParsable(url, customDomains: [url, "https://x"])
            #expect(isParsable || !isShort, "seed \(seed), round \(round)")
            if let link = CustomSchemeLink(parsing: url, schemes: ["com.app", "x"]) {
                #expect(CustomSchemeLink.matches(url), "seed \(seed), round \(round)")
                #expect(CustomSchemeLink(parsing: link.url, schemes: ["COM.APP", "X"]) == link)
            }
        }
    }

    /// One to twelve scalars of every length in UTF-8, those with a meaning in URLs more often; no NUL.
    private func text(using random: inout SeededGenerator) -> String {
        var text = String.UnicodeScalarView()
        let special = Array("%&=?#/+:; \"\r\n\u{301}".unicodeScalars)
        for _ in 0..<Int.random(in: 1...12, using: &random) {
            if Bool.random(using: &random), let scalar = special.randomElement(using: &random) {
                text.append(scalar)
            } else if let scalar = Unicode.Scalar(
                UInt32.random(
                    in: [0x01...0x7F, 0x80...0xFFF, 0x10000...0x10FFFF].randomElement(using: &random) ?? 1...2,
                    using: &random))
            {
                text.append(scalar)
            }
        }
        return text.isEmpty ? "x" : String(text)
    }

    private func piece(using random: inout SeededGenerator) -> String {
        let names = DynamicLinkParameter.allCases.map(\.rawValue) + ["d", "ad", "cid", "_fpb", "x", "", "lin%6B", "%"]
        let values = [
            "", "1", "0", "https://a.test", "https%3A%2F%2Fa.test%2F%3Fq%3D%2525", "a=b", "+", "%41", "é", "%C3",
        ]
        let name = Int.random(in: 0...2, using: &random) == 0 ? "link" : names.randomElement(using: &random) ?? ""
        let value = values.randomElement(using: &random) ?? ""
        return Int.random(in: 0...9, using: &random) == 0 ? name : "\(name)=\(value)"
    }
}
