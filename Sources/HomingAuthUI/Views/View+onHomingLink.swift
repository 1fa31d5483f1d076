// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
    public import Foundation
    public import HomingAuth
    public import SwiftUI

    extension View {
        /// Takes every URL that reaches the scene: put it on the root view.
        ///
        /// The link of a mail is used here: in a sheet, which asks for the new password or for a word of the person where
        /// that is needed. A link that has already been followed in the browser leads on at once.
        ///
        /// - Parameters:
        ///   - auth: whose links they are; the default app's unless given.
        ///   - options: what the sheet offers, such as the languages.
        ///   - go: called with the place where the person was going: a link's continue URL, a dynamic link's deep link,
        ///     and any URL that is none of Homing's, as it came. Go only to places of your own.
        public func onHomingLink(
            auth: Auth = .auth(), options: AuthFlowOptions = AuthFlowOptions(),
            go: @escaping @MainActor (URL) -> Void
        ) -> some View {
            modifier(LinkModifier(auth: auth, options: options, go: go))
        }
    }

    private struct LinkModifier: ViewModifier {
        let auth: Auth
        let options: AuthFlowOptions
        let go: @MainActor (URL) -> Void
        @State private var arrival: Arrival?

        /// A link, for a sheet.
        struct Arrival: Identifiable {
            let url: URL
            /// The same one twice, as a URL and as an activity, is one.
            var id: String { url.absoluteString }
        }

        func body(content: Content) -> some View {
            content
                .onOpenURL { open($0) }
                // Universal links, where the system hands them over as an activity.
                .onContinueUserActivity(NSUserActivityTypeBrowsingWeb) { activity in
                    if let url = activity.webpageURL { open(url) }
                }
                .sheet(item: $arrival) { arrival in
                    VStack(alignment: .leading, spacing: 0) {
                        Button(Words.notNow(auth, options), role: .cancel) { self.arrival = nil }.padding()
                        HomingSignInView(auth: auth, options: options, link: arrival.url) { outcome in
                            self.arrival = nil
                            if let place = outcome.place { go(place) }
                        }
                    }
                }
        }

        private func open(_ url: URL) {
            guard let place = AuthFlow.place(of: url, auth: auth) else { return arrival = Arrival(url: url) }
            go(place)
            // The page may have verified the address.
            Task { try? await auth.currentUser?.reload() }
        }
    }

    extension Words {
        /// Leaves a sheet without doing anything.
        static func notNow(_ auth: Auth, _ options: AuthFlowOptions) -> String {
            Words(for: options.languages ?? preferred(auth.languageCode), appName: options.appName)(.notNow)
        }
    }
#endif
