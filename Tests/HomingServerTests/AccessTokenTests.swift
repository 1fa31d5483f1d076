// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingDatabase
import HomingProjects
import HomingServer
import HomingStore
import HomingTesting
import HomingWire
import Testing

/// A service account's file is enough for a back end: it gets tokens for an hour by itself (RFC 7523).
@Suite struct `Access tokens of service accounts` {
    private static let lookup = "/identitytoolkit.googleapis.com/v1/projects/shop/accounts:lookup"
    private static let google = "https://oauth2.googleapis.com/token"
    private static let grant = "urn:ietf:params:oauth:grant-type:jwt-bearer"

    private func file(_ homing: TestHoming, opensAdmin: Bool = true) async throws -> ServiceAccountFile {
        try ServiceAccountFile(
            try await homing.accounts.serviceAccounts.create(
                named: "Back end", in: homing.shop, opensAdmin: opensAdmin, by: .command))
    }

    /// The claims of an assertion; nil leaves a claim out.
    private func claims(
        _ file: ServiceAccountFile, _ homing: TestHoming, audience: String = google, changing: [String: JSON?] = [:]
    ) -> JSON {
        let now = homing.core.system.now().seconds
        var claims: [String: JSON?] = [
            "iss": .string(file.email), "aud": .string(audience), "iat": .int(now), "exp": .int(now + 3600),
        ]
        claims.merge(changing) { $1 }
        return .object(
            JSON.Object(claims.sorted { $0.key < $1.key }.compactMap { name, value in value.map { (name, $0) } }))
    }

    private func ask(
        _ server: LiveServer, _ assertion: String, at path: String = "/token", grant: String = grant
    ) async throws -> RESTAnswer {
        try await server.admin.post(path, form: [("grant_type", grant), ("assertion", assertion)])
    }

    private func status(_ server: LiveServer, _ token: String, _ path: String = lookup) async throws -> Int {
        try await server.admin.post(path, [], headers: [("Authorization", "Bearer \(token)")]).status
    }

    @Test func `what the file signs becomes a token of an hour for its project alone`() async throws {
        try await withHoming { homing in
            _ = try await homing.projects.create(
                id: "cafe", name: "Café", apiKey: nil, authorizedDomains: [], linkDomains: [], language: nil)
            let file = try await file(homing)
            try await withServer(homing) { server async throws in
                let own = "http://\(server.admin.host)/token"
                for (path, audience) in [
                    ("/token", own), ("/token", Self.google), ("/oauth2.googleapis.com/token", Self.google),
                ] {
                    let answer = try await ask(
                        server, try file.signed(claims(file, homing, audience: audience)), at: path)
                    #expect(answer.status == 200 && answer.header("Cache-Control") == "no-store")
                    #expect(answer.string("token_type") == "Bearer" && answer["expires_in"] == .int(3600))
                    let token = try #require(answer.string("access_token"))
                    #expect(try await status(server, token) == 200)
                    #expect(try await status(server, token, "/v1/projects/cafe/accounts:lookup") == 403)
                    #expect(try await status(server, token, "/v1/projects/nobody/accounts:lookup") == 403)
                }
            }
        }
    }

