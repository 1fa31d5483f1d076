// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

public import Foundation
internal import HomingWire

/// What a dynamic link says to the app that it has opened.
public struct DynamicLink: Sendable, Equatable {
    /// The deep link, where the person wants to go; nil when nothing matched. Of a mail's wrapped link it is the link
    /// inside: of an email action, or where one continues.
    public let url: URL?
    /// How sure it is that the link is meant for this person.
    public let matchType: DLMatchType
    /// The lowest version of the app that understands the deep link: an older one sends the person to the App Store.
    public let minimumAppVersion: String?
    /// Where the click came from, under `utm_source`, `utm_medium`, `utm_campaign`, `utm_term` and `utm_content`; all
    /// values are strings.
    public var utmParametersDictionary: [String: Any] { campaign }

    private let campaign: [String: String]

    init(url: URL?, matchType: DLMatchType, minimumVersion: String?, campaign: DynamicLinkParameters.Campaign) {
        self.url = url
        self.matchType = matchType
        minimumAppVersion = minimumVersion
        var texts: [String: String] = [:]
        texts["utm_source"] = campaign.source
        texts["utm_medium"] = campaign.medium
        texts["utm_campaign"] = campaign.campaign
        texts["utm_term"] = campaign.term
        texts["utm_content"] = campaign.content
        self.campaign = texts
    }

    init(_ link: CustomSchemeLink) {
        // Any page can open the app by its scheme: only what a person may be led to is passed on.
        let destination = link.deepLink.flatMap { IncomingAction.isWebURL($0) ? URL(string: $0) : nil }
        self.init(
            url: destination, matchType: destination == nil ? .none : DLMatchType(link.matchType),
            minimumVersion: link.minimumVersion, campaign: link.campaign)
    }

    /// What a link domain has wrapped; nil when that is no place to lead a person to.
    init?(wrapped link: String) {
        guard IncomingAction.isWebURL(link), let url = URL(string: link) else { return nil }
        self.init(url: url, matchType: .unique, minimumVersion: nil, campaign: DynamicLinkParameters.Campaign())
    }

    /// What the store says of the link that led there; nil when that is no place to lead a person to.
    init?(_ referrer: InstallReferrer) {
        guard IncomingAction.isWebURL(referrer.link), let url = URL(string: referrer.link) else { return nil }
        self.init(url: url, matchType: .unique, minimumVersion: nil, campaign: referrer.campaign)
    }

    /// A long link, which says everything itself; nil when what it leads to is no URL.
    init?(_ parameters: DynamicLinkParameters) {
        guard IncomingAction.isWebURL(parameters.link), let url = URL(string: parameters.link) else { return nil }
        self.init(
            url: url, matchType: .unique, minimumVersion: parameters.ios.minimumVersion,
            campaign: parameters.campaign)
    }
}
