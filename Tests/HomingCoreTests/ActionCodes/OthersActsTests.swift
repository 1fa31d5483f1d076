// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingProjects
import HomingStore
import HomingTesting
import Testing

/// The acts of a stranger: which codes of a person they end, and which they must not.
@Suite struct OthersActsTests {
    /// A stranger has the API key, and perhaps the person's session; never the person's mailbox.
    enum Act: CaseIterable, CustomTestStringConvertible {
        /// Signs up with the address, where it is free, and deletes that account again.
        case squatsAndLeaves
        case squats
        /// Requests a change of the stranger's own account to the address.
        case wantsTheAddress
        /// Requests a mail of each other kind to the address.
        case asksForOtherKinds
        /// Requests a mail of a kind that mails nobody, because nobody has the address any more.
        case asksInVain

        var testDescription: String { "\(self)" }
    }

    private func perform(_ act: Act, _ kind: ActionCodeKind, _ homing: TestHoming) async throws {
        switch act {
        case .squatsAndLeaves, .squats:
            guard try await homing.found(TestHoming.ann) == nil else { return }
            let squatter = try await homing.signUp(TestHoming.ann, password: "of the squatter")
            for asked in [ActionCodeKind.passwordReset, .signIn] where asked != kind {
                try await homing.mail(asked, to: TestHoming.ann)
            }
            guard act == .squatsAndLeaves else { return }
            try await homing.accounts.delete(try await homing.person(squatter.tokens))
        case .wantsTheAddress:
            try await homing.account("eve@home.example", isVerified: true)
            try await homing.mail(.verifyAndChangeEmail, to: "eve@home.example", newAddress: TestHoming.ann)
        case .asksForOtherKinds:
            for asked in [ActionCodeKind.passwordReset, .signIn] where asked != kind {
                try await homing.mail(asked, to: TestHoming.ann)
            }
        case .asksInVain:
            guard try await homing.found(TestHoming.ann) == nil else { return }
            try await homing.mail(.passwordReset, to: TestHoming.ann)
        }
    }

    @Test(arguments: ActionCodeKind.allCases, Act.allCases)
    func `a live code outlasts what a stranger does`(kind: ActionCodeKind, act: Act) async throws {
        try await withHoming { homing in
            let code = try await homing.liveCode(kind)
            try await perform(act, kind, homing)
            try await homing.redeem(code, kind)
        }
    }

    @Test(arguments: Act.allCases)
    func `a sign-in link of somebody without an account outlasts it too`(act: Act) async throws {
        try await withHoming { homing in
            let code = try await homing.code(.signIn, for: TestHoming.ann)
            try await perform(act, .signIn, homing)
            try await homing.redeem(code, .signIn)
            #expect(try await homing.found(TestHoming.ann)?.isEmailVerified == true)
        }
    }

    @Test func `a sign-in link that was asked for while a stranger squatted outlasts the stranger`() async throws {
        try await withHoming { homing in
            let squatter = try await homing.signUp(TestHoming.ann, password: "of the squatter")
            let code = try await homing.code(.signIn, for: TestHoming.ann)
            try await homing.accounts.delete(try await homing.person(squatter.tokens))
            try await homing.redeem(code, .signIn)
        }
    }

    /// The thief's proof of the new address, which is the thief's own.
    enum Proof: CaseIterable {
        case reset, link, verification
    }

    @Test(arguments: Proof.allCases)
    func `the owner's way back outlasts every proof of the new address`(proof: Proof) async throws {
        try await withHoming { homing in
            try await homing.projects.set("shop", "emailPrivacyConfig.enableImprovedEmailPrivacy", to: "false")
            let shop = try homing.shop
            let tokens = try await homing.signUp(TestHoming.ann).tokens
            try await homing.redeem(try await homing.liveCode(.verifyEmail), .verifyEmail)
            let thief = try await homing.person(tokens)
            var change = AccountChange()
            change.email = .set(try EmailAddress(parsing: "one@thief.example"))
            _ = try await homing.accounts.change(thief, change, language: "en", from: "192.0.2.66")
            let recovery = try await homing.mailedCode(to: TestHoming.ann)
            switch proof {
            case .reset:
                let code = try await homing.code(.passwordReset, for: "one@thief.example")
                try await homing.redeem(code, .passwordReset)
            case .link:
                let code = try await homing.code(.signIn, for: "one@thief.example")
                _ = try await homing.actionCodes.signIn(
                    code, address: try EmailAddress(parsing: "one@thief.example"), linking: nil, in: shop)
            case .verification:
                let code = try await homing.code(.verifyEmail, for: "one@thief.example")
                try await homing.redeem(code, .verifyEmail)
            }
            #expect(try await homing.found("one@thief.example")?.isEmailVerified == true)
            // A second change by the thief notifies the owner again, not the thief's own first address.
            homing.clock.advance(seconds: 20 * 86_400)
            let second = try await homing.code(
                .verifyAndChangeEmail, for: "one@thief.example", newAddress: "two@thief.example")
            try await homing.redeem(second, .verifyAndChangeEmail)
            #expect(try await homing.deliver().map(\.recipient).contains(TestHoming.ann))
            try await homing.redeem(recovery, .recoverEmail)
            #expect(try await homing.found(TestHoming.ann)?.id == thief.account.id)
        }
    }
}
