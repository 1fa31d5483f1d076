// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import HomingWire

/// What the App Store is told of a click.
public final class DynamicLinkItunesConnectAnalyticsParameters {
    /// The affiliate token.
    public var affiliateToken: String?
    /// The campaign token.
    public var campaignToken: String?
    /// The provider token.
    public var providerToken: String?

    /// Nothing said.
    public init() {}

    func write(to parameters: inout DynamicLinkParameters) {
        parameters.appStore.affiliateToken = affiliateToken
        parameters.appStore.campaignToken = campaignToken
        parameters.appStore.providerToken = providerToken
    }
}
