// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import HomingWire

/// Where a click on a link came from: the parameters `utm_…`.
public final class DynamicLinkGoogleAnalyticsParameters {
    /// `utm_source`, such as `newsletter`.
    public var source: String?
    /// `utm_medium`, such as `email`.
    public var medium: String?
    /// `utm_campaign`.
    public var campaign: String?
    /// `utm_term`.
    public var term: String?
    /// `utm_content`.
    public var content: String?

    /// Nothing said.
    public init() {}

    /// The three that are used most.
    public init(source: String, medium: String, campaign: String) {
        self.source = source
        self.medium = medium
        self.campaign = campaign
    }

    func write(to parameters: inout DynamicLinkParameters) {
        parameters.campaign.source = source
        parameters.campaign.medium = medium
        parameters.campaign.campaign = campaign
        parameters.campaign.term = term
        parameters.campaign.content = content
    }
}
