// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
import HomingAuth
import HomingStore
import HomingTesting
import HomingWire
import Testing

/// An app asks, and the mail is answered here, on another device, or by its code: the SDK against a real server.
@Suite struct FinishAnywhereStoryTests {
    private static let ann = "ann@home.example"
    private static let password = "Correct horse 7 battery"

    /// A server, and the devices around it.
    private struct World {
        let homing: TestHoming
        let server: LiveServer

        /// An app on a device; with the store of another one it is that one after a relaunch.
        func app(_ store: any HomingSessionStore = MemorySessionStore()) throws -> Auth {
            let url = try #require(URL(string: "http://127.0.0.1:\(server.client.port)"))
            return Auth.auth(
                app: HomingApp(
                    endpoint: url, apiKey: TestHoming.apiKey, transport: URLSessionTransport(), sessionStore: store))
        }

        /// The newest mail with a link.
        func mail(to address: String = ann) async throws -> (link: String, typed: String) {
            try await homing.deliver()
            let mail = try #require(homing.transport.mails.last { $0.recipient == address && $0.actionLink != nil })
            let link = try #require(mail.links.first { ActionCodeURL(link: $0) != nil })
            let typed = try #require(mail.text.firstMatch(of: /\b[0-9]{4} [0-9]{4}\b/), "the mail has no code")
            return (link, String(typed.output))
        }

        /// Opens a link in a browser of another device, types digits, and answers the page that comes.
        func type(_ number: String, on link: String, _ more: [(String, String)] = []) async throws -> RESTAnswer {
            let form = try #require(try await server.open(link).form)
            let filled = more.reduce(form.with("matchNumber", number)) { $0.with($1.0, $1.1) }
            return try await server.client.post(form.action, form: filled.fields)
        }
    }

    private static func withWorld(_ body: (World) async throws -> Void) async throws {
        try await withHoming { homing in
            try await withServer(homing) { try await body(World(homing: homing, server: $0)) }
        }
    }

    private static let settings = {
        let settings = HomingAuth.ActionCodeSettings()
        settings.url = URL(string: "https://www.shop.example/articles/7?from=newsletter#comments")
        settings.handleCodeInApp = true
        return settings
    }()

    /// Two digits that are others.
    private static func another(_ number: String) -> String { number == "42" ? "43" : "42" }

    /// Eight digits that are others.
    private static func other(_ typed: String) -> String {
        (typed.hasPrefix("1") ? "2" : "1") + typed.dropFirst()
    }

