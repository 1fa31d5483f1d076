// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

public import Foundation
public import HomingAuth

extension AuthFlow {
    /// Takes a URL that has reached the app, in any form that a mail brings.
    ///
    /// What is finished on the way ends the flow; what needs a word of the person goes to its screen.
    ///
    /// - Returns: whether it is one of Homing's. A short dynamic link is not: `HomingLinks` takes it.
    @discardableResult
    public func open(_ url: URL) async -> Bool {
        switch auth.handle(url) {
        case .action(let link):
            await take(link, from: url)
        case .continueURL(let place), .dynamicLink(let place):
            end(at: place)
            // The page may have verified the address.
            try? await user?.reload()
        case .otherProject:
            fail(.deadLinkTitle, .otherApp)
        case .damaged:
            fail(.damagedTitle, .damaged)
        case .shortLink, .notOurs:
            return false
        }
        return true
    }

    /// Where a URL leads that has reached the app: a continue URL or a deep link, or the URL as it came when it is none
    /// of Homing's. Nothing is asked of the server.
    ///
    /// - Returns: nil for the link of a mail, which needs a screen: ``open(_:)`` takes it.
    public static func place(of url: URL, auth: Auth = .auth()) -> URL? {
        switch auth.handle(url) {
        case .action, .otherProject, .damaged: nil
        case .continueURL(let place), .dynamicLink(let place): place
        case .shortLink, .notOurs: url
        }
    }

    private func take(_ link: ActionCodeURL, from url: URL) async {
        self.link = link
        linkURL = url
        resetCode = nil
        state.screen = .opening
        switch link.operation {
        case .emailLink: await signInWithLink()
        case .passwordReset, .verifyEmail, .verifyAndChangeEmail, .recoverEmail: await inspect(link)
        case .unknown, .revertSecondFactorAddition: state.screen = .elsewhere(page)
        }
    }

    /// Opens the link once more that could not be asked about, for want of a connection.
    public func tryAgain() async {
        if let linkURL { await open(linkURL) }
    }

    /// The link as a page of the web: a custom scheme opens nothing but this app.
    private var page: URL? {
        linkURL.flatMap { ["http", "https"].contains($0.scheme?.lowercased()) ? $0 : nil }
    }

    /// Says what a code does, without using it up.
    private func inspect(_ link: ActionCodeURL) async {
        await attempt { () async throws(AuthErrorCode) in
            let info = try await auth.checkActionCode(link)
            fields.email = info.email
            state.screen =
                info.operation == .passwordReset
                ? .newPassword(email: info.email) : .confirm(info.operation, email: info.email)
        }
        failIfRefused()
    }

    // MARK: Signing in

    private func signInWithLink() async {
        guard let link else { return }
        await attempt { () async throws(AuthErrorCode) in
            do throws(AuthErrorCode) {
                try await auth.signIn(withLink: link)
                enter(at: link.continueURL)
            } catch {
                guard error.code == .missingEmail else { throw error }
                state.screen = .whichAddress
            }
        }
        failIfRefused()
    }

    /// Signs in with the link and the address that was typed.
    public func signInWithAddress() async {
        guard let link, let email = address else { return }
        await attempt { () async throws(AuthErrorCode) in
            try await auth.signIn(withEmail: email, link: link)
            enter(at: link.continueURL)
        }
        failIfRefused()
    }

    // MARK: With the person's word

    /// Sets the new password, and signs in with it.
    public func setPassword() async {
        guard case .newPassword(let email) = state.screen, let password else { return }
        let isSet = await attempt { () async throws(AuthErrorCode) in
            if let link {
                try await auth.confirmPasswordReset(with: link, newPassword: password)
            } else {
                try await auth.confirmPasswordReset(withCode: resetCode ?? "", newPassword: password)
            }
        }
        guard isSet else { return failIfRefused() }
        let place = if let link { link.continueURL } else { pending?.continueURL }
        pending = nil
        let isSignedIn = await attempt { () async throws(AuthErrorCode) in
            try await auth.signIn(withEmail: email, password: password)
            enter(at: place)
        }
        // The password is changed all the same.
        if !isSignedIn { back(to: email, .passwordChanged, .passwordChangedNext) }
    }

    /// Does what the link of ``Screen/confirm(_:email:)`` is for.
    public func confirm() async {
        guard case .confirm(let operation, let email) = state.screen, let link else { return }
        let isDone = await attempt { () async throws(AuthErrorCode) in try await auth.applyActionCode(link) }
        guard isDone else { return failIfRefused() }
        // Who is signed in may have another address by now, or be signed out.
        try? await user?.reload()
        switch operation {
        case .verifyAndChangeEmail: show(.changed, words(.changedNext, email: email))
        case .recoverEmail:
            show(.recovered, words(.recoveredNext, email: email) + " " + words(.recoveredOffer))
        default: end(at: link.continueURL)
        }
    }

    private func show(_ title: Sentence, _ sentence: String) {
        state.screen = .message(Message(title: words(title), sentence: sentence, isGood: true))
    }

    /// A link that can come to nothing here leads to a screen that says so.
    private func failIfRefused() {
        switch state.error?.code {
        case .missingCodeVerifier:
            say()
            state.screen = .elsewhere(page)
        case .invalidActionCode, .expiredActionCode:
            say()
            fail(.deadLinkTitle, .deadLink)
        default: break
        }
    }
}
