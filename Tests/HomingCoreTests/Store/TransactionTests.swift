// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
import HomingCore
import HomingDatabase
import HomingProjects
import HomingStore
import HomingTesting
import Testing

/// The duties of a transaction for every verb: it wakes delivery, writes only changes, and knows the refusals.
@Suite(.tags(.races)) struct TransactionTests {
    /// The verbs that owe a mail.
    enum Owing: CaseIterable {
        case request, requestForNobody, changeRequest, reset, passwordChange, addressChange, testMail
    }

    @Test(.timeLimit(.minutes(10)), arguments: Owing.allCases)
    func `delivery wakes for whatever verb owes a mail`(verb: Owing) async throws {
        try await withHoming { homing in
            let tokens = try await homing.signUp(TestHoming.ann).tokens
            let code = try await homing.code(
                verb == .addressChange ? .verifyAndChangeEmail : .passwordReset, for: TestHoming.ann,
                newAddress: "ann@new.example")
            // Earlier rings are consumed here; from now on the bell is silent.
            homing.outbox.bell.ring()
            await homing.outbox.bell.wait()
            let owed = try await homing.number("SELECT COUNT(*) FROM outbox")

            switch verb {
            case .request: try await homing.mail(.passwordReset, to: TestHoming.ann)
            case .requestForNobody: try await homing.mail(.passwordReset, to: "nobody@home.example")
            case .changeRequest:
                try await homing.mail(.verifyAndChangeEmail, to: TestHoming.ann, newAddress: "b@c.example")
            case .reset: try await homing.redeem(code, .passwordReset)
            case .addressChange: try await homing.redeem(code, .verifyAndChangeEmail)
            case .passwordChange:
                var wanted = AccountChange()
                wanted.password = .set("Another horse 8 battery")
                _ = try await homing.accounts.change(
                    try await homing.person(tokens), wanted, language: "en", from: "192.0.2.1")
            case .testMail:
                _ = try await homing.outbox.enqueueTest(
                    to: try EmailAddress(parsing: TestHoming.ann), in: try homing.shop, by: .command)
            }

            #expect(try await homing.number("SELECT COUNT(*) FROM outbox") > owed)
            await homing.outbox.bell.wait()
        }
    }

    /// Other code that writes a mail could forget to wake delivery: the mail would wait for half a minute.
    @Test func `mails enter the outbox through one function, which wakes delivery`() throws {
        let sources = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../Sources")
        let files = try #require(FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
        var places: [String] = []
        for case let file as URL in files
        where file.pathExtension == "swift" && !file.pathComponents.contains("HomingTesting") {
            if try String(contentsOf: file, encoding: .utf8).contains("INSERT INTO outbox") {
                places.append(file.lastPathComponent)
            }
        }
        #expect(places == ["Outbox+SQL.swift"])
    }

    /// Two verbs that change different columns of one account at once must not undo each other (a reset and a
    /// verification, for instance): a verb writes only the columns that it changes.
    @Test(.enabled(if: !PostgresServer.isWanted))
    func `a verification writes that the address is proven, the language of its reader and nothing else`() async throws
    {
        try await withWorld { world in
            StatementRecorder.watch(world.databasePath)
            try await world.withHoming { homing in
                _ = try await homing.projects.create(
                    id: "shop", name: nil, apiKey: TestHoming.apiKey, authorizedDomains: [], linkDomains: [],
                    language: nil)
                try await homing.signUp(TestHoming.ann)
                let code = try await homing.code(.verifyEmail, for: TestHoming.ann)
                StatementRecorder.forget(world.databasePath)
                try await homing.redeem(code, .verifyEmail)
                let updates = StatementRecorder.statements(on: world.databasePath)
                    .filter { $0.hasPrefix("UPDATE accounts") }
                let both = "UPDATE accounts SET email_verified = ?, language = ? WHERE project = ? AND id = ?"
                #expect(updates == [both])
            }
        }
    }

    @Test func `an address that was taken since the mail is refused, and the code stays alive`() async throws {
        try await withHoming { homing in
            try await homing.account(TestHoming.ann, isVerified: true)
            let code = try await homing.code(.verifyAndChangeEmail, for: TestHoming.ann, newAddress: "ann@new.example")
            let other = try await homing.account("ann@new.example")
            await #expect(throws: Refusal.emailExists) { try await homing.redeem(code, .verifyAndChangeEmail) }
            #expect(try await homing.found(TestHoming.ann) != nil)
            try await homing.accounts.delete(other.id, in: try homing.shop)
            try await homing.redeem(code, .verifyAndChangeEmail)
            #expect(try await homing.found("ann@new.example") != nil)
        }
    }

    @Test func `a setting that another program has changed meanwhile stays changed`() async throws {
        try await withHoming { homing in
            // As another node would: unknown to this node's memory.
            let stored: SQL =
                "UPDATE projects SET settings = \(#"{"notification.defaultLocale":"es"}"#) WHERE id = 'shop'"
            try await homing.rows(stored)
            try await homing.projects.set("shop", "emailPrivacyConfig.enableImprovedEmailPrivacy", to: "false")
            #expect(try homing.shop.settings.language == "es")
            #expect(try !homing.shop.settings.hidesAddresses)
        }
    }

    @Test func `a mail of a kind that no program here knows waits for one that does, and ends with its time`()
        async throws
    {
        try await withHoming { homing in
            try await homing.mail(.passwordReset, to: "nobody@home.example")
            _ = try await homing.outbox.enqueueTest(
                to: try EmailAddress(parsing: TestHoming.ann), in: try homing.shop, by: .command)
            try await homing.rows("UPDATE outbox SET kind = 'OF_A_NEWER_PROGRAM' WHERE kind = 'TEST'")
            let claimed = try await homing.outbox.claim(limit: 10)
            #expect(claimed.map(\.kind) == [.passwordReset])
            #expect(try await homing.number("SELECT COUNT(*) FROM outbox WHERE state = 0 AND lease IS NULL") == 1)
            homing.clock.advance(seconds: 3601)
            try await Sweep(homing.core).run()
            let states = try await homing.outbox.counts()
            #expect(states[.expired] == 1)
        }
    }
}
