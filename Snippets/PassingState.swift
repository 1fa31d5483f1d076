// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
import HomingAuth

func sendVerification() async throws {
    // snippet.settings
    guard let user = Auth.auth().currentUser, let email = user.email else { return }

    let settings = ActionCodeSettings()
    settings.url = URL(string: "https://www.example.com/?email=\(email)")
    settings.iOSBundleID = Bundle.main.bundleIdentifier
    settings.setAndroidPackageName("com.example.android", installIfNotAvailable: true, minimumVersion: "12")
    settings.dynamicLinkDomain = "example.page.link"
    settings.handleCodeInApp = false
    // snippet.end

    // snippet.send
    do {
        try await user.sendEmailVerification(with: settings)
    } catch AuthErrorCode.unauthorizedDomain {
        // The continue URL's domain is not on the project's list.
    } catch {
        print(error.localizedDescription)
    }
    // snippet.end
}

func sendVerificationWithHandler(user: User, settings: ActionCodeSettings) {
    // snippet.completion
    user.sendEmailVerification(with: settings) { error in
        if let error {
            print(error.localizedDescription)
            return
        }
        // The mail is on its way.
    }
    // snippet.end
}

func sendReset() async throws {
    // snippet.reset
    let settings = ActionCodeSettings()
    settings.url = URL(string: "https://www.example.com/articles/keeper?from=issue-12#letter-3")

    try await Auth.auth().sendPasswordReset(withEmail: "ann@example.com", actionCodeSettings: settings)
    // snippet.end
}

func sendSignInLink() async throws {
    // snippet.link
    let settings = ActionCodeSettings()
    settings.url = URL(string: "https://www.example.com/cart?step=2")
    settings.handleCodeInApp = true

    try await Auth.auth().sendSignInLink(toEmail: "ann@example.com", actionCodeSettings: settings)
    // snippet.end
}

func continueURL(reaching page: String, with email: String) -> URL? {
    // snippet.encoding
    var allowed = CharacterSet.urlQueryAllowed
    allowed.remove(charactersIn: "&+=#")
    let value = email.addingPercentEncoding(withAllowedCharacters: allowed) ?? ""
    return URL(string: "\(page)?email=\(value)")
    // snippet.end
}
