// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingDatabase
import HomingProjects
import HomingStore
import HomingTesting
import HomingWire
import Testing

/// What several servers on one PostgreSQL know of each other.
@Suite(.tags(.races)) struct NodesTests {
    private func withNodes(_ body: (TestHoming, TestHoming) async throws -> Void) async throws {
        try await withWorld(isOnPostgres: true) { world in
            try await world.withHoming { first in
                // The database's clock cannot be set, so the test's is.
                let skew = try await first.nodes.clockSkew()
                world.clock.advance(seconds: -skew / 1000)
                _ = try await first.projects.create(
                    id: "shop", name: "Shop", apiKey: TestHoming.apiKey, authorizedDomains: ["shop.example"],
                    linkDomains: [], language: nil)
                try await world.withHoming { second in try await body(first, second) }
            }
        }
    }

    @Test func `each node is on the list while it lives, and off it when it stops`() async throws {
        try await withNodes { first, second in
            _ = try await first.nodes.beat(name: "a:9099", version: "1", mails: 0, keys: [])
            _ = try await second.nodes.beat(name: "b:9099", version: "2", mails: 3, keys: [])
            let nodes = try await first.nodes.list()
            #expect(nodes.map(\.node.name) == ["a:9099", "b:9099"])
            #expect(nodes.map(\.node.version) == ["1", "2"])
            #expect(nodes.map(\.node.mails) == [0, 3])
            #expect(nodes.map(\.isAlive) == [true, true])
            #expect(try await first.nodes.livingCount() == 2)
            try await second.nodes.leave()
            #expect(try await first.nodes.list().map(\.node.name) == ["a:9099"])
            #expect(try await first.nodes.livingCount() == 1)
            _ = try await second.nodes.beat(name: "b:9099", version: "2", mails: 3, keys: [])
            try await first.database.write {
                try $0.run("UPDATE nodes SET seen_at = seen_at - 600000 WHERE name = 'b:9099'")
            }
            #expect(try await first.nodes.livingCount() == 1)
        }
    }

    @Test func `a node whose clock is more than half a minute off does not start`() async throws {
        try await withNodes { first, _ in
            try await first.nodes.checkClock()
            for seconds: Int64 in [60, -120] {
                first.clock.advance(seconds: seconds)
                let fault = await #expect(throws: DatabaseFault.self) { () async throws in
                    try await first.nodes.checkClock()
                }
                #expect(fault?.description.contains("timedatectl") == true)
                #expect(fault?.description.contains(seconds > 0 ? "ahead of" : "behind") == true)
            }
        }
    }

    @Test func `an ID token of a key that another node has just made is taken at once`() async throws {
        try await withNodes { first, second in
            try await first.signUp(TestHoming.ann)
            try await first.signingKeys.rotate(by: .command)
            let tokens = try await first.signIn(TestHoming.ann).tokens
            let person = try await second.person(tokens)
            #expect(person.account.email?.text == TestHoming.ann)
        }
    }

    @Test func `of many who bring the first tokens of a new key at once all are let in`() async throws {
        try await withNodes { first, second in
            try await first.signUp(TestHoming.ann)
            try await first.signingKeys.rotate(by: .command)
            let tokens = try await first.signIn(TestHoming.ann).tokens
            let before = second.database.counts.statements
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<8 { group.addTask { _ = try await second.person(tokens) } }
                try await group.waitForAll()
            }
            // Eight accounts and sessions are read, and the keys once.
            #expect(second.database.counts.statements - before == 17)
        }
    }

    @Test func `a token of an unknown key costs one look into the database in five seconds`() async throws {
        try await withNodes { first, second in
            let tokens = try await first.signUp(TestHoming.ann).tokens
            let parts = tokens.idToken.split(separator: ".")
            let header = #"{"alg":"RS256","kid":"nobody-knows","typ":"JWT"}"#
            let forged = "\(base64URL(header)).\(parts[1]).\(parts[2])"
            let before = second.database.counts.trips
            for _ in 0..<20 {
                await #expect(throws: Refusal.invalidIDToken) {
                    _ = try await second.sessions.signedIn(idToken: forged, in: second.shop)
                }
            }
            #expect(second.database.counts.trips - before <= 2)
        }
    }

    private func base64URL(_ text: String) -> String {
        Base64URL.encode(Array(text.utf8))
    }

    @Test func `of all nodes one sweeps at a time`() async throws {
        try await withNodes { first, second in
            var turns = 0
            for node in [first, second, first, second] {
                if try await node.nodes.isTurn(for: "sweep", everySeconds: 25) { turns += 1 }
            }
            #expect(turns == 1)
            first.clock.advance(seconds: 26)
            #expect(try await second.nodes.isTurn(for: "sweep", everySeconds: 25))
        }
    }

    @Test func `a limit is one limit, however many nodes count`() async throws {
        try await withWorld(isOnPostgres: true) { world in
            var limits = Limits.none
            limits.mailPerIPHour = 40
            try await world.withHoming(limits: limits) { first in
                try await world.withHoming(limits: limits) { second in
                    var taken = 0
                    for number in 0..<200 {
                        let node = number % 2 == 0 ? first : second
                        let isTaken: ()? = try? await node.blockLimits.take(
                            "mail 192.0.2.1", project: "shop", limit: 40)
                        if isTaken != nil { taken += 1 }
                    }
                    #expect((36...40).contains(taken))
                }
            }
        }
    }

    @Test func `what one node changes another one takes over, and looks at one row until then`() async throws {
        try await withNodes { first, second in
            try await second.core.takeOverChanges()
            let before = second.database.counts.statements
            try await second.core.takeOverChanges()
            #expect(second.database.counts.statements - before == 1)
            try await first.projects.addDomain("new.example", to: "shop")
            try await first.signingKeys.rotate(by: .command)
            try await second.core.takeOverChanges()
            #expect(try second.shop.authorizedDomains.map(\.text).contains("new.example"))
            #expect(second.signingKeys.jsonWebKeySet() == first.signingKeys.jsonWebKeySet())
        }
    }

    @Test func `of settings that operators change on two nodes at once all are kept`() async throws {
        try await withNodes { first, second in
            let kinds = ["PASSWORD_RESET", "EMAIL_SIGNIN", "VERIFY_EMAIL", "VERIFY_AND_CHANGE_EMAIL", "RECOVER_EMAIL"]
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (number, kind) in kinds.enumerated() {
                    let node = number % 2 == 0 ? first : second
                    group.addTask {
                        try await node.projects.set(
                            "shop", "actionCodes.lifetimeSeconds.\(kind)", to: "\(600 + number)")
                    }
                }
                try await group.waitForAll()
            }
            let stored = try await first.rows("SELECT settings FROM projects").firstText() ?? ""
            for (number, kind) in kinds.enumerated() {
                #expect(stored.contains(kind) && stored.contains("\(600 + number)"), "\(stored)")
            }
        }
    }

    @Test func `a database that orders texts as a language does is refused with the command that makes another`()
        async throws
    {
        let server = try await PostgresServer.shared.value
        let name = try server.newDatabase(
            from: "template0", options: ["--locale-provider=icu", "--icu-locale=en", "--locale=C"])
        defer { server.drop(name) }
        let database = Database(driver: try PostgresDriver(try #require(server.url(of: name))))
        let fault = await #expect(throws: DatabaseFault.self) {
            try await Migrator(Schema.migrations).migrate(database, now: 1)
        }
        await database.close()
        #expect(fault?.description.contains("createdb -T template0 --locale=C") == true)
    }

    @Test(arguments: ["LATIN1", "SQL_ASCII"])
    func `a database that cannot keep every text is refused with the command that makes another`(encoding: String)
        async throws
    {
        let server = try await PostgresServer.shared.value
        let name = try server.newDatabase(from: "template0", options: ["--locale=C", "-E", encoding])
        defer { server.drop(name) }
        let fault = try await Database(driver: try PostgresDriver(try #require(server.url(of: name)))).closing {
            database in
            await #expect(throws: DatabaseFault.self) {
                try await Migrator(Schema.migrations).migrate(database, now: 1)
            }
        }
        #expect(fault?.description.contains(encoding) == true)
        #expect(fault?.description.contains("createdb -T template0 --locale=C -E UTF8") == true)
    }

    @Test func `many who migrate at once make each step once`() async throws {
        let server = try await PostgresServer.shared.value
        let name = try server.newDatabase()
        defer { server.drop(name) }
        let url = try #require(server.url(of: name))
        let applied = try await withThrowingTaskGroup(of: [Int].self) { group in
            for _ in 0..<4 {
                group.addTask {
                    let database = Database(driver: try PostgresDriver(url, for: .maintenance))
                    do {
                        let applied = try await Migrator(Schema.migrations).migrate(database, now: 1)
                        await database.close()
                        return applied
                    } catch {
                        await database.close()
                        throw error
                    }
                }
            }
            var applied: [Int] = []
            for try await versions in group { applied += versions }
            return applied
        }
        #expect(applied.sorted() == Schema.migrations.map(\.version))
    }

    @Test func `a program goes on beside a newer schema that only adds, and refuses any other`() async throws {
        try await withNodes { first, _ in
            let newest = try #require(Schema.migrations.last?.version)
            try await first.rows("ALTER TABLE accounts ADD COLUMN of_the_future TEXT")
            try await first.rows(
                """
                INSERT INTO schema_versions (version, name, checksum, applied_at)
                VALUES (\(newest + 1), 'expand: of the future', 'x', 1)
                """)
            try await Migrator(Schema.migrations).check(first.database)
            #expect(await first.core.readiness() == .ready)
            try await first.signUp(TestHoming.ann)
            try await first.rows(
                """
                INSERT INTO schema_versions (version, name, checksum, applied_at)
                VALUES (\(newest + 2), 'of the future', 'x', 1)
                """)
            let fault = await #expect(throws: DatabaseFault.self) {
                try await Migrator(Schema.migrations).check(first.database)
            }
            #expect(fault?.description.contains("start a newer homing") == true)
            #expect(await first.core.readiness() == .schemaDiffers)
        }
    }

    @Test func `a node does not start, and is not ready, while the schema lacks its own last step`() async throws {
        try await withNodes { first, _ in
            try await first.rows(
                "DELETE FROM schema_versions WHERE version = (SELECT MAX(version) FROM schema_versions)")
            let fault = await #expect(throws: DatabaseFault.self) {
                try await Migrator(Schema.migrations).check(first.database)
            }
            #expect(fault?.description.contains("homing migrate") == true)
            #expect(await first.core.readiness() == .schemaDiffers)
        }
    }

    @Test func `a mailed link leads an operator to the node that was asked, whichever one mails it`() async throws {
        try await withWorld(isOnPostgres: true) { world in
            var elsewhere = world
            elsewhere.consoleURL = "http://other.shop.example"
            try await world.withHoming { asked in
                _ = try await asked.operators.add("ann@example.com", role: .owner, projects: nil)
                _ = try await asked.operators.mailLink(to: "ann@example.com", caller: "192.0.2.1")
                try await elsewhere.withHoming { other in
                    let mail = try #require(try await other.deliver().first)
                    let link = try #require(mail.links.first { $0.contains("ticket=") })
                    #expect(link.hasPrefix("\(TestWorld.consoleURL)/enter?ticket="))
                }
            }
        }
    }

    /// Both clocks may be half a minute off, in opposite directions.
    @Test
    func `a claim lasts for another node as long as for the one that made it, however far their clocks are apart`()
        async throws
    {
        try await withWorld(isOnPostgres: true) { world in
            try await world.withHoming { behind in
                let theirs = Moment(
                    milliseconds: world.clock.now.milliseconds - (try await behind.nodes.clockSkew()))
                world.clock.advance(seconds: theirs.seconds - world.clock.now.seconds - 27)
                try await world.withClock(TestClock(start: theirs.adding(seconds: 27))).withHoming { ahead in
                    for node in [ahead, behind] {
                        _ = try await node.nodes.beat(name: "a node", version: "1", mails: 0, keys: [])
                    }
                    let shop = try await behind.projects.create(
                        id: "shop", name: nil, apiKey: nil, authorizedDomains: [], linkDomains: [], language: nil)
                    let address = try EmailAddress(parsing: TestHoming.ann)
                    let id = try await ahead.outbox.enqueueTest(to: address, in: shop, by: .command)
                    // Due at once, wherever it was written.
                    #expect(try await behind.outbox.claim(limit: 1).map(\.id) == [id])
                    for node in [behind, ahead] { node.clock.advance(seconds: 55) }
                    #expect(try await ahead.outbox.claim(limit: 1).isEmpty)
                    for node in [behind, ahead] { node.clock.advance(seconds: 8) }
                    #expect(try await ahead.outbox.claim(limit: 1).map(\.id) == [id])
                }
            }
        }
    }
}
