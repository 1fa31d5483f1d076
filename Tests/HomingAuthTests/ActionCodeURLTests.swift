// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
import HomingAuth
import HomingWire
import Testing

@Suite struct ActionCodeURLTests {
    private static let state = "https://www.example.com/?email=user@example.com&mode=signIn&oobCode=theirs&lang=xx"

    private static func link(_ mode: ActionMode, order: ActionLink.Order = .inApp) -> String {
        ActionLink(
            handler: "https://auth.shop.example/__/auth/action", mode: mode, code: "the-code",
            apiKey: "hk_key_of_the_shop",
            continueURL: state, language: "pt-BR"
        ).url(order: order)
    }

    @Test(arguments: [ActionLink.Order.web, .inApp])
    func `a plain link is read, its continue URL byte for byte`(order: ActionLink.Order) throws {
        let url = try #require(ActionCodeURL(link: Self.link(.resetPassword, order: order)))
        #expect(url.operation == .passwordReset)
        #expect(url.code == "the-code")
        #expect(url.apiKey == "hk_key_of_the_shop")
        #expect(url.languageCode == "pt-BR")
        #expect(url.continueURL?.absoluteString == Self.state)
    }

    @Test func `a link with separators that were written for HTML on the way says what it said`() throws {
        let whole = Self.link(.verifyEmail)
        for separator in ["&amp;", "&amp;amp;", "&%23038;"] {
            let damaged = whole.replacingOccurrences(of: "&", with: separator)
            #expect(ActionCodeURL(link: damaged) == ActionCodeURL(link: whole))
            #expect(ActionCodeURL(link: damaged)?.code == "the-code")
            #expect(ActionCodeURL(link: "\(damaged)&amp;oobCode=other") == nil, "twice is two ways")
        }
    }

    @Test func `a continue URL as browsers write it reaches the app on every system`() {
        let link = ActionLink(
            handler: "https://auth.shop.example/__/auth/action", mode: .verifyEmail, code: "c", apiKey: "k",
            continueURL: "https://shop.example/?filter={a|b}^`#{}", language: "en"
        ).url(order: .web)
        #expect(
            ActionCodeURL(link: link)?.continueURL?.absoluteString
                == "https://shop.example/?filter=%7Ba%7Cb%7D%5E%60#%7B%7D")
    }

    @Test func `a wrapped link says what the plain one says`() throws {
        let plain = Self.link(.verifyEmail)
        let once = WrappedLink.authLink(plain, base: "https://links.shop.example")
        let wanted = try #require(ActionCodeURL(link: plain))
        for link in [
            once, WrappedLink.authLink(once, base: "https://other.shop.example"),
            WrappedLink.dynamicLink(
                plain, base: "https://example.page.link", apps: WrappedLink.Apps(iosBundleID: "a.b")),
        ] {
            #expect(ActionCodeURL(link: link) == wanted)
        }
    }

    @Test(arguments: [
        "", "?", "not a link", "https://auth.shop.example/__/auth/action",
        "https://auth.shop.example/__/auth/action?mode=signIn", "https://a.example/?mode=signIn&oobCode=c",
        "https://a.example/?mode=unheardOf&oobCode=c&apiKey=k", "https://a.example/?link=%E0%A4%A",
        "https://a.example/?link=https%3A%2F%2Fa.example%2F%3Fmode%3DsignIn",
        "https://a.example/?mode=signIn&oobCode=&apiKey=k",
        "https://scanner.example/?url=https%3A%2F%2Fa.example%2F%3Fmode%3DsignIn%26oobCode%3Dc%26apiKey%3Dk",
        "https://a.example/?apiKey=k&continueUrl=https%3A%2F%2Fb.example%2F%3Fmode%3DsignIn%26oobCode%3Dc",
    ])
    func `what is not an action link is refused`(link: String) throws {
        #expect(ActionCodeURL(link: link) == nil)
        #expect(try !HomingApp.of(ScriptedTransport()).isSignIn(withEmailLink: link))
    }

    @Test func `every truncation of a link is refused or reads the whole code`() {
        let link = WrappedLink.authLink(Self.link(.signIn), base: "https://links.shop.example")
        for length in 0..<link.utf8.count {
            guard let url = ActionCodeURL(link: String(decoding: link.utf8.prefix(length), as: UTF8.self)) else {
                continue
            }
            #expect(url.operation == .emailLink)
            #expect(url.code.map { "the-code".hasPrefix($0) } == true)
        }
    }

    @Test func `only sign-in links sign in, and others are refused before any request`() async throws {
        let transport = ScriptedTransport()
        let auth = try HomingApp.of(transport)
        #expect(auth.isSignIn(withEmailLink: Self.link(.signIn)))
        #expect(!auth.isSignIn(withEmailLink: Self.link(.resetPassword)))
        let error = await #expect(throws: HomingAuthError.self) {
            try await auth.signIn(withEmail: "ann@home.example", link: Self.link(.resetPassword))
        }
        #expect(error?.code == .invalidActionCode)
        #expect(transport.calls.isEmpty)
        try await auth.signIn(withEmail: "ann@home.example", link: Self.link(.signIn))
        #expect(transport.calls.first?.string("oobCode") == "the-code")
    }
}
