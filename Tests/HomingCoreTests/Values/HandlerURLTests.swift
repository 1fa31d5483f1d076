// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingStore
import Testing

@Suite struct HandlerURLTests {
    @Test(arguments: [
        "https://any.example/__/auth/action", "https://any.example:8443/act?theme=dark", "http://localhost:3000/act",
        "https://192.0.2.7/act",
    ])
    func `a handler may be on any host`(text: String) throws {
        #expect(try HandlerURL(parsing: text).text == text)
    }

    @Test(arguments: [
        "", "http://any.example/", "javascript:alert(1)", "/act", "https://a@b.example/", "https://any.example/#x",
        "https://evil.example\\@any.example/", "https://any.example/\r\nx", "https://any.example/{0}",
        "https://any.example/act?{0}",
    ])
    func `a text that is no strict web URL is refused with the setting's name`(text: String) {
        let refusal = #expect(throws: Refusal.self) { try HandlerURL(parsing: text) }
        #expect(refusal?.code == .invalidSetting && refusal?.sentence.hasPrefix("callbackUri: ") == true)
    }
}
