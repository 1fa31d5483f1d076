// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingLinkRules
import Testing

@Suite struct LinkTargetKeyTests {
    @Test func `targets that people take for the same one have the same key`() {
        for (target, key) in [
            ("https://www.shop.example/shoes/?utm_source=letter&size=4&gclid=x", "shop.example/shoes?size=4"),
            ("http://SHOP.example:80/shoes?size=4", "shop.example/shoes?size=4"),
            ("https://shop.example:8443/", "shop.example:8443"), ("https://shop.example:443", "shop.example"),
            ("https://shop.example:/a", "shop.example/a"), ("shop.example/a#reviews", "shop.example/a"),
            ("  https://shop.example/a%2fb%7e ", "shop.example/a%2Fb~"),
            ("https://zürich.example/größe x", "xn--zrich-kva.example/gr%C3%B6%C3%9Fe%20x"),
            ("https://zürich.example/gr%c3%b6%c3%9fe%20x", "xn--zrich-kva.example/gr%C3%B6%C3%9Fe%20x"),
            ("https://app.shop.example/#/shoes", "app.shop.example#/shoes"),
            ("https://ann:secret@shop.example/", "shop.example"), ("https://[::1]:8080/a", "[::1]:8080/a"),
            ("https://shop.example/?&&fbclid=1", "shop.example"), ("myapp://cart/1/", "cart/1"),
            ("https://shop.example/A?B=%", "shop.example/A?B=%"), ("", ""), ("www", "www"),
        ] { #expect(LinkTargetKey(target).text == key, "\(target)") }
    }

    @Test func `a key has its limit, and an end behind all that begin with it`() {
        let key = LinkTargetKey("https://shop.example/" + String(repeating: "ä", count: 500))
        #expect(key.text.utf8.count == LinkTargetKey.longest)
        #expect(key.text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F })
        let shop = LinkTargetKey("https://shop.example/")
        #expect(shop.text < "shop.example/~" && "shop.example/~" < shop.end && shop.end < "shop.examplf")
    }
}
