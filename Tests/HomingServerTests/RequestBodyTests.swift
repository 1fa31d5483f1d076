// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingDatabase
import HomingTesting
import HomingWire
import Testing

@Suite struct RequestBodyTests {
    private func send(_ server: LiveServer, _ body: String) async throws -> RESTAnswer {
        try await server.client.post(LiveServer.path("accounts:sendOobCode"), json: body)
    }

    static let refused = [
        #"{"requestType":"PASSWORD_RESET","requestType":"VERIFY_EMAIL","email":"a@b.example"}"#,
        #"{"requestType":"PASSWORD_RESET","email":"a@b.example","email":"eve@b.example"}"#,
        #"{"requestType":"PASSWORD_RESET","request_type":"VERIFY_EMAIL","email":"a@b.example"}"#,
        #"{"requestType":"PASSWORD_RESET","email":["a@b.example","eve@b.example"]}"#,
        #"{"requestType":"PASSWORD_RESET","email":{"a":"a@b.example"}}"#,
        #"{"requestType":"PASSWORD_RESET","email":7}"#, #"{"requestType":"PASSWORD_RESET","email":true}"#,
        #"{"requestType":["PASSWORD_RESET"],"email":"a@b.example"}"#,
        #"{"requestType":"PASSWORD_RESET","email":"a@b.example","canHandleCodeInApp":"maybe"}"#,
        #"{"requestType":"PASSWORD_RESET","email":"a@b.example","canHandleCodeInApp":1}"#,
        #"{"requestType":"PASSWORD_RESET","email":"a@b.example","continueUrl":["https://shop.example/"]}"#,
        #"{"requestType":"PASSWORD_RESET","email":"a@b.example\u0000"}"#,
        #"{"requestType":"PASSWORD_RESET","email":"a@b.example",}"#, #"{"requestType":"PASSWORD_RESET""#,
        #"{"requestType":'PASSWORD_RESET'}"#, "[]", #""PASSWORD_RESET""#, "null", "7", "{}{}", "\u{FEFF}{}", "{", "x",
        String(repeating: "[", count: 100_000), String(repeating: #"{"a":"#, count: 10_000),
        #"{"requestType":"PASSWORD_RESET","email":"a@b.example""# + (0..<1_000).map { ",\"k\($0)\":0" }.joined() + "}",
    ]

    @Test func `a body that could be read in two ways is refused and mails nobody`() async throws {
        try await withHoming { homing in
            try await homing.account("a@b.example")
            try await withServer(homing) { server in
                for body in Self.refused {
                    let answer = try await send(server, body)
                    #expect(answer.status == 400, "\(body.prefix(80))")
                    #expect(answer.errorMessage?.isEmpty == false)
                }
                #expect(try await homing.number("SELECT COUNT(*) FROM outbox") == 0)
            }
        }
    }

    static let accepted = [
        #"{"requestType":"PASSWORD_RESET","email":"a@b.example"}"#, #"{"requestType":1,"email":"a@b.example"}"#,
        #"{"request_type":"PASSWORD_RESET","email":"a@b.example"}"#,
        #"{"requestType":"PASSWORD_RESET","email":"a@b.example","can_handle_code_in_app":false}"#,
        #"{"requestType":"PASSWORD_RESET","email":"a@b.example","unknown":{"deep":[1,2,{"x":null}]}}"#,
        #"{"requestType":"PASSWORD_RESET","email":"a@b.example","continueUrl":null}"#,
        #"{"requestType":"PASSWORD_RESET","email":"a@b.example","canHandleCodeInApp":"false"}"#,
        " \r\n{ \"requestType\" : \"PASSWORD_RESET\" , \"email\" : \"\\u0061@b.example\" }\t\n",
    ]

    @Test func `numbers for enums, snake case, unknown members and null are taken`() async throws {
        try await withHoming { homing in
            try await homing.account("a@b.example")
            try await withServer(homing) { server in
                for body in Self.accepted {
                    let answer = try await send(server, body)
                    #expect(answer.status == 200, "\(body)")
                    #expect(answer.string("email") == "a@b.example")
                }
                #expect(
                    try await homing.number("SELECT COUNT(*) FROM outbox WHERE recipient = 'a@b.example'")
                        == Self.accepted.count)
            }
        }
    }

    @Test func `a body over a mebibyte is 413 and one below it is read`() async throws {
        try await withHoming { homing in
            try await withServer(homing) { server in
                let start = #"{"requestType":"PASSWORD_RESET","email":"a@b.example","x":""#
                for (size, status) in [((1 << 20) - start.utf8.count - 2, 200), (1 << 20, 413), (3 << 20, 413)] {
                    let answer = try await send(server, start + String(repeating: "x", count: size) + #""}"#)
                    #expect(answer.status == status, "\(size)")
                }
                #expect(try await homing.number("SELECT COUNT(*) FROM codes") == 1)
            }
        }
    }

    @Test func `an address that is no address never reaches the outbox`() async throws {
        try await withHoming { homing in
            try await withServer(homing) { server in
                for address in [
                    "a@b.example,eve@evil.example", "a@b.example\\r\\nBcc: eve@evil.example", "a@b@evil.example",
                    "<a@b.example>", "Ann <a@b.example>", "a@b.example ", " a@b.example", "\\\"a b\\\"@b.example",
                    "a@[127.0.0.1]", "ä@b.example", "a@bücher.example", "a@b.example.", ".a@b.example",
                    "a..b@b.example",
                    "@b.example", "a@", String(repeating: "a", count: 65) + "@b.example",
                ] {
                    let answer = try await send(server, #"{"requestType":"PASSWORD_RESET","email":"\#(address)"}"#)
                    #expect(answer.status == 400, "\(address)")
                    #expect(answer.errorMessage == "INVALID_EMAIL", "\(address)")
                }
                #expect(try await homing.number("SELECT COUNT(*) FROM outbox") == 0)
            }
        }
    }
}
