// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingMail
import HomingWire
import Testing

/// Keeping an access token, and what a token endpoint's answers mean.
@Suite(.timeLimit(.minutes(2)))
struct OAuthTokensTests {
    private let endpoint = TokenEndpoint()
    private let grant: OAuthGrant
    private let tokens: OAuthTokens

    init() throws {
        grant = try OAuthGrant(tokenURL: "https://id.test/t", kind: .refreshToken, client: "c", secret: "r-0")
        tokens = endpoint.tokens(for: grant)
    }

    @Test func `however many mails want a token, one is bought`() async {
        let texts = await withTaskGroup(of: String?.self) { group in
            for _ in 0..<50 { group.addTask { try? await tokens.token() } }
            return await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(texts == ["token-1"])
        #expect(endpoint.forms.count == 1)
    }

    @Test func `a token is renewed when a quarter of its life is left`() async throws {
        #expect(try await tokens.token() == "token-1")
        endpoint.wait(seconds: 2_699)
        #expect(try await tokens.token() == "token-1")
        endpoint.wait(seconds: 1)
        #expect(try await tokens.token() == "token-2")
    }

    @Test func `while the endpoint is away the last token serves to its end`() async throws {
        _ = try await tokens.token()
        endpoint.wait(seconds: 2_700)
        endpoint.answer(.json(503, "away"), .json(503, "away"))
        #expect(try await tokens.token() == "token-1")
        endpoint.wait(seconds: 900)
        let fault = await #expect(throws: OAuthFault.self) { try await tokens.token() }
        #expect(fault?.isTemporary == true)
        endpoint.wait(seconds: 5)
        #expect(try await tokens.token() == "token-4")
    }

    @Test func `a refused token is replaced once`() async throws {
        let first = try await tokens.token()
        for _ in 0..<20 { tokens.refused(first) }
        let second = try await tokens.token()
        #expect(second == "token-2")
        tokens.refused(first)
        tokens.refused(second)
        #expect(try await tokens.token() == second)
        #expect(endpoint.forms.count == 2)
        endpoint.wait(seconds: 30)
        tokens.refused(second)
        #expect(try await tokens.token() == "token-3")
    }

    @Test func `a refresh token that the answer gives takes the place of the first, until it is refused`() async throws
    {
        endpoint.answer(.json(200, #"{"access_token":"a","expires_in":60,"refresh_token":"r-1"}"#))
        _ = try await tokens.token()
        endpoint.wait(seconds: 60)
        endpoint.answer(.json(400, #"{"error":"invalid_grant"}"#))
        await #expect(throws: OAuthFault.self) { try await tokens.token() }
        endpoint.wait(seconds: 5)
        _ = try await tokens.token()
        #expect(endpoint.forms.map { $0["refresh_token"] } == ["r-0", "r-1", "r-0"])
    }

    @Test func `mails that come right after a fault share it`() async throws {
        endpoint.answer(.json(401, #"{"error":"invalid_client"}"#))
        for _ in 0..<10 { await #expect(throws: OAuthFault.self) { try await tokens.token() } }
        #expect(endpoint.forms.count == 1)
    }

    @Test func `whoever is cancelled does not wait for the endpoint`() async throws {
        let (gate, opener) = AsyncStream.makeStream(of: Void.self)
        let tokens = OAuthTokens(
            grant,
            fetch: { _, _ in
                for await _ in gate {}
                return .json(200, "{}")
            })
        let waiting = Task { try await tokens.token() }
        waiting.cancel()
        await #expect(throws: OAuthFault.self) { try await waiting.value }
        opener.finish()
    }

    @Test(arguments: [
        (
            401, #"{"error":"invalid_client","error_description":"s3cret","error_codes":[7000215]}"#, false,
            "value, not its id"
        ),
        (401, #"{"error":"invalid_client","error_codes":[7000222]}"#, false, "has expired"),
        (400, #"{"error":"unauthorized_client","error_codes":[700016]}"#, false, "client or tenant"),
        (400, #"{"error":"invalid_request","error_codes":[90002]}"#, false, "no such tenant"),
        (401, #"{"error":"invalid_client"}"#, false, "client and secret"),
        (400, #"{"error":"invalid_grant"}"#, false, "clock"),
        (401, #"{"error":"unauthorized_client"}"#, false, "delegation"),
        (200, #"{"error":"invalid_grant"}"#, false, "invalid_grant"),
        (400, #"{"error":"s3cret S3CRET"}"#, false, "refuses the request"),
        (503, #"{"error":"temporarily_unavailable"}"#, true, "away"),
        (429, #"{"error":"too_many"}"#, true, "too_many"),
        (500, "", true, "500"), (200, "<html>", true, "no JSON"), (302, "", true, "302"), (404, "<html>", true, "404"),
        (200, #"{"token_type":"Bearer"}"#, true, "without an access token"),
        (200, #"{"access_token":"a\u0001auth"}"#, true, "without an access token"),
    ])
    func `each answer without a token has its meaning`(status: Int, body: String, isTemporary: Bool, words: String) {
        let fault = #expect(throws: OAuthFault.self) { try OAuthAnswer(status: status, body: Array(body.utf8)).token() }
        #expect(fault?.isTemporary == isTemporary)
        #expect(fault?.sentence.contains(words) == true, "\(fault?.sentence ?? "")")
        #expect(fault?.sentence.lowercased().contains("s3cret") == false)
        #expect((fault?.sentence.utf8.count ?? 0) <= 180)
    }

    @Test func `an answer that names an error and says that there is none has its token`() throws {
        let body = #"{"access_token":"a","expires_in":60,"error":null,"error_description":null}"#
        let token = try OAuthAnswer(status: 200, body: Array(body.utf8)).token()
        #expect(token.text == "a" && token.life == 60)
    }

    @Test func `a token's life is told in numbers or in text, or is an hour`() throws {
        func life(_ member: String) throws -> Int64 {
            try OAuthAnswer(status: 200, body: Array(#"{"access_token":"a"\#(member)}"#.utf8)).token().life
        }
        #expect(try life(#","expires_in":3599"#) == 3_599)
        #expect(try life(#","expires_in":"3599""#) == 3_599)
        #expect(try life("") == 3_600)
        #expect(try life(#","expires_in":-5"#) == 1)
        #expect(try life(#","expires_in":99999999"#) == 86_400)
    }
}
