// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingServer
import HomingTesting
import HomingWire
import Testing

@Suite struct `Callers of the admin listener` {
    private static let lookup = "/identitytoolkit.googleapis.com/v1/projects/shop/accounts:lookup"

    private func status(
        _ server: LiveServer, _ authorization: String?, _ headers: [(String, String)] = []
    ) async throws -> Int {
        let own = authorization.map { [("Authorization", $0)] } ?? []
        return try await server.admin.post(Self.lookup, [], headers: own + headers).status
    }

    @Test func `what answers without a key has a limit of a second, and a back end has none`() async throws {
        var limits = Limits.none
        limits.requestsPerIPSecond = 5
        try await withHoming(limits: limits) { homing in
            let (_, secret) = try await homing.adminKeys.create(name: "ci")
            try await withServer(homing) { server in
                for path in ["/healthz", "/console/sign-in", "/enter", "/favicon.ico", "/healthz"] {
                    #expect(try await server.admin.get(path).status != 429)
                }
                for path in ["/healthz", "/console/sign-in", "/enter"] {
                    let refused = try await server.admin.get(path)
                    #expect(refused.status == 429 && refused.header("Retry-After") == "1")
                }
                let posted = try await server.admin.post(
                    "/console/sign-in", form: [("way", "password"), ("address", "ann@example.com"), ("password", "x")])
                #expect(posted.status == 429)
                for _ in 0..<9 { #expect(try await status(server, "Bearer \(secret)") == 200) }
                #expect(try await server.client.get("/healthz").status == 200, "the listeners count for themselves")
                homing.clock.advance(milliseconds: 1000)
                #expect(try await server.admin.get("/healthz").status == 200)
            }
        }
    }

    @Test func `the clients of a trusted proxy are counted each for themselves`() async throws {
        var limits = Limits.none
        limits.requestsPerIPSecond = 1
        let loopback = try #require(AddressRange(parsing: "127.0.0.0/8"))
        try await withHoming(limits: limits) { homing in
            try await withServer(homing, trustedProxies: [loopback]) { server in
                func status(_ client: String) async throws -> Int {
                    try await server.admin.get("/healthz", headers: [("X-Forwarded-For", client)]).status
                }
                let statuses = [
                    try await status("198.51.100.1"), try await status("198.51.100.1"),
                    try await status("198.51.100.2"),
                ]
                #expect(statuses == [200, 429, 200])
            }
        }
    }
}
