// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingTexts
import Testing

@Suite struct BrandColorTests {
    private func color(_ text: String) throws -> BrandColor { try #require(BrandColor(parsing: text)) }

    @Test(arguments: ["", "#fff", "red", "#12345", "#1234567", "#12345g", "123456", "#12345\u{661}", " #123456"])
    func `other spellings are no colour`(text: String) {
        #expect(BrandColor(parsing: text) == nil)
    }

    @Test func `contrast is that of WCAG`() throws {
        #expect(BrandColor.white.contrast(with: .black) == 21)
        // Examples of the WCAG working group's own pages.
        #expect(abs(try color("#777777").contrast(with: .white) - 4.48) < 0.01)
        #expect(abs(try color("#767676").contrast(with: .white) - 4.54) < 0.01)
    }

    @Test func `a colour that can be read is shown as it is`() throws {
        let color = try color("#0A5D45")
        #expect(BrandShades(color).day.accent.text == "#0a5d45")
        #expect(try BrandShades(self.color("#A9B9FF")).night.accent.text == "#a9b9ff")
    }

    @Test func `of any colour there are shades that can be read, by day and in the dark`() throws {
        let seed = UInt64.random(in: .min ... .max)
        print("brand colours, seed \(seed)")
        var state = seed
        let fixed = ["#ffffff", "#000000", "#ffff00", "#ff0000", "#00ff00", "#0000ff", "#808080", "#ffe600"]
        let drawn = (0..<2000).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let digits = String(state >> 40, radix: 16)
            return "#" + String(repeating: "0", count: 6 - digits.count) + digits
        }
        for text in fixed + drawn {
            let color = try color(text)
            let (day, night) = (BrandShades(color).day, BrandShades(color).night)
            let pairs: [(BrandColor, BrandColor)] = [
                (day.accent, .white), (day.on, day.accent), (day.on, day.press), (day.accent, day.tint),
                (day.accent, try self.color("#f4f5f9")), (day.accent, try self.color("#f3f4f8")),
                (try self.color("#525b6d"), day.glow), (try self.color("#161a24"), day.glow),
                (night.accent, try self.color("#171a23")), (night.accent, try self.color("#0e1016")),
                (night.on, night.accent), (night.on, night.press), (night.accent, night.tint),
                (try self.color("#a8b0c2"), night.glow), (try self.color("#eef0f5"), night.glow),
            ]
            for (front, back) in pairs {
                #expect(front.contrast(with: back) >= 4.5, "\(front.text) on \(back.text) for \(text), seed \(seed)")
            }
        }
    }
}
