// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

#if canImport(SwiftUI)
    import SwiftUI

    /// A tab for each situation.
    struct ContentView: View {
        @EnvironmentObject private var reader: Reader
        @Environment(\.scenePhase) private var phase
        @State private var tab = Tab.subscribe

        private enum Tab: Hashable {
            case subscribe, read, finish
        }

        var body: some View {
            VStack {
                TabView(selection: $tab) {
                    SubscriptionView().tabItem { Label("Subscribe", systemImage: "envelope") }.tag(Tab.subscribe)
                    LetterView().tabItem { Label("Read", systemImage: "book") }.tag(Tab.read)
                    FinishInTheAppView().tabItem { Label("In the app", systemImage: "link") }.tag(Tab.finish)
                }
                if let note = reader.note { Text(note).foregroundColor(.secondary).padding() }
            }
            .onChange(of: reader.arrival) { arrival in
                switch arrival?.place {
                case .letter: tab = .read
                case .subscription: tab = .subscribe
                case nil: break
                }
            }
            .onChange(of: phase) { phase in
                // Back from the browser: the page may have verified the address.
                if phase == .active { Task { await reader.refresh() } }
            }
        }
    }
#endif
