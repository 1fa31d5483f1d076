// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

#if canImport(SwiftUI)
    import HomingAuth
    import SwiftUI

    /// The third situation: what is begun in the app ends in the app. A tap on the mailed link brings it here, and
    /// nothing has happened before.
    struct FinishInTheAppView: View {
        @EnvironmentObject private var reader: Reader
        @AppStorage("askedAddress") private var address = ""
        private let place = Place.letter(name: "keeper", part: 3)

        var body: some View {
            Form {
                AddressField(address: $address)
                Button("Sign in with a mail") { Task { await reader.sendSignInLink(to: address, for: place) } }
                Button("A new password") { Task { await reset() } }
            }
        }

        private func reset() async {
            let settings = reader.settings(backTo: place.url(on: reader.site.url), inApp: true)
            let isSent = await reader.attempt {
                try await reader.auth.sendPasswordReset(withEmail: address, actionCodeSettings: settings)
            }
            if isSent { reader.note = "If \(address) is a reader, a mail is on its way." }
        }
    }

    /// What a link that came in does, and whether it shall.
    struct IncomingActionView: View {
        let action: IncomingAction

        @EnvironmentObject private var reader: Reader
        @Environment(\.dismiss) private var dismiss
        @AppStorage("askedAddress") private var address = ""
        @State private var info: ActionCodeInfo?
        @State private var password = ""

        var body: some View {
            Form {
                switch action.link.operation {
                case .emailLink:
                    Text("Which address did the link come to?")
                    AddressField(address: $address)
                    Button("Sign in") { agree { try await signIn() } }
                case .passwordReset:
                    Text("A new password for \(info?.email ?? "…")")
                    SecureField("New password", text: $password)
                    Button("Set it") { agree { try await setPassword() } }.disabled(info == nil)
                case .verifyEmail, .verifyAndChangeEmail, .recoverEmail:
                    Text(info.map { "Is \($0.email) your address?" } ?? "…")
                    Button("Yes") { agree { try await apply() } }.disabled(info == nil)
                default:
                    Text("This version of the app does not know what that link is for. Open it in a browser.")
                }
                Button("Not now", role: .cancel) { dismiss() }
                if let note = reader.note { Text(note).foregroundColor(.secondary) }
            }
            .task {
                guard action.link.operation != .emailLink else { return }
                // It says whose code it is, and that it still works. It does not use it up.
                await reader.attempt { info = try await reader.auth.checkActionCode(action.link) }
            }
        }

        /// Does it, and goes back to where it began.
        private func agree(_ work: @escaping @MainActor () async throws -> Void) {
            Task {
                guard await reader.attempt(work) else { return }
                dismiss()
                if let url = action.link.continueURL { reader.arrive(at: url) }
                await reader.refresh()
            }
        }

        private func signIn() async throws {
            try await reader.auth.signIn(withEmail: address, link: action.link)
        }

        private func setPassword() async throws {
            guard let info else { return }
            try await reader.auth.confirmPasswordReset(with: action.link, newPassword: password)
            try await reader.auth.signIn(withEmail: info.email, password: password)
        }

        private func apply() async throws {
            try await reader.auth.applyActionCode(action.link)
        }
    }
#endif
