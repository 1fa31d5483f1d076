// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

#if canImport(SwiftUI)
    import HomingAuth
    import HomingAuthUI
    import SwiftUI

    /// The first situation: a subscription wants a verified address, and the mail comes back to the plan that was
    /// chosen.
    struct SubscriptionView: View {
        @EnvironmentObject private var reader: Reader
        @State private var plan = Plan.yearly

        var body: some View {
            VStack(alignment: .leading, spacing: 16) {
                Picker("Plan", selection: $plan) {
                    ForEach(Plan.allCases, id: \.self) { Text($0.rawValue.capitalized).tag($0) }
                }
                Button("Subscribe") { Task { await subscribe() } }
                    // We write to subscribers. Whoever has no verified address yet gets one here, and comes back.
                    .requiresVerifiedEmail(options: reader.options(backTo: place.url(on: reader.site.url)))
                    // Another plan is another place to come back to.
                    .id(plan)
            }
            .padding()
            .onAppear(perform: comeBack)
            .onChange(of: reader.arrival) { _ in comeBack() }
        }

        private func comeBack() {
            if case .subscription(let plan) = reader.arrival?.place { self.plan = plan }
        }

        private var place: Place { .subscription(plan) }

        private func subscribe() async {
            guard let user = reader.user else { return }
            await reader.attempt {
                let subscription = try await reader.site.subscribe(to: plan, idToken: try await user.getIDToken())
                reader.note = "Thank you. The \(subscription.plan) plan is yours, \(subscription.email)."
            }
        }
    }
#endif
