// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingProjects
import HomingStore
import HomingTesting
import Testing

@Suite struct PageTokenTests {
    @Test func `a page's token is good for its code, step and project for two hours`() async throws {
        try await withHoming { homing in
            let tokens = PageToken(ring: homing.keys.ring)
            let now = homing.clock.now
            let shop = try homing.shop.scope
            let token = tokens.make(step: "apply", code: "c", project: shop, at: now)
            #expect(try tokens.isValid(token, step: "apply", code: "c", project: shop, at: now.adding(seconds: 7199)))
            #expect(
                try !tokens.isValid(token, step: "apply", code: "c", project: shop, at: now.adding(seconds: 7200)))
            #expect(try !tokens.isValid(token, step: "renew", code: "c", project: shop, at: now))
            #expect(try !tokens.isValid(token, step: "apply", code: "d", project: shop, at: now))
            #expect(try !tokens.isValid(token, step: "apply", code: "c", project: "shops", at: now))
            #expect(try !tokens.isValid(token, step: "applyc", code: "", project: shop, at: now))
            for forged in [String(token.dropLast()), token + "A", "", token.lowercased(), String(token.reversed())] {
                #expect(try !tokens.isValid(forged, step: "apply", code: "c", project: shop, at: now))
            }
        }
    }
}
