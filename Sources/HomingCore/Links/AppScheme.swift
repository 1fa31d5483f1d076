// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// A URL scheme that an Apple app has registered in the project, or its bundle id, which is one too.
struct AppScheme: Sendable {
    let text: String

    /// Nil for a scheme that is not the app's, and for those that browsers and systems act upon themselves.
    init?(_ scheme: String, of app: RegisteredApp) {
        let name = ASCII.lowercased(scheme)
        let registered = [app.id, app.customScheme].compactMap(\.self).map { ASCII.lowercased($0) }
        guard registered.contains(where: { ASCII.areEqual($0, name) }),
            let first = name.utf8.first, ASCII.isLetter(first),
            name.utf8.allSatisfy({ ASCII.isLetterOrDigit($0) || "+-.".utf8.contains($0) }),
            !Self.forbidden.contains(name)
        else { return nil }
        text = scheme
    }

    /// Whether an app may claim it at all.
    static func mayBe(_ scheme: String) -> Bool {
        !forbidden.contains(ASCII.lowercased(scheme))
    }

    /// Firebase's list, and what would act without an app.
    private static let forbidden: Set = [
        "javascript", "vbscript", "livescript", "data", "blob", "http", "https", "mailto", "facetime",
        "facetime-audio", "about", "file", "ftp", "intent", "sms", "tel", "ws", "wss",
    ]
}

extension Project {
    /// The app of this platform and id, when it is registered.
    func app(_ platform: RegisteredApp.Platform, _ id: String) -> RegisteredApp? {
        apps.first { $0.platform == platform && ASCII.areEqual($0.id, id) }
    }
}
