// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingProjects
import HomingServer
import HomingStore
import HomingTesting
import HomingWire
import Testing

@Suite struct PublicGateTests {
    @Test(arguments: [
        "GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n",
        "GET /healthz HTTP/1.1\r\nHost: a.example\r\nHost: b.example\r\nConnection: close\r\n\r\n",
        "GET /healthz HTTP/1.1\r\nHost: a.example\r\nHost: a.example\r\nConnection: close\r\n\r\n",
        "GET /healthz HTTP/1.1\r\nHost:\r\nConnection: close\r\n\r\n",
        "GET /healthz HTTP/1.1\r\nHost: a.example,b.example\r\nConnection: close\r\n\r\n",
    ])
    func `a request without exactly one host is refused`(head: String) async throws {
        try await withHoming { homing in
            try await withServer(homing) { server async throws in
                #expect(try await server.client.send(raw: Array(head.utf8)).status == 400)
                #expect(try await server.client.get("/healthz").status == 200)
            }
        }
    }

    @Test func `the API mirrors an origin, pages and the admin listener never do`() async throws {
        try await withHoming { homing in
            try await withServer(homing, acceptsOwner: true) { server in
                let origin = [("Origin", "https://app.example")]
                let preflight = try await server.client.send(
                    "OPTIONS", LiveServer.path("accounts:lookup"),
                    headers: origin + [
                        ("Access-Control-Request-Method", "POST"),
                        ("Access-Control-Request-Headers", "content-type,x-client-version,x-firebase-locale"),
                    ])
                #expect((200...204).contains(preflight.status))
                #expect(preflight.header("Access-Control-Allow-Origin") == "https://app.example")
                #expect(preflight.header("Access-Control-Allow-Headers")?.contains("x-firebase-locale") == true)
                #expect(preflight.header("Access-Control-Allow-Credentials") == nil)
                let post = try await server.client.post(LiveServer.path("accounts:lookup"), [], headers: origin)
                #expect(post.status == 400)
                #expect(post.header("Access-Control-Allow-Origin") == "https://app.example")
                #expect(post.header("Vary") == "Origin")
                let page = try await server.client.get("/__/auth/action", headers: origin)
                #expect(page.header("Access-Control-Allow-Origin") == nil)
                let admin = try await server.admin.send("OPTIONS", "/v1/projects/shop/accounts:lookup", headers: origin)
                #expect(admin.header("Access-Control-Allow-Origin") == nil)
                #expect(admin.status == 401)
            }
        }
    }

