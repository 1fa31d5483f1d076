// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingLinkRules
import HomingProjects
import HomingShortLinks
import HomingStore
import HomingWire

/// `reopenAttribution` and `installAttribution` (Dynamic Links API): an app asks for a link's contents.
///
/// Only a link that the app holds is answered. Facts about the device in the request are not read: nobody is recognised
/// by them.
extension DynamicLinks {
    static func reopenAttribution(_ context: ProjectContext) async throws -> JSON {
        guard let text = try context.fields.text("requestedLink") else {
            throw Refusal.invalidArgument("requestedLink is missing: the link that opened the app")
        }
        guard let (link, isClick) = try await own(text, context) else {
            throw Refusal.notFound("there is no such link in this project")
        }
        count(.appReopen, link, isClick: isClick, context.homing)
        return .object(
            answer(link) + [("iosMinAppVersion", link.parameters.ios.minimumVersion.map { .string($0) })])
    }

    static func installAttribution(_ context: ProjectContext) async throws -> JSON {
        let text = try context.fields.text("uniqueMatchLinkToCheck")
        guard let text, let (link, isClick) = try? await own(text, context) else {
            return .object([
                ("attributionConfidence", "UNKNOWN_ATTRIBUTION_CONFIDENCE"),
                ("matchMessage", "No link was handed over for this install."),
                ("isStrongMatchExecutable", .bool(false)),
            ])
        }
        count(.appFirstOpen, link, isClick: isClick, context.homing)
        var members = answer(link)
        members += [
            ("requestedLink", .string(text)), ("attributionConfidence", "UNIQUE"),
            ("matchMessage", "Link is uniquely matched for this device."),
            ("appMinimumVersion", link.parameters.ios.minimumVersion.map { .string($0) }),
            ("fallbackLink", link.iosFallbackLink.map { .string($0) }),
            ("isStrongMatchExecutable", .bool(false)),
        ]
        return .object(members)
    }

    /// The link, when it belongs to this project and its target is still allowed; and whether the app opened it without
    /// a click that was seen, and so is a click itself among those that a link ends after.
    private static func own(
        _ text: String, _ context: ProjectContext
    ) async throws -> (link: IncomingLink, isClick: Bool)? {
        let link: IncomingLink?
        do {
            link = try await open(text, context.homing)
        } catch let fault as DynamicLinkFault {
            throw Refusal.invalidDynamicLink(code: "INVALID_LINK", "\(fault)")
        }
        guard let link, link.project.scope == context.project.scope else { return nil }
        let admission = try await context.homing.links.admission(of: link, for: .afterClick)
        guard admission == .open || admission == .openAsClick else { return nil }
        return (try await checked(link, in: context.homing), admission == .openAsClick)
    }

    private static func count(
        _ event: LinkCounts.Event, _ link: IncomingLink, isClick: Bool, _ homing: Homing
    ) {
        guard let suffix = link.suffix else { return }
        homing.links.counts.count(
            LinkCounts.Set(event).union(isClick ? .click : []), on: .ios, of: suffix, at: link.domain.text,
            project: link.project.scope)
        homing.links.events.opened(event, suffix, on: link.domain, of: link.project)
    }

    private static func answer(_ link: IncomingLink) -> [(String, JSON?)] {
        let campaign = link.parameters.campaign
        let long = DynamicLinkURL(base: link.domain.baseURL, parameters: link.parameters).url
        let texts: [(String, String?)] = [
            ("deepLink", link.resolution().appPayload), ("resolvedLink", long),
            ("utmSource", campaign.source), ("utmMedium", campaign.medium), ("utmCampaign", campaign.campaign),
            ("utmTerm", campaign.term), ("utmContent", campaign.content),
        ]
        return texts.map { name, text in (name, text.map { .string($0) }) }
    }
}
