// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
import HomingAuth

/// What a link that reaches the app does. Nothing happens before somebody has agreed to it: links come by mail, and
/// from anybody.
extension Lighthouse {
    /// Does what a link is for.
    ///
    /// - Parameter place: where an action leads that brings no place of its own.
    /// - Returns: where it leads; nil when that is nowhere in this app, which was said then.
    func open(_ text: String, otherwise place: Place? = nil) async throws -> Place? {
        guard let url = URL(string: text) else { return nowhere() }
        switch auth.handle(url) {
        case .action(let action):
            try await perform(action)
            return action.continueURL.flatMap { Place($0, on: site.url) } ?? place
        case .continueURL(let inner), .dynamicLink(let inner):
            return Place(inner, on: site.url) ?? nowhere()
        case .otherProject:
            terminal.complain("That link is for another service, not for Lighthouse Letters.")
            return nil
        case .shortLink:
            terminal.complain("That is a short link. Open it in a browser.")
            return nil
        case .damaged, .notOurs:
            // A letter's own address, copied from the browser.
            return Place(url, on: site.url) ?? nowhere()
        }
    }

    private func nowhere() -> Place? {
        terminal.complain("That is no link of Lighthouse Letters, or not all of it. Copy it whole from the mail.")
        return nil
    }

    private func perform(_ action: ActionCodeURL) async throws {
        switch action.operation {
        case .passwordReset:
            let address = try await auth.verifyPasswordResetCode(action)
            let password = try await terminal.askSecret("A new password for \(address)")
            try await auth.confirmPasswordReset(with: action, newPassword: password)
            terminal.say("Your password is changed.")
            try await auth.signIn(withEmail: address, password: password)
        case .emailLink:
            let asked = folder.askedAddress
            let address = if let asked { asked } else { try await terminal.ask("Which address did the link come to?") }
            try await auth.signIn(withEmail: address, link: action)
            try folder.keep(askedAddress: nil)
            terminal.say("You are signed in as \(address).")
        case .verifyEmail, .verifyAndChangeEmail, .recoverEmail:
            let info = try await auth.checkActionCode(action)
            guard try await terminal.ask("\(question(info)) Enter agrees").isEmpty else { throw Leaving.back }
            try await auth.applyActionCode(action)
            terminal.say("Done.")
            try await auth.currentUser?.reload()
        default:
            terminal.complain("This app does not know what that link is for. Open it in a browser.")
        }
    }

    private func question(_ info: ActionCodeInfo) -> String {
        switch info.operation {
        case .verifyEmail: "Is \(info.email) your address?"
        case .verifyAndChangeEmail:
            "Is \(info.email) your new address, instead of \(info.previousEmail ?? "the old one")?"
        default: "Back to \(info.email), instead of \(info.previousEmail ?? "the new one")?"
        }
    }
}
