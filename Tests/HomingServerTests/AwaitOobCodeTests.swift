// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingDatabase
import HomingProjects
import HomingStore
import HomingTesting
import HomingWire
import Testing

/// Requests that know who asked, over HTTP.
@Suite struct AwaitOobCodeTests {
    private static let challenge = CodeChallenge(of: TestHoming.verifier)?.text ?? ""
    private static let browser = ("User-Agent", "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Safari/604.1")
    private static let operation = "accounts:awaitOobCode"

    /// Asks as a client with ``TestHoming/verifier`` does.
    private func ask(
        _ server: LiveServer, _ kind: String = "EMAIL_SIGNIN", for address: String = TestHoming.ann,
        headers: [(String, String)] = []
    ) async throws -> RESTAnswer {
        try await server.call(
            "accounts:sendOobCode",
            [
                ("requestType", kind), ("email", address), ("codeChallenge", Self.challenge),
                ("codeChallengeMethod", "S256"),
            ], headers: headers)
    }

    /// - Parameter wait: as JSON.
    private func awaited(
        _ id: String, _ server: LiveServer, wait: String = "0", verifier: String = TestHoming.verifier
    ) async throws -> RESTAnswer {
        try await server.client.post(
            LiveServer.path(Self.operation),
            json: #"{"requestId":"\#(id)","codeVerifier":"\#(verifier)","wait":\#(wait)}"#)
    }

    private func names(_ answer: RESTAnswer) -> [String] {
        answer.json?.objectValue?.members.map(\.key).sorted() ?? []
    }

    @Test func `a client that waits is signed in by whoever approves elsewhere`() async throws {
        try await withHoming { homing in
            try await homing.account(TestHoming.ann, isVerified: true)
            try await withServer(homing) { server in
                let asked = try await ask(server)
                #expect(names(asked) == ["email", "expiresIn", "kind", "matchNumber", "requestId"])
                #expect(asked.string("expiresIn") == "3600")
                let number = try #require(asked.string("matchNumber"))
                #expect(number.utf8.count == 2)
                let id = try #require(asked.string("requestId"))
                #expect(names(try await awaited(id, server)) == ["state"])

                async let answer = awaited(id, server, wait: "25")
                for _ in 0..<2000 where homing.actionCodes.waitingRoom.count == 0 {
                    try await Task.sleep(for: .milliseconds(5))
                }
                let code = try await homing.mailedCode(to: TestHoming.ann)
                try await homing.actionCodes.approve(code, number: number, in: homing.shop)
                let approved = try await answer
                #expect(approved.string("state") == "APPROVED")
                #expect(
                    names(approved) == [
                        "email", "expiresIn", "idToken", "isNewUser", "localId", "refreshToken", "state",
                    ])
                let token = try #require(approved.string("idToken"))
                #expect(try await server.call("accounts:lookup", [("idToken", token)]).status == 200)
                let again = try await awaited(id, server, wait: "25")
                #expect(again.string("state") == "DONE" && again.string("by") == "elsewhere")
                #expect(names(again) == ["by", "state"])
            }
        }
    }

    @Test func `an address that nobody has is answered as one that somebody has`() async throws {
        try await withHoming { homing in
            try await homing.account(TestHoming.ann)
            try await withServer(homing) { server in
                var answers: [[String]] = []
                for address in [TestHoming.ann, "nobody@home.example"] {
                    let asked = try await ask(server, "PASSWORD_RESET", for: address)
                    let id = try #require(asked.string("requestId"))
                    let waits = try await awaited(id, server)
                    let typed = try await server.call(
                        Self.operation,
                        [("requestId", id), ("codeVerifier", TestHoming.verifier), ("typedCode", "none")])
                    answers.append(
                        [
                            "\(names(asked))", asked.string("expiresIn") ?? "", "\(id.utf8.count)", waits.text,
                            typed.text,
                        ])
                }
                #expect(answers[0] == answers[1])
            }
        }
    }

    @Test func `a code that is typed wrong says how many tries are left, in a number`() async throws {
        try await withHoming { homing in
            let bound = try await homing.bound(.signIn)
            try await withServer(homing) { server in
                let members = [("requestId", bound.requestID), ("codeVerifier", TestHoming.verifier)]
                let wrong = try await server.call(Self.operation, members + [("typedCode", bound.wrongTyped)])
                #expect(wrong.status == 400 && wrong.errorMessage == "INVALID_OOB_CODE")
                #expect(wrong["error", "triesLeft"] == 4)
                let right = try await server.call(Self.operation, members + [("typedCode", bound.typed)])
                #expect(right.string("state") == "APPROVED" && right.string("idToken") != nil)
                let plain = try await server.call("accounts:resetPassword", [("oobCode", "forged")])
                #expect(plain.errorMessage == "INVALID_OOB_CODE" && plain["error", "triesLeft"] == nil)
            }
        }
    }

