// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
import HomingAuth

/// The app: its start page. The situations are extensions, a file each.
struct Lighthouse: Sendable {
    let auth: Auth
    let site: Site
    let settings: Site.Settings
    let folder: Folder
    let terminal: Terminal

    /// The app as the project knows it (`homing app add apple`). On Apple platforms it is the main bundle's by itself.
    static let bundleID = "com.example.lighthouse"

    /// Settings for a mail that comes back to a place.
    func settings(backTo page: URL, inApp: Bool = false) -> ActionCodeSettings {
        let settings = ActionCodeSettings()
        settings.url = page
        settings.handleCodeInApp = inApp
        settings.iOSBundleID = Self.bundleID
        return settings
    }

    /// From the start page to its end.
    func run() async throws {
        terminal.title("Lighthouse Letters")
        await greet()
        explain()
        var next: Place?
        while true {
            do {
                if let place = next {
                    next = nil
                    try await go(to: place)
                } else {
                    try await choose()
                }
            } catch Leaving.elsewhere(let place) {
                next = place
            } catch Leaving.back {
                continue
            } catch Leaving.quit {
                return terminal.say("Goodbye.")
            } catch Leaving.endOfInput {
                return terminal.say("\nThere is no more input. Goodbye.")
            } catch {
                terminal.complain(words(for: error))
            }
        }
    }

    /// Who is here, as known on this device, and whether that is still so.
    private func greet() async {
        guard let user = auth.currentUser else { return terminal.say("Nobody is signed in.") }
        do {
            try await user.reload()
            terminal.say("Welcome back, \(name(of: user)).")
        } catch AuthErrorCode.networkError {
            terminal.say("Welcome back, \(name(of: user)). You are offline: this is what was known last.")
        } catch {
            terminal.complain(words(for: error))
        }
    }

    func name(of user: User) -> String {
        guard let email = user.email else { return "guest" }
        return user.isEmailVerified ? email : "\(email) (not verified)"
    }

    private func explain() {
        terminal.say(
            """

              1  Subscribe             verify your address first, and come back to your plan
              2  Read a letter         forgot your password? come back to the letter
              3  Finish in the app     have a mail sent whose link you paste here
            """)
    }

    private func choose() async throws {
        let choice = try await terminal.ask("\n1, 2, 3, who, out (sign out), help, quit, or paste a link")
        switch choice.lowercased() {
        case "", "help": explain()
        case "1": try await subscribe()
        case "2": try await read()
        case "3": try await finishInTheApp()
        case "who": await who()
        case "out":
            try auth.signOut()
            terminal.say("You are signed out.")
        default:
            guard choice.contains(":") else {
                return terminal.complain("There is no \(choice) here. Type help to see what is.")
            }
            if let place = try await open(choice) { try await go(to: place) }
        }
    }

    private func who() async {
        if auth.currentUser == nil { return terminal.say("Nobody is signed in.") }
        await greet()
    }

    /// Where somebody comes back to.
    func go(to place: Place) async throws {
        switch place {
        case .letter(let name, let part): try await read(name, from: part)
        case .subscription(let plan): try await subscribe(to: plan)
        }
    }
}
