// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingTesting
import HomingWire
import Testing

@Suite struct DeadLinkTests {
    private func ask(_ server: LiveServer) async throws {
        let answer = try await server.call(
            "accounts:sendOobCode",
            [
                ("requestType", "PASSWORD_RESET"), ("email", "ann@home.example"),
                ("continueUrl", "https://shop.example/back"),
            ])
        #expect(answer.status == 200)
    }

    @Test func `an expired link says so and mails a new one that leads to the same place`() async throws {
        try await withHoming { homing in
            try await homing.account("ann@home.example")
            try await withServer(homing) { server in
                try await ask(server)
                let link = try #require(try await homing.deliver().first?.links.first)
                homing.clock.advance(seconds: 3601)
                let dead = try await server.open(link)
                #expect(dead.status == 410)
                #expect(dead.text.contains("This link has expired"))
                let renew = try #require(dead.form)
                #expect(try await server.client.post(renew.action, form: renew.fields).status == 200)
                let fresh = try #require(try await homing.deliver().first)
                #expect(fresh.recipient == "ann@home.example")
                #expect(fresh.actionLink?.continueURL == "https://shop.example/back")
                let form = try #require(try await server.open(fresh.links.first).form)
                let done = try await server.client.post(form.action, form: form.with("newPassword", "a new one").fields)
                #expect(done.continueHref == "https://shop.example/back")
            }
        }
    }

    @Test func `an older link points to the newer one, and a broken one offers nothing`() async throws {
        try await withHoming { homing in
            try await homing.account("ann@home.example")
            try await withServer(homing) { server in
                try await ask(server)
                let old = try #require(try await homing.deliver().first?.links.first)
                try await ask(server)
                let dead = try await server.open(old)
                #expect(dead.status == 410)
                #expect(dead.text.contains("There is a newer link"))
                let code = try #require(ActionLink(parsing: old)?.code)
                let broken = try await server.open(old.replacing(code, with: String(code.dropLast()) + "."))
                #expect(broken.status == 400)
                #expect(broken.form == nil && broken.continueHref == nil)
            }
        }
    }
}
