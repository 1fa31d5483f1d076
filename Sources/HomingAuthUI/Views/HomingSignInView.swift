// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
    public import Foundation
    public import HomingAuth
    public import SwiftUI

    /// The screens on which somebody signs in, makes an account, sets a new password or verifies an address.
    ///
    /// Colours and fonts are the app's: its tint, its `font` for the text, and ``SwiftUICore/View/homingFonts(_:)`` for
    /// what is larger and smaller. The language is that of the mails.
    public struct HomingSignInView: View {
        @StateObject private var observed: ObservedFlow
        private let link: URL?

        /// - Parameters:
        ///   - auth: whose users sign in; the default app's unless given.
        ///   - link: a URL that has reached the app and that ``AuthFlow/place(of:auth:)`` knows no place of: the link of a
        ///     mail. The screens then begin with it.
        ///   - onFinish: called when the person is through: go to the place, if it is one of your own.
        public init(
            auth: Auth = .auth(), options: AuthFlowOptions = AuthFlowOptions(), link: URL? = nil,
            onFinish: @escaping @MainActor (AuthFlow.Outcome) -> Void = { _ in }
        ) {
            _observed = StateObject(
                wrappedValue: ObservedFlow(AuthFlow(auth: auth, options: options, finish: onFinish)))
            self.link = link
        }

        /// The screen of the moment.
        public var body: some View {
            FlowView(observed: observed)
                .task {
                    if let link { await observed.flow.open(link) } else { observed.flow.start() }
                    await observed.flow.watch()
                }
        }
    }
#endif
