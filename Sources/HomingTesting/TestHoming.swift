// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingCore
package import HomingDatabase
internal import HomingMail
internal import Logging

/// An open house with what a test needs around it. Everything of ``Homing`` is reached as if it were its own.
@dynamicMemberLookup
package struct TestHoming: Sendable {
    package let house: Homing
    package let place: TestPlace
    /// Takes the mails that ``deliver()`` sends.
    package let transport = RecordingTransport()
    let delivery: Delivery

    package static let apiKey = "hk_key_of_the_shop"

    init(_ house: Homing, at place: TestPlace) {
        self.house = house
        self.place = place
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        delivery = Delivery(
            homing: house, way: .relay(transport), sender: Mailbox(name: nil, address: "noreply@shop.example"),
            logger: logger)
    }

    package subscript<Part>(dynamicMember path: KeyPath<Homing, Part>) -> Part { house[keyPath: path] }

    package var clock: TestClock { place.clock }

    /// The project that every fresh house has, as it is set now.
    package var shop: Project {
        get throws { try house.projects.existing("shop") }
    }

    func close() async {
        await house.close()
    }

    /// Runs a statement and answers its rows.
    @discardableResult
    package func rows(_ statement: SQL) async throws -> [Row] {
        try await house.database.write { try $0.run(statement) }
    }

    /// The first number that a statement answers.
    package func number(_ statement: SQL) async throws -> Int {
        Int(try await rows(statement).firstInt() ?? -1)
    }
}
