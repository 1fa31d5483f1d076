// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

public import Foundation
internal import HomingClient
internal import HomingWire

/// Where the link of a mail leads: the state that comes back with it, and the apps that may open it.
///
/// It is read once, when a call is made; what is changed afterwards counts for the next call. It may be shared between
/// threads.
public final class ActionCodeSettings: Sendable {
    private let values = Locked(Values())

    private struct Values: Sendable {
        var url: URL?
        var handleCodeInApp = false
        var iOSBundleID = Bundle.main.bundleIdentifier
        var androidPackageName: String?
        var androidInstallIfNotAvailable = false
        var androidMinimumVersion: String?
        var dynamicLinkDomain: String?
        var linkDomain: String?
    }

    /// The continue URL: where the person is afterwards. Its domain has to be on the project's list.
    public var url: URL? {
        get { values.withLock(\.url) }
        set { values.withLock { $0.url = newValue } }
    }

    /// Whether the app takes the code from the link and applies it; false lets the web page act first.
    public var handleCodeInApp: Bool {
        get { values.withLock(\.handleCodeInApp) }
        set { values.withLock { $0.handleCodeInApp = newValue } }
    }

    /// The Apple app that may open the link; this app's own unless it is set.
    public var iOSBundleID: String? {
        get { values.withLock(\.iOSBundleID) }
        set { values.withLock { $0.iOSBundleID = newValue } }
    }

    /// The Android app that may open the link.
    public var androidPackageName: String? {
        get { values.withLock(\.androidPackageName) }
        set { values.withLock { $0.androidPackageName = newValue } }
    }

    /// Whether a device without the Android app goes to the store.
    public var androidInstallIfNotAvailable: Bool {
        get { values.withLock(\.androidInstallIfNotAvailable) }
        set { values.withLock { $0.androidInstallIfNotAvailable = newValue } }
    }

    /// The lowest version code of the Android app that understands the link, in digits.
    public var androidMinimumVersion: String? {
        get { values.withLock(\.androidMinimumVersion) }
        set { values.withLock { $0.androidMinimumVersion = newValue } }
    }

    /// Which of the project's link domains wraps the link, in the form of Dynamic Links.
    public var dynamicLinkDomain: String? {
        get { values.withLock(\.dynamicLinkDomain) }
        set { values.withLock { $0.dynamicLinkDomain = newValue } }
    }

    /// Which of the project's link domains wraps the link; the first one unless it is set.
    public var linkDomain: String? {
        get { values.withLock(\.linkDomain) }
        set { values.withLock { $0.linkDomain = newValue } }
    }

    /// Settings that name this app and nothing else.
    public init() {}

    /// Names the Android app.
    ///
    /// - Parameters:
    ///   - androidPackageName: such as `com.example.android`.
    ///   - installIfNotAvailable: whether a device without the app goes to the store.
    ///   - minimumVersion: the lowest version code that understands the link, in digits.
    public func setAndroidPackageName(
        _ androidPackageName: String, installIfNotAvailable: Bool, minimumVersion: String?
    ) {
        values.withLock { values in
            values.androidPackageName = androidPackageName
            values.androidInstallIfNotAvailable = installIfNotAvailable
            values.androidMinimumVersion = minimumVersion
        }
    }

    /// Names the Apple app, as setting ``iOSBundleID`` does.
    public func setIOSBundleID(_ bundleID: String) {
        iOSBundleID = bundleID
    }

    /// The settings as members of a request; booleans only when they are true, as Firebase's iOS client sends them.
    ///
    /// - Throws: ``AuthErrorCode/missingAndroidPackageName``.
    func members() throws(HomingAuthError) -> [(String, JSON?)] {
        let values = values.withLock { $0 }
        let package = values.androidPackageName.flatMap { $0.isEmpty ? nil : $0 }
        let needsPackage = values.androidInstallIfNotAvailable || values.androidMinimumVersion?.isEmpty == false
        guard package != nil || !needsPackage else {
            throw HomingAuthError(
                .missingAndroidPackageName,
                "androidInstallIfNotAvailable and androidMinimumVersion need androidPackageName too: "
                    + "call setAndroidPackageName(_:installIfNotAvailable:minimumVersion:) with a package name.")
        }
        func text(_ value: String?) -> JSON? { value.flatMap { $0.isEmpty ? nil : .string($0) } }
        return [
            ("continueUrl", text(values.url?.absoluteString)),
            ("canHandleCodeInApp", values.handleCodeInApp ? true : nil), ("iOSBundleId", text(values.iOSBundleID)),
            ("androidPackageName", text(package)),
            ("androidInstallApp", values.androidInstallIfNotAvailable ? true : nil),
            ("androidMinimumVersion", text(values.androidMinimumVersion)),
            ("dynamicLinkDomain", text(values.dynamicLinkDomain)), ("linkDomain", text(values.linkDomain)),
        ]
    }
}