    @Test func `it ends with its hour, and at once with its service account`() async throws {
        try await withHoming { homing in
            let file = try await file(homing)
            try await withServer(homing) { server async throws in
                func token() async throws -> String {
                    try #require(
                        try await ask(server, try file.signed(claims(file, homing))).string("access_token"))
                }
                let first = try await token()
                homing.clock.advance(seconds: 3599)
                #expect(try await status(server, first) == 200)
                homing.clock.advance(seconds: 1)
                #expect(try await status(server, first) == 401)
                let second = try await token()
                #expect(try await status(server, second) == 200)
                try await homing.accounts.serviceAccounts.revoke(file.id, in: homing.shop, by: .command)
                #expect(try await status(server, second) == 401)
                let refused = try await ask(server, try file.signed(claims(file, homing)))
                #expect(refused.status == 400 && refused.string("error") == "invalid_grant")
            }
        }
    }

    @Test func `a token that was changed is nobody's`() async throws {
        try await withHoming { homing in
            let file = try await file(homing)
            try await withServer(homing) { server async throws in
                let token = try #require(
                    try await ask(server, try file.signed(claims(file, homing))).string("access_token"))
                let bytes = try #require(Base64URL.decode(token.dropFirst(3)))
                for index in bytes.indices {
                    var changed = bytes
                    changed[index] ^= 1
                    #expect(try await status(server, "hs_" + Base64URL.encode(changed)) == 401, "byte \(index)")
                }
                for wrong in ["hs_", "hs_AA", String(token.dropLast(4)), token + "AAAA", String(token.dropFirst(3))] {
                    #expect(try await status(server, wrong) == 401)
                }
            }
        }
    }

    @Test func `assertions that are not to be believed get no token, and the reason`() async throws {
        try await withHoming { homing in
            let file = try await file(homing)
            let now = homing.core.system.now().seconds
            try await withServer(homing) { server async throws in
                for (name, value) in [
                    ("aud", "https://evil.example/token"), ("aud", nil),
                    ("iss", "service-account@cafe.auth.shop.example"),
                    ("iss", "service-account@shop.evil.example"), ("iss", nil), ("iss", "@"), ("iss", "a@."),
                    ("exp", .int(now + 3601)), ("exp", nil), ("iat", nil), ("iat", .int(now + 61)),
                    ("exp", .int(now - 61)), ("sub", "ann@example.com"), ("sub", .int(7)),
                    ("exp", .int(Int64.max)), ("iat", .int(Int64.min)),
                ] as [(String, JSON?)] {
                    let given = claims(file, homing, changing: [name: value])
                    let refused = try await ask(server, try file.signed(given))
                    #expect(
                        refused.status == 400 && refused.string("error") == "invalid_grant",
                        "\(name) \(String(describing: value))")
                    #expect(refused.string("error_description")?.isEmpty == false)
                }
                let good = try file.signed(claims(file, homing))
                let parts = good.split(separator: ".")
                let other = try file.signed(claims(file, homing, changing: ["scope": "more"])).split(separator: ".")
                for wrong in [
                    "\(parts[0]).\(parts[1]).", "\(parts[0]).\(other[1]).\(parts[2])", "x", "..",
                    String(repeating: ".", count: 60_000), try file.signed(claims(file, homing), algorithm: "none"),
                    try file.signed(claims(file, homing), naming: "unknown"),
                ] {
                    let refused = try await ask(server, wrong)
                    #expect(refused.status == 400 && refused.string("error") == "invalid_grant", "\(wrong.prefix(20))")
                }
                let stranger = try await ask(
                    server,
                    try file.signed(claims(file, homing, changing: ["iss": "service-account@x.auth.shop.example"])))
                let forger = try await ask(server, "\(parts[0]).\(parts[1]).AAAA")
                #expect(forger.text == stranger.text, "nobody learns which projects there are")
                let kinds = homing.world.securityEvents.take().map(\.kind)
                #expect(kinds.allSatisfy { $0 == .serviceAccountRefused } && kinds.count == 25)
                #expect(
                    try await ask(server, good, grant: "refresh_token").string("error") == "unsupported_grant_type")
                let twice = try await server.admin.post(
                    "/token", form: [("grant_type", Self.grant), ("assertion", good), ("assertion", good)])
                #expect(twice.string("error") == "invalid_request")
                let elsewhere = try await server.client.post(
                    "/token", form: [("grant_type", Self.grant), ("assertion", good)])
                #expect([404, 405].contains(elsewhere.status), "the admin listener's alone")
                #expect(try await ask(server, good).status == 200)
                let given = homing.world.securityEvents.take()
                #expect(given.map(\.kind) == [.accessTokenGiven])
                #expect(given.first?.project == "shop" && given.first?.subject == file.id)
            }
        }
    }

    @Test func `clocks may differ by a minute`() async throws {
        try await withHoming { homing in
            let file = try await file(homing)
            let now = homing.core.system.now().seconds
            try await withServer(homing) { server async throws in
                for change in [
                    ["iat": JSON.int(now + 60), "exp": .int(now + 3660)],
                    ["iat": .int(now - 3659), "exp": .int(now - 59)],
                ] {
                    let given = claims(file, homing, changing: change.mapValues { $0 })
                    #expect(try await ask(server, try file.signed(given)).status == 200)
                }
            }
        }
    }

    @Test func `one from before there were access tokens opens no more than it did`() async throws {
        try await withHoming { homing in
            let now = homing.core.system.now()
            try await homing.rows(
                """
                INSERT INTO service_accounts (project, id, email, public_key, created_at)
                VALUES ('shop', 'old', 'service-account@shop.example', '', \(now))
                """)
            _ = try await file(homing)
            let all = try await homing.accounts.serviceAccounts.list(in: homing.shop)
            #expect(all.filter(\.opensAdmin).count == 1 && all.contains { $0.id == "old" && !$0.opensAdmin })
        }
    }

    @Test func `one that is for custom tokens alone gets none`() async throws {
        try await withHoming { homing in
            let file = try await file(homing, opensAdmin: false)
            try await withServer(homing) { server async throws in
                let refused = try await ask(server, try file.signed(claims(file, homing)))
                #expect(refused.status == 400 && refused.string("error") == "unauthorized_client")
            }
        }
    }

    @Test func `whoever asks for tokens has the limit of a second that all have without a key`() async throws {
        var limits = Limits.none
        limits.requestsPerIPSecond = 2
        try await withHoming(limits: limits) { homing in
            try await withServer(homing) { server async throws in
                var statuses: [Int] = []
                for path in ["/token", "/oauth2.googleapis.com/token", "/token"] {
                    statuses.append(try await ask(server, "x", at: path).status)
                }
                #expect(statuses == [400, 400, 429])
            }
        }
    }

    @Test func `a change that its back end makes has the service account as its author`() async throws {
        try await withHoming { homing in
            let file = try await file(homing)
            try await withServer(homing) { server async throws in
                let token = try #require(
                    try await ask(server, try file.signed(claims(file, homing))).string("access_token"))
                let changed = try await server.admin.send(
                    "PATCH", "/v2/projects/shop/config?updateMask=signIn.anonymous.enabled",
                    headers: [("Authorization", "Bearer \(token)"), ("Content-Type", "application/json")],
                    body: Array(#"{"signIn":{"anonymous":{"enabled":false}}}"#.utf8))
                #expect(changed.status == 200)
                let authors = try await homing.rows("SELECT author FROM audit_log ORDER BY id").map { row in
                    var row = row
                    return try row.text()
                }
                #expect(authors.contains("key \(file.id)"))
            }
        }
    }
}
