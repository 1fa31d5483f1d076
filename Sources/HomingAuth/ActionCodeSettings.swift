// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

public import Foundation
internal import HomingWire

/// Where the link of a mail leads: the state that comes back with it, and the apps that may open it.
///
/// It is read once, when a call is made; what is changed afterwards counts for the next call.
public final class ActionCodeSettings {
    /// The continue URL: where the person is afterwards. Its domain has to be on the project's list.
    public var url: URL?
    /// Whether the app takes the code from the link and applies it; false lets the web page act first.
    public var handleCodeInApp = false
    /// The Apple app that may open the link; this app's own unless it is set.
    public var iOSBundleID: String? = Bundle.main.bundleIdentifier
    /// The Android app that may open the link.
    public var androidPackageName: String?
    /// Whether a device without the Android app goes to the store.
    public var androidInstallIfNotAvailable = false
    /// The lowest version code of the Android app that understands the link, in digits.
    public var androidMinimumVersion: String?
    /// Which of the project's link domains wraps the link, in the form of Dynamic Links.
    public var dynamicLinkDomain: String?
    /// Which of the project's link domains wraps the link; the first one unless it is set.
    public var linkDomain: String?

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
        self.androidPackageName = androidPackageName
        androidInstallIfNotAvailable = installIfNotAvailable
        androidMinimumVersion = minimumVersion
    }

    /// Names the Apple app, as setting ``iOSBundleID`` does.
    public func setIOSBundleID(_ bundleID: String) {
        iOSBundleID = bundleID
    }

    /// The settings as members of a request; booleans only when they are true, as Firebase's iOS client sends them.
    ///
    /// - Throws: ``AuthErrorCode/missingAndroidPackageName``.
    func members() throws(AuthError) -> [(String, JSON?)] {
        let package = androidPackageName.flatMap { $0.isEmpty ? nil : $0 }
        guard package != nil || (!androidInstallIfNotAvailable && androidMinimumVersion?.isEmpty ?? true) else {
            throw AuthError(
                .missingAndroidPackageName,
                "androidInstallIfNotAvailable and androidMinimumVersion need androidPackageName too: "
                    + "call setAndroidPackageName(_:installIfNotAvailable:minimumVersion:) with a package name.")
        }
        func text(_ value: String?) -> JSON? { value.flatMap { $0.isEmpty ? nil : .string($0) } }
        return [
            ("continueUrl", text(url?.absoluteString)), ("canHandleCodeInApp", handleCodeInApp ? true : nil),
            ("iOSBundleId", text(iOSBundleID)), ("androidPackageName", text(package)),
            ("androidInstallApp", androidInstallIfNotAvailable ? true : nil),
            ("androidMinimumVersion", text(androidMinimumVersion)), ("dynamicLinkDomain", text(dynamicLinkDomain)),
            ("linkDomain", text(linkDomain)),
        ]
    }
}
