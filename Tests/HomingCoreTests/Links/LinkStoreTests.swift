// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingLinkRules
import HomingWire
import Testing

@Suite struct `The App Store id of a link` {
    private let apps = [
        RegisteredApp(platform: .android, id: "com.example.shop", sha256: []),
        RegisteredApp(platform: .apple, id: "com.example.shop", teamID: "ABCDE12345", appStoreID: "123456789"),
        RegisteredApp(platform: .apple, id: "com.example.pad", teamID: "ABCDE12345", appStoreID: "987654321"),
        RegisteredApp(platform: .apple, id: "com.example.new", teamID: "ABCDE12345"),
    ]

    private func link(_ app: String?, ipad: String? = nil, store: String? = nil) -> DynamicLinkParameters {
        var parameters = DynamicLinkParameters(link: "https://shop.example/")
        parameters.ios.bundleID = app
        parameters.ios.ipadBundleID = ipad
        parameters.ios.appStoreID = store
        return parameters
    }

    private func store(of link: DynamicLinkParameters, changing before: DynamicLinkParameters? = nil) -> String? {
        var link = link
        link.takeStoreID(of: apps, changing: before)
        return link.ios.appStoreID
    }

    @Test func `a new link takes that of its app, and keeps another that somebody has given`() {
        #expect(store(of: link("com.example.shop")) == "123456789")
        #expect(store(of: link(nil, ipad: "com.example.pad")) == "987654321")
        #expect(store(of: link("com.example.shop", store: "5")) == "5")
        for app in ["com.example.new", "com.example.none", nil] { #expect(store(of: link(app)) == nil) }
    }

    @Test func `a link that changes its app changes the store with it, and otherwise stays as it is`() {
        let before = link("com.example.shop", store: "123456789")
        #expect(store(of: link("com.example.pad", store: "123456789"), changing: before) == "987654321")
        #expect(store(of: link("com.example.new", store: "123456789"), changing: before) == nil)
        #expect(store(of: link(nil, store: "123456789"), changing: before) == nil)
        #expect(store(of: link("com.example.shop"), changing: before) == nil, "somebody has taken it out")
        let other = link("com.example.shop", store: "5")
        #expect(store(of: link("com.example.pad", store: "5"), changing: other) == "5")
        #expect(store(of: link("com.example.pad"), changing: link("com.example.shop")) == "987654321")
        #expect(store(of: link("com.example.shop"), changing: link("com.example.shop")) == nil)
    }
}
