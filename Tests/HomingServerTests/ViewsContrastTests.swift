// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
import HomingCore
import HomingPages
import HomingTexts
import Testing

/// Contrast as WCAG 2.2 defines it, computed from the colours that the page's own style sheet names.
@Suite struct ViewsContrastTests {
    private let text = [
        ("ink", "card"), ("ink", "ground"), ("soft", "card"), ("soft", "ground"), ("soft", "glow"), ("ink", "glow"),
        ("accent", "card"), ("accent", "ground"), ("accent", "tint"), ("on", "accent"), ("on", "press"),
        ("good", "card"), ("good", "good-tint"), ("warn", "warn-tint"), ("ink", "warn-tint"), ("bad", "bad-tint"),
        ("bad", "card"),
    ]

    @Test(arguments: [0, 1])
    func `text can be read in the light and in the dark`(scheme: Int) throws {
        let colours = try colours(scheme)
        for (front, back) in text {
            let ratio = contrast(try #require(colours[front]), try #require(colours[back]))
            #expect(ratio >= 4.5, "\(front) on \(back): \(ratio)")
        }
    }

    @Test(arguments: [0, 1])
    func `the edge of a field can be seen in the light and in the dark`(scheme: Int) throws {
        let colours = try colours(scheme)
        let ratio = contrast(try #require(colours["field"]), try #require(colours["card"]))
        #expect(ratio >= 3, "\(ratio)")
    }

    /// The colours of the first (light) or second (dark) `:root`.
    private func colours(_ scheme: Int) throws -> [String: [Double]] {
        let page = ProblemView(reason: .notFound).page(in: PageFrame(appName: nil, language: .english)).utf8Text
        let roots = page.components(separatedBy: ":root{").dropFirst().map { $0.prefix { $0 != "}" } }
            .filter { $0.contains("--ground:") }
        let root = try #require(roots.count == 2 ? roots[scheme] : nil)
        var result: [String: [Double]] = [:]
        for declaration in root.split(separator: ";") {
            let parts = declaration.split(separator: ":")
            guard parts.count == 2, parts[0].hasPrefix("--"), parts[1].hasPrefix("#") else { continue }
            result[String(parts[0].dropFirst(2))] = channels(parts[1].dropFirst())
        }
        return result
    }

    private func channels(_ hex: Substring) -> [Double] {
        let digits = hex.count == 3 ? hex.flatMap { [$0, $0] } : Array(hex)
        let bytes: [Int?] = [0, 2, 4].map { Int(String(digits[$0..<$0 + 2]), radix: 16) }
        return bytes.compactMap { $0 }.map { Double($0) / 255 }
    }

    private func contrast(_ one: [Double], _ other: [Double]) -> Double {
        let luminances = [luminance(one), luminance(other)].sorted()
        return (luminances[1] + 0.05) / (luminances[0] + 0.05)
    }

    private func luminance(_ channels: [Double]) -> Double {
        let linear = channels.map { $0 <= 0.04045 ? $0 / 12.92 : pow(($0 + 0.055) / 1.055, 2.4) }
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    }
}
