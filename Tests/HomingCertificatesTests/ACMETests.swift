// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
import HomingCertificates
import HomingWire
import Synchronization
import Testing

@Suite struct `Talking to a certificate authority` {
    /// An authority that answers its directory and nonces, and else what a test has laid out, one after the other.
    private final class Authority: Sendable {
        let answers: Mutex<[ACMEClient.Answer]>
        let requests = Mutex<[(url: String, body: [UInt8]?)]>([])

        init(_ answers: [ACMEClient.Answer]) { self.answers = Mutex(answers) }

        var client: ACMEClient {
            ACMEClient(directory: "https://ca.example/dir") { (request) async throws(ACMEFault) in
                let body: [UInt8]? = if case .post(let body) = request.method { body } else { nil }
                self.requests.withLock { $0.append((request.url, body)) }
                switch request.url {
                case "https://ca.example/dir":
                    let text =
                        #"{"newNonce":"https://ca.example/n","newAccount":"https://ca.example/a","newOrder":"https://ca.example/o"}"#
                    return ACMEClient.Answer(status: 200, body: Array(text.utf8))
                case "https://ca.example/n":
                    let count = self.requests.withLock { $0.count }
                    return ACMEClient.Answer(status: 200, nonce: "nonce-\(count)")
                default:
                    let answer = self.answers.withLock { $0.isEmpty ? nil : $0.removeFirst() }
                    guard let answer else { throw .unreachable("nothing more") }
                    return answer
                }
            }
        }

        var posts: Int { requests.withLock { $0.count { $0.body != nil } } }
    }

    private func problem(_ type: String, _ status: Int = 400, retryAfter: Int64? = nil) -> ACMEClient.Answer {
        let text = #"{"type":"urn:ietf:params:acme:error:\#(type)","detail":"because\nof \u001b[31mthat"}"#
        return ACMEClient.Answer(status: status, body: Array(text.utf8), nonce: "fresh", retryAfter: retryAfter)
    }

    private let key: ACMEKey

    init() throws { key = try ACMEKey(pem: ACMEKey.newPEM()) }

    @Test func `a nonce that is refused is replaced, and the request made again`() async throws {
        let authority = Authority([
            problem("badNonce"), problem("badNonce"), .init(status: 201, location: "https://ca.example/a/1"),
        ])
        #expect(try await authority.client.account(of: key, email: nil) == "https://ca.example/a/1")
        #expect(authority.posts == 3)
    }

    @Test func `an authority that refuses every nonce is not asked for ever`() async throws {
        let authority = Authority((0..<50).map { _ in problem("badNonce") })
        await #expect(throws: ACMEFault.self) { try await authority.client.account(of: key, email: nil) }
        #expect(authority.posts == 10)
    }

