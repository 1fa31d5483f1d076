// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingStore

/// The names in which a project's tokens are issued, their claim `iss`.
package struct TokenIssuers: Sendable {
    /// The values of `idToken.issuer`.
    package enum Choice: String, Sendable, CaseIterable {
        /// Firebase's names, which verifiers for Firebase expect.
        case firebase
        /// Names below this server's URL, under which OpenID Connect finds the keys by itself.
        case own
    }

    private let project: ProjectID
    private let publicURL: String
    private let choice: Choice

    package init(of project: Project, publicURL: String) {
        self.project = project.projectID
        self.publicURL = publicURL
        choice = project.settings.issuer
    }

    package var ofIDTokens: String { choice == .own ? own : firebase }

    package var ofSessionCookies: String {
        choice == .own ? own + "/session" : "https://session.firebase.google.com/\(project)"
    }

    /// Whether an ID token with this issuer can be the project's: the setting may have changed since it was made.
    package func takes(_ issuer: String) -> Bool {
        issuer.utf8.elementsEqual(firebase.utf8) || issuer.utf8.elementsEqual(own.utf8)
    }

    private var firebase: String { "https://securetoken.google.com/\(project)" }
    private var own: String { "\(publicURL)/\(project)" }
}
