// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
import HomingAuth

/// The third situation: what is begun in the app ends in the app. The mailed link does not open a page that acts; the
/// app takes the code out of it. On a phone a tap brings the link here, in a terminal you paste it.
extension Lighthouse {
    func finishInTheApp() async throws {
        terminal.title("Finish in the app")
        terminal.say(
            """
              link     sign in with a mail, without a password
              reset    a new password
              verify   your address
            """)
        switch try await terminal.ask("What is the mail to do? [link]").lowercased() {
        case "", "link":
            let place = Place.letter(name: "keeper", part: 3)
            try await signInByLink(for: place)
            try await go(to: place)
        case "reset":
            let place = Place.letter(name: "keeper", part: 3)
            let address = try await terminal.ask("Email")
            let settings = settings(backTo: place.url(on: site.url), inApp: true)
            try await auth.sendPasswordReset(withEmail: address, actionCodeSettings: settings)
            try await waitForMail(to: address, then: place)
            try await go(to: place)
        case "verify":
            let place = Place.subscription(.patron)
            let user = try await signedIn(for: place)
            let settings = settings(backTo: place.url(on: site.url), inApp: true)
            try await user.sendEmailVerification(with: settings)
            try await waitForMail(to: user.email ?? "you", then: place) {
                try await user.reload()
                return user.isEmailVerified
            }
            try await go(to: place)
        case let other:
            terminal.complain("There is no mail that does \(other). Choose link, reset or verify.")
        }
    }

    /// Has a sign-in link mailed, and waits until it is pasted.
    func signInByLink(for place: Place) async throws {
        let address = try await terminal.ask("Email")
        let settings = settings(backTo: place.signInURL(on: site.url), inApp: true)
        try await auth.sendSignInLink(toEmail: address, actionCodeSettings: settings)
        try folder.keep(askedAddress: address)
        let before = auth.currentUser
        try await waitForMail(to: address, then: place) { auth.currentUser !== before }
    }
}
