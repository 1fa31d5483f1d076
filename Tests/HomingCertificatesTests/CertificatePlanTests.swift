// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCertificates
import HomingCore
import HomingStore
import Testing

@Suite struct `Which certificates are ordered, and when` {
    private let now = Moment(seconds: 1_800_000_000)

    private func domains(_ texts: [String]) throws -> [LinkDomain] { try texts.map { try LinkDomain(parsing: $0) } }

    private func waiting(_ change: (inout CertificateState) -> Void = { _ in }) -> CertificateState {
        var state = CertificateState(name: "links.shop.example", seenAt: now)
        change(&state)
        return state
    }

    @Test func `every host of a link needs one, once, and what no authority can know needs none`() throws {
        let names = CertificatePlan.names(
            publicHost: "auth.example.com",
            linkDomains: try domains([
                "links.shop.example", "links.shop.example/app", "links.shop.example:8443", "auth.example.com",
                "localhost:1",
                "shop.page.link", "shop.app.goo.gl", "intranet",
            ]), covered: [])
        #expect(names == ["auth.example.com", "links.shop.example"])
    }

    @Test func `names of the operator's own certificate are left out, a wildcard stands for one label`() throws {
        let names = CertificatePlan.names(
            publicHost: "AUTH.shop.example",
            linkDomains: try domains(["a.b.shop.example", "shop.example", "c.shop.example", "other.example"]),
            covered: ["*.Shop.example", "other.example"])
        #expect(names == ["a.b.shop.example", "shop.example"])
    }

    @Test func `a new name is looked at every minute, and an order follows once it leads here`() {
        var state = waiting()
        #expect(CertificatePlan.step(for: state, at: now) == .look)
        #expect(!CertificatePlan.isWorthAnOrder(state, hasAddress: true, leadsHere: false, at: now))
        #expect(CertificatePlan.isWorthAnOrder(state, hasAddress: true, leadsHere: true, at: now))
        state.lookedAt = now
        #expect(CertificatePlan.step(for: state, at: now.adding(seconds: 30)) == .rest)
        #expect(CertificatePlan.step(for: state, at: now.adding(seconds: 60)) == .look)
        // A day later, every ten minutes.
        state.lookedAt = now.adding(seconds: 86_400)
        #expect(CertificatePlan.step(for: state, at: now.adding(seconds: 86_400 + 300)) == .rest)
        #expect(CertificatePlan.step(for: state, at: now.adding(seconds: 86_400 + 600)) == .look)
    }

