// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import Foundation

extension Auth {
    /// Posted on the main queue when somebody else is signed in, or the user has a new ID token. Its object is the
    /// ``Auth``.
    public static let authStateDidChangeNotification = Notification.Name("FIRAuthStateDidChangeNotification")

    /// Posts the notification as long as there is an `Auth`; nothing before its first change.
    var notifier: StateListener {
        StateListener(handle: ListenerHandle(), interest: .tokens) { auth, _ in
            NotificationCenter.default.post(name: Auth.authStateDidChangeNotification, object: auth)
        }
    }
}

extension Notification.Name {
    /// ``Auth/authStateDidChangeNotification``, as code that was written for FirebaseAuth 10 or older calls it.
    public static let AuthStateDidChange = Auth.authStateDidChangeNotification
}