    @Test(arguments: [
        ("rateLimited", "wait"), ("caa", "CAA record"), ("dns", "A or AAAA"), ("unauthorized", "port 80"),
        ("connection", "port 80"), ("rejectedIdentifier", "a name of your own"), ("userActionRequired", "terms"),
        ("invalidContact", "tls.acme.email"), ("somethingNew", "look at what it says"),
    ])
    func `a refusal is one line that says what to do`(type: String, says: String) async throws {
        let authority = Authority([problem(type, 403, retryAfter: 90)])
        let client = authority.client
        let fault = try #require(
            await #expect(throws: ACMEFault.self) { try await client.account(of: key, email: "a@b.example") })
        #expect(fault.description.contains(says))
        #expect(fault.description.contains(type))
        #expect(!fault.description.utf8.contains { $0 < 0x20 })
        #expect(fault.isRefusal)
        guard case .refused(let problem) = fault else { return #expect(Bool(false)) }
        #expect(problem.retryAfter == 90)
    }

    @Test func `a challenge of a kind without a token is one; of a kind that answers one, it needs it`() async throws {
        let text = """
            {"status":"pending","identifier":{"type":"dns","value":"auth.shop.example"},"challenges":[
                {"type":"dns-persist-01","url":"https://ca.example/c/1","status":"pending"},
                {"type":"http-01","url":"https://ca.example/c/2","status":"pending"},
                {"type":"tls-alpn-01","url":"https://ca.example/c/3","status":"pending","token":"t"}]}
            """
        let client = Authority([.init(status: 200, body: Array(text.utf8), nonce: "fresh")]).client
        let challenges = try await client.authorization(
            at: "https://ca.example/z", by: key, account: "https://ca.example/a/1"
        ).challenges
        #expect(challenges.map(\.type) == ["dns-persist-01", "tls-alpn-01"])
        #expect(challenges.map(\.token) == [nil, "t"])
    }

    @Test func `an answer that is none of ACME's is no refusal`() async throws {
        for answer in [
            ACMEClient.Answer(status: 500, body: Array("<html>".utf8)), ACMEClient.Answer(status: 200),
            ACMEClient.Answer(status: 404),
        ] {
            let client = Authority([answer]).client
            let fault = try #require(
                await #expect(throws: ACMEFault.self) { try await client.account(of: key, email: nil) })
            #expect(!fault.isRefusal)
        }
    }

    @Test func `nothing is sent to a URL without TLS, but on this machine`() async throws {
        let here = "http://127.0.0.1:14000/dir"
        #expect(ACMEClient.isAllowed("https://ca.example/dir", by: "https://ca.example/dir"))
        #expect(ACMEClient.isAllowed(here, by: here))
        #expect(ACMEClient.isAllowed("http://[::1]:14000/order", by: here))
        #expect(!ACMEClient.isAllowed(here, by: "https://ca.example/dir"), "no authority reaches into this machine")
        for url in ["http://ca.example/dir", "http://127.0.0.1.ca.example/", "file:///etc/passwd", "gopher://x", ""] {
            #expect(!ACMEClient.isAllowed(url, by: url))
            let client = ACMEClient(directory: url, authorityFile: nil, agent: "test")
            await #expect(throws: ACMEFault.self) { try await client.account(of: key, email: nil) }
        }
    }

    @Test func `a server that is stopped, or an order that took too long, asks nothing more`() async throws {
        let authority = Authority([.init(status: 201, location: "https://ca.example/a/1")])
        let (client, key) = (authority.client, self.key)
        await ACMEClient.$deadline.withValue(ContinuousClock.now) {
            await #expect(throws: ACMEFault.self) { try await client.account(of: key, email: nil) }
        }
        let stopped = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            await #expect(throws: ACMEFault.self) { try await client.account(of: key, email: nil) }
        }
        await stopped.value
        #expect(authority.requests.withLock { $0.isEmpty })
        #expect(try await client.account(of: key, email: nil) == "https://ca.example/a/1")
    }

    @Test func `a signed request carries its key once, then the account's URL, and never a private key`() throws {
        let first = try #require(
            try JSON.parse(key.signed(["a": 1], url: "https://ca.example/a", nonce: "n", account: nil)).objectValue)
        let head = String(
            decoding: try #require(Base64URL.decode(first["protected"]?.stringValue ?? "")), as: UTF8.self)
        #expect(
            head.hasPrefix(
                #"{"alg":"ES256","nonce":"n","url":"https://ca.example/a","jwk":{"crv":"P-256","kty":"EC","x":""#))
        #expect(!head.contains(#""d":"#))
        let later = try #require(
            try JSON.parse(key.signed(nil, url: "https://ca.example/o", nonce: "n", account: "https://ca.example/a/1"))
                .objectValue)
        #expect(later["payload"]?.stringValue?.isEmpty == true)
        let named = String(
            decoding: try #require(Base64URL.decode(later["protected"]?.stringValue ?? "")), as: UTF8.self)
        #expect(named.contains(#""kid":"https://ca.example/a/1""#) && !named.contains("jwk"))
        #expect(Base64URL.decode(first["signature"]?.stringValue ?? "")?.count == 64)
    }
}
