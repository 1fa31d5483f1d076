// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import Foundation
internal import HomingWire

/// What the server says about a link that it was shown.
struct ResolvedLink: Sendable {
    let deepLink: String
    let minimumVersion: String?
    let campaign: DynamicLinkParameters.Campaign

    /// - Parameter versionName: which member has the least version; it depends on the operation.
    init?(_ answer: JSON.Object, versionName: String) {
        func text(_ name: String) -> String? { answer[name]?.stringValue.flatMap { $0.isEmpty ? nil : $0 } }
        guard let deepLink = text("deepLink"), IncomingAction.isWebURL(deepLink) else { return nil }
        self.deepLink = deepLink
        minimumVersion = text(versionName)
        var campaign = DynamicLinkParameters.Campaign()
        campaign.source = text("utmSource")
        campaign.medium = text("utmMedium")
        campaign.campaign = text("utmCampaign")
        campaign.term = text("utmTerm")
        campaign.content = text("utmContent")
        self.campaign = campaign
    }

    var link: DynamicLink {
        DynamicLink(
            url: URL(string: deepLink), matchType: .unique, minimumVersion: minimumVersion, campaign: campaign)
    }

    /// The same as the URL that an app gets through its scheme; nil when the scheme is none.
    func url(scheme: String) -> URL? {
        CustomSchemeLink(scheme: scheme, deepLink: deepLink, minimumVersion: minimumVersion, campaign: campaign)
            .flatMap { URL(string: $0.url) }
    }
}
