// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingWire
import Testing

@Suite struct InstallReferrerTests {
    private static let link = "https://shop.example/a?b=c%20d&e=f+g#h"
    private static let campaign = ["utm_source=letter", "utm_campaign=autumn%2026"]

    @Test func `both forms are read, as the store gives them and decoded once more`() throws {
        let alone = InstallReferrer.text(campaign: [], link: Self.link)
        #expect(alone == Self.link)
        let behind = InstallReferrer.text(campaign: Self.campaign, link: Self.link)
        #expect(behind.hasPrefix("utm_source=letter&utm_campaign=autumn%2026&link=https%3A%2F%2Fshop.example"))
        for text in [alone, percentEncoded(alone), behind, percentEncoded(behind)] {
            #expect(InstallReferrer(text)?.link == Self.link, "\(text)")
        }
        let early = "utm_source=letter&link=https://shop.example/a?b=c&d=e&link=f"
        #expect(InstallReferrer(early)?.link == "https://shop.example/a?b=c&d=e&link=f")
        let read = try #require(InstallReferrer(behind))
        #expect(read.campaign.source == "letter")
        #expect(read.campaign.campaign == "autumn 26")
        #expect(read.campaign.medium == nil)
    }

    @Test(arguments: [
        "", "utm_source=google-play&utm_medium=organic", "link=", "link=app%3A%2F%2Fx", "link=%zz", "xlink=https://a",
        "utm_source=a&linked=https://a", "gclid=x", "javascript:alert(1)", "%FF",
    ])
    func `who came from the store itself has no link`(text: String) {
        #expect(InstallReferrer(text) == nil)
    }
}
