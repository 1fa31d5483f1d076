// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingDatabase
import HomingMail
import HomingProjects
import HomingStore
import HomingTesting
import Logging
import Synchronization
import Testing

/// Delivery where projects and tenants have transports of their own.
@Suite(.timeLimit(.minutes(2))) struct LaneTests {
    /// A relay that keeps every mail and answers as a test wants, or not at all.
    private final class Door: MailTransport {
        let relay = RecordingTransport()
        let hangs: Bool
        let isShut = Live(false)

        init(hangs: Bool = false) { self.hangs = hangs }

        let concurrency = 4
        let relayHost = "door.example"
        var keepsOurBytes: Bool { true }
        var mails: [ReceivedMail] { relay.mails }

        func deliver(_ envelope: MailEnvelope) async -> DeliveryOutcome {
            let outcome = await relay.deliver(envelope)
            guard hangs else { return outcome }
            // Until the test is over.
            try? await Task.sleep(for: .seconds(600))
            return .relayUnavailable("given up")
        }

        func shutdown(grace: Duration) async { isShut.set(true) }
    }

    /// A server with the project `other` besides `shop`, its delivery, and the doors of whoever has an own one.
    private struct Scene {
        let homing: TestHoming
        let doors = Live<[String: Door]>([:])
        let log = LogLines.Store()
        let delivery: Delivery

        init(_ homing: TestHoming, way: Delivery.Way? = nil) async throws {
            self.homing = homing
            _ = try await homing.projects.create(
                id: "other", name: "Other", apiKey: nil, authorizedDomains: [], linkDomains: [], language: nil)
            delivery = Delivery(
                homing: homing.core, way: way ?? .relay(homing.transport),
                sender: SenderAddress(name: nil, address: "noreply@server.example"),
                logger: Logger(label: "test") { [log] _ in LogLines(store: log) }
            ) { [doors] own in
                guard let door = doors.value[own.url] else { throw NoDoor() }
                return door
            }
        }

        struct NoDoor: Error {}

        /// Gives a project or tenant a door of its own.
        @discardableResult
        func open(_ door: Door?, to owner: Scope, at url: String = "door:", fallsBack: Bool = false) async throws
            -> Door?
        {
            let url = "\(url)\(owner)"
            var all = doors.value
            all[url] = door
            doors.set(all)
            try await homing.projects.setMailTransport(
                OwnMailTransport.Draft(
                    url: url, destination: url, needsSecret: false, secret: nil, sender: "Other <hello@other.example>",
                    fallsBack: fallsBack),
                of: owner, by: .command)
            return door
        }

        func owe(_ scope: Scope, to address: String = "ann@home.example") async throws {
            let project = try homing.projects.existingOrTenant(scope)
            _ = try await homing.outbox.enqueueTest(to: try EmailAddress(parsing: address), in: project, by: .command)
        }

        /// Delivers while the test acts, and then until something holds.
        func run(
            _ act: @Sendable () async throws -> Void = {}, until isDone: @Sendable () async throws -> Bool
        ) async throws {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { [delivery] in try await delivery.run() }
                try await act()
                try await wait(until: isDone)
                group.cancelAll()
                while let result = await group.nextResult() {
                    if case .failure(let error) = result, !(error is CancellationError) { throw error }
                }
            }
        }

        func wait(until isDone: @Sendable () async throws -> Bool) async throws {
            while try await !isDone() { try await Task.sleep(for: .milliseconds(5)) }
        }

        func state(_ scope: Scope) throws -> MailState? {
            homing.outbox.mailState(of: try homing.projects.existingOrTenant(scope))
        }
    }

    @Test func `mails of a project with a transport of its own leave through it, from its own sender`() async throws {
        try await withHoming { homing in
            let scene = try await Scene(homing)
            let door = Door()
            try await scene.open(door, to: "other")
            for scope in ["shop", "other", "shop", "other"] as [Scope] { try await scene.owe(scope) }
            try await homing.deliver(by: scene.delivery)
            #expect(door.mails.map { $0.header("From") } == Array(repeating: "Other <hello@other.example>", count: 2))
            #expect(homing.transport.mails.count == 2)
            #expect(homing.transport.mails.allSatisfy { $0.header("From")?.contains("noreply@server.example") == true })
            #expect(try scene.state("other")?.sender == "Other <hello@other.example>")
            #expect(try scene.state("shop")?.sender == "noreply@server.example")
        }
    }

    @Test func `a tenant's mails leave through its own transport, or else through its project's`() async throws {
        try await withHoming { homing in
            let scene = try await Scene(homing)
            let tenant = try await homing.projects.createTenant("staff", named: nil, in: "other").scope
            let (ofProject, ofTenant) = (Door(), Door())
            try await scene.open(ofProject, to: "other")
            try await scene.owe(tenant)
            try await homing.deliver(by: scene.delivery)
            #expect(ofProject.mails.count == 1)
            try await scene.open(ofTenant, to: tenant)
            for scope in [tenant, "other"] { try await scene.owe(scope) }
            try await homing.deliver(by: scene.delivery)
            #expect(ofProject.mails.count == 2 && ofTenant.mails.count == 1)
            #expect(homing.transport.mails.isEmpty)
        }
    }

    @Test
    func `a relay of a project that refuses holds up nobody else, and its mails are asked for in vain by no other`()
        async throws
    {
        try await withHoming { homing in
            let scene = try await Scene(homing)
            let door = Door()
            try await scene.open(door, to: "other")
            door.relay.answer(.relayRefusesUs("535 no"))
            try await scene.owe("other")
            try await scene.run {
                try await scene.wait { door.relay.attempts.count == 1 && scene.log.count(.error) == 1 }
                for scope in ["other", "shop"] as [Scope] { try await scene.owe(scope) }
                try await scene.wait { !homing.transport.mails.isEmpty && homing.outbox.inHand == 0 }
                // Only the lane that is paused has mails now.
                let before = homing.database.counts
                homing.outbox.bell.ring()
                try await scene.wait { homing.database.counts.statements > before.statements }
                try await Task.sleep(for: .milliseconds(50))
                #expect(homing.database.counts.writes == before.writes)
            } until: {
                true
            }
            #expect(door.relay.attempts.count == 1)
            #expect(try scene.state("other")?.away?.fault == .refuses)
            #expect(try scene.state("shop")?.away == nil)
            let sentences = scene.log.lines.withLock { $0.filter { $0.level == .error }.map(\.message) }
            #expect(sentences.first?.hasPrefix("the transport of other refuses this server") == true)
        }
    }

    @Test func `a provider that hangs holds up the mails of its project alone`() async throws {
        try await withHoming { homing in
            let scene = try await Scene(homing)
            let door = Door(hangs: true)
            try await scene.open(door, to: "other")
            for number in 0..<20 { try await scene.owe("other", to: "ann\(number)@home.example") }
            try await scene.run {
                try await scene.wait { !door.relay.attempts.isEmpty }
                for _ in 0..<20 { try await scene.owe("shop") }
            } until: {
                homing.transport.mails.count == 20
            }
            #expect(door.relay.attempts.count <= 2 * door.concurrency)
        }
    }

    @Test func `the server's transport takes over while an own one is away, where that is wanted`() async throws {
        try await withHoming { homing in
            let scene = try await Scene(homing)
            let door = Door()
            try await scene.open(door, to: "other", fallsBack: true)
            door.relay.answer(.relayRefusesUs("535 no"))
            try await scene.run {
                try await scene.owe("other")
                try await scene.wait { homing.transport.mails.count == 1 && homing.outbox.inHand == 0 }
                #expect(door.relay.attempts.count == 1, "it showed that it is away")
                #expect(homing.transport.mails[0].header("From")?.contains("noreply@server.example") == true)
                #expect(try scene.state("other")?.away?.fault == .refuses)
                #expect(try scene.state("other")?.fallsBack == true)

                // When the pause is over one mail tries, and the others do not wait for what comes of it.
                homing.clock.advance(seconds: 31)
                door.relay.answer(.relayRefusesUs("535 no"))
                for number in 0..<5 { try await scene.owe("other", to: "ann\(number)@home.example") }
                try await scene.wait { homing.transport.mails.count == 6 && homing.outbox.inHand == 0 }
                #expect(door.relay.attempts.count == 2)

                homing.clock.advance(seconds: 31)
                try await scene.owe("other")
            } until: {
                door.mails.count == 1 && homing.outbox.inHand == 0
            }
            #expect(try scene.state("other")?.away == nil)
            #expect(homing.transport.mails.count == 6)
        }
    }

    @Test(arguments: [false, true])
    func `what is set and makes no transport keeps its project's mails, unless the server's takes over`(
        fallsBack: Bool
    ) async throws {
        try await withHoming { homing in
            let scene = try await Scene(homing)
            try await scene.open(nil, to: "other", fallsBack: fallsBack)
            for scope in ["other", "shop"] as [Scope] { try await scene.owe(scope) }
            try await scene.run(until: {
                homing.transport.mails.count == (fallsBack ? 2 : 1) && homing.outbox.inHand == 0
            })
            #expect(try await homing.number("SELECT COUNT(*) FROM outbox WHERE state = 0") == (fallsBack ? 0 : 1))
            #expect(scene.log.count(.error) == 1)
            let away = try scene.state("other")?.away
            #expect(away?.fault == .refuses && away?.reason.contains("cannot be decrypted") == true)
        }
    }

    @Test func `mails from an own sender are signed with its domain's keys; one that cannot be decrypted is told once`()
        async throws
    {
        try await withHoming { homing in
            let scene = try await Scene(homing)
            let door = Door()
            try await scene.open(door, to: "other")
            let keys = try SenderDomainKey.pair(
                for: "other.example", ring: homing.keys.ring, system: homing.system, isSeen: true)
            try await homing.projects.addSenderDomainKeys(keys, to: "other", isRotation: false, by: .command)
            try await scene.owe("other")
            try await homing.deliver(by: scene.delivery)
            #expect(door.mails.last?.header("DKIM-Signature")?.contains("d=other.example") == true)

            let broken: [UInt8] = [1, 2, 3]
            try await homing.rows("UPDATE sender_domain_keys SET sealed = \(broken), public_key = 'another'")
            try await homing.projects.reload()
            for _ in 0..<3 { try await scene.owe("other") }
            try await homing.deliver(by: scene.delivery)
            #expect(door.mails.count == 4 && door.mails.last?.header("DKIM-Signature") == nil)
            #expect(scene.log.count(.error) == keys.count)
        }
    }

    @Test func `another transport is used at once, and the one before it is closed`() async throws {
        try await withHoming { homing in
            let scene = try await Scene(homing)
            let (first, second) = (Door(), Door())
            try await scene.run {
                try await scene.open(first, to: "other", at: "first:")
                try await scene.owe("other")
                try await scene.wait { first.mails.count == 1 }
                try await scene.open(second, to: "other", at: "second:")
                try await scene.owe("other")
                try await scene.wait { second.mails.count == 1 && first.isShut.value }
                try await homing.projects.removeMailTransport(of: "other", by: .command)
                try await scene.owe("other")
            } until: {
                homing.transport.mails.count == 1 && second.isShut.value
            }
            #expect(first.mails.count == 1 && second.mails.count == 1)
        }
    }

    @Test func `on a server without a transport those projects mail that have their own`() async throws {
        try await withHoming { homing in
            homing.core.store.sendsMail.set(false)
            let scene = try await Scene(homing, way: .nowhere)
            let door = Door()
            try await scene.open(door, to: "other")
            await #expect(throws: Refusal.mailIsOff) { try await scene.owe("shop") }
            try await scene.owe("other")
            try await homing.deliver(by: scene.delivery)
            #expect(door.mails.count == 1)
            #expect(try scene.state("shop") == nil)
            #expect(try scene.state("other") != nil)
            // Nothing takes what is left behind when that one is removed.
            try await scene.owe("other")
            try await homing.projects.removeMailTransport(of: "other", by: .command)
            #expect(try await homing.number("SELECT COUNT(*) FROM outbox WHERE ended_at IS NULL") == 0)
            #expect(try await homing.outbox.list(project: "other").count { $0.state == .expired } == 1)
        }
    }

    @Test func `the mailbox keeps the mails of all`() async throws {
        try await withHoming(keepsMail: true) { homing in
            let scene = try await Scene(homing, way: .mailbox())
            let door = Door()
            try await scene.open(door, to: "other")
            for scope in ["other", "shop"] as [Scope] { try await scene.owe(scope) }
            try await homing.deliver(by: scene.delivery)
            #expect(try await homing.mailbox.messages().count == 2)
            #expect(door.relay.attempts.isEmpty)
            #expect(try scene.state("other")?.transport == "the mailbox")
        }
    }
}
