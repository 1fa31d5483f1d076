// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

#if canImport(SwiftUI)
    import HomingAuthUI
    import SwiftUI

    /// The third situation: what is begun in the app ends in the app. A tap on the mailed link brings it here, and
    /// nothing has happened before; or the number, or the code of the mail, finishes it from any other device.
    struct FinishInTheAppView: View {
        @EnvironmentObject private var reader: Reader
        private let place = Place.letter(name: "keeper", part: 3)

        var body: some View {
            if let user = reader.user {
                Text("You are signed in as \(user.email ?? "a reader").")
                Button("Sign out") { Task { await reader.attempt { try reader.auth.signOut() } } }
            } else {
                HomingSignInView(
                    options: reader.options(backTo: place.signInURL(on: reader.site.url), inApp: true)
                ) { outcome in
                    if let page = outcome.place { reader.arrive(at: page) }
                }
            }
        }
    }
#endif
