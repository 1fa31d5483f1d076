// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingWire

/// A URL scheme that an Apple app has registered in the project, or the app's bundle id, which is a scheme, too.
struct AppScheme: Sendable {
    let text: String

    /// Nil for a scheme that is not the app's, and for schemes that browsers and systems act upon themselves.
    init?(_ scheme: String, of app: RegisteredApp) {
        let name = ASCII.lowercased(scheme)
        let registered = [app.id, app.customScheme].compactMap(\.self).map { ASCII.lowercased($0) }
        guard registered.contains(where: { ASCII.areEqual($0, name) }), CustomSchemeLink.isScheme(scheme) else {
            return nil
        }
        text = scheme
    }
}

extension LinkOwner {
    /// The app of this platform and id, when it is registered.
    func app(_ platform: RegisteredApp.Platform, _ id: String) -> RegisteredApp? {
        apps.first { $0.platform == platform && ASCII.areEqual($0.id, id) }
    }
}
