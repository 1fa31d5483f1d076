// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingStore
import HomingWire
import Hummingbird

/// The Dynamic Links API, of apps and of back ends.
extension Endpoint {
    private static let source: [Member] = [
        .text("longDynamicLink", "The long link, in the place of `dynamicLinkInfo`."),
        .object("dynamicLinkInfo", .dynamicLinkInfo, "What the link does."),
    ]

    private static func suffix(_ options: [String]) -> Member {
        .object(
            "suffix",
            [
                .choice("option", of: options, "How long the ending is."),
                .text("customSuffix", "The ending, of `CUSTOM`."),
            ], "The link's ending.")
    }

    private static let warning = Member.objects("warning", .linkWarnings, "What is odd about the link.")
    private static let preview = Member.text("previewLink", "A page that explains the link.")

    /// What an app is told of a link.
    private static let opened: [Member] = [
        .text("deepLink", "Where the link leads."), .text("resolvedLink", "The long link."),
        .text("utmSource", "The campaign's."), .text("utmMedium", "The campaign's."),
        .text("utmCampaign", "The campaign's."), .text("utmTerm", "The campaign's."),
        .text("utmContent", "The campaign's."),
    ]

    private static func ofApps(
        _ name: String, _ method: GoogleMethod, _ meaning: String, limits: [Limit] = [], _ members: [Member],
        answers: [Member], _ run: @escaping @Sendable (ProjectContext) async throws -> JSON
    ) -> Endpoint {
        let tenant = Member.text("tenantId", "A tenant, whose links these are not: they are its project's.")
        return Endpoint(
            name, method, behind: [OwnPath.dynamicLinks], meaning, limits: limits,
            request: Shape(nil, members + [tenant]), reply: .json(Shape(nil, answers)), .app(run))
    }

    static let ofLinks: [Endpoint] = [
        ofApps(
            "shortLinks", .createShortLink, "Makes a short link.",
            limits: [\.linksPerIPSecond, \.linksPerIPDay, \.linksPerProjectDay],
            source + [suffix(["UNGUESSABLE", "SHORT"])],
            answers: [.text("shortLink", "The link."), warning, preview], DynamicLinks.shortLink),
        ofApps(
            "reopenAttribution", .reopenAttribution, "Tells an app what the link says that has opened it.",
            [.text("requestedLink", "The link.")],
            answers: opened + [.text("iosMinAppVersion", "The oldest version of the app that understands it.")],
            DynamicLinks.reopenAttribution),
        ofApps(
            "installAttribution", .installAttribution,
            "Tells an app what the link says that was handed over at its install.",
            [.text("uniqueMatchLinkToCheck", "The link that the app was handed.")],
            answers: opened + [
                .text("requestedLink", "The link."),
                .text("attributionConfidence", "`UNIQUE`, or that nothing is known."),
                .text("matchMessage", "The same in a sentence."),
                .text("appMinimumVersion", "The oldest version of the app that understands it."),
                .text("fallbackLink", "Where to go without the app."),
                .flag("isStrongMatchExecutable", "Always false."),
            ], DynamicLinks.installAttribution),
    ]

    static let ofManagedLinks: [Endpoint] = [
        Endpoint(
            "managedShortLinks", .createManagedShortLink, behind: [OwnPath.dynamicLinks],
            "Makes a short link for the project that owns the link's domain.",
            request: Shape(
                nil,
                source + [
                    suffix(["UNGUESSABLE", "SHORT", "CUSTOM"]),
                    .text("name", "What the link is called in lists; required."),
                ]),
            reply: .json([
                .object(
                    "managedShortLink",
                    [
                        .text("link", "The link."), .text("linkName", "What it is called."),
                        .object("info", .dynamicLinkInfo, "What it does."),
                        .text("creationTime", "When it was made, as 2026-12-24T18:00:00Z."),
                        .text("visibility", "`UNARCHIVED` or `ARCHIVED`."),
                    ], "The link."), warning, preview,
            ]), .backEnd { context, _, _ in try await DynamicLinks.managedShortLink(context) }),
        Endpoint(
            "linkStats", .getLinkStats, behind: [OwnPath.dynamicLinks], "Tells what has become of a short link.",
            query: [.int64("durationDays", "Of how many days, today included; 7 where it is missing.")],
            reply: .json([
                .objects(
                    "linkEventStats",
                    [
                        .text("platform", "Where."), .text("count", "How often."), .text("event", "What."),
                    ], "Absent where there is nothing to tell.")
            ]),
            .backEnd { context, call, query in
                let link = call.parameters.get("link").flatMap { percentDecoded($0) }
                return try await DynamicLinks.linkStats(context, link: link ?? "", days: query.first("durationDays"))
            }),
    ]
}
