// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import Foundation

/// Calls back whenever a device may have been unlocked, as long as it is kept.
///
/// It hears that protected data is available, and that the app is in front, where nobody sees it on a locked device:
/// the first is not told to apps that were asleep (firebase-ios-sdk, issue 9869), nor on a watch.
final class UnlockWatch: Sendable {
    /// Nobody but the initialiser and `deinit` looks at them.
    nonisolated(unsafe) private let observers: [any NSObjectProtocol]

    /// UIKit's, AppKit's and WatchKit's names, which are not imported for them.
    private static let notifications = [
        "UIApplicationProtectedDataDidBecomeAvailable", "UIApplicationDidBecomeActiveNotification",
        "NSApplicationProtectedDataDidBecomeAvailableNotification", "NSApplicationDidBecomeActiveNotification",
        "WKApplicationDidBecomeActiveNotification", "NSExtensionHostDidBecomeActiveNotification",
    ]

    init(_ call: @escaping @Sendable () -> Void) {
        observers = Self.notifications.map { name in
            NotificationCenter.default.addObserver(forName: Notification.Name(name), object: nil, queue: nil) { _ in
                call()
            }
        }
    }

    deinit {
        for observer in observers { NotificationCenter.default.removeObserver(observer) }
    }
}
