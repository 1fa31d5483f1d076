// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
import HomingAuth
import HomingAuthUI
import HomingStore
import HomingTesting
import HomingWire
import Testing

/// What a person does on the screens of HomingAuthUI, against a real server.
@MainActor
@Suite struct AuthFlowTests {
    private static let ann = "ann@home.example"
    private static let password = "Correct horse 7 battery"
    private static let article = "https://www.shop.example/articles/7?from=newsletter#comments"

    /// A server, and the app of one device.
    @MainActor
    private final class World {
        let homing: TestHoming
        let server: LiveServer
        let auth: Auth
        var outcomes: [AuthFlow.Outcome] = []

        init(_ homing: TestHoming, _ server: LiveServer) throws {
            (self.homing, self.server) = (homing, server)
            auth = try Self.auth(server)
        }

        static func auth(_ server: LiveServer) throws -> Auth {
            let url = try #require(URL(string: "http://127.0.0.1:\(server.client.port)"))
            return Auth.auth(
                app: HomingApp(
                    endpoint: url, apiKey: TestHoming.apiKey, transport: URLSessionTransport(),
                    sessionStore: MemorySessionStore()))
        }

        func flow(on auth: Auth? = nil, verified: Bool = false, returningTo place: String? = article) -> AuthFlow {
            var options = AuthFlowOptions(returningTo: place.flatMap { URL(string: $0) })
            options.requiresVerifiedEmail = verified
            options.appName = "The Shop"
            options.languages = ["en"]
            return AuthFlow(auth: auth ?? self.auth, options: options) { self.outcomes.append($0) }
        }

        /// The newest mail with a link: the link, and the digits.
        func mail() async throws -> (link: URL, typed: String) {
            try await homing.deliver()
            let mail = try #require(homing.transport.mails.last { $0.recipient == ann && $0.actionLink != nil })
            let link = try #require(mail.links.first { ActionCodeURL(link: $0) != nil }.flatMap(URL.init))
            return (link, try #require(mail.text.firstMatch(of: /\b[0-9]{4} [0-9]{4}\b/).map { String($0.output) }))
        }

        /// Types the number on the page of another device.
        func finishElsewhere(_ number: String) async throws {
            let page = try await server.open(try await mail().link.absoluteString)
            let form = try #require(page.form).with("matchNumber", number)
            #expect(try await server.client.post(form.action, form: form.fields).status == 200)
        }
    }

    private func withWorld(_ body: @MainActor (World) async throws -> Void) async throws {
        try await withHoming { homing in
            try await withServer(homing) { server in try await body(World(homing, server)) }
        }
    }

    private func number(on flow: AuthFlow) throws -> String {
        guard case .checkMail(let mail) = flow.state.screen else {
            throw Missing(what: "a mail that waits: \(flow.state)")
        }
        #expect(mail.email == Self.ann)
        return try #require(mail.number)
    }

    private struct Missing: Error { let what: String }

    private func type(_ password: String = password, in flow: AuthFlow) {
        flow.fields.email = " \(Self.ann) "
        flow.fields.password = password
    }

    @Test func `a new account is verified on another device by the number, and the app goes on`() async throws {
        try await withWorld { world in
            let flow = world.flow(verified: true)
            #expect(flow.state.screen == .signIn)
            flow.go(to: .signUp)
            type("123456", in: flow)
            await flow.signUp()
            #expect(flow.state.problem?.hasPrefix("This password is one of the most common ones") == true)
            type(in: flow)
            await flow.signUp()
            let number = try number(on: flow)
            #expect(world.outcomes.isEmpty)
            async let waiting: Void = flow.wait()
            try await world.finishElsewhere(number)
            await waiting
            #expect(flow.state.screen == .finished)
            #expect(world.outcomes.map(\.user?.isEmailVerified) == [true])
            #expect(world.outcomes.first?.place?.absoluteString == Self.article)
            // Whoever is through is let through the next time.
            world.flow(verified: true).start()
            #expect(world.outcomes.count == 2)
        }
    }

