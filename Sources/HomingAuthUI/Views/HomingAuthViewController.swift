// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

#if canImport(SwiftUI) && canImport(UIKit) && !os(tvOS) && !os(watchOS)
    public import Foundation
    public import HomingAuth
    public import SwiftUI

    /// The same screens for UIKit: present it, and dismiss it in the handler.
    public final class HomingAuthViewController: UIHostingController<HomingSignInView> {
        /// - Parameters:
        ///   - auth: whose users sign in; the default app's unless given.
        ///   - link: the link of a mail that has reached the scene: the screens begin with it.
        ///   - onFinish: called when the person is through.
        public init(
            auth: Auth = .auth(), options: AuthFlowOptions = AuthFlowOptions(), link: URL? = nil,
            onFinish: @escaping @MainActor (AuthFlow.Outcome) -> Void
        ) {
            super.init(
                rootView: HomingSignInView(auth: auth, options: options, link: link, onFinish: onFinish))
        }

        /// The screens for a URL that has reached the scene: present them, and dismiss them in the handler.
        ///
        /// - Parameter go: called with the place where the person was going, at the end; or at once, when there is
        ///   nothing to ask. Go only to places of your own.
        /// - Returns: nil when there is nothing to ask.
        public static func screens(
            for url: URL, auth: Auth = .auth(), options: AuthFlowOptions = AuthFlowOptions(),
            go: @escaping @MainActor (URL?) -> Void
        ) -> HomingAuthViewController? {
            guard let place = AuthFlow.place(of: url, auth: auth) else {
                return HomingAuthViewController(auth: auth, options: options, link: url) { go($0.place) }
            }
            go(place)
            return nil
        }

        /// Not from a storyboard: it would know neither options nor handler.
        @available(*, unavailable, message: "Make it in code: init(auth:options:link:onFinish:)")
        public required init?(coder: NSCoder) {
            fatalError("HomingAuthViewController is made in code")
        }
    }
#endif
