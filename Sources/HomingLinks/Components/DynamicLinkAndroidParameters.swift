// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

public import Foundation
internal import HomingWire

/// The Android app that opens a link, and what happens where it is not installed.
public final class DynamicLinkAndroidParameters {
    /// The app's package name.
    public let packageName: String?
    /// Where a device without the app goes instead of the Play Store.
    public var fallbackURL: URL?
    /// The lowest version code that understands the link; an older app is updated first. 0 means any.
    public var minimumVersion = 0

    /// The app of a package name.
    public init(packageName: String) {
        self.packageName = packageName
    }

    func write(to parameters: inout DynamicLinkParameters) {
        parameters.android.packageName = packageName
        parameters.android.fallbackLink = fallbackURL?.absoluteString
        parameters.android.minimumVersion = minimumVersion == 0 ? nil : String(minimumVersion)
    }
}