    @Test func `a forgotten password is replaced with the code of the mail, and the new one signs in`() async throws {
        try await withWorld { world in
            try await world.auth.createUser(withEmail: Self.ann, password: "the forgotten one")
            try world.auth.signOut()
            let flow = world.flow()
            type("a wrong one", in: flow)
            await flow.signIn()
            #expect(flow.state.problem?.contains("don’t belong together") == true)
            flow.go(to: .forgotten)
            await flow.sendPasswordReset()
            _ = try number(on: flow)
            let typed = try await world.mail().typed
            flow.fields.code = (typed.hasPrefix("1") ? "2" : "1") + typed.dropFirst()
            await flow.typeCode()
            #expect(flow.state.problem?.contains("You can try 4 more times.") == true)
            flow.fields.code = typed
            await flow.typeCode()
            #expect(flow.state.screen == .newPassword(email: Self.ann))
            type(in: flow)
            await flow.setPassword()
            #expect(flow.state.screen == .finished && flow.fields.password.isEmpty)
            #expect(world.outcomes.map(\.user?.email) == [Self.ann])
        }
    }

    @Test func `the link of a reset asks for the new password, and leads back to the place in it`() async throws {
        try await withWorld { world in
            try await world.auth.createUser(withEmail: Self.ann, password: "the forgotten one")
            try world.auth.signOut()
            let asking = world.flow()
            asking.fields.email = Self.ann
            await asking.sendPasswordReset()
            let flow = world.flow()
            #expect(await flow.open(try await world.mail().link))
            #expect(flow.state.screen == .newPassword(email: Self.ann))
            flow.fields.password = Self.password
            await flow.setPassword()
            #expect(world.outcomes.map(\.place?.absoluteString) == [Self.article])
            await asking.wait()
            #expect(asking.state.notice?.hasPrefix("Your password has been changed.") == true || asking.isThrough)

            let again = world.flow()
            #expect(await again.open(try await world.mail().link))
            guard case .message(let message) = again.state.screen else {
                Issue.record("a used link is taken: \(again.state)")
                return
            }
            #expect(!message.isGood && message.sentence.contains("has been used already"))
        }
    }

    @Test func `a sign-in by mail ends where it was asked for, by the link or the code`() async throws {
        try await withWorld { world in
            let flow = world.flow()
            flow.go(to: .signInByEmail)
            await flow.sendSignInLink()
            #expect(flow.state.problem?.hasPrefix("This doesn’t look like an email address.") == true)
            flow.fields.email = Self.ann
            await flow.sendSignInLink()
            let (link, typed) = try await world.mail()
            // On another device the link opens in the browser, which asks for the number of this one.
            let other = world.flow(on: try World.auth(world.server))
            #expect(await other.open(link))
            #expect(other.state.screen == .whichAddress)
            other.fields.email = Self.ann
            await other.signInWithAddress()
            #expect(other.state.screen == .elsewhere(link))
            // A relaunch, at another place of the app.
            let later = world.flow(returningTo: nil)
            later.start()
            #expect(later.state.screen == flow.state.screen)
            later.fields.code = typed
            await later.typeCode()
            #expect(later.state.screen == .finished)
            #expect(world.outcomes.map(\.user?.email) == [Self.ann])
            #expect(world.outcomes.first?.place?.absoluteString == Self.article)
        }
    }

    @Test func `an address is verified by its link after a word of the person, and the waiting screen goes on`()
        async throws
    {
        try await withWorld { world in
            try await world.auth.createUser(withEmail: Self.ann, password: Self.password)
            let gate = world.flow(verified: true)
            #expect(gate.state.screen == .verify)
            await gate.sendVerification()
            // A relaunch: the mail still waits to be answered.
            let later = world.flow(verified: true)
            later.start()
            #expect(later.state.screen == gate.state.screen)

            let arriving = world.flow()
            #expect(await arriving.open(try await world.mail().link))
            #expect(arriving.state.screen == .confirm(.verifyEmail, email: Self.ann))
            #expect(world.outcomes.isEmpty)
            await arriving.confirm()
            await gate.wait()
            #expect(gate.isThrough)
            #expect(world.outcomes.count == 2)
            #expect(!(await arriving.open(try #require(URL(string: "https://elsewhere.example/")))))
        }
    }
}