    @Test func `the code of another mail is answered, and goes on with the verifier`() async throws {
        try await withHoming { homing in
            let bound = try await homing.bound(.passwordReset)
            try await withServer(homing) { server in
                let members = [("requestId", bound.requestID), ("codeVerifier", TestHoming.verifier)]
                let typed = try await server.call(Self.operation, members + [("typedCode", bound.typed)])
                #expect(names(typed) == ["oobCode", "state"] && typed.string("state") == "APPROVED")
                let code = try #require(typed.string("oobCode"))
                let reset = [("oobCode", code), ("newPassword", TestHoming.password)]
                let without = try await server.call("accounts:resetPassword", reset)
                #expect(without.status == 400 && without.errorMessage?.hasPrefix("MISSING_CODE_VERIFIER : ") == true)
                #expect(try await server.call("accounts:resetPassword", [("oobCode", code)]).status == 200)
                let with = try await server.call(
                    "accounts:resetPassword", reset + [("codeVerifier", TestHoming.verifier)])
                #expect(with.status == 200)
                let done = try await awaited(bound.requestID, server)
                #expect(done.string("state") == "DONE" && done.string("by") == "here")
            }
        }
    }

    @Test func `sign-in by link and verification take the verifier beside the code`() async throws {
        try await withHoming { homing in
            let (signIn, verify) = (try await homing.bound(.signIn), try await homing.bound(.verifyEmail))
            try await withServer(homing) { server in
                for (operation, members) in [
                    ("accounts:signInWithEmailLink", [("oobCode", signIn.code), ("email", TestHoming.ann)]),
                    ("accounts:update", [("oobCode", verify.code)]),
                ] {
                    for verifier in [nil, "", String(repeating: "w", count: 43)] {
                        let answer = try await server.call(
                            operation, members + (verifier.map { [("codeVerifier", $0)] } ?? []))
                        #expect(answer.status == 400, "\(operation)")
                        #expect(answer.errorMessage?.hasPrefix("MISSING_CODE_VERIFIER : ") == true, "\(answer.text)")
                    }
                    let answer = try await server.call(operation, members + [("codeVerifier", TestHoming.verifier)])
                    #expect(answer.status == 200, "\(operation): \(answer.text)")
                }
            }
        }
    }

    // MARK: Bad input

