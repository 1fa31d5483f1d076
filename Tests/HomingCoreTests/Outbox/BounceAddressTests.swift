// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingStore
import HomingTesting
import Testing

/// Envelope senders that name a mail, and nobody else can make.
@Suite struct BounceAddressTests {
    private static let id = "0BmWh7GKpbM0xXc6jVf2tz"

    private func sender(_ homing: TestHoming, of mail: String = BounceAddressTests.id) throws -> String {
        try #require(BounceAddress(parsing: "bounces@shop.example")).sender(of: mail, ring: homing.keys.ring)
    }

    private func mail(_ homing: TestHoming, in text: String) -> String? {
        try? BounceAddress.mail(in: text, ring: homing.keys.ring)
    }

    @Test func `a mail's envelope sender comes back to the mail, whatever happens to its case`() async throws {
        try await withHoming { homing in
            for id in [Self.id, "zzzzzzzzzzzzzzzzzzzzzz", "0000000000000000000000", "AAAAAAAAAAAAAAAAAAAAAA"] {
                let sender = try sender(homing, of: id)
                #expect(sender.hasPrefix("bounces+") && sender.hasSuffix("@shop.example"))
                #expect(sender == sender.lowercased())
                #expect(mail(homing, in: sender) == id)
                #expect(mail(homing, in: sender.uppercased()) == id)
                #expect(mail(homing, in: "<\(sender)>, other@shop.example") == id)
            }
        }
    }

    @Test func `the longest local part that is taken leaves 64 bytes in all`() async throws {
        try await withHoming { homing in
            let longest = String(repeating: "b", count: BounceAddress.longestLocalPart)
            let address = try #require(BounceAddress(parsing: "\(longest)@shop.example"))
            let sender = address.sender(of: Self.id, ring: homing.keys.ring)
            #expect(sender.split(separator: "@").first?.utf8.count == 64)
            #expect(BounceAddress(parsing: "\(longest)b@shop.example") == nil)
            #expect(BounceAddress(parsing: "Bounces <bounces@shop.example>") == nil)
            #expect(BounceAddress(parsing: "bounces") == nil)
        }
    }

    @Test func `a token with one other digit names no mail`() async throws {
        try await withHoming { homing in
            let token = Array(try sender(homing).utf8.dropFirst("bounces+".utf8.count).prefix(52))
            for index in token.indices {
                var forged = token
                forged[index] = forged[index] == UInt8(ascii: "0") ? UInt8(ascii: "1") : UInt8(ascii: "0")
                #expect(mail(homing, in: "bounces+\(String(decoding: forged, as: UTF8.self))@shop.example") == nil)
            }
        }
    }

    @Test func `a token of another server names no mail`() async throws {
        let other = KeyRing(MasterKeyFile(firstSecret: Array(repeating: 7, count: 32)), active: 1, floor: 1)
        let theirs = try #require(BounceAddress(parsing: "bounces@shop.example")).sender(of: Self.id, ring: other)
        #expect(try BounceAddress.mail(in: theirs, ring: other) == Self.id)
        try await withHoming { #expect(mail($0, in: theirs) == nil) }
    }

    @Test func `a token goes on naming its mail under a new key, until its own is retired`() async throws {
        try await withHoming { homing in
            let old = try sender(homing)
            try await homing.keys.use(try await homing.keys.add(by: .command), by: .command)
            #expect(try sender(homing) != old)
            #expect(mail(homing, in: old) == Self.id)
            try await homing.keys.retire(1, by: .command)
            #expect(mail(homing, in: old) == nil)
        }
    }

    @Test func `a genuine token is found behind forged ones`() async throws {
        try await withHoming { homing in
            let forged = "bounces+\(String(repeating: "a", count: 52))@shop.example"
            let genuine = try sender(homing)
            #expect(mail(homing, in: "\(forged), \(genuine)") == Self.id)
            #expect(mail(homing, in: forged) == nil)
            #expect(mail(homing, in: "") == nil)
        }
    }
}
