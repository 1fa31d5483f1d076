// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingWire
import Testing

@Suite struct PastedEndingTests {
    @Test(arguments: [
        "spring/", "spring//", "%73pring", "%73%70%72%69%6E%67", "spring%2F", "spring.", "spring%2E", "spring).",
        "spring/).", "spring%22", "spring'", "spring%E2%80%9D", "spring\u{201D}", "spring%E2%80%8B", "sp\u{200B}ring",
        "\u{FEFF}spring", "spring%EF%BB%BF.", "spring%20", "spring\u{3002}", "spring%EF%BC%89", "spring**", "spring,",
        "spring>", "spring%3F", "spring]:", "spring\u{2026}",
    ])
    func `what a text leaves behind an ending is no part of it`(name: String) {
        #expect(PastedEnding.mended(name) == "spring")
    }

    @Test(arguments: [
        "", "/", ".", "..", "%2e%2e", "a/b", "a%2Fb", "index.html", "spring%", "spring%7", "spring%zz", "%2573pring",
        "spring%25", "spring%00", "spring%0A", "spring\n", "spring%09", "spring%7F", "%C1%B3pring", "spring%C0%AF",
        "spring%FF", "spring%E2%80%AE", "spring\u{202E}", "spring%E2%80%8F", "sp%C3%BCring", "\u{212A}ey", "sp ring",
        "sp.ring", "/spring", "(spring", "spring%ED%A0%80", "\u{FF53}pring",
    ])
    func `what two readers could read in two ways is no ending`(name: String) {
        #expect(PastedEnding.mended(name) == nil)
    }

    @Test func `an ending has a greatest length, however it is written`() {
        let longest = String(repeating: "a", count: 100)
        #expect(PastedEnding.mended(longest + "/") == longest)
        #expect(PastedEnding.mended(longest + "a/") == nil)
        #expect(PastedEnding.mended(String(repeating: "%61", count: 100)) == longest)
        #expect(PastedEnding.mended(longest + String(repeating: "/", count: 301)) == nil)
    }

    @Test func `a letter that looks alike is another letter`() {
        // KELVIN SIGN, which Unicode's mapping would turn into a k, and a Cyrillic a.
        #expect(PastedEnding.mended("\u{212A}") == nil)
        #expect(PastedEnding.mended("spr\u{456}ng/") == nil)
    }
}
