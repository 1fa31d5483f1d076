// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingLinkRules
import HomingStore
import HomingWire
import Testing

@Suite struct LinkWarningTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let codes: [DynamicLinkWarning.Code]
        var noticed = LinkRules.Findings()
        var fill: @Sendable (inout DynamicLinkParameters) -> Void = { _ in }

        var testDescription: String { codes.map(\.rawValue).joined(separator: " ") }
    }

    @Test(arguments: [
        Case(codes: []),
        Case(codes: []) {
            $0.android.packageName = LinkWorld.packageName
            $0.android.minimumVersion = "12"
            $0.ios.bundleID = LinkWorld.bundleID
            $0.ios.appStoreID = LinkWorld.appStoreID
            $0.ios.customScheme = "shop"
            $0.ios.ipadBundleID = LinkWorld.ipadBundleID
        },
        Case(codes: [.notInProjectAndroidPackageName]) { $0.android.packageName = "example.other" },
        Case(codes: [.notIntegerAndroidPackageMinVersion]) {
            $0.android.packageName = LinkWorld.packageName
            $0.android.minimumVersion = "1.2"
        },
        Case(codes: [.unnecessaryAndroidPackageMinVersion]) { $0.android.minimumVersion = "12" },
        Case(codes: [.unnecessaryAndroidLink]) { $0.android.link = $0.link },
        Case(codes: [.notURIAndroidLink]) { $0.android.link = "tower" },
        Case(codes: [.notURIAndroidLink]) { $0.android.link = "shop://to wer" },
        Case(codes: []) { $0.android.link = "shop://tower" },
        Case(codes: []) { $0.social.imageLink = "https://cdn.elsewhere.example/i.png" },
        Case(codes: [.notURISocialImageLink]) { $0.social.imageLink = "i.png" },
        Case(codes: []) { $0.social.imageLink = "https://cdn.elsewhere.example/i .png" },
        Case(codes: [.notURISocialImageLink]) { $0.social.imageLink = "https://cdn.else where.example/i.png" },
        Case(codes: [.unrecognizedParam]) { $0.android.fallbackLink = "https://evil.example/" },
        Case(codes: [.badURISchemeIOSFallbackLink]) { $0.ios.fallbackLink = "shop://tower" },
        Case(codes: [.unrecognizedParam]) { $0.desktopFallbackLink = "shop://tower" },
        Case(codes: [.badURISchemeSocialImageLink]) { $0.social.imageLink = "data:image/png,x" },
        Case(codes: [.badURISchemeSocialImageLink]) { $0.social.imageLink = "http://shop.example/i.png" },
        Case(codes: [.badURISchemeSocialImageLink]) { $0.social.imageLink = "http://localhost/i.png" },
        Case(codes: [.tooLongParam]) {
            $0.social.imageLink = "https://shop.example/" + String(repeating: "i", count: 2_048)
        },
        Case(codes: [.notInProjectIOSBundleID]) { $0.ios.bundleID = "example.neighbour.ios" },
        Case(codes: [.notInProjectIPadBundleID]) { $0.ios.ipadBundleID = LinkWorld.packageName },
        Case(codes: [.unnecessaryIOSURLScheme]) { $0.ios.customScheme = "shop" },
        Case(codes: [.unrecognizedParam]) {
            $0.ios.bundleID = LinkWorld.bundleID
            $0.ios.customScheme = "other"
        },
        Case(codes: [.unrecognizedParam]) { $0.ios.bundleID = "example.shop.teamless" },
        Case(codes: [.notNumericIOSAppStoreID]) {
            $0.ios.bundleID = LinkWorld.bundleID
            $0.ios.appStoreID = "id123"
        },
        Case(codes: [.unnecessaryIOSAppStoreID]) { $0.ios.appStoreID = LinkWorld.appStoreID },
        Case(codes: [.notMatchingIOSBundleIDAndStoreID]) {
            $0.ios.bundleID = LinkWorld.bundleID
            $0.ios.appStoreID = "1"
        },
        Case(codes: [.badDebugParam, .badAdParam], noticed: .init(malformedFlags: ["d", "ad"])),
        Case(codes: [.deprecatedParam, .unrecognizedParam], noticed: .init(unknown: ["dfl"], deprecated: ["gclid"])),
        Case(codes: [.linkWithFragments], noticed: .init(hasFragment: true)),
    ])
    func `a warning has its code and says what to do`(sample: Case) throws {
        let world = try LinkWorld()
        let link = LinkWorld.link(sample.fill)
        try world.rules.check(link)
        let warnings = world.rules.warnings(link, finding: sample.noticed)
        #expect(warnings.map(\.code) == sample.codes)
        for warning in warnings { #expect(warning.message.utf8.count > 20) }
    }

    @Test func `a name from outside does not break out of the sentence`() throws {
        let name = String(repeating: "x", count: 900) + "\r\n\u{0}"
        let warning = try #require(
            try LinkWorld().rules.warnings(LinkWorld.link(), finding: .init(unknown: [name])).first)
        #expect(warning.message.utf8.count < 200)
        #expect(warning.message.utf8.allSatisfy { (0x20...0x7E).contains($0) })
    }

    @Test func `the findings of the reader of a query are passed on`() throws {
        let query = try DynamicLinkQuery(parsing: "link=https%3A%2F%2Fshop.example&dfl=1&al=https%3A%2F%2Fa&d=2&_x=1")
        let noticed = LinkRules.Findings(query, hasFragment: true)
        #expect(noticed == .init(unknown: ["dfl"], deprecated: ["al"], malformedFlags: ["d"], hasFragment: true))
    }
}
