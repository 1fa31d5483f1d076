// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

public import Foundation
internal import HomingWire

/// The Apple app that opens a link, and what happens where it is not installed.
public final class DynamicLinkIOSParameters {
    /// The app's bundle id.
    public let bundleID: String?
    /// The App Store id in digits: where a device without the app goes unless ``fallbackURL`` says otherwise.
    public var appStoreID: String?
    /// Where a device without the app goes.
    public var fallbackURL: URL?
    /// The app's URL scheme when it is not its bundle id.
    public var customScheme: String?
    /// The bundle id of the app for iPads when it is another one.
    public var iPadBundleID: String?
    /// ``fallbackURL`` on an iPad.
    public var iPadFallbackURL: URL?
    /// The lowest version that understands the link. The app compares it: ``DynamicLink/minimumAppVersion``.
    public var minimumAppVersion: String?

    /// The app of a bundle id.
    public init(bundleID: String) {
        self.bundleID = bundleID
    }

    func write(to parameters: inout DynamicLinkParameters) {
        parameters.ios.bundleID = bundleID
        parameters.ios.appStoreID = appStoreID
        parameters.ios.fallbackLink = fallbackURL?.absoluteString
        parameters.ios.customScheme = customScheme
        parameters.ios.ipadBundleID = iPadBundleID
        parameters.ios.ipadFallbackLink = iPadFallbackURL?.absoluteString
        parameters.ios.minimumVersion = minimumAppVersion
    }
}
