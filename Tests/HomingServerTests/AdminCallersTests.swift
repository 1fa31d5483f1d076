// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingServer
import HomingStore
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

    @Test func `owner is taken where it is allowed, and never through a browser or a proxy`() async throws {
        try await withHoming { homing in
            try await withServer(homing, acceptsOwner: true) { server in
                #expect(try await status(server, "Bearer owner") == 200)
                for header in [
                    ("Origin", "http://localhost"), ("Origin", "null"), ("Forwarded", "for=127.0.0.1"),
                    ("X-Forwarded-For", "127.0.0.1"), ("X-Forwarded-Host", "x"), ("x-forwarded-proto", "https"),
                    ("Via", "1.1 proxy"), ("X-Real-IP", "192.0.2.1"), ("Referer", "http://localhost/"),
                    ("CF-Connecting-IP", "192.0.2.1"), ("CF-Ray", "1"), ("CDN-Loop", "cloudflare"),
                    ("True-Client-IP", "192.0.2.1"), ("X-Client-IP", "192.0.2.1"), ("X-Cluster-Client-IP", "192.0.2.1"),
                    ("X-Amzn-Trace-Id", "Root=1"), ("X-Amz-Cf-Id", "1"), ("X-Envoy-External-Address", "192.0.2.1"),
                    ("x-envoy-expected-rq-timeout-ms", "15000"), ("X-Request-Id", "1"),
                    ("X-Forwarded", "for=192.0.2.1"),
                    ("Fastly-Client-IP", "192.0.2.1"), ("X-Azure-ClientIP", "192.0.2.1"), ("X-ARR-SSL", "1"),
                    ("X-Original-Host", "x"), ("X-Cloud-Trace-Context", "1"), ("X-AppEngine-User-IP", "192.0.2.1"),
                    ("X-Varnish", "1"), ("X-Scheme", "https"), ("Sec-Fetch-Site", "same-origin"),
                ] {
                    let answer = try await server.admin.post(
                        Self.lookup, [], headers: [("Authorization", "Bearer owner"), header])
                    #expect(answer.status == 401 && answer.errorMessage?.contains(header.0) == true, "\(header)")
                }
                // What Firebase's Admin SDKs send with it.
                for header in [
                    ("X-Goog-Api-Client", "gl-python/3.11 fire-admin/7"), ("X-Firebase-Client", "fire-admin-node/12"),
                    ("X-Client-Version", "Node/Admin/12"), ("X-Goog-User-Project", "shop"), ("Sec-Fetch-Mode", "cors"),
                    ("User-Agent", "node"), ("Accept-Language", "*"), ("Sec-Fetch-Site", "none"),
                ] {
                    #expect(try await status(server, "Bearer owner", [header]) == 200, "\(header)")
                }
                let (_, secret) = try await homing.adminKeys.create(name: "ci")
                #expect(try await status(server, "Bearer \(secret)", [("Origin", "http://localhost")]) == 200)
            }
        }
    }

    @Test func `owner is not taken over HTTP 1.0, which proxies speak that add no header`() async throws {
        try await withHoming { homing in
            let (_, secret) = try await homing.adminKeys.create(name: "ci")
            try await withServer(homing, acceptsOwner: true) { server in
                func answer(_ token: String, _ version: String) async throws -> RESTAnswer {
                    let head =
                        "GET /v2/projects/shop/config HTTP/\(version)\r\nHost: localhost\r\nConnection: close\r\n"
                        + "Authorization: Bearer \(token)\r\n\r\n"
                    return try await server.admin.send(raw: Array(head.utf8))
                }
                #expect(try await answer("owner", "1.1").status == 200)
                let refused = try await answer("owner", "1.0")
                #expect(refused.status == 401 && refused.errorMessage?.contains("HTTP/1.0") == true)
                #expect(try await answer(secret, "1.0").status == 200)
            }
        }
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
                let page = try await server.admin.get("/console/sign-in", headers: [("Accept", "text/html")])
                #expect(page.status == 429 && page.header("Retry-After") == "1")
                #expect(page.text.contains("<h1>Too many attempts</h1>"), "a person reads words")
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

    @Test func `settings and tenants are changed by POST, too, where a client cannot say PATCH`() async throws {
        try await withHoming { homing in
            try await withServer(homing, acceptsOwner: true) { server in
                func post(_ path: String, _ json: String, overriding method: String? = "PATCH") async throws
                    -> RESTAnswer
                {
                    let more = method.map { [("X-HTTP-Method-Override", $0)] } ?? []
                    return try await server.admin.post(
                        path, json: json, headers: [("Authorization", "Bearer owner")] + more)
                }
                for prefix in ["", "/identitytoolkit.googleapis.com"] {
                    let config = "\(prefix)/v2/projects/shop/config"
                    let changed = try await post(
                        "\(config)?updateMask=signIn.anonymous.enabled", #"{"signIn":{"anonymous":{"enabled":true}}}"#)
                    #expect(changed.status == 200 && changed["authorizedDomains"] != nil)
                    let tenants = "\(prefix)/v2/projects/shop/tenants"
                    let made = try await post(tenants, #"{"displayName":"Hamburg"}"#, overriding: nil)
                    let name = try #require(made["name"]?.stringValue?.split(separator: "/").last)
                    let renamed = try await post(
                        "\(tenants)/\(name)?updateMask=displayName", #"{"displayName":"Altona"}"#)
                    #expect(renamed["displayName"]?.stringValue == "Altona")
                    for other in [nil, "DELETE", "GET", "patch "] {
                        #expect(try await post(config, "{}", overriding: other).status == 405, "\(other ?? "none")")
                        #expect(try await post("\(tenants)/\(name)", "{}", overriding: other).status == 405)
                    }
                }
                // No other route takes it.
                #expect(try await post(Self.lookup, "{}").status == 200)
            }
        }
    }
}