    @Test func `the number, typed on another device, signs in the one that asked, though it was relaunched meanwhile`()
        async throws
    {
        try await Self.withWorld { world in
            let store = MemorySessionStore()
            let asked = try await world.app(store).sendSignInLink(
                toEmail: Self.ann, actionCodeSettings: Self.settings, finishing: .anywhere)
            let link = try await world.mail().link

            let auth = try world.app(store)
            let pending = try #require(auth.pendingActions.first)
            #expect(pending.matchNumber == asked.matchNumber)
            let waiting = Task { try await pending.result() }
            #expect(try await world.type(Self.another(pending.matchNumber), on: link).status == 422)
            #expect(auth.currentUser == nil)
            #expect(try await world.type(pending.matchNumber, on: link).status == 200)
            let result = try #require(try await waiting.value)
            #expect(result.user.email == Self.ann)
            #expect(result.user.isEmailVerified)
            #expect(result.additionalUserInfo?.isNewUser == true)
            #expect(auth.currentUser === result.user)
            #expect(auth.pendingActions.isEmpty)
            let again = await #expect(throws: HomingAuthError.self) {
                try await auth.signIn(withEmail: Self.ann, link: link)
            }
            #expect(again?.code == .invalidActionCode)
        }
    }

    @Test func `the code of the mail, typed where it was asked for, signs in; a wrong one costs a try`() async throws {
        try await Self.withWorld { world in
            let auth = try world.app()
            let pending = try await auth.sendSignInLink(
                toEmail: Self.ann, actionCodeSettings: Self.settings, finishing: .anywhere)
            let typed = try await world.mail().typed
            let wrong = await #expect(throws: HomingAuthError.self) {
                try await pending.finish(typed: Self.other(typed))
            }
            #expect(wrong?.triesLeft == 4)
            guard case .signedIn(let result) = try await pending.finish(typed: typed) else {
                Issue.record("not signed in")
                return
            }
            #expect(auth.currentUser === result.user)
            #expect(try await pending.result()?.user === result.user)
        }
    }

    @Test func `the link alone signs in where it was asked for, and nowhere else`() async throws {
        try await Self.withWorld { world in
            let auth = try world.app()
            let pending = try await auth.sendSignInLink(
                toEmail: Self.ann, actionCodeSettings: Self.settings, finishing: .anywhere)
            let link = try await world.mail().link
            let elsewhere = try world.app()
            let refused = await #expect(throws: HomingAuthError.self) {
                try await elsewhere.signIn(withEmail: Self.ann, link: link)
            }
            #expect(refused?.code == .missingCodeVerifier)
            let unknown = await #expect(throws: HomingAuthError.self) { try await elsewhere.signIn(withLink: link) }
            #expect(unknown?.code == .missingEmail)

            // Another request of this app does not get in the way.
            _ = try await auth.sendSignInLink(
                toEmail: "bob@home.example", actionCodeSettings: Self.settings, finishing: .anywhere)
            let result = try await auth.signIn(withLink: link)
            #expect(result.user.email == Self.ann)
            #expect(try await pending.result()?.user === result.user)
            #expect(auth.pendingActions.map(\.email) == ["bob@home.example"])
        }
    }

    @Test func `three wrong numbers decline the sign-in, and the app that asked is told`() async throws {
        try await Self.withWorld { world in
            let auth = try world.app()
            let pending = try await auth.sendSignInLink(
                toEmail: Self.ann, actionCodeSettings: Self.settings, finishing: .anywhere)
            let link = try await world.mail().link
            let waiting = Task { try await pending.result() }
            let form = try #require(try await world.server.open(link).form)
                .with("matchNumber", Self.another(pending.matchNumber))
            for _ in 1...3 { _ = try await world.server.client.post(form.action, form: form.fields) }
            let declined = await #expect(throws: HomingAuthError.self) { try await waiting.value }
            #expect(declined?.code == .actionDeclined)
            let here = await #expect(throws: HomingAuthError.self) {
                try await auth.signIn(withEmail: Self.ann, link: link)
            }
            #expect(here != nil)
            #expect(auth.currentUser == nil)
        }
    }

    @Test func `a reset goes on here with the code of the mail, and with its link`() async throws {
        try await Self.withWorld { world in
            let auth = try world.app()
            try await auth.createUser(withEmail: Self.ann, password: "the forgotten one")
            try auth.signOut()
            let byCode = try await auth.sendPasswordReset(withEmail: Self.ann, finishing: .anywhere)
            guard case .code(let code) = try await byCode.finish(typed: try await world.mail().typed) else {
                Issue.record("no code")
                return
            }
            try await auth.confirmPasswordReset(withCode: code, newPassword: Self.password)
            try await auth.signIn(withEmail: Self.ann, password: Self.password)
            #expect(byCode.state.isFinal)

            let byLink = try await auth.sendPasswordReset(
                withEmail: Self.ann, actionCodeSettings: Self.settings, finishing: .anywhere)
            let url = try #require(ActionCodeURL(link: try await world.mail().link))
            #expect(try await world.app().verifyPasswordResetCode(url) == Self.ann, "looking is free")
            let elsewhere = await #expect(throws: HomingAuthError.self) {
                try await world.app().confirmPasswordReset(with: url, newPassword: "somebody else's 1")
            }
            #expect(elsewhere?.code == .missingCodeVerifier)
            try await auth.confirmPasswordReset(with: url, newPassword: "the newest one 3")
            try await auth.signIn(withEmail: Self.ann, password: "the newest one 3")
            #expect(byLink.state.isFinal)
        }
    }

    @Test func `a reset and a verification are done on the page of another device, and the app that asked is told`()
        async throws
    {
        try await Self.withWorld { world in
            let auth = try world.app()
            let user = try await auth.createUser(withEmail: Self.ann, password: "the forgotten one").user
            let verification = try await user.sendEmailVerification(finishing: .anywhere)
            let verified = Task { try await verification.result() }
            _ = try await world.type(verification.matchNumber, on: try await world.mail().link)
            #expect(try await verified.value == nil)
            guard case .done(by: .elsewhere) = verification.state else {
                Issue.record("not done elsewhere: \(verification.state)")
                return
            }
            try await user.reload()
            #expect(user.isEmailVerified)

            let reset = try await auth.sendPasswordReset(withEmail: Self.ann, finishing: .anywhere)
            let done = Task { try await reset.result() }
            let link = try await world.mail().link
            _ = try await world.type(reset.matchNumber, on: link, [("newPassword", Self.password)])
            #expect(try await done.value == nil)
            try await auth.signIn(withEmail: Self.ann, password: Self.password)
        }
    }

    @Test func `a change of address is verified by the code of the mail`() async throws {
        try await Self.withWorld { world in
            let auth = try world.app()
            let user = try await auth.createUser(withEmail: Self.ann, password: Self.password).user
            let pending = try await user.sendEmailVerification(
                beforeUpdatingEmail: "new@home.example", finishing: .anywhere)
            #expect(pending.email == "new@home.example")
            guard case .done = try await pending.finish(typed: try await world.mail(to: "new@home.example").typed)
            else {
                Issue.record("not done")
                return
            }
            #expect(
                try await auth.signIn(withEmail: "new@home.example", password: Self.password).user.isEmailVerified)
        }
    }

    @Test func `an address without an account is answered alike, and its code is always wrong`() async throws {
        try await Self.withWorld { world in
            let auth = try world.app()
            let pending = try await auth.sendPasswordReset(withEmail: "nobody@home.example", finishing: .anywhere)
            #expect(pending.matchNumber.utf8.count == 2)
            #expect(pending.expiresAt > Date())
            let wrong = await #expect(throws: HomingAuthError.self) { try await pending.finish(typed: "1234 5678") }
            #expect(wrong?.code == .invalidActionCode)
            #expect(wrong?.triesLeft == 4)
            #expect(auth.pendingActions.first === pending)
        }
    }
}
