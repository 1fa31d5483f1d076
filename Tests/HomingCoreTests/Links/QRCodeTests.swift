// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingLinkRules
import HomingProjects
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

    /// What a PNG of ours says of its pixels.
    private func head(_ png: [UInt8]) -> (width: Int, depth: UInt8, kind: UInt8) {
        (png[16..<20].reduce(0) { $0 << 8 | Int($1) }, png[24], png[25])
    }

    @Test(arguments: [64, 100, 333, 1_200, 2_048]) func `a picture has the size that was asked for`(size: Int) throws {
        let code = try QRCode("https://go.shop.example/spring", size: size)
        #expect(head(code.png) == (size, 1, 0))
        #expect(code.svg.contains(#" width="\#(size)" height="\#(size)""#))
    }

    @Test func `a size without a pixel for each module, or out of range, is refused with what may be`() throws {
        for size in [-1, 0, 63, 2_049, .max] {
            let refusal = #expect(throws: Refusal.self) { try QRCode("https://go.shop.example/spring", size: size) }
            #expect("\(try #require(refusal))".contains("64 to 2048 pixels"))
        }
        let long = String(repeating: "a", count: 2_331)
        #expect(throws: Refusal.self) { try QRCode(long, size: 184) }
        #expect(try QRCode(long, size: 185).side == 185)
    }

    @Test func `a logo has a finer code around it, and hides less than a tenth`() throws {
        let text = "https://go.shop.example/spring"
        let picture = try QRCode("a logo", size: 64).png
        let (plain, code) = (try QRCode(text), try QRCode(text, logo: QRCode.Logo(picture, mediaType: "image/png")))
        #expect(code.side > plain.side)
        let image = try #require(code.svg.firstMatch(of: /<image x="(\d+)\.5" y="\1\.5" width="(\d+)" height="\2"/))
        let (corner, width) = (try #require(Int(image.1)), try #require(Int(image.2)))
        #expect(2 * corner + width + 1 == code.side, "it is in the middle")
        let modules = code.side - 8
        #expect((width + 1) * (width + 1) * 10 < modules * modules)
        #expect(code.svg.contains("href=\"data:image/png;base64,"))
    }

    @Test func `a PNG shows a logo in its colours, and leaves out one that it cannot draw`() throws {
        let text = "https://go.shop.example/spring"
        let logo = QRCode.Logo(try QRCode("a logo", size: 64).png, mediaType: "image/png")
        let code = try QRCode(text, size: 400, logo: logo)
        #expect(head(code.png) == (400, 8, 2) && !code.isPNGWithoutLogo)
        let drawing = QRCode.Logo(Array("<svg xmlns=\"http://www.w3.org/2000/svg\"/>".utf8), mediaType: "image/svg+xml")
        let other = try QRCode(text, size: 400, logo: drawing)
        #expect(head(other.png) == (400, 1, 0) && other.isPNGWithoutLogo)
        #expect(other.svg.contains("href=\"data:image/svg+xml;base64,"))
    }
}
