// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
    public import HomingAuth
    public import SwiftUI

    extension View {
        /// Shows the view to people whose address is verified. Everybody else signs in or verifies the address in its
        /// place, and comes back to it.
        ///
        /// - Parameters:
        ///   - auth: whose users they are; the default app's unless given.
        ///   - options: with the continue URL of this place, for mails that are opened elsewhere.
        ///   - perform: called each time somebody has got through.
        public func requiresVerifiedEmail(
            auth: Auth = .auth(), options: AuthFlowOptions = AuthFlowOptions(),
            perform: @escaping @MainActor (User) -> Void = { _ in }
        ) -> some View {
            modifier(VerifiedEmailModifier(auth: auth, options: options, perform: perform))
        }
    }

    private struct VerifiedEmailModifier: ViewModifier {
        @StateObject private var observed: ObservedFlow

        init(auth: Auth, options: AuthFlowOptions, perform: @escaping @MainActor (User) -> Void) {
            var options = options
            options.requiresVerifiedEmail = true
            let wanted = options
            _observed = StateObject(
                wrappedValue: ObservedFlow(
                    AuthFlow(auth: auth, options: wanted) { outcome in outcome.user.map(perform) }))
        }

        func body(content: Content) -> some View {
            Group {
                if observed.flow.isThrough { content } else { FlowView(observed: observed) }
            }
            .task {
                observed.flow.start()
                await observed.flow.watch()
            }
        }
    }
#endif
