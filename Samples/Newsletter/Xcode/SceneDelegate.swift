// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

#if canImport(SwiftUI) && canImport(UIKit) && !os(watchOS)
    import HomingAuth
    import HomingAuthUI
    import SwiftUI
    import UIKit

    /// The same for an app with UIKit scenes: named in Info.plist as the scene's delegate class. It configures Homing
    /// in its application delegate's `application(_:didFinishLaunchingWithOptions:)`.
    final class SceneDelegate: UIResponder, UIWindowSceneDelegate {
        var window: UIWindow?
        private lazy var reader = Reader()

        func scene(
            _ scene: UIScene, willConnectTo session: UISceneSession,
            options connectionOptions: UIScene.ConnectionOptions
        ) {
            guard let scene = scene as? UIWindowScene else { return }
            let window = UIWindow(windowScene: scene)
            window.rootViewController = UIHostingController(rootView: ContentView().environmentObject(reader))
            window.makeKeyAndVisible()
            self.window = window
            // The link that started the app comes here, and to none of the two below.
            connectionOptions.userActivities.forEach(open)
            connectionOptions.urlContexts.forEach { open($0.url) }
        }

        /// A universal link, while the app runs.
        func scene(_ scene: UIScene, continue userActivity: NSUserActivity) {
            open(userActivity)
        }

        /// A custom scheme, while the app runs.
        func scene(_ scene: UIScene, openURLContexts URLContexts: Set<UIOpenURLContext>) {
            URLContexts.forEach { open($0.url) }
        }

        private func open(_ activity: NSUserActivity) {
            guard activity.activityType == NSUserActivityTypeBrowsingWeb, let url = activity.webpageURL else { return }
            open(url)
        }

        /// Shows the screens for the link of a mail, and goes where it leads.
        private func open(_ url: URL) {
            let screens = HomingAuthViewController.screens(for: url) { [weak self] place in
                self?.window?.rootViewController?.dismiss(animated: true)
                if let place { self?.reader.arrive(at: place) }
            }
            if let screens { window?.rootViewController?.present(screens, animated: true) }
        }
    }
#endif
