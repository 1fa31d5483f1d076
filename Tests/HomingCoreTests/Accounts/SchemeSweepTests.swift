// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingDatabase
import HomingPasswords
import HomingProjects
import HomingStore
import HomingTesting
import HomingTransfer
import Testing

@Suite struct `Schemes that nobody names any more` {
    private static let day: Int64 = 86_400
    private static let md5 = "md5$seasalt$3f86d0d3d465b7b458c231bf3555c0e3"
    private static let sha1 = "sha1$seasalt$cff36ea83f5706ce9aa7454e63e431fc726b2dc8"

    private func take(_ hashes: [String], in homing: TestHoming) async throws {
        let people = hashes.enumerated().map { number, hash in
            #"{"pk":\#(number),"fields":{"email":"user\#(number)@shop.example","password":"\#(hash)"}}"#
        }
        let taken = try accounts(people.joined(separator: "\n"), from: .django).map { try $0.account.get() }
        _ = try await homing.core.accounts.take(taken, in: try homing.shop)
    }

    private func schemes(_ homing: TestHoming) async throws -> [PasswordScheme] {
        try await homing.core.accounts.schemes.all(of: try homing.shop).map(\.scheme)
    }

    @Test func `go with the last account that had one, and a failed sign-in is cheap again`() async throws {
        try await withHoming { homing in
            try await take([Self.md5, Self.sha1, Self.sha1], in: homing)
            homing.clock.advance(seconds: 2 * Self.day)
            _ = try await homing.signIn("user0@shop.example", password: "lètmein")
            _ = try await homing.signIn("user1@shop.example", password: "lètmein")
            try await Sweep(homing.core).run()
            #expect(try await schemes(homing) == [.digest(.sha1, rounds: 1, isSaltFirst: true)])
            #expect(try await homing.signIn("user2@shop.example", password: "lètmein").account.id == "2")
            try await Sweep(homing.core).run()
            #expect(try await schemes(homing).isEmpty)
            let waits = homing.core.pool.waits.snapshot.count
            await #expect(throws: Refusal.invalidLoginCredentials) {
                try await homing.signIn("user0@shop.example", password: "a wrong one")
            }
            #expect(homing.core.pool.waits.snapshot.count == waits + 1)
        }
    }

    @Test func `stay for a day, in which the accounts of an import can come`() async throws {
        try await withHoming { homing in
            let scheme = PasswordScheme.digest(.md5, rounds: 1, isSaltFirst: true)
            let ids = try await homing.core.accounts.schemes.add([scheme], to: try homing.shop)
            homing.clock.advance(seconds: Self.day - 1)
            try await Sweep(homing.core).run()
            #expect(try await schemes(homing) == [scheme])
            // An import that takes long, or a second one.
            #expect(try await homing.core.accounts.schemes.add([scheme], to: try homing.shop) == ids)
            homing.clock.advance(seconds: Self.day - 1)
            try await Sweep(homing.core).run()
            #expect(try await schemes(homing) == [scheme])
            homing.clock.advance(seconds: 2)
            try await Sweep(homing.core).run()
            #expect(try await schemes(homing).isEmpty)
            #expect(try await homing.core.accounts.schemes.add([scheme], to: try homing.shop) != ids)
        }
    }

    @Test func `of one project do not stay for another's accounts`() async throws {
        try await withHoming { homing in
            try await take([Self.md5], in: homing)
            let other = try await homing.projects.create(
                id: "other", name: nil, apiKey: "hk_key_of_the_other", authorizedDomains: [], linkDomains: [],
                language: nil)
            _ = try await homing.core.accounts.schemes.add([.digest(.md5, rounds: 1, isSaltFirst: true)], to: other)
            homing.clock.advance(seconds: 2 * Self.day)
            try await Sweep(homing.core).run()
            #expect(try await schemes(homing).count == 1)
            #expect(try await homing.core.accounts.schemes.all(of: other).isEmpty)
        }
    }
}
