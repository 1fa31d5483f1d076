// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingCore
package import HomingDatabase
import HomingLinkRules
internal import HomingMail
package import HomingProjects
import HomingStore
internal import Logging

/// An open Homing with everything that a test needs. Every member of ``Homing`` can be used as a member of this type.
@dynamicMemberLookup
package struct TestHoming: Sendable {
    package let core: Homing
    package let world: TestWorld
    /// Takes the mails that ``deliver()`` sends.
    package let transport = RecordingTransport()
    let delivery: Delivery

    package static let apiKey = "hk_key_of_the_shop"

    init(_ core: Homing, at world: TestWorld) {
        self.core = core
        self.world = world
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        delivery = Delivery(
            homing: core, way: .relay(transport), sender: SenderAddress(name: nil, address: "noreply@shop.example"),
            logger: logger)
    }

    package subscript<Part>(dynamicMember path: KeyPath<Homing, Part>) -> Part { core[keyPath: path] }

    package var clock: TestClock { world.clock }

    /// The project that every fresh database has, with its present settings.
    package var shop: Project {
        get throws { try core.projects.existing("shop") }
    }

    func close() async {
        await core.close()
    }

    /// Runs a statement and answers its rows.
    @discardableResult
    package func rows(_ statement: SQL) async throws -> [Row] {
        try await core.database.write { try $0.run(statement) }
    }

    /// The first number that a statement answers.
    package func number(_ statement: SQL) async throws -> Int {
        Int(try await rows(statement).firstInt() ?? -1)
    }
}