    @Test func `a challenge that is none is refused, and no mail is owed`() async throws {
        try await withHoming { homing in
            try await homing.account(TestHoming.ann)
            let ofNothing = "47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU"
            try await withServer(homing) { server in
                for (challenge, method) in [
                    ("", "S256"), ("short", "S256"), (ofNothing, "S256"), (Self.challenge, "plain"),
                    (Self.challenge, "s256"), (Self.challenge + "A", "S256"),
                    (String(Self.challenge.dropLast()) + "=", "S256"),
                ] {
                    let answer = try await server.call(
                        "accounts:sendOobCode",
                        [
                            ("requestType", "PASSWORD_RESET"), ("email", TestHoming.ann), ("codeChallenge", challenge),
                            ("codeChallengeMethod", method),
                        ])
                    #expect(answer.status == 400, "\(challenge) \(method)")
                    #expect(answer.errorMessage?.hasPrefix("INVALID_CODE_CHALLENGE : ") == true, "\(answer.text)")
                }
                for member in [#""codeChallenge":1"#, #""codeChallenge":["a"]"#] {
                    let answer = try await server.client.post(
                        LiveServer.path("accounts:sendOobCode"),
                        json: #"{"requestType":"PASSWORD_RESET","email":"\#(TestHoming.ann)",\#(member)}"#)
                    #expect(answer.status == 400 && answer.errorMessage?.contains("codeChallenge") == true)
                }
                #expect(try await homing.number("SELECT COUNT(*) FROM outbox") == 0)
                let without = try await server.call(
                    "accounts:sendOobCode", [("requestType", "PASSWORD_RESET"), ("email", TestHoming.ann)])
                #expect(names(without) == ["email", "kind"])
            }
        }
    }

    @Test func `how long to wait only qualifies the wait: what cannot be is left out`() async throws {
        try await withHoming { homing in
            let bound = try await homing.bound(.passwordReset)
            try await withServer(homing) { server in
                for wait in ["-1", "0.0", "-1e9", #""0""#, #""-5""#] {
                    #expect(try await awaited(bound.requestID, server, wait: wait).string("state") == "PENDING")
                }
                try await homing.actionCodes.decline(bound.code, in: homing.shop)
                for wait in ["true", "[]", "{}", #""soon""#, "1e300", "99999999999999999999", "null", "25.5"] {
                    let answer = try await awaited(bound.requestID, server, wait: wait)
                    #expect(answer.string("state") == "DECLINED" && answer.string("by") == "declined", "\(wait)")
                }
                let known = #""requestId":"\#(bound.requestID)","codeVerifier":"\#(TestHoming.verifier)""#
                for (name, members) in [
                    ("requestId", #""requestId":1,"codeVerifier":"v""#),
                    ("codeVerifier", #""requestId":"x","codeVerifier":[]"#),
                    ("typedCode", known + #","typedCode":12345678"#),
                ] {
                    let answer = try await server.client.post(LiveServer.path(Self.operation), json: "{\(members)}")
                    #expect(answer.status == 400)
                    #expect(answer.errorMessage?.contains("/\(name) must be string") == true, "\(answer.text)")
                }
            }
        }
    }

    @Test func `a stranger is told nothing, and the security log has a line of each try`() async throws {
        try await withHoming { homing in
            _ = try await homing.projects.create(
                id: "other", name: nil, apiKey: "hk_of_the_other", authorizedDomains: [], linkDomains: [], language: nil
            )
            let bound = try await homing.bound(.signIn)
            try await withServer(homing) { server in
                _ = homing.world.securityEvents.take()
                let other = String(repeating: "w", count: 43)
                var refused = [
                    try await awaited(bound.requestID, server, verifier: other),
                    try await awaited(bound.requestID, server, verifier: ""),
                    try await awaited(bound.code, server), try await server.call(Self.operation, []),
                ]
                refused.append(
                    try await server.client.post(
                        LiveServer.path(Self.operation, key: "hk_of_the_other"),
                        [("requestId", bound.requestID), ("codeVerifier", TestHoming.verifier)]))
                for answer in refused {
                    #expect(answer.status == 400 && answer.errorMessage == "INVALID_REQUEST_ID", "\(answer.text)")
                }
                #expect(homing.world.securityEvents.take().map(\.kind) == Array(repeating: .codeRefused, count: 5))
            }
        }
    }

    // MARK: Who asks, and where

    @Test func `who asks is the client behind a trusted proxy, and of a back end nobody`() async throws {
        try await withHoming { homing in
            try await homing.account(TestHoming.ann)
            let proxy = try #require(AddressRange(parsing: "127.0.0.1"))
            try await withServer(homing, acceptsOwner: true, trustedProxies: [proxy]) { server in
                _ = try await ask(server, headers: [("X-Forwarded-For", "203.0.113.7"), Self.browser])
                let code = try await homing.mailedCode(to: TestHoming.ann)
                let asked = try await homing.actionCodes.inspect(code, in: homing.shop).asked
                #expect(asked?.network == "203.0.113.0/24")
                #expect(asked?.device == Device(browser: .safari, system: .iPhone))

                let given = try await server.admin.post(
                    "/v1/projects/shop/accounts:sendOobCode",
                    json: """
                        {"requestType":"PASSWORD_RESET","email":"\(TestHoming.ann)","returnOobLink":true,\
                        "codeChallenge":"\(Self.challenge)"}
                        """, headers: [("Authorization", "Bearer owner")])
                #expect(given.status == 200, "\(given.text)")
                #expect(
                    names(given) == [
                        "email", "expiresIn", "kind", "matchNumber", "oobCode", "oobLink", "requestId",
                    ])
                let bound = try await homing.actionCodes.inspect(given.string("oobCode") ?? "", in: homing.shop)
                #expect(bound.isBound && bound.asked?.network == nil && bound.asked?.device == nil)
                #expect(try await awaited(given.string("requestId") ?? "", server).string("state") == "PENDING")
            }
        }
    }

    @Test func `pages of other origins may wait, and the names of version 3 are the same operations`() async throws {
        try await withHoming { homing in
            let bound = try await homing.bound(.signIn)
            try await withServer(homing) { server in
                let body = #"{"requestId":"\#(bound.requestID)","codeVerifier":"\#(TestHoming.verifier)","wait":0}"#
                for path in [
                    "/v1/accounts:awaitOobCode", "/identitytoolkit.googleapis.com/v1/accounts:awaitOobCode",
                    "/www.googleapis.com/identitytoolkit/v3/relyingparty/awaitOobCode",
                ] {
                    let answer = try await server.client.post(
                        "\(path)?key=\(TestHoming.apiKey)", json: body, headers: [("Origin", "https://shop.example")])
                    #expect(answer.string("state") == "PENDING", "\(path): \(answer.text)")
                    #expect(answer.header("Access-Control-Allow-Origin") == "https://shop.example")
                    #expect(answer.header("Cache-Control") == "no-store")
                }
            }
        }
    }

    @Test func `a server that stops answers those who wait`() async throws {
        try await withHoming { homing in
            let bound = try await homing.bound(.signIn)
            try await withServer(homing) { server in
                async let answer = awaited(bound.requestID, server, wait: "25")
                for _ in 0..<2000 where homing.actionCodes.waitingRoom.count == 0 {
                    try await Task.sleep(for: .milliseconds(5))
                }
                homing.core.drain()
                #expect(try await answer.string("state") == "PENDING")
            }
        }
    }
}
