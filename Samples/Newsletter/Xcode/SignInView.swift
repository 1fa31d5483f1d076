// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

#if canImport(SwiftUI)
    import HomingAuth
    import SwiftUI

    /// The card that stands before what is for readers only. Every mail that it asks for comes back to the place.
    struct SignInView: View {
        let place: Place

        @EnvironmentObject private var reader: Reader
        @AppStorage("askedAddress") private var address = ""
        @State private var password = ""

        var body: some View {
            Section("Sign in to read on") {
                AddressField(address: $address)
                SecureField("Password", text: $password)
                Button("Sign in") {
                    attempt { try await reader.auth.signIn(withEmail: address, password: password) }
                }
                Button("Create an account") {
                    attempt { try await reader.auth.createUser(withEmail: address, password: password) }
                }
                Button("Forgot your password?") { attempt { try await reset() } }
                Button("Mail me a link") { Task { await reader.sendSignInLink(to: address, for: place) } }
            }
        }

        private func attempt<Answer>(_ work: @escaping @MainActor () async throws -> Answer) {
            Task { await reader.attempt { _ = try await work() } }
        }

        private func reset() async throws {
            let settings = reader.settings(backTo: place.url(on: reader.site.url))
            try await reader.auth.sendPasswordReset(withEmail: address, actionCodeSettings: settings)
            reader.note = "If \(address) is a reader, a mail is on its way. Its Continue button leads back here."
        }
    }

    /// A field for an address, without what a keyboard does to words.
    struct AddressField: View {
        @Binding var address: String

        var body: some View {
            TextField("Email", text: $address)
                #if os(iOS)
                    .keyboardType(.emailAddress)
                    .textInputAutocapitalization(.never)
                    .textContentType(.username)
                #endif
                .disableAutocorrection(true)
        }
    }

    extension Reader {
        /// Has a link mailed that signs in and leads to a place.
        func sendSignInLink(to address: String, for place: Place) async {
            let settings = settings(backTo: place.signInURL(on: site.url), inApp: true)
            let isSent = await attempt {
                try await auth.sendSignInLink(toEmail: address, actionCodeSettings: settings)
            }
            if isSent { note = "The mail is on its way. Tap its link on this device." }
        }
    }
#endif
