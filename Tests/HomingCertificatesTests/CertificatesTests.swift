// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCertificates
import HomingCore
import HomingStore
import HomingTesting
import Testing

@Suite struct `Certificates that are kept` {
    private let name = "links.shop.example"
    private let directory = "https://ca.example/dir"

    private func issued(at now: Moment, key: String = "KEY") -> IssuedCertificate {
        IssuedCertificate(
            chain: "CHAIN \(key)", key: key, issuer: "CN=Test", beginsAt: now, endsAt: now.adding(seconds: 7_776_000))
    }

    private func claim(_ name: String, _ homing: TestHoming) async throws -> Certificates.Claim {
        try #require(try await Certificates(homing.core).claim(name, by: .server)).claim
    }

    @Test func `a certificate that an operator gets is an entry, and one that the server renews is none`() async throws
    {
        try await withHoming { homing in
            let (certificates, now) = (Certificates(homing.core), homing.clock.now)
            let issued = issued(at: now)
            try await certificates.want(["one.example", "two.example"], from: directory)
            for (name, authority) in [("one.example", Authority.command), ("two.example", .server)] {
                let claim = try #require(try await certificates.claim(name, by: authority)).claim
                try await certificates.keep(issued, for: claim)
            }
            let log = try await homing.audit.list().filter { $0.action.hasPrefix("certificate.") }
            #expect(log.map(\.subject) == ["one.example"])
            #expect(log.first?.author == "command" && log.first?.after == "until \(issued.endsAt.timestamp)")
        }
    }

