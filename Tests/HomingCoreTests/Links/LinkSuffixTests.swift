// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingLinkRules
import HomingStore
import Testing

@Suite struct LinkSuffixTests {
    @Test func `96 bits are 17 characters`() {
        #expect(LinkSuffix.unguessable(from: .init(repeating: 0, count: 12)) == "00000000000000000")
        #expect(LinkSuffix.unguessable(from: .init(repeating: 0, count: 11) + [61]) == "0000000000000000z")
        #expect(LinkSuffix.unguessable(from: .init(repeating: 0, count: 11) + [62]) == "00000000000000010")
        // 2^96 - 1 by long division.
        #expect(LinkSuffix.unguessable(from: .init(repeating: 255, count: 12)) == "1f2SI9UJPXvb7vdJ1")
    }

    @Test func `bits beyond the 96th change nothing and each of the 96 does`() {
        let bytes = [UInt8](repeating: 0x5A, count: 12)
        let suffix = LinkSuffix.unguessable(from: bytes)
        #expect(LinkSuffix.unguessable(from: bytes + [1, 2, 3]) == suffix)
        var others: Set<LinkSuffix> = [suffix]
        for bit in 0..<96 {
            var changed = bytes
            changed[bit / 8] ^= 1 << (bit % 8)
            others.insert(LinkSuffix.unguessable(from: changed))
        }
        #expect(others.count == 97)
    }

    @Test func `a short suffix has the length that was asked for`() {
        #expect(LinkSuffix.short(length: 4, from: .init(repeating: 0, count: 16)) == "0000")
        #expect(LinkSuffix.short(length: 4, from: .init(repeating: 0, count: 15) + [61]) == "000z")
        var random = SystemRandomNumberGenerator()
        for length in 1...16 {
            let suffix = LinkSuffix.short(length: length, from: (0..<16).map { _ in random.next() })
            #expect(suffix.text.utf8.count == length)
            #expect(LinkSuffix.isWellFormed(suffix.text[...]))
        }
    }

    @Test func `every character comes about as often as any other`() {
        var state: UInt64 = 1
        var counts: [Character: Int] = [:]
        for _ in 0..<8_000 {
            let bytes = (0..<16).map { _ -> UInt8 in
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return UInt8(truncatingIfNeeded: state >> 56)
            }
            for character in LinkSuffix.short(length: 4, from: bytes).text { counts[character, default: 0] += 1 }
        }
        #expect(counts.count == 62)
        // 516 on average; six standard deviations are 135.
        #expect(counts.values.allSatisfy { (380...652).contains($0) })
    }

    @Test(arguments: ["readyz", "healthz"])
    func `digits that spell one of the server's paths are passed over`(path: String) {
        let alphabet = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)
        let number = path.utf8.reduce(UInt128(0)) { $0 * 62 + UInt128(alphabet.firstIndex(of: $1) ?? 0) }
        let bytes = (0..<16).map { UInt8(truncatingIfNeeded: number >> (120 - $0 * 8)) }
        let length = path.utf8.count
        #expect(LinkSuffix.short(length: length, from: bytes) == LinkSuffix(String(repeating: "0", count: length)))
        #expect(LinkSuffix.short(length: length + 1, from: bytes) == LinkSuffix("0\(path)"))
    }

    @Test(arguments: ["a", "0", "-", "a_b-C", "__a", "i", "app", String(repeating: "x", count: 100)])
    func `an operator may choose letters, digits, hyphens and underscores`(text: String) throws {
        #expect(try LinkSuffix.custom(text).text == text)
        #expect(LinkSuffix.isWellFormed(text[...]))
    }

    @Test(arguments: [
        "", " ", "a b", "a/b", "a.b", "a%20", "ä", "a\u{301}", "a\n", "a\r\n", "..", "\u{212A}", "a?b", "~",
        String(repeating: "x", count: 101), "_", "__", "v1", "V2", "healthz", "READYZ", "Apple-App-Site-Association",
    ])
    func `nothing else is a suffix`(text: String) {
        #expect(!LinkSuffix.isWellFormed(text[...]))
        let refusal = #expect(throws: Refusal.self) { try LinkSuffix.custom(text) }
        #expect(refusal?.code == .invalidArgument && (refusal?.sentence.utf8.count ?? 0) > 20)
    }

    @Test func `these are the server's own first segments`() {
        #expect(
            OwnPath.reservedSegments.sorted() == [
                ".well-known", "_", "__", "apple-app-site-association", "favicon.ico",
                "firebasedynamiclinks.googleapis.com", "healthz", "identitytoolkit.googleapis.com", "readyz",
                "robots.txt", "securetoken.googleapis.com", "v1", "v2", "www.googleapis.com",
            ])
    }

    @Test(arguments: OwnPath.reservedSegments)
    func `the server's own paths are no prefixes and no suffixes`(segment: String) {
        #expect(throws: Refusal.self) { try LinkDomain(parsing: "links.example/\(segment.uppercased())") }
        #expect(OwnPath.reserves(segment.uppercased()[...]))
        #expect(!OwnPath.reserves("\(segment)x"))
        #expect(!LinkSuffix.isWellFormed(segment[...]))
    }
}
