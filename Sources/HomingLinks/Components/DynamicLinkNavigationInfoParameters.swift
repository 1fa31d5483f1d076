// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import HomingWire

/// How a browser goes on from a link.
public final class DynamicLinkNavigationInfoParameters {
    /// Whether an iPhone without the app is sent on without a page in between.
    public var isForcedRedirectEnabled = false

    /// A page in between.
    public init() {}

    func write(to parameters: inout DynamicLinkParameters) {
        parameters.forcesRedirect = isForcedRedirectEnabled
    }
}
