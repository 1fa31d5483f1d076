// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import Testing

@Suite struct DeviceTests {
    @Test(arguments: [
        (
            "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 "
                + "Safari/537.36", "Chrome, Windows"
        ),
        (
            "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 "
                + "Safari/537.36 Edg/141.0.0.0", "Edge, Windows"
        ),
        (
            "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 "
                + "Safari/605.1.15", "Safari, Mac / iPad"
        ),
        (
            "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 "
                + "Safari/537.36", "Chrome, Mac"
        ),
        ("Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:144.0) Gecko/20100101 Firefox/144.0", "Firefox, Mac"),
        (
            "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
                + "Version/26.0 Mobile/15E148 Safari/604.1", "Safari, iPhone"
        ),
        (
            "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
                + "CriOS/141.0.7390.41 Mobile/15E148 Safari/604.1", "Chrome, iPhone"
        ),
        (
            "Mozilla/5.0 (iPad; CPU OS 12_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) FxiOS/40.0 "
                + "Mobile/15E148 Safari/605.1.15", "Firefox, iPad"
        ),
        (
            "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/28.0 "
                + "Chrome/130.0.0.0 Mobile Safari/537.36", "Samsung Internet, Android"
        ),
        ("Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0", "Firefox, Linux"),
        (
            "Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 "
                + "Safari/537.36", "Chrome, ChromeOS"
        ),
        ("Dalvik/2.1.0 (Linux; U; Android 15; Pixel 9 Build/AP4A)", "Android"),
        ("FirebaseAuth.iOS/12.4.0 com.example.app/1.2 iPhone/18.6 hw/iPhone17_1", "iPhone"),
    ])
    func `a device is described by browser and system`(userAgent: String, device: String) throws {
        let found = try #require(Device(userAgent: userAgent))
        #expect([found.browser?.rawValue, found.system.rawValue].compactMap(\.self).joined(separator: ", ") == device)
    }

    @Test(arguments: [
        nil, "", "curl/8.5.0", "python-requests/2.32", "node", "Go-http-client/2.0", "Mozilla/5.0",
        "Windows " + String(repeating: "x", count: 1100),
    ])
    func `a header that tells of no device is no device`(userAgent: String?) {
        #expect(Device(userAgent: userAgent) == nil)
    }
}
