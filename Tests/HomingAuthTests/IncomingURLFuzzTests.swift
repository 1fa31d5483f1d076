// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
import HomingAuth
import HomingWire
import Testing

@Suite struct IncomingURLFuzzTests {
    /// SplitMix64, so that a seed repeats a failure.
    private struct Chance: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var mixed = state
            mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
            return mixed ^ (mixed >> 31)
        }
    }

    private static let pieces = [
        "%", "%25", "%00", "%0A", "&", "=", "?", "#", "/", "+", " ", "\u{0}", "ü", "\u{301}", "e\u{301}", "\u{10FFFF}",
        "*", "**",
        "__;", "!", "&link=", "&oobCode=x", "&mode=signIn", "&apiKey=k", "?url=", "https://", "deep_link_id=", "%2F",
        "%3", "//",
    ].map { Array($0.utf8) }

    private static func mutate(_ link: String, with other: String, by chance: inout Chance) -> String {
        var bytes = Array(link.utf8)
        for _ in 0...Int.random(in: 0..<3, using: &chance) {
            let index = Int.random(in: 0...bytes.count, using: &chance)
            switch Int.random(in: 0..<7, using: &chance) {
            case 0: bytes.removeSubrange(index...)
            case 1 where index < bytes.count: bytes[index] = UInt8.random(in: .min ... .max, using: &chance)
            case 2: bytes.insert(contentsOf: pieces.randomElement(using: &chance) ?? [], at: index)
            case 3:
                let end = min(bytes.count, index + Int.random(in: 0..<40, using: &chance))
                bytes.removeSubrange(index..<end)
            case 4:
                let end = min(bytes.count, index + Int.random(in: 0..<80, using: &chance))
                bytes.insert(contentsOf: bytes[index..<end], at: Int.random(in: 0...bytes.count, using: &chance))
            case 5: bytes = Array((percentDecoded(String(decoding: bytes, as: UTF8.self)) ?? "").utf8)
            default:
                bytes =
                    Array(bytes[..<index])
                    + Array(other.utf8.suffix(Int.random(in: 0...other.utf8.count, using: &chance)))
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test func `no damage to a link makes it crash or be read as two things`() throws {
        let given = ProcessInfo.processInfo.environment["HOMING_TEST_SEED"].flatMap { UInt64($0) }
        let seed = given ?? UInt64.random(in: .min ... .max)
        print("HOMING_TEST_SEED=\(seed)")
        var chance = Chance(state: seed)
        let auth = try LinkSamples.auth()
        let links =
            [ActionLink.Order.web, .inApp].flatMap { order -> [String] in
                let link = LinkSamples.action(order: order)
                return LinkSamples.forms(of: link) + LinkSamples.scanned(link)
            } + ["https://links.shop.example/Ab12", LinkSamples.dynamic("https://www.shop.example/a?b=c")]
        var read = 0
        for round in 0..<24_000 {
            let other = links[Int.random(in: 0..<links.count, using: &chance)]
            let link = Self.mutate(links[round % links.count], with: other, by: &chance)
            let action = ActionCodeURL(link: link)
            let isOwn = action?.apiKey == LinkSamples.apiKey
            #expect(auth.isSignIn(withEmailLink: link) == (isOwn && action?.operation == .emailLink))
            if let action {
                read += 1
                #expect(
                    action.code?.isEmpty == false && action.apiKey?.isEmpty == false, "HOMING_TEST_SEED=\(seed) \(link)"
                )
                #expect(action.operation != .unknown, "HOMING_TEST_SEED=\(seed) \(link)")
            }
            guard let url = URL(string: link) else { continue }
            let answer = auth.handle(url)
            // Both read alike every URL that Foundation has left unchanged.
            guard url.absoluteString.utf8.elementsEqual(link.utf8) else { continue }
            switch answer {
            case .action(let found):
                #expect(found == action && found.apiKey == LinkSamples.apiKey, "HOMING_TEST_SEED=\(seed) \(link)")
            case .otherProject(let found):
                #expect(found == action && found.apiKey != LinkSamples.apiKey, "HOMING_TEST_SEED=\(seed) \(link)")
            case .damaged, .notOurs, .continueURL, .dynamicLink, .shortLink:
                let isPartOfOurKey = action?.apiKey.map(LinkSamples.apiKey.hasPrefix) ?? true
                #expect(isPartOfOurKey, "HOMING_TEST_SEED=\(seed) \(link)")
            }
        }
        // Otherwise the links were destroyed before the handler read them.
        #expect(read > 1000)
    }
}