    @Test func `over the limit of a second a caller learns when to come back`() async throws {
        var limits = Limits.none
        limits.requestsPerIPSecond = 5
        try await withHoming(limits: limits) { homing in
            try await withServer(homing) { server in
                for _ in 0..<5 { #expect(try await server.client.get("/healthz").status == 200) }
                let refused = try await server.client.get("/healthz")
                #expect(refused.status == 429)
                #expect(refused.header("Retry-After") == "1")
                let asked = String(repeating: "GET /healthz HTTP/1.1\r\nHost: auth.shop.example\r\n\r\n", count: 9)
                let answer = try await server.client.send(raw: Array(asked.utf8))
                #expect(answer.status == 429 && answer.header("Connection") == "close", "what comes behind is dropped")
                homing.clock.advance(milliseconds: 1000)
                #expect(try await server.client.get("/healthz").status == 200)
            }
        }
    }

    @Test func `a person over a limit sees a page that says when to come back`() async throws {
        var limits = Limits.none
        limits.requestsPerIPSecond = 1
        try await withHoming(limits: limits) { homing in
            try await withServer(homing) { server in
                let browser = [("Accept", "text/html,*/*;q=0.8")]
                let pages: [(String, [(String, String)])] = [
                    ("/__/auth/action?mode=verifyEmail&lang=en", []), ("/__/auth/reset?lang=en", []),
                    ("/__/auth/links?link=x", []), ("/spring", browser),
                ]
                for (target, headers) in pages {
                    homing.clock.advance(milliseconds: 1000)
                    #expect(try await server.client.get("/healthz").status == 200)
                    let page = try await server.client.get(target, headers: headers)
                    #expect(page.status == 429)
                    #expect(page.header("Retry-After") == "1")
                    #expect(page.header("Content-Type")?.hasPrefix("text/html") == true, "\(target)")
                    #expect(page.text.contains("<h1>Too many attempts</h1>"))
                }
                homing.clock.advance(milliseconds: 1000)
                #expect(try await server.client.get("/healthz").status == 200)
                let call = try await server.client.post(LiveServer.path("accounts:lookup"), [], headers: browser)
                #expect(call.status == 429)
                #expect(call.header("Content-Type")?.hasPrefix("application/json") == true)
            }
        }
    }

    @Test func `clicks have a limit of their own and count against no other`() async throws {
        var limits = Limits.none
        limits.requestsPerIPSecond = 2
        limits.clicksPerIPSecond = 4
        try await withHoming(limits: limits, linkDomains: ["go.shop.example"]) { homing in
            try await withServer(homing) { server async throws in
                let link = "/?link=https%3A%2F%2Fshop.example%2F"
                func click() async throws -> RESTAnswer {
                    try await server.client.get(link, headers: [("Accept-Language", "tr")], host: "go.shop.example")
                }
                for _ in 0..<3 { #expect(try await click().status == 302) }
                let page = try await server.client.get("/_/open?link=x")
                #expect(page.status != 429, "the page behind a link is the fourth click")
                let refused = try await click()
                #expect(refused.status == 429 && refused.header("Retry-After") == "1")
                #expect(refused.header("Content-Type")?.hasPrefix("text/html") == true, "whatever the browser accepts")
                #expect(refused.text.contains("<html lang=\"tr\""))
                for status in [200, 200, 429] { #expect(try await server.client.get("/healthz").status == status) }
                homing.clock.advance(milliseconds: 1000)
                #expect(try await click().status == 302)
            }
        }
    }

    @Test func `a peer that forwards and is not trusted is remembered once`() async throws {
        let loopback = try #require(AddressRange(parsing: "127.0.0.0/8"))
        for (proxies, count) in [([loopback], 0), ([], 1)] {
            try await withHoming { homing in
                try await withServer(homing, trustedProxies: proxies) { server async throws in
                    _ = try await server.client.get("/healthz")
                    #expect(homing.core.forwarders.addresses.isEmpty)
                    for _ in 0..<3 {
                        _ = try await server.client.get("/healthz", headers: [("X-Forwarded-For", "198.51.100.1")])
                    }
                    #expect(homing.core.forwarders.addresses.map { "\($0)" } == Array(["127.0.0.1"].prefix(count)))
                }
            }
        }
    }

    @Test func `no more forwarding peers are remembered than a list can show`() throws {
        let forwarders = UntrustedForwarders()
        for number in 1...40 {
            let peer = try #require(IPAddress(parsing: "198.51.100.\(number)"))
            #expect(forwarders.remember(peer) == (number <= UntrustedForwarders.most))
            #expect(!forwarders.remember(peer))
        }
        #expect(!forwarders.takesMore && forwarders.addresses.count == UntrustedForwarders.most)
    }

    @Test func `an hour's limit of mails says on the page when to come back`() async throws {
        var limits = Limits.none
        limits.mailPerIPHour = 1
        try await withHoming(limits: limits) { homing in
            try await withServer(homing) { server in
                let target = "/__/auth/reset?apiKey=\(TestHoming.apiKey)"
                let form = try #require(try await server.client.get(target).form)
                for (address, status) in [("a@home.example", 200), ("b@home.example", 429)] {
                    let page = try await server.client.post(form.action, form: form.with("email", address).fields)
                    #expect(page.status == status)
                    #expect(page.header("Retry-After") == (status == 429 ? "3600" : nil))
                }
            }
        }
    }

    @Test func `forwarding headers count from trusted proxies only`() async throws {
        var limits = Limits.none
        limits.requestsPerIPSecond = 1
        let loopback = try #require(AddressRange(parsing: "127.0.0.0/8"))
        for (proxies, second) in [([loopback], 200), ([], 429)] {
            try await withHoming(limits: limits) { homing in
                try await withServer(homing, trustedProxies: proxies) { server in
                    let first = try await server.client.get("/healthz", headers: [("X-Forwarded-For", "198.51.100.1")])
                    #expect(first.status == 200)
                    let next = try await server.client.get("/healthz", headers: [("X-Forwarded-For", "198.51.100.2")])
                    #expect(next.status == second)
                    let same = try await server.client.get("/healthz", headers: [("X-Forwarded-For", "198.51.100.1")])
                    #expect(same.status == 429)
                }
            }
        }
    }

    @Test func `a trusted proxy keeps its connection when one of its callers asks too much`() async throws {
        var limits = Limits.none
        limits.requestsPerIPSecond = 1
        let loopback = try #require(AddressRange(parsing: "127.0.0.0/8"))
        try await withHoming(limits: limits) { homing in
            try await withServer(homing, trustedProxies: [loopback]) { server in
                func request(_ client: String, _ connection: String = "keep-alive") -> String {
                    "GET /healthz HTTP/1.1\r\nHost: auth.shop.example\r\nX-Forwarded-For: \(client)\r\n"
                        + "Connection: \(connection)\r\n\r\n"
                }
                let asked =
                    request("198.51.100.1") + request("198.51.100.1") + request("198.51.100.2", "close")
                let answers = try await server.client.send(raw: Array(asked.utf8))
                #expect(answers.status == 200)
                // What comes behind the first answer.
                let statuses = answers.text.matches(of: /HTTP\/1.1 (\d+)/).map { String($0.1) }
                #expect(statuses == ["429", "200"])
            }
        }
    }

    @Test func `mails and sign-ups of one caller have an hour's limit`() async throws {
        var limits = Limits.none
        limits.mailPerIPHour = 3
        limits.signUpPerIPHour = 2
        try await withHoming(limits: limits) { homing in
            try await withServer(homing) { server in
                for number in 0..<4 {
                    let mail = try await server.call(
                        "accounts:sendOobCode",
                        [("requestType", "PASSWORD_RESET"), ("email", "u\(number)@home.example")])
                    #expect(mail.status == (number < 3 ? 200 : 400))
                    if number == 3 { #expect(mail.errorMessage?.hasPrefix("TOO_MANY_ATTEMPTS_TRY_LATER : ") == true) }
                    let signUp = try await server.client.post(LiveServer.path("accounts:signUp"), json: "{}")
                    #expect(signUp.status == (number < 2 ? 200 : 400))
                }
            }
        }
    }

    @Test func `a project has its own number of sign-ups of one caller, from a time on and for a time`() async throws {
        var limits = Limits.none
        limits.signUpPerIPHour = 3
        try await withHoming(limits: limits) { homing in
            try await withServer(homing) { server async throws in
                func signUps(_ tries: Int = 12) async throws -> Int {
                    var passed = 0
                    for _ in 0..<tries {
                        let answer = try await server.client.post(LiveServer.path("accounts:signUp"), json: "{}")
                        if answer.status == 200 { passed += 1 }
                    }
                    return passed
                }
                func set(_ member: String, _ value: String) async throws {
                    try await homing.projects.set("shop", "quota.signUpQuotaConfig.\(member)", to: value)
                }
                try await set("startTime", homing.clock.now.adding(seconds: 7200).timestamp)
                try await set("quotaDuration", "3600s")
                try await set("quota", "8")
                #expect(try await signUps() == 3)
                homing.clock.advance(seconds: 7200)
                #expect(try await signUps() == 8)
                homing.clock.advance(seconds: 3600)
                #expect(try await signUps() == 3)
                // For good.
                try await set("quotaDuration", "")
                try await set("startTime", "")
                homing.clock.advance(seconds: 360_000)
                #expect(try await signUps() == 8)
                try await set("quota", "")
                homing.clock.advance(seconds: 3600)
                #expect(try await signUps() == 3)
            }
        }
    }

    @Test func `no privileged operation answers on the public listener`() async throws {
        try await withHoming { homing in
            let (_, secret) = try await homing.adminKeys.create(name: "ci")
            try await withServer(homing, acceptsOwner: true, showsMailbox: true) { server async throws in
                for path in [
                    "/v1/projects/shop/accounts:sendOobCode", "/v1/projects/shop/accounts", "/metrics", "/mailbox",
                    "/mailbox/messages", "/enter",
                ] {
                    for token in ["owner", secret] {
                        let headers = [("Authorization", "Bearer \(token)")]
                        #expect(try await server.client.post(path, [], headers: headers).status == 404, "\(path)")
                        #expect(try await server.client.get(path, headers: headers).status == 404, "\(path)")
                    }
                }
            }
        }
    }

    @Test func `keys that sign tokens are published and nothing private with them`() async throws {
        try await withHoming { homing in
            try await withServer(homing) { server async throws in
                let answer = try await server.client.get("/.well-known/jwks.json")
                #expect(answer.status == 200)
                let listed = try #require(answer["keys"]?.arrayValue)
                let keys = listed.compactMap { $0.objectValue }
                #expect(keys.count == 2)
                for key in keys { #expect(key["d"] == nil && key["p"] == nil && key["kid"] != nil) }
            }
        }
    }

    /// Some verifiers try one key after the other, and fail at one of another kind.
    @Test func `the keys of a project's own algorithm come first by discovery, the newest before the older`()
        async throws
    {
        try await withHoming { homing in
            try await withServer(homing) { server async throws in
                func keys(_ path: String) async throws -> [(algorithm: String?, id: String?)] {
                    let answer = try await server.client.get(path)
                    #expect(answer.status == 200, "\(path)")
                    return try #require(answer["keys"]?.arrayValue).map {
                        ($0.objectValue?["alg"]?.stringValue, $0.objectValue?["kid"]?.stringValue)
                    }
                }
                func named() async throws -> String {
                    let found = try await server.client.get("/shop/.well-known/openid-configuration")
                    let url = try #require(found.string("jwks_uri"))
                    #expect(url.hasPrefix(homing.core.publicURL))
                    return String(url.dropFirst(homing.core.publicURL.utf8.count))
                }
                let global = "/.well-known/jwks.json"
                let before = try await keys(global)
                for _ in 0..<3 {
                    homing.clock.advance(seconds: 60)
                    try await homing.signingKeys.rotate(by: .command)
                }
                for own in ["RS256", "ES256"] {
                    try await homing.projects.set("shop", "idToken.algorithm", to: own)
                    let listed = try await keys(try await named())
                    #expect(listed.prefix(4).allSatisfy { $0.algorithm == own })
                    #expect(listed.count == 8 && listed[4].algorithm != own)
                    let oldest = before.first { $0.algorithm == own }
                    #expect(listed[3].id == oldest?.id, "the newest first")
                    let signed = try await homing.signUp(own == "RS256" ? TestHoming.ann : "bob@home.example")
                    #expect(try header(of: signed.tokens.idToken)["kid"]?.stringValue == listed[0].id)
                    let everywhere = try await keys(global)
                    #expect(everywhere.prefix(4).allSatisfy { $0.algorithm == "RS256" })
                    #expect(Set(everywhere.map(\.id)) == Set(listed.map(\.id)))
                }
                for nobody in ["/nobody/.well-known/jwks.json", "/shop/x/.well-known/jwks.json"] {
                    #expect(try await server.client.get(nobody).status == 404)
                }
            }
        }
    }

    private func header(of token: String) throws -> JSON.Object {
        let bytes = try #require(token.split(separator: ".").first.flatMap { Base64URL.decode($0) })
        return try #require(try JSON.parse(bytes).objectValue)
    }
}