    @Test func `a name belongs to one process at a time, until its claim ends`() async throws {
        try await withHoming { homing in
            let certificates = Certificates(homing.core)
            try await certificates.want([name], from: directory)
            let first = try #require(try await certificates.claim(name, by: .server))
            #expect(first.state.name == name)
            #expect(try await certificates.claim(name, by: .server) == nil)
            try await certificates.release(first.claim)
            let second = try await claim(name, homing)
            homing.clock.advance(seconds: Certificates.claimSeconds + 1)
            let third = try await claim(name, homing)
            // Who was too slow changes nothing any more.
            try await certificates.release(second)
            #expect(try await certificates.claim(name, by: .server) == nil)
            await #expect(throws: Certificates.ClaimLost.self) {
                try await certificates.keep(issued(at: homing.core.system.now()), for: second)
            }
            await #expect(throws: Certificates.ClaimLost.self) {
                try await certificates.wait(for: second, because: "no")
            }
            #expect(certificates.held(for: name) == nil)
            try await certificates.keep(issued(at: homing.core.system.now()), for: third)
            #expect(certificates.held(for: name) != nil)
        }
    }

    @Test func `an order that was begun is there for whoever comes next, with its key`() async throws {
        try await withHoming { homing in
            let certificates = Certificates(homing.core)
            try await certificates.want([name], from: directory)
            let first = try await claim(name, homing)
            try await certificates.begin(.init(url: "https://ca.example/order/1", key: "SECRET"), for: first)
            try await certificates.release(first)
            let second = try #require(try await certificates.claim(name, by: .server))
            #expect(second.order?.url == "https://ca.example/order/1")
            #expect(second.order?.key == "SECRET")
            try await certificates.keep(issued(at: homing.core.system.now()), for: second.claim)
            #expect(try await certificates.claim(name, by: .server)?.order == nil)
        }
    }

    @Test func `a new certificate takes the place of the old one at once`() async throws {
        try await withHoming { homing in
            let certificates = Certificates(homing.core)
            try await certificates.want([name], from: directory)
            #expect(certificates.held(for: name) == nil)
            try await certificates.keep(
                issued(at: homing.core.system.now(), key: "ONE"), for: try await claim(name, homing))
            let first = try #require(certificates.held(for: name))
            try await certificates.keep(
                issued(at: homing.core.system.now(), key: "TWO"), for: try await claim(name, homing))
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
            let certificates = Certificates(homing.core)
            try await certificates.want([name, "gone.example"], from: directory)
            try await certificates.keep(issued(at: homing.core.system.now()), for: try await claim(name, homing))
            try await certificates.want([], from: directory)
            #expect(try await certificates.states().map(\.name) == [name])
            homing.clock.advance(seconds: 7_776_001)
            try await certificates.want([], from: directory)
            #expect(try await certificates.states().isEmpty)
            #expect(certificates.held(for: name) == nil)
        }
    }

    @Test func `a name that is taken out and added again is as much refused as before`() async throws {
        try await withHoming { homing in
            let certificates = Certificates(homing.core)
            try await certificates.want([name], from: directory)
            let (state, _, claim) = try #require(try await certificates.claim(name, by: .server))
            try await certificates.fail(
                state, under: claim, because: "no", isRefusal: true, wanted: nil, ledHere: true)
            try await certificates.want([], from: directory)
            #expect(try await certificates.states().isEmpty)
            homing.clock.advance(seconds: 600)
            try await certificates.want([name], from: directory)
            #expect(try await certificates.states().map(\.failures) == [1])
            try await certificates.want([], from: directory)
            homing.clock.advance(seconds: 86_401)
            try await certificates.want([], from: directory)
            try await certificates.want([name], from: directory)
            #expect(try await certificates.states().map(\.failures) == [0])
        }
    }

    @Test func `what a clock that was ahead has written holds nothing up for long`() async throws {
        try await withHoming { homing in
            let certificates = Certificates(homing.core)
            homing.clock.advance(seconds: 1_000_000_000)
            try await certificates.want([name], from: directory)
            _ = try await certificates.account(at: directory) { "ONE" }
            let (state, _, first) = try #require(try await certificates.claim(name, by: .server))
            try await certificates.fail(
                state, under: first, because: "no", isRefusal: true, wanted: nil, ledHere: true)
            try await certificates.pause(directory, seconds: 3600)
            _ = try await claim(name, homing)
            homing.clock.advance(seconds: -1_000_000_000)
            try await certificates.want([name], from: directory)
            let now = homing.core.system.now()
            let kept = try #require(try await certificates.states().first)
            #expect(kept.nextAt == now.adding(seconds: 8 * 86_400))
            #expect(kept.seenAt == now && kept.lookedAt == now && kept.triedAt == now)
            #expect(try await certificates.pausedUntil(directory) == now.adding(seconds: 3600))
            homing.clock.advance(seconds: Certificates.claimSeconds + 1)
            #expect(try await certificates.claim(name, by: .server) != nil)
        }
    }

    @Test func `a project has so many first certificates in a day, and few for names that do not lead here`()
        async throws
    {
        try await withHoming { homing in
            let certificates = Certificates(homing.core)
            func granted(_ project: ProjectID, leadsHere: Bool) async throws -> Int {
                var count = 0
                for _ in 0..<30 {
                    if try await certificates.mayOrder(in: project, leadsHere: leadsHere) { count += 1 }
                }
                return count
            }
            let (seen, unseen) = (
                try await granted("shop", leadsHere: true), try await granted("other", leadsHere: false)
            )
            #expect(seen == CertificatePlan.firstOrdersPerDay)
            #expect(unseen == CertificatePlan.unseenOrdersPerDay)
            homing.clock.advance(seconds: 86_401)
            #expect(try await certificates.mayOrder(in: "shop", leadsHere: false))
        }
    }

    @Test func `a certificate whose key is lost is due`() async throws {
        try await withHoming { homing in
            let certificates = Certificates(homing.core)
            try await certificates.want([name], from: directory)
            try await certificates.keep(issued(at: homing.core.system.now()), for: try await claim(name, homing))
            try await certificates.makeDue([name])
            let state = try #require(try await certificates.states().first)
            #expect(CertificatePlan.step(for: state, at: homing.core.system.now()) == .order)
        }
    }

    @Test func `an authority's challenge goes before one of our own for the same name`() async throws {
        try await withHoming { homing in
            let certificates = Certificates(homing.core)
            // A stranger has asked a moment ago.
            #expect(try await certificates.answer(toName: name) == nil)
            try await certificates.publish(token: String(repeating: "t", count: 43), answer: "theirs", for: name)
            homing.clock.advance(seconds: 1)
            try await certificates.publish(token: certificates.newToken(), answer: "ours", for: name)
            #expect(try await certificates.answer(toName: name) == "theirs")
            try await certificates.withdraw(String(repeating: "t", count: 43))
            #expect(try await certificates.answer(toName: name) == "ours")
        }
    }

    @Test func `at another authority every name is due, and owes nothing to the first one's refusals`() async throws {
        try await withHoming { homing in
            let certificates = Certificates(homing.core)
            try await certificates.want([name, "other.example"], from: directory)
            try await certificates.keep(issued(at: homing.core.system.now()), for: try await claim(name, homing))
            let (other, _, second) = try #require(try await certificates.claim("other.example", by: .server))
            let next = try await certificates.fail(
                other, under: second, because: "no", isRefusal: true, wanted: nil, ledHere: true)
            #expect(next >= homing.core.system.now().adding(seconds: 3600))
            homing.clock.advance(seconds: 3600)
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
            let certificates = Certificates(homing.core)
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
            let certificates = Certificates(homing.core)
            let first = try await certificates.account(at: directory) { "ONE" }
            let second = try await certificates.account(at: directory) { "TWO" }
            #expect(first.key == "ONE")
            #expect(second.key == "ONE")
            #expect(try await certificates.account(at: "https://another.example/dir") { "TWO" }.key == "TWO")
        }
    }
}
