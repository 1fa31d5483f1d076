// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HTTPTypes
import HomingCore
import HomingLinkRules
import HomingShortLinks
import HomingStore
import Hummingbird

/// What a request for a link tells of who asks, found in one pass over its head.
struct LinkSight {
    let visitor: Visitor
    let visitorClass: VisitorClass
    private let referrer: String?

    init(_ request: Request) {
        var userAgent: String?
        var referrer: String?
        var looksAhead = false
        for field in request.headers {
            switch field.name {
            case .userAgent: if userAgent == nil { userAgent = field.value }
            case .referer: if referrer == nil { referrer = field.value }
            case .purpose, .secPurpose, .xMoz: looksAhead = true
            default: break
            }
        }
        self.referrer = referrer
        let seen = Visitor.seen(userAgent)
        visitor = seen.visitor
        // The rule that is said beside the numbers (``Visitor/machineRule``).
        let isMachine =
            !seen.visitor.isPerson || looksAhead || request.method != .get || (userAgent?.isEmpty ?? true)
        visitorClass = VisitorClass(seen.visitor.platform, seen.browser, isMachine: isMachine)
    }

    /// Where a person came from; nil where nothing is known, as of most.
    func origin(of link: IncomingLink) -> LinkCounts.Origin? {
        let campaign = link.campaign
        guard !visitorClass.isMachine, referrer != nil || campaign != nil else { return nil }
        return LinkCounts.Origin(
            referrer: referrer, campaign: campaign, isLinksOwn: link.hasCampaignOfItsOwn, on: link.domain.host.text)
    }
}
