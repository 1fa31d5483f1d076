// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

#if canImport(SwiftUI)
    import HomingAuth
    import SwiftUI

    /// The first situation: a subscription wants a verified address, and the mail comes back to the plan that was
    /// chosen.
    struct SubscriptionView: View {
        @EnvironmentObject private var reader: Reader
        @State private var plan = Plan.yearly

        var body: some View {
            Form {
                Picker("Plan", selection: $plan) {
                    ForEach(Plan.allCases, id: \.self) { Text($0.rawValue.capitalized).tag($0) }
                }
                if let user = reader.user {
                    if user.isEmailVerified {
                        Button("Subscribe") { Task { await subscribe(user) } }
                    } else {
                        Text("We write to subscribers, so verify your address first. Your plan is kept.")
                        Button("Send the mail to \(user.email ?? "me")") { Task { await verify(user) } }
                    }
                } else {
                    SignInView(place: .subscription(plan))
                }
            }
            .onAppear(perform: comeBack)
            .onChange(of: reader.arrival) { _ in comeBack() }
        }

        private func comeBack() {
            if case .subscription(let plan) = reader.arrival?.place { self.plan = plan }
        }

        private func verify(_ user: User) async {
            let settings = reader.settings(backTo: Place.subscription(plan).url(on: reader.site.url))
            if await reader.attempt({ try await user.sendEmailVerification(with: settings) }) {
                reader.note = "The mail is on its way. Its Continue button leads back here."
            }
        }

        private func subscribe(_ user: User) async {
            await reader.attempt {
                let subscription = try await reader.site.subscribe(to: plan, idToken: try await user.getIDToken())
                reader.note = "Thank you. The \(subscription.plan) plan is yours, \(subscription.email)."
            }
        }
    }
#endif