    @Test func `a network that cannot see itself gets its order after an hour`() {
        let state = waiting()
        #expect(
            !CertificatePlan.isWorthAnOrder(state, hasAddress: true, leadsHere: false, at: now.adding(seconds: 3599)))
        #expect(
            CertificatePlan.isWorthAnOrder(state, hasAddress: true, leadsHere: false, at: now.adding(seconds: 3600)))
    }

    @Test func `a name without any address is never ordered`() {
        for hours in [0, 1, 24, 1000] as [Int64] {
            let later = now.adding(seconds: hours * 3600)
            #expect(!CertificatePlan.isWorthAnOrder(waiting(), hasAddress: false, leadsHere: false, at: later))
        }
    }

    @Test func `the own name and renewals go first, then one name of each project in turn`() {
        func state(_ name: String, ends: Int64? = nil, looked: Int64? = nil) -> CertificateState {
            var state = CertificateState(name: name, seenAt: now)
            state.endsAt = ends.map { now.adding(seconds: $0) }
            state.lookedAt = looked.map { now.adding(seconds: $0) }
            return state
        }
        let many = (0..<100).map { state("aaa\($0).evil.example") }
        let others = [
            state("links.shop.example", looked: -60), state("new.shop.example"), state("late.example", ends: 9000),
            state("soon.example", ends: 900), state("auth.example.com"),
        ]
        var projects: [String: ProjectID] = ["links.shop.example": "shop", "new.shop.example": "shop"]
        for one in many { projects[one.name] = "evil" }
        let queue = CertificatePlan.queue(many + others, ownName: "auth.example.com", projects: projects).map(\.name)
        #expect(queue.count == 105)
        #expect(queue.prefix(3) == ["auth.example.com", "soon.example", "late.example"])
        #expect(Set(queue[3...6].suffix(2)).contains("links.shop.example"), "\(queue[3...6])")
        #expect(queue[3...4].contains("new.shop.example"), "the one looked at longest ago")
        // Whose name was tried last has to wait.
        var tried = many[0]
        tried.triedAt = now
        let after = CertificatePlan.queue([tried] + others, ownName: nil, projects: projects).map(\.name)
        #expect(after.firstIndex(of: "new.shop.example") ?? 9 < after.firstIndex(of: tried.name) ?? 0)
    }

    @Test func `servers that name two authorities do not take turns in obtaining everything anew`() {
        func mayChange(after seconds: Int64, wasInForce: Bool = false, isAlone: Bool = false) -> Bool {
            CertificatePlan.mayChangeAuthority(
                since: now, wasInForce: wasInForce, isAlone: isAlone, at: now.adding(seconds: seconds))
        }
        #expect(mayChange(after: 0, isAlone: true))
        #expect(!mayChange(after: 3599) && mayChange(after: 3600))
        #expect(!mayChange(after: 86_399, wasInForce: true) && mayChange(after: 86_400, wasInForce: true))
        #expect(mayChange(after: -3601), "a clock that was ahead is believed no longer than that")
    }

    @Test func `after a refusal nothing is ordered until its time, unless the name has come to lead here`() {
        func refused(ledHere: Bool) -> CertificateState {
            waiting {
                $0.failures = 3
                $0.triedAt = now
                $0.lookedAt = now
                $0.nextAt = now.adding(seconds: 14_400)
                $0.ledHere = ledHere
            }
        }
        for minutes in [1, 14, 60, 239] {
            #expect(
                CertificatePlan.step(for: refused(ledHere: true), at: now.adding(seconds: Int64(minutes * 60))) == .rest
            )
        }
        #expect(CertificatePlan.step(for: refused(ledHere: true), at: now.adding(seconds: 14_400)) == .look)
        #expect(CertificatePlan.step(for: refused(ledHere: false), at: now.adding(seconds: 14 * 60)) == .rest)
        let later = now.adding(seconds: 20 * 60)
        #expect(CertificatePlan.step(for: refused(ledHere: false), at: later) == .look)
        #expect(!CertificatePlan.isWorthAnOrder(refused(ledHere: false), hasAddress: true, leadsHere: false, at: later))
        #expect(CertificatePlan.isWorthAnOrder(refused(ledHere: false), hasAddress: true, leadsHere: true, at: later))
    }

    @Test func `however often it is refused, a name is ordered at most four times in any hour`() {
        var generator = SystemRandomNumberGenerator()
        let seed = UInt64.random(in: 0...UInt64.max, using: &generator)
        var state = seed
        func flip() -> Bool {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state >> 63 == 1
        }
        var row = waiting()
        var orders: [Int64] = []
        for second in stride(from: Int64(0), to: 7 * 86_400, by: 10) {
            let time = now.adding(seconds: second)
            guard CertificatePlan.step(for: row, at: time) == .look else { continue }
            let leadsHere = flip()
            row.lookedAt = time
            guard CertificatePlan.isWorthAnOrder(row, hasAddress: true, leadsHere: leadsHere, at: time) else {
                continue
            }
            orders.append(second)
            row.failures += 1
            row.triedAt = time
            row.ledHere = leadsHere
            row.nextAt = time.adding(
                seconds: CertificatePlan.pause(afterRefusals: row.failures, wanted: nil, share: 0))
        }
        for first in orders {
            #expect(orders.filter { (first..<first + 3600).contains($0) }.count <= 4, "seed \(seed)")
        }
        #expect(orders.count >= 7, "it is not given up either; seed \(seed)")
    }

    @Test func `a certificate is renewed two thirds into its life, whatever its length, and not all at once`() {
        for days in [6, 47, 90, 365] as [Int64] {
            let end = now.adding(seconds: days * 86_400)
            let first = CertificatePlan.renewal(from: now, until: end, share: 0)
            let last = CertificatePlan.renewal(from: now, until: end, share: 1)
            #expect(first == now.adding(seconds: days * 57_600))
            #expect(last.seconds - now.seconds == days * 61_200)
            var state = waiting {
                $0.endsAt = end
                $0.renewAt = first
            }
            #expect(CertificatePlan.step(for: state, at: first.adding(seconds: -1)) == .rest)
            #expect(CertificatePlan.step(for: state, at: first) == .order)
            state.nextAt = first.adding(seconds: 3600)
            #expect(CertificatePlan.step(for: state, at: first) == .rest)
        }
    }

    @Test func `pauses grow from an hour to a day, or as long as the authority says`() {
        let hours = (1...9).map { CertificatePlan.pause(afterRefusals: $0, wanted: nil, share: 0) / 3600 }
        #expect(hours == [1, 2, 4, 8, 16, 24, 24, 24, 24])
        #expect(CertificatePlan.pause(afterRefusals: 1, wanted: 30_000, share: 0) == 30_000)
        #expect(CertificatePlan.pause(afterRefusals: 1, wanted: 5, share: 1) == 3960)
        #expect(CertificatePlan.pause(afterRefusals: .max, wanted: .max, share: 1) <= 8 * 86_400)
        let minutes = (1...7).map { CertificatePlan.pause(afterSilences: $0, share: 0) / 60 }
        #expect(minutes == [5, 10, 20, 40, 60, 60, 60])
    }

    @Test func `each failure tries the other way, as far as there is one`() {
        func way(_ failures: Int, plain: Bool, _ offered: [String] = ["dns-01", "http-01", "tls-alpn-01"]) -> String? {
            CertificatePlan.challenge(among: offered, hasPlainListener: plain, failures: failures)?.type
        }
        #expect((0...3).map { way($0, plain: true) } == ["http-01", "tls-alpn-01", "http-01", "tls-alpn-01"])
        #expect((0...1).map { way($0, plain: false) } == ["tls-alpn-01", "tls-alpn-01"])
        #expect(way(1, plain: true, ["http-01"]) == "http-01")
        #expect(way(0, plain: false, ["http-01", "dns-01"]) == nil)
    }
}
