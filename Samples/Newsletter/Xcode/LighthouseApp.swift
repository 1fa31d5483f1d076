// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

#if canImport(SwiftUI)
    import HomingAuth
    import SwiftUI

    /// Lighthouse Letters with SwiftUI. With UIKit scenes take `SceneDelegate.swift` instead of this file.
    @main
    struct LighthouseApp: App {
        @StateObject private var reader: Reader

        init() {
            // Before anything asks `Auth` who is signed in.
            do {
                try HomingApp.configure()
            } catch {
                assertionFailure(error.message)
            }
            _reader = StateObject(wrappedValue: Reader())
        }

        var body: some Scene {
            WindowGroup {
                ContentView()
                    .environmentObject(reader)
                    // A custom scheme, and universal links.
                    .onOpenURL { reader.open($0) }
                    // Universal links, where the system hands them over as an activity.
                    .onContinueUserActivity(NSUserActivityTypeBrowsingWeb) { activity in
                        if let url = activity.webpageURL { reader.open(url) }
                    }
            }
        }
    }
#endif
