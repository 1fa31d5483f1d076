// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingDatabase
import HomingStore
import HomingTesting
import HomingWire
import Testing

/// The error envelope (Identity Toolkit v1) for each kind of refusal that a caller can meet.
@Suite struct WireErrorTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let operation: String
        let body: String
        let message: String
        var testDescription: String { "\(operation) \(body.prefix(60)): \(message)" }

        init(_ operation: String, _ body: String, _ message: String) {
            self.operation = operation
            self.body = body
            self.message = message
        }
    }

    static let cases = [
        Case("sendOobCode", "{}", "MISSING_REQ_TYPE"),
        Case("sendOobCode", #"{"requestType":""}"#, "MISSING_REQ_TYPE"),
        Case("sendOobCode", #"{"requestType":"PASSWORD_RESET"}"#, "MISSING_EMAIL"),
        Case("sendOobCode", #"{"requestType":"PASSWORD_RESET","email":""}"#, "MISSING_EMAIL"),
        Case("sendOobCode", #"{"requestType":"PASSWORD_RESET","email":"no address"}"#, "INVALID_EMAIL"),
        Case("sendOobCode", #"{"requestType":"VERIFY_EMAIL"}"#, "INVALID_ID_TOKEN"),
        Case("sendOobCode", #"{"requestType":"VERIFY_EMAIL","idToken":""}"#, "INVALID_ID_TOKEN"),
        Case("sendOobCode", #"{"requestType":"VERIFY_EMAIL","idToken":"x.y.z"}"#, "INVALID_ID_TOKEN"),
        Case("sendOobCode", #"{"requestType":"VERIFY_AND_CHANGE_EMAIL"}"#, "MISSING_NEW_EMAIL"),
        Case("sendOobCode", #"{"requestType":"VERIFY_AND_CHANGE_EMAIL","newEmail":"x"}"#, "INVALID_NEW_EMAIL"),
        Case("sendOobCode", #"{"requestType":"VERIFY_AND_CHANGE_EMAIL","newEmail":"x@y.example"}"#, "MISSING_ID_TOKEN"),
        Case(
            "sendOobCode", #"{"requestType":"PASSWORD_RESET","email":"a@b.example","returnOobLink":true}"#,
            "INSUFFICIENT_PERMISSION"),
        Case("resetPassword", "{}", "MISSING_OOB_CODE"),
        Case("resetPassword", #"{"oobCode":""}"#, "MISSING_OOB_CODE"),
        Case("resetPassword", #"{"oobCode":"AAAA"}"#, "INVALID_OOB_CODE"),
        Case("resetPassword", #"{"oobCode":"AAAA","newPassword":"long enough"}"#, "INVALID_OOB_CODE"),
        Case("update", "{}", "INVALID_REQ_TYPE : Unsupported request parameters."),
        Case("update", #"{"oobCode":"AAAA"}"#, "INVALID_OOB_CODE"),
        Case("update", #"{"oobCode":"AAAA","idToken":"rubbish"}"#, "INVALID_ID_TOKEN"),
        Case("update", #"{"idToken":"rubbish","customAttributes":"{}"}"#, "INSUFFICIENT_PERMISSION"),
        Case("signUp", #"{"localId":"x"}"#, "UNEXPECTED_PARAMETER : User ID"),
        Case("signUp", #"{"password":"long enough"}"#, "MISSING_EMAIL"),
        Case("signUp", #"{"email":"a@b.example"}"#, "MISSING_PASSWORD"),
        Case("signUp", #"{"email":"","password":""}"#, "INVALID_EMAIL"),
        Case("signUp", #"{"email":"","password":"long enough"}"#, "MISSING_EMAIL"),
        Case("signUp", #"{"email":"a@b.example","password":""}"#, "MISSING_PASSWORD"),
        Case(
            "signUp", #"{"email":"a@b.example","password":"short"}"#,
            "WEAK_PASSWORD : Password should be at least 6 characters"),
        Case("signInWithPassword", "{}", "MISSING_EMAIL"),
        Case("signInWithPassword", #"{"email":"x"}"#, "INVALID_EMAIL"),
        Case("signInWithPassword", #"{"email":"a@b.example"}"#, "MISSING_PASSWORD"),
        Case("signInWithPassword", #"{"email":"a@b.example","password":"x"}"#, "INVALID_LOGIN_CREDENTIALS"),
        Case("signInWithEmailLink", "{}", "MISSING_EMAIL"),
        Case("signInWithEmailLink", #"{"email":"a@b.example"}"#, "MISSING_OOB_CODE"),
        Case("signInWithEmailLink", #"{"email":"a@b.example","oobCode":"AAAA"}"#, "INVALID_OOB_CODE"),
        Case("lookup", "{}", "MISSING_ID_TOKEN"),
        Case("lookup", #"{"idToken":"rubbish"}"#, "INVALID_ID_TOKEN"),
        Case("delete", "{}", "MISSING_ID_TOKEN"),
        Case("createAuthUri", "{}", "MISSING_IDENTIFIER"),
        Case(
            "createAuthUri", #"{"identifier":"a@b.example"}"#,
            "MISSING_CONTINUE_URI : continueUri is needed: the URL of a page or app of yours, where the person goes on."
        ),
        Case("createAuthUri", #"{"identifier":"x","continueUri":"https://x.example/"}"#, "INVALID_IDENTIFIER"),
    ]

    @Test func `a business refusal is 400 in Firebase's envelope, and nothing is written`() async throws {
        try await withHoming { homing in
            try await withServer(homing) { server in
                let commits = homing.database.counts.commits
                for refused in Self.cases {
                    let answer = try await server.client.post(
                        LiveServer.path("accounts:\(refused.operation)"), json: refused.body)
                    #expect(answer.status == 400, "\(refused.testDescription)")
                    #expect(answer.errorMessage == refused.message, "\(refused.testDescription)")
                    #expect(answer["error", "code"]?.integerValue == 400)
                    let inner = answer["error", "errors"]?.arrayValue?.first?.objectValue
                    #expect(inner?["message"]?.stringValue == refused.message)
                    #expect(inner?["domain"]?.stringValue == "global")
                    #expect(inner?["reason"]?.stringValue == "invalid")
                    #expect(answer.header("Content-Type") == "application/json; charset=UTF-8")
                    #expect(answer.header("Cache-Control") == "no-store")
                }
                // A wrong password is counted before it is hashed; nothing else writes.
                #expect(homing.database.counts.commits - commits <= 1)
            }
        }
    }

    @Test func `a missing, an empty and a wrong API key are distinguished`() async throws {
        try await withHoming { homing in
            try await withServer(homing) { server in
                let none = try await server.client.post("/v1/accounts:lookup", [])
                #expect(none.status == 403)
                #expect(none.string("error", "status") == "PERMISSION_DENIED")
                let wrong = try await server.client.post("/v1/accounts:lookup?key=nobody", [])
                #expect(wrong.status == 400)
                #expect(wrong.errorMessage == "API key not valid. Please pass a valid API key.")
                #expect(wrong.string("error", "status") == "INVALID_ARGUMENT")
                let detail = wrong["error", "details"]?.arrayValue?.first?.objectValue
                #expect(detail?["reason"]?.stringValue == "API_KEY_INVALID")
                let header = try await server.client.post(
                    "/v1/accounts:lookup", [], headers: [("X-Goog-Api-Key", TestHoming.apiKey)])
                #expect(header.errorMessage == "MISSING_ID_TOKEN")
            }
        }
    }

    @Test func `the token service has an envelope of its own`() async throws {
        try await withHoming { homing in
            try await withServer(homing) { server in
                let path = "/securetoken.googleapis.com/v1/token?key=\(TestHoming.apiKey)"
                for (form, message) in [
                    ([], "MISSING_GRANT_TYPE"), ([("grant_type", "password")], "INVALID_GRANT_TYPE"),
                    ([("grant_type", "refresh_token")], "MISSING_REFRESH_TOKEN"),
                    ([("grant_type", "refresh_token"), ("refresh_token", "x")], "INVALID_REFRESH_TOKEN"),
                ] as [([(String, String)], String)] {
                    for answer in [
                        try await server.client.post(path, form: form), try await server.client.post(path, form),
                    ] {
                        #expect(answer.status == 400)
                        #expect(answer.errorMessage == message)
                        #expect(answer.string("error", "status") == "INVALID_ARGUMENT")
                        #expect(answer["error", "errors"] == nil)
                    }
                }
            }
        }
    }

    @Test func `an unknown request type names what was given`() async throws {
        try await withHoming { homing in
            try await withServer(homing) { server in
                for (type, message) in [
                    (#""RESET""#, "Invalid value at 'req_type'"), ("99", "Invalid value at 'req_type'"),
                    (#""password_reset""#, "Invalid value at 'req_type'"), ("0", "INVALID_REQ_TYPE"),
                    (#""OOB_REQ_TYPE_UNSPECIFIED""#, "INVALID_REQ_TYPE"), (#""RECOVER_EMAIL""#, "INVALID_REQ_TYPE"),
                    (#""REVERT_SECOND_FACTOR_ADDITION""#, "INVALID_REQ_TYPE"), ("2", "INVALID_REQ_TYPE"),
                ] {
                    let answer = try await server.client.post(
                        LiveServer.path("accounts:sendOobCode"),
                        json: #"{"requestType":\#(type),"email":"a@b.example"}"#)
                    #expect(answer.status == 400)
                    #expect(answer.errorMessage?.hasPrefix(message) == true, "\(type): \(answer.text)")
                }
                #expect(try await homing.number("SELECT COUNT(*) FROM codes") == 0)
            }
        }
    }

    @Test func `an unknown path is a JSON 404 on the API and a page elsewhere`() async throws {
        try await withHoming { homing in
            try await withServer(homing) { server in
                let api = try await server.client.post(LiveServer.path("accounts:nothing"), [])
                #expect(api.status == 404)
                #expect(api.string("error", "status") == "NOT_FOUND")
                let page = try await server.client.get("/nothing/here")
                #expect(page.status == 404)
                #expect(page.header("Content-Type") == "text/html; charset=utf-8")
            }
        }
    }

    @Test func `a known path with another method says which methods it has`() async throws {
        try await withHoming { homing in
            try await withServer(homing, acceptsOwner: true) { server in
                for (method, path, allowed) in [
                    ("GET", LiveServer.path("accounts:lookup"), "POST"), ("DELETE", "/v1/token", "POST"),
                    ("PUT", "/__/auth/action", "GET, HEAD, POST"), ("POST", "/.well-known/jwks.json", "GET, HEAD"),
                ] {
                    let answer = try await server.client.send(method, path, body: Array("{}".utf8))
                    #expect(answer.status == 405, "\(method) \(path)")
                    #expect(answer.header("Allow") == allowed, "\(method) \(path)")
                    #expect(answer.errorMessage == "METHOD_NOT_ALLOWED : This path takes \(allowed).")
                }
                let owner = [("Authorization", "Bearer owner")]
                let known = try await server.admin.send(
                    "PUT", "/v1/projects/shop/accounts:lookup", headers: owner, body: Array("{}".utf8))
                #expect(known.status == 405)
                #expect(known.header("Allow") == "POST")
                // What answers 404 by itself goes on doing so, and nobody without a key learns which paths there are.
                let project = try await server.admin.send(
                    "POST", "/v1/projects/nobody/accounts:lookup", headers: owner, body: Array("{}".utf8))
                #expect(project.status == 404)
                #expect(try await server.admin.send("PUT", "/v1/projects/shop/accounts:lookup").status == 401)
            }
        }
    }
}
