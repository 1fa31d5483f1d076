// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingStore
import HomingTesting
import Testing

@Suite struct CodeChallengeTests {
    /// RFC 7636, appendix B.
    private static let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
    private static let challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"

    @Test func `the challenge of the RFC is answered by its verifier, and by no other one`() throws {
        for method in ["S256", nil] {
            let challenge = try CodeChallenge(parsing: Self.challenge, method: method)
            #expect(challenge.isAnswered(by: Self.verifier))
            #expect(CodeChallenge(of: Self.verifier) == challenge)
            for other in ["", String(Self.verifier.dropLast()), Self.verifier + "x", Self.challenge] {
                #expect(!challenge.isAnswered(by: other))
            }
        }
    }

    @Test(arguments: [
        "", "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-c", challenge + "=", challenge + "M",
        "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw+cM", "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cN",
        // SHA-256 of nothing.
        "47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU",
    ])
    func `what is no challenge is refused`(text: String) {
        let refusal = #expect(throws: Refusal.self) { try CodeChallenge(parsing: text, method: "S256") }
        #expect(refusal?.wireCode == "INVALID_CODE_CHALLENGE")
    }

    @Test(arguments: ["plain", "s256", "", "S512"])
    func `no method but S256 is taken`(method: String) {
        let refusal = #expect(throws: Refusal.self) { try CodeChallenge(parsing: Self.challenge, method: method) }
        #expect(refusal?.wireCode == "INVALID_CODE_CHALLENGE")
    }

    @Test(arguments: [
        String(repeating: "v", count: 42), String(repeating: "v", count: 129), String(repeating: "v", count: 42) + " ",
        String(repeating: "\u{E9}", count: 43),
    ])
    func `what is no verifier answers nothing`(text: String) {
        #expect(CodeChallenge(of: text) == nil)
    }

    @Test func `only the network of whoever asked is told`() throws {
        for (address, network) in [
            ("192.0.2.77", "192.0.2.0/24"), ("2001:db8:1:2::3", "2001:db8:1::/48"),
            ("::ffff:192.0.2.1", "192.0.2.0/24"),
        ] {
            #expect(AskedFrom(device: nil, address: IPAddress(parsing: address)).network == network)
        }
        #expect(AskedFrom(device: nil, address: nil).network == nil)
    }
}
