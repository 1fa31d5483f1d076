// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

#if canImport(SwiftUI)
    import HomingAuth
    import HomingAuthUI
    import SwiftUI

    /// The app's state: who is signed in, and where they are.
    @MainActor
    final class Reader: ObservableObject {
        /// Who is signed in, published again when something about them has changed.
        @Published private(set) var user: User?
        /// Where the person came back to last.
        @Published private(set) var arrival: Arrival?
        /// What to say.
        @Published var note: String?

        let auth = Auth.auth()
        let site: Site

        init() {
            let address = Bundle.main.object(forInfoDictionaryKey: "LighthouseSite") as? String
            site = Site(url: address.flatMap(URL.init) ?? URL(fileURLWithPath: "/"))
            user = auth.currentUser
            auth.useAppLanguage()
            Task { [weak self, auth] in
                for await user in auth.userChanges {
                    self?.user = user
                    if let end = auth.sessionEndReason { self?.note = words(for: end) }
                }
            }
        }

        /// Goes where a URL leads, when that is a place of this app.
        func arrive(at url: URL) {
            arrival = Place(url, on: site.url).map { Arrival(place: $0) }
        }

        /// The screens of HomingAuthUI, with mails that come back to a place. The bundle id is the main bundle's by
        /// itself.
        func options(backTo page: URL, inApp: Bool = false) -> AuthFlowOptions {
            let settings = ActionCodeSettings()
            settings.url = page
            settings.handleCodeInApp = inApp
            return AuthFlowOptions(settings: settings)
        }

        /// Asks the server what has changed, whether the address is verified above all.
        func refresh() async {
            await attempt { try await self.auth.currentUser?.reload() }
        }

        /// Does something, and says what went wrong.
        ///
        /// - Returns: whether it was done.
        @discardableResult
        func attempt(_ work: () async throws -> Void) async -> Bool {
            do {
                note = nil
                try await work()
                return true
            } catch {
                note = words(for: error)
                return false
            }
        }
    }

    /// A place that a link led to. Coming to the same one again is news.
    struct Arrival: Equatable {
        let id = UUID()
        let place: Place
    }
#endif
