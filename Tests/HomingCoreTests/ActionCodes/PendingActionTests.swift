// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingLinkRules
import HomingProjects
import HomingStore
import HomingTesting
import HomingWire
import Testing

/// What somebody was about to do when a mailed link led to an app's store.
@Suite struct PendingActionTests {
    private static let target = "https://shop.example/invitation?id=1&b=%20"

    /// Asks for a mail that leads to a page of the shop, and answers its code.
    private func mail(
        _ homing: TestHoming, _ kind: ActionCodeKind = .signIn, to address: String = TestHoming.ann,
        continuing url: String? = target
    ) async throws -> String {
        homing.clock.advance(seconds: 1)
        var asked = ActionCodeSettings.Asked()
        asked.continueURL = url
        _ = try await homing.actionCodes.request(
            ActionCodes.Request(
                project: try homing.shop, kind: kind, subject: .address(try EmailAddress(parsing: address)),
                settings: try ActionCodeSettings(asked, in: homing.shop), language: nil))
        return try await homing.mailedCode(to: address)
    }

    /// Opens the link of a code as a person's browser does.
    private func open(_ code: String, _ homing: TestHoming) async throws {
        let row = try #require(try await homing.actionCodes.remember(code, in: homing.shop))
        homing.outbox.mailCounts.opened(row, in: try homing.shop)
    }

    /// The present session of an address, with its account as it is now.
    private func person(_ homing: TestHoming, _ address: String = TestHoming.ann) async throws -> SignedIn {
        let tokens = try await homing.signIn(address).tokens
        return try await homing.person(tokens)
    }

    private func pending(_ person: SignedIn, _ homing: TestHoming) async throws -> PendingAction? {
        let shop = try homing.shop
        return try await homing.actionCodes.pendingAction(
            of: person, by: homing.projects.linkRules(of: shop).continueRule, in: shop)
    }

    /// Ann with a password and a proven address.
    private func ann(_ homing: TestHoming) async throws -> SignedIn {
        try await homing.signUp(TestHoming.ann)
        _ = try await homing.actionCodes.apply(homing.liveCode(.verifyEmail), in: homing.shop)
        return try await person(homing)
    }

    @Test func `a link that was opened and not used is told once, with the URL byte for byte`() async throws {
        try await withHoming { homing in
            let ann = try await ann(homing)
            let code = try await mail(homing)
            #expect(try await pending(ann, homing) == nil)
            // Nothing has been written yet: what is in memory counts.
            try await open(code, homing)
            let told = try await pending(ann, homing)
            #expect(told?.mode == .signIn)
            #expect(told?.continueURL.utf8.elementsEqual(Self.target.utf8) == true)
            #expect(try await pending(ann, homing) == nil)
            // The code itself is as it was.
            _ = try await homing.actionCodes.inspect(code, in: homing.shop)
        }
    }

    @Test func `of sixty-four that ask at once one is told`() async throws {
        try await withHoming { homing in
            let ann = try await ann(homing)
            try await open(try await mail(homing), homing)
            try await homing.outbox.mailCounts.flush()
            let told = try await withThrowingTaskGroup(of: PendingAction?.self) { group in
                for _ in 0..<64 { group.addTask { try await pending(ann, homing) } }
                return try await group.reduce(into: [PendingAction]()) { if let action = $1 { $0.append(action) } }
            }
            #expect(told.count == 1)
        }
    }

    @Test func `a link that was used is no longer pending, one that has expired or was replaced still is`()
        async throws
    {
        try await withHoming { homing in
            let ann = try await ann(homing)
            let used = try await mail(homing)
            try await open(used, homing)
            _ = try await homing.actionCodes.signIn(
                used, address: EmailAddress(parsing: TestHoming.ann), linking: nil, in: homing.shop)
            #expect(try await pending(ann, homing) == nil)

            let replaced = try await mail(homing, .passwordReset, continuing: "https://shop.example/replaced")
            try await open(replaced, homing)
            _ = try await mail(homing, .passwordReset, continuing: "https://shop.example/never-opened")
            #expect(try await pending(ann, homing)?.continueURL == "https://shop.example/replaced")

            let expired = try await mail(homing, .signIn, continuing: "https://shop.example/expired")
            try await open(expired, homing)
            homing.clock.advance(seconds: 7200)
            #expect(try await pending(ann, homing)?.continueURL == "https://shop.example/expired")
        }
    }

    @Test func `the newest link counts, and no older one is told behind it`() async throws {
        try await withHoming { homing in
            let ann = try await ann(homing)
            let first = try await mail(homing, .signIn, continuing: "https://shop.example/1")
            let second = try await mail(homing, .passwordReset, continuing: "https://shop.example/2")
            try await open(second, homing)
            try await open(first, homing)
            let told = try await pending(ann, homing)
            #expect(told?.mode == .resetPassword && told?.continueURL == "https://shop.example/2")
            #expect(try await pending(ann, homing) == nil)
        }
    }

    @Test func `after a day nothing is pending`() async throws {
        try await withHoming { homing in
            let ann = try await ann(homing)
            try await open(try await mail(homing), homing)
            homing.clock.advance(seconds: 86_400)
            #expect(try await pending(ann, homing) == nil)
        }
    }

    @Test func `an unproven address, and somebody else's, have nothing pending`() async throws {
        try await withHoming { homing in
            try await homing.signUp(TestHoming.ann)
            try await homing.signUp("bob@home.example")
            try await open(try await mail(homing, .passwordReset), homing)
            #expect(try await pending(try await person(homing), homing) == nil)
            #expect(try await pending(try await person(homing, "bob@home.example"), homing) == nil)
        }
    }

    @Test func `a domain that is no longer the project's is not told, nor is a link without a URL`() async throws {
        try await withHoming { homing in
            let ann = try await ann(homing)
            try await open(try await mail(homing, .passwordReset, continuing: nil), homing)
            #expect(try await pending(ann, homing) == nil)
            try await open(try await mail(homing), homing)
            try await homing.projects.removeDomain("shop.example", from: "shop")
            #expect(try await pending(ann, homing) == nil)
        }
    }
}
