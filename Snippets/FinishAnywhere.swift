// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
import HomingAuth

@MainActor
final class CheckYourEmail {
    private(set) var number = ""
    private(set) var sentence = ""

    func show(_ place: URL) { print(place.absoluteString) }
    func askForPassword() async -> String { readLine() ?? "" }

    // snippet.ask
    func signIn(_ email: String, at place: URL) async throws {
        let settings = ActionCodeSettings()
        settings.url = place
        settings.handleCodeInApp = true
        let pending = try await Auth.auth().sendSignInLink(
            toEmail: email, actionCodeSettings: settings, finishing: .anywhere)
        number = pending.matchNumber
        await follow(pending)
    }
    // snippet.end

    // snippet.wait
    func follow(_ pending: PendingAction) async {
        for await state in pending.states {
            switch state {
            case .pending: sentence = "Open the mail to \(pending.email), on any device."
            case .signedIn(let result): sentence = "Welcome, \(result.user.email ?? "")."
            case .done: sentence = "Done."
            case .declined: sentence = "Somebody has declined. Was it you?"
            case .expired: sentence = "The time is over. Ask for a new mail."
            case .failed(let error): sentence = error.message
            }
        }
    }
    // snippet.end

    // snippet.typed
    func type(_ code: String, into pending: PendingAction) async {
        do {
            switch try await pending.finish(typed: code) {
            case .signedIn, .done: break
            case .code(let code):
                let password = await askForPassword()
                try await Auth.auth().confirmPasswordReset(withCode: code, newPassword: password)
            }
        } catch {
            if let left = error.triesLeft {
                sentence = left > 0 ? "Wrong. You can try \(left) more times." : "Open the link of the mail instead."
            } else {
                sentence = error.code == .invalidActionCode ? "The code has eight digits." : "Try again in a moment."
            }
        }
    }
    // snippet.end

    // snippet.relaunch
    func appear() async {
        guard let pending = Auth.auth().pendingActions.first else { return }
        number = pending.matchNumber
        await follow(pending)
    }
    // snippet.end

    // snippet.installed
    func welcome() async throws {
        guard let unfinished = try await Auth.auth().pendingAction() else { return }
        if let place = unfinished.continueURL, place.host == "www.example.com" { show(place) }
    }
    // snippet.end
}

func verify(_ user: User) async throws {
    // snippet.verify
    let pending = try await user.sendEmailVerification(finishing: .anywhere)
    print("The number is \(pending.matchNumber).")
    try await pending.result()
    try await user.reload()
    // snippet.end
}

func open(_ link: String) async throws {
    // snippet.link
    try await Auth.auth().signIn(withLink: link)
    // snippet.end
}

#if canImport(SwiftUI)
    import SwiftUI

    // snippet.paste
    @available(iOS 16, macOS 13, *)
    struct PasteLink: View {
        var body: some View {
            PasteButton(payloadType: String.self) { texts in
                guard let link = texts.first else { return }
                Task { try await Auth.auth().signIn(withLink: link) }
            }
        }
    }
// snippet.end
#endif
