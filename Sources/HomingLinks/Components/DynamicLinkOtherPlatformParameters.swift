// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

public import Foundation
internal import HomingWire

/// Where a link leads on anything that is neither iOS nor Android.
public final class DynamicLinkOtherPlatformParameters {
    /// Where it leads; nil means the link itself.
    public var fallbackUrl: URL?

    /// Nothing said.
    public init() {}

    func write(to parameters: inout DynamicLinkParameters) {
        parameters.desktopFallbackLink = fallbackUrl?.absoluteString
    }
}
