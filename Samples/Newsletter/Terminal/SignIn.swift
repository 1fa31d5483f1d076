// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
import HomingAuth

/// The card that stands before what is for readers only.
extension Lighthouse {
    /// Who is signed in, at last, as the server knows them now. Every mail that is sent on the way comes back to the
    /// place.
    func signedIn(for place: Place) async throws -> User {
        while true {
            do {
                if let user = auth.currentUser {
                    try await user.reload()
                    return user
                }
                try await signIn(for: place)
            } catch let error as HomingAuthError {
                terminal.complain(words(for: error))
                if auth.currentUser != nil { throw Leaving.back }
            }
        }
    }

    private func signIn(for place: Place) async throws {
        let question = "in (sign in), up (create an account), forgot (your password), mail (me a link)"
        switch try await terminal.ask(question).lowercased() {
        case "in":
            let (address, password) = try await credentials()
            try await auth.signIn(withEmail: address, password: password)
        case "up":
            let (address, password) = try await credentials()
            try await auth.createUser(withEmail: address, password: password)
        case "forgot":
            let address = try await terminal.ask("Email")
            try await auth.sendPasswordReset(
                withEmail: address, actionCodeSettings: settings(backTo: place.url(on: site.url)))
            try await waitForMail(to: address, then: place)
            if auth.currentUser == nil { terminal.say("Welcome back. Sign in with your new password.") }
        case "mail":
            try await signInByLink(for: place)
        default:
            terminal.say("Type in, up, forgot or mail; back goes back.")
        }
    }

    private func credentials() async throws -> (address: String, password: String) {
        (try await terminal.ask("Email"), try await terminal.askSecret("Password"))
    }
}
