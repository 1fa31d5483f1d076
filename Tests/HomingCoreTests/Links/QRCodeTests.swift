// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingLinkRules
import HomingStore
import Testing

@Suite struct `QR codes` {
    @Test func `a code has a side of its version's, with four empty modules around`() throws {
        // Version 1 holds 14 bytes at level M (ISO/IEC 18004, table 7), and has 21 modules.
        #expect(try QRCode(String(repeating: "a", count: 14)).side == 21 + 8)
        #expect(try QRCode(String(repeating: "a", count: 15)).side == 25 + 8)
        #expect(try QRCode(String(repeating: "a", count: 2331)).side == 177 + 8)
    }

    @Test func `a text that no code can hold is refused with its length`() throws {
        for text in ["", String(repeating: "a", count: 2332)] {
            let refusal = #expect(throws: Refusal.self) { try QRCode(text) }
            #expect("\(try #require(refusal))".contains("this is \(text.utf8.count)"))
        }
    }

    @Test func `the SVG is one path on white, and nothing of the text is in it`() throws {
        let svg = try QRCode("https://go.shop.example/<script>&\"").svg
        #expect(svg.hasPrefix(#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 "#))
        #expect(svg.split(separator: "<path").count == 3)
        #expect(!svg.contains("script") && !svg.contains("shop.example"))
    }

    @Test func `the PNG names its size, and is small`() throws {
        let code = try QRCode("https://go.shop.example/spring")
        let png = code.png
        #expect(Array(png[0..<8]) == [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
        let width = png[16..<20].reduce(0) { $0 << 8 | Int($1) }
        #expect(width == code.side * 10)
        #expect(png.count < 2_000)
    }
}
