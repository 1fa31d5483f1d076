// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// What HomingAuthUI and Samples/Newsletter/Xcode use of UIKit, as declarations with Apple's isolation, for a type check
// without an Apple machine. What they begin to use has to be added here.

@_exported import Foundation

@MainActor open class NSUserActivity: NSObject {
    public var activityType: String { "" }
    public var webpageURL: URL? { nil }
}
public let NSUserActivityTypeBrowsingWeb = ""

@MainActor open class UIResponder: NSObject {
    override public nonisolated init() {}
}

@MainActor open class UISceneSession: NSObject {}

@MainActor open class UIOpenURLContext: NSObject {
    public var url: URL { fatalError() }
}

@MainActor open class UIScene: UIResponder {
    @MainActor open class ConnectionOptions: NSObject {
        public var userActivities: Set<NSUserActivity> { [] }
        public var urlContexts: Set<UIOpenURLContext> { [] }
    }
}

open class UIWindowScene: UIScene {}

@MainActor public protocol UISceneDelegate: NSObjectProtocol {
    func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession, options connectionOptions: UIScene.ConnectionOptions)
    func scene(_ scene: UIScene, continue userActivity: NSUserActivity)
    func scene(_ scene: UIScene, openURLContexts URLContexts: Set<UIOpenURLContext>)
}

@MainActor public protocol UIWindowSceneDelegate: UISceneDelegate {
    var window: UIWindow? { get set }
}

open class UIViewController: UIResponder {
    override public nonisolated init() {}
    public required init?(coder: NSCoder) {}
    public func present(
        _ controller: UIViewController, animated flag: Bool, completion: (@MainActor @Sendable () -> Void)? = nil
    ) {}
    public func dismiss(animated flag: Bool, completion: (@MainActor @Sendable () -> Void)? = nil) {}
}

public enum UIKeyboardType { case emailAddress, numberPad }
public struct UITextContentType: Sendable {
    public static let username = Self(), password = Self(), newPassword = Self(), oneTimeCode = Self()
}
/// AppKit's, which has no other one before macOS 14.
public struct NSTextContentType: Sendable {
    public static let username = Self(), password = Self(), oneTimeCode = Self()
}

open class UIWindow: UIResponder {
    public init(windowScene: UIWindowScene) {}
    public var rootViewController: UIViewController?
    public func makeKeyAndVisible() {}
}
