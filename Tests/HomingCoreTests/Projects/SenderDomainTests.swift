// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingMail
import HomingProjects
import HomingStore
import HomingTesting
import Testing

@Suite struct SenderDomainTests {
    private func makeKeys(_ homing: TestHoming, isSeen: Bool = false) throws -> [SenderDomainKey] {
        try SenderDomainKey.pair(
            for: "shop.example", ring: homing.keys.ring, system: homing.system, isSeen: isSeen)
    }

    @Test func `mails are signed from when a record was seen, and not before`() async throws {
        try await withHoming { homing in
            let keys = try makeKeys(homing)
            try await homing.projects.addSenderDomainKeys(keys, to: "shop", isRotation: false, by: .command)
            #expect(try homing.shop.senderDomains == ["shop.example"])
            #expect(try homing.shop.signingKeys(for: "shop.example").isEmpty)
            let isNews = try await homing.projects.useSenderDomainKeys(
                [keys[0].selector], of: "shop.example", in: "shop", by: .command)
            #expect(isNews)
            #expect(try homing.shop.signingKeys(for: "SHOP.example").map(\.selector) == [keys[0].selector])
            #expect(try homing.shop.signingKeys(for: "mail.shop.example").isEmpty)
            let isNewsAgain = try await homing.projects.useSenderDomainKeys(
                [keys[0].selector], of: "shop.example", in: "shop", by: .command)
            #expect(!isNewsAgain)
        }
    }

    @Test func `a key that few receivers know signs beside one that all know, and never alone`() async throws {
        try await withHoming { homing in
            let keys = try makeKeys(homing)
            try await homing.projects.addSenderDomainKeys(keys, to: "shop", isRotation: false, by: .command)
            // A panel has cut the long record of RSA, and only the short one is seen.
            for key in keys.reversed() {
                #expect(try homing.shop.signingKeys(for: "shop.example").isEmpty)
                try await homing.projects.useSenderDomainKeys(
                    [key.selector], of: "shop.example", in: "shop", by: .command)
            }
            let signing = try homing.shop.signingKeys(for: "shop.example").map(\.selector)
            #expect(Set(signing) == Set(keys.map(\.selector)))
        }
    }

    @Test func `after a rotation the old keys sign until the new ones are seen, and stay published for a week`()
        async throws
    {
        try await withHoming { homing in
            let old = try makeKeys(homing, isSeen: true)
            try await homing.projects.addSenderDomainKeys(old, to: "shop", isRotation: false, by: .command)
            homing.clock.advance(seconds: 86_400)
            let new = try makeKeys(homing)
            try await homing.projects.addSenderDomainKeys(new, to: "shop", isRotation: true, by: .command)
            let before = try homing.shop.signingKeys(for: "shop.example").map(\.selector)
            #expect(Set(before) == Set(old.map(\.selector)))
            await #expect(throws: Refusal.self, "a third pair waits for the second one") {
                try await homing.projects.addSenderDomainKeys(
                    try makeKeys(homing), to: "shop", isRotation: true, by: .command)
            }
            try await homing.projects.useSenderDomainKeys(
                new.map(\.selector), of: "shop.example", in: "shop", by: .command)
            #expect(try Set(homing.shop.signingKeys(for: "shop.example").map(\.selector)) == Set(new.map(\.selector)))
            let replaced = try homing.shop.senderDomainKeys.filter { $0.replacedAt != nil }
            #expect(replaced.count == 2)
            let now = homing.system.now()
            #expect(replaced.allSatisfy { $0.isPublished(at: now) })
            #expect(replaced.allSatisfy { !$0.isPublished(at: now.adding(seconds: 8 * 86_400)) })
        }
    }

    @Test func `a domain is added once, and rotated and removed only where it is`() async throws {
        try await withHoming { homing in
            let keys = try makeKeys(homing)
            await #expect(throws: Refusal.self) {
                try await homing.projects.addSenderDomainKeys(keys, to: "shop", isRotation: true, by: .command)
            }
            try await homing.projects.addSenderDomainKeys(keys, to: "shop", isRotation: false, by: .command)
            await #expect(throws: Refusal.self) {
                try await homing.projects.addSenderDomainKeys(
                    try makeKeys(homing), to: "shop", isRotation: false, by: .command)
            }
            try await homing.projects.removeSenderDomain("shop.example", from: "shop", by: .command)
            #expect(try homing.shop.senderDomainKeys.isEmpty)
            await #expect(throws: Refusal.self) {
                try await homing.projects.removeSenderDomain("shop.example", from: "shop", by: .command)
            }
        }
    }

    @Test(arguments: [("Shop.Example", "shop.example"), ("bücher.example", "xn--bcher-kva.example")])
    func `a domain is kept in lower case and an international one in its xn form`(given: String, kept: String) throws {
        #expect(try Projects.senderDomain(given) == kept)
    }

    @Test(arguments: ["", "shop", "a b.example", "ada@shop.example", "https://shop.example", "shop.example:25"])
    func `what mails cannot come from is refused`(given: String) {
        #expect(throws: Refusal.self) { try Projects.senderDomain(given) }
    }
}
