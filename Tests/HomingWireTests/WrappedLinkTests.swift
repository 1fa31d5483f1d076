// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingWire
import Testing

@Suite struct WrappedLinkTests {
    private let link = "https://p.example/a?apiKey=k&continueUrl=https%3A%2F%2Fx.test"
    private let encoded = "https%3A%2F%2Fp.example%2Fa%3FapiKey%3Dk%26continueUrl%3Dhttps%253A%252F%252Fx.test"

    @Test func `the inner link is encoded whole and once`() {
        #expect(
            WrappedLink.authLink(link, base: "https://links.example")
                == "https://links.example/__/auth/links?link=\(encoded)")
        #expect(
            WrappedLink.authLink(link, base: "http://localhost:8080/prefix")
                == "http://localhost:8080/prefix/__/auth/links?link=\(encoded)")
    }

    @Test func `a dynamic link names both apps in a fixed order`() {
        let apps = WrappedLink.Apps(
            androidPackageName: "com.example.android", androidMinimumVersion: "12", iosBundleID: "com.example.ios")
        #expect(
            WrappedLink.dynamicLink(link, base: "https://example.page.link", apps: apps)
                == "https://example.page.link/?link=\(encoded)&apn=com.example.android&amv=12&ibi=com.example.ios"
                + "&ifl=\(encoded)&afl=\(encoded)")
    }

    @Test func `an app that is to be installed has no Android fallback`() {
        let apps = WrappedLink.Apps(androidPackageName: "com.example.android", installsAndroidApp: true)
        #expect(
            WrappedLink.dynamicLink(link, base: "https://example.page.link", apps: apps)
                == "https://example.page.link/?link=\(encoded)&apn=com.example.android")
    }

    @Test func `absent values are left out and given ones are encoded`() {
        #expect(
            WrappedLink.dynamicLink(link, base: "https://l.example", apps: .init())
                == "https://l.example/?link=\(encoded)")
        #expect(
            WrappedLink.dynamicLink(link, base: "https://l.example", apps: .init(iosBundleID: "a&isi=1"))
                == "https://l.example/?link=\(encoded)&ibi=a%26isi%3D1&ifl=\(encoded)")
    }
}
