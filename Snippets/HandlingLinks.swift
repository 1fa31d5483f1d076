// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
import HomingAuth

@MainActor
final class Screen {
    static let shared = Screen()
    var rememberedEmail = "ann@example.com"

    func show(_ place: URL) { print(place.absoluteString) }
    func tell(_ message: String) { print(message) }
    func askForPassword(of email: String) async -> String { readLine() ?? "" }

    // snippet.open
    func open(_ url: URL) async {
        let incoming = Auth.auth().handle(url)
        switch incoming {
        case .action(let link): await act(on: link)
        case .continueURL(let place), .dynamicLink(let place): go(to: place)
        case .shortLink(let link): print("HomingLinks asks the server where \(link) leads")
        case .damaged, .otherProject: tell(incoming.error?.message ?? "")
        case .notOurs: break
        }
    }
    // snippet.end

    // snippet.act
    func act(on link: ActionCodeURL) async {
        let auth = Auth.auth()
        do {
            switch link.operation {
            case .passwordReset:
                let email = try await auth.verifyPasswordResetCode(link)
                let password = await askForPassword(of: email)
                try await auth.confirmPasswordReset(with: link, newPassword: password)
            case .emailLink:
                try await auth.signIn(withEmail: rememberedEmail, link: link)
            case .verifyEmail, .verifyAndChangeEmail, .recoverEmail:
                try await auth.applyActionCode(link)
                try await auth.currentUser?.reload()
            default:
                return tell("A newer version of the app is needed for this link.")
            }
            if let place = link.continueURL { go(to: place) }
        } catch {
            tell(words(for: error))
        }
    }
    // snippet.end

    // snippet.words
    func words(for error: HomingAuthError) -> String {
        switch error.code {
        case .expiredActionCode: "The link has expired. Ask for a new mail."
        case .invalidActionCode: "The link was used already, or is not the newest one. Ask for a new mail."
        case .networkError: "There is no connection. Try again in a moment."
        case .weakPassword, .passwordDoesNotMeetRequirements: error.failureReason ?? "Choose a longer password."
        default: "That did not work. Try again."
        }
    }
    // snippet.end

    // snippet.go
    func go(to place: URL) {
        guard place.scheme == "https", place.host == "www.example.com" else { return }
        show(place)
    }
    // snippet.end
}

func setLinkDomains() {
    // snippet.domains
    HomingApp.app()?.linkDomains = LinkDomains(["https://links.example.com"], schemes: ["com.example.ios"])
    // snippet.end
}

#if canImport(UIKit) && !os(watchOS)
    import UIKit

    // snippet.scene
    class SceneDelegate: UIResponder, UIWindowSceneDelegate {
        func scene(_ scene: UIScene, willConnectTo session: UISceneSession, options: UIScene.ConnectionOptions) {
            let links = options.userActivities.compactMap(\.webpageURL) + options.urlContexts.map(\.url)
            if let url = links.first { Task { await Screen.shared.open(url) } }
        }

        func scene(_ scene: UIScene, continue userActivity: NSUserActivity) {
            if let url = userActivity.webpageURL { Task { await Screen.shared.open(url) } }
        }

        func scene(_ scene: UIScene, openURLContexts contexts: Set<UIOpenURLContext>) {
            if let url = contexts.first?.url { Task { await Screen.shared.open(url) } }
        }
    }
// snippet.end
#endif

#if canImport(SwiftUI)
    import SwiftUI

    // snippet.swiftui
    struct NewsletterApp: App {
        var body: some Scene {
            WindowGroup {
                Text("Lighthouse Letters")
                    .onOpenURL { url in Task { await Screen.shared.open(url) } }
            }
        }
    }
// snippet.end
#endif
