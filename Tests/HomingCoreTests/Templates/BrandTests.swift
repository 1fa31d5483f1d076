// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingProjects
import HomingStore
import HomingTesting
import HomingTexts
import Testing

@Suite struct BrandTests {
    /// A PNG of one pixel.
    static let png: [UInt8] = [
        0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 0x0D, 0x49, 0x48, 0x44, 0x52, 0, 0, 0, 1, 0, 0, 0, 1,
        8, 6,
        0, 0, 0, 0x1F, 0x15, 0xC4, 0x89, 0, 0, 0, 0x0D, 0x49, 0x44, 0x41, 0x54, 0x78, 0xDA, 0x63, 0x64, 0xF8, 0xCF,
        0x50,
        0x0F, 0, 3, 0x86, 1, 0x80, 0x5A, 0x34, 0x7D, 0x6B, 0, 0, 0, 0, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82,
    ]

    @Test func `a brand is kept, changed in parts and removed`() async throws {
        try await withHoming { homing in
            try await homing.projects.setBrand(
                BrandChange(
                    logo: Self.png, color: "#FFE600", supportAddress: "Help@Shop.example", postalLine: "1 Main St"),
                of: "shop")
            try await homing.projects.setBrand(BrandChange(postalLine: ""), of: "shop")
            let brand = try homing.shop.brand
            #expect(brand.logo?.format == .png && brand.logo?.size == Logo.Size(width: 1, height: 1))
            #expect(brand.color?.text == "#ffe600" && brand.supportAddress?.text == "help@shop.example")
            #expect(brand.postalLine == nil)
            try await homing.projects.setBrand(.reset, of: "shop")
            #expect(try homing.shop.brand.isEmpty)
            #expect(try await homing.audit.list(project: "shop").count { $0.action == "brand.set" } == 3)
        }
    }

    @Test(arguments: [
        BrandChange(color: "red"), BrandChange(color: "#12345"), BrandChange(supportAddress: "nobody"),
        BrandChange(supportAddress: "a@b.example\r\nBcc: c@d.example"), BrandChange(postalLine: "a\nb"),
        BrandChange(postalLine: "a\u{202E}b"), BrandChange(postalLine: String(repeating: "a", count: 201)),
        BrandChange(logo: Array("GIF89a".utf8)), BrandChange(logo: Array("<html></html>".utf8)),
        BrandChange(logo: Array("<svg xmlns=\"http://www.w3.org/2000/svg\"><script>x</script></svg>".utf8)),
        BrandChange(logo: [0xFF, 0xD8, 0xFF]), BrandChange(logo: Array(repeating: 0x20, count: (64 << 10) + 1)),
        BrandChange(logo: Array(BrandTests.png.dropLast())), BrandChange(logo: BrandTests.png + Array("<script>".utf8)),
        BrandChange(logo: Array(BrandTests.png.prefix(8))),
    ])
    func `what is no brand is refused, and nothing changes`(change: BrandChange) async throws {
        try await withHoming { homing async throws in
            await #expect(throws: Refusal.self) { try await homing.projects.setBrand(change, of: "shop") }
            #expect(try homing.shop.brand.isEmpty)
        }
    }

    @Test func `a PNG with any byte changed is refused, except in its picture's own bytes`() {
        for index in Self.png.indices {
            var bytes = Self.png
            bytes[index] ^= 0x40
            #expect(throws: Refusal.self, "byte \(index)") { try Logo(checking: bytes) }
        }
    }
}
