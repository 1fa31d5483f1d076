// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingTesting
import Testing

@Suite struct `Certificates that are kept` {
    private let name = "links.shop.example"
    private let directory = "https://ca.example/dir"

    private func issued(at now: Moment, key: String = "KEY") -> IssuedCertificate {
        IssuedCertificate(
            chain: "CHAIN \(key)", key: key, issuer: "CN=Test", beginsAt: now, endsAt: now.adding(seconds: 7_776_000))
    }

    @Test func `a name belongs to one process at a time, until its claim ends`() async throws {
        try await withHoming { homing in
            let certificates = homing.core.certificates
            try await certificates.want([name], from: directory)
            #expect(try await certificates.claim(name)?.state.name == name)
            #expect(try await certificates.claim(name) == nil)
            try await certificates.release(name)
            #expect(try await certificates.claim(name) != nil)
            homing.clock.advance(seconds: Certificates.claimSeconds + 1)
            #expect(try await certificates.claim(name) != nil)
        }
    }

    @Test func `an order that was begun is there for whoever comes next, with its key`() async throws {
        try await withHoming { homing in
            let certificates = homing.core.certificates
            try await certificates.want([name], from: directory)
            try await certificates.begin(.init(url: "https://ca.example/order/1", key: "SECRET"), for: name)
            let order = try await certificates.claim(name)?.order
            #expect(order?.url == "https://ca.example/order/1")
            #expect(order?.key == "SECRET")
            try await certificates.store(issued(at: homing.core.system.now()), for: name)
            #expect(try await certificates.claim(name)?.order == nil)
        }
    }

    @Test func `a new certificate takes the place of the old one at once`() async throws {
        try await withHoming { homing in
            let certificates = homing.core.certificates
            try await certificates.want([name], from: directory)
            #expect(certificates.held(for: name) == nil)
            try await certificates.store(issued(at: homing.core.system.now(), key: "ONE"), for: name)
            let first = try #require(certificates.held(for: name))
            try await certificates.store(issued(at: homing.core.system.now(), key: "TWO"), for: name)
            let second = try #require(certificates.held(for: name))
            #expect(first.certificate.key == "ONE")
            #expect(second.certificate.key == "TWO")
            #expect(second.generation > first.generation)
            try await certificates.reload()
            #expect(certificates.held(for: name)?.generation == second.generation)
        }
    }

    @Test func `a name that is no longer wanted is kept until its certificate ends`() async throws {
        try await withHoming { homing in
            let certificates = homing.core.certificates
            try await certificates.want([name, "gone.example"], from: directory)
            try await certificates.store(issued(at: homing.core.system.now()), for: name)
            try await certificates.want([], from: directory)
            #expect(try await certificates.states().map(\.name) == [name])
            homing.clock.advance(seconds: 7_776_001)
            try await certificates.want([], from: directory)
            #expect(try await certificates.states().isEmpty)
            #expect(certificates.held(for: name) == nil)
        }
    }

    @Test func `at another authority every name is due, and owes nothing to the first one's refusals`() async throws {
        try await withHoming { homing in
            let certificates = homing.core.certificates
            try await certificates.want([name, "other.example"], from: directory)
            try await certificates.store(issued(at: homing.core.system.now()), for: name)
            let other = try #require(try await certificates.states().first { $0.name == "other.example" })
            let next = try await certificates.fail(other, because: "no", isRefusal: true, wanted: nil, ledHere: true)
            #expect(next >= homing.core.system.now().adding(seconds: 3600))
            try await certificates.want([name, "other.example"], from: "https://another.example/dir")
            let now = homing.core.system.now()
            let steps = try await certificates.states().map { CertificatePlan.step(for: $0, at: now) }
            #expect(steps[0] == .order)
            #expect(try await certificates.states().allSatisfy { $0.failures == 0 && $0.problem == nil })
            #expect(certificates.held(for: name) != nil, "what is there is shown meanwhile")
        }
    }

    @Test func `a challenge is answered by its token, for ten minutes or until it is withdrawn, and nothing else is`()
        async throws
    {
        try await withHoming { homing in
            let certificates = homing.core.certificates
            let token = String(repeating: "t", count: 43)
            try await certificates.publish(token: token, answer: "\(token).thumb", for: name)
            #expect(try await certificates.answer(toToken: token) == "\(token).thumb")
            #expect(try await certificates.answer(toName: name) == "\(token).thumb")
            for wrong in [
                "", "t", token + "t", "%", "../" + token, String(repeating: "u", count: 43), token.uppercased(),
            ] {
                #expect(try await certificates.answer(toToken: wrong) == nil)
            }
            #expect(try await certificates.answer(toName: "other.example") == nil)
            homing.clock.advance(seconds: 601)
            #expect(try await certificates.answer(toToken: token) == nil)
            #expect(try await certificates.answer(toName: name) == nil)
            try await certificates.publish(token: token, answer: "again", for: name)
            try await certificates.withdraw(token)
            #expect(try await certificates.answer(toToken: token) == nil)
            await #expect(throws: Refusal.self) {
                try await certificates.publish(token: "a/../b", answer: "", for: name)
            }
        }
    }

    @Test func `an account's key is made once, whoever asks first`() async throws {
        try await withHoming { homing in
            let certificates = homing.core.certificates
            let first = try await certificates.account(at: directory) { "ONE" }
            let second = try await certificates.account(at: directory) { "TWO" }
            #expect(first.key == "ONE")
            #expect(second.key == "ONE")
            #expect(try await certificates.account(at: "https://another.example/dir") { "TWO" }.key == "TWO")
        }
    }
}
