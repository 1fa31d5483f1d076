// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

#if canImport(SwiftUI)
    import HomingAuth
    import HomingAuthUI
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
                    // Every link of a mail is used here, in a sheet; then the person goes where it leads.
                    .onHomingLink { reader.arrive(at: $0) }
            }
        }
    }
#endif
