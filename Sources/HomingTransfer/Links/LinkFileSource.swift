// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingWire

/// Whose file of links it is. A source is one row of a table: what its columns, or the members of its JSON, are called.
package enum LinkFileSource: String, Sendable, Codable, CaseIterable {
    case firebase, homing, bitly
    case shortIO = "short.io"
    case branch, yourls, shlink, dub, kutt

    /// What a column says of a link.
    enum Field: Hashable {
        /// The whole short link.
        case shortLink
        /// The short link that people were given, where the system knows another one as well.
        case customLink
        /// The part behind the domain, and the domain.
        case ending, domain
        case parameter(DynamicLinkParameter)
        /// Where it leads, if no other column says it.
        case otherTarget
        case name, tags, languageLinks
        case isArchived, isOff, state
        case startsAt, endsAt, maxClicks, afterEnd
        case createdAt, clicks
        /// A link of which it says anything is open to nobody who does not know a password.
        case password
        /// It is understood, and Homing keeps nothing of the kind.
        case notKept
        /// It says what other columns say, or nothing of the link.
        case ignored
    }

    struct Form {
        /// The names of columns, whatever their case, spaces and punctuation. In JSON the first one that says anything
        /// decides.
        let names: [(Field, [String])]
        /// What stands between two tags.
        var tagSeparator = UInt8(ascii: ",")
        /// What is the target of a link that has no other.
        var otherTargets: [Field] = []
        /// Whether links without an ending are taken, and get one.
        var makesEndings = false
        /// Whether an apostrophe before what a spreadsheet would take for a formula is the spreadsheet's.
        var hidesFormulas = false
    }

    var form: Form { Self.forms[self] ?? Form(names: []) }

    /// The members in which a JSON document may have its links.
    static let members = ["links", "data", "shortUrls"]

    private static let forms: [LinkFileSource: Form] = [
        .homing: Form(
            names: [
                (.shortLink, ["shortLink", "shortUrl"]), (.ending, ["suffix", "ending", "slug"]),
                (.domain, ["domain"]),
                (
                    .parameter(.link),
                    ["link", "target", "url", "longUrl", "destination", "destinationUrl", "originalUrl"]
                ),
                (.name, ["title", "name", "linkName"]), (.tags, ["tags"]), (.languageLinks, ["languageLinks"]),
                (.startsAt, ["startsAt"]), (.endsAt, ["endsAt"]), (.maxClicks, ["maxClicks"]),
                (.afterEnd, ["afterEnd"]), (.state, ["state"]), (.isArchived, ["archived"]),
                (.createdAt, ["createTime", "createdAt", "creationTimestamp"]), (.clicks, ["clicks"]),
                (.notKept, ["version", "updateTime"]), (.ignored, ["domainUriPrefix"]),
            ] + parameters(DynamicLinkParameter.allCases.filter { $0 != .link }), makesEndings: true,
            hidesFormulas: true),
        // Google never promised the wording: a column is known by the parameter of long links that it names, in
        // parentheses or alone, or by that parameter's name in Firebase's API.
        .firebase: Form(
            names: [
                (.shortLink, ["Short link"]), (.parameter(.link), ["Deep link", "link"]),
                (.isArchived, ["Archived?"]), (.name, ["Link name"]), (.createdAt, ["Creation timestamp"]),
                (.parameter(.affiliateToken), ["iTunes at"]), (.parameter(.campaignToken), ["iTunes ct"]),
                (.parameter(.mediaType), ["iTunes mt"]), (.parameter(.providerToken), ["iTunes pt"]),
            ] + parameters(DynamicLinkParameter.allCases.filter { !$0.isDeprecated && $0 != .link })),
        .bitly: Form(names: [
            (.customLink, ["Custom Link", "Custom Bitlink", "custom_bitlinks"]),
            (.shortLink, ["Link", "Bitlink", "Short link", "Short URL"]),
            (.parameter(.link), ["Destination URL", "Long URL", "Original URL"]), (.name, ["Title"]),
            (.tags, ["Tags"]), (.isArchived, ["Archived"]),
            (.createdAt, ["Created", "Created at", "Date created", "Creation date"]),
            (.clicks, ["Total clicks", "Clicks", "Engagements", "Total engagements"]),
            (.notKept, ["Campaign", "Campaigns", "Channel", "deeplinks"]),
            (.ignored, ["id", "references", "client_id", "created_by", "is_deleted", "launchpad_ids"]),
        ]),
        .shortIO: Form(names: [
            (.customLink, ["secureShortURL"]), (.shortLink, ["shortURL", "Short link"]),
            (.ending, ["path", "slug"]), (.domain, ["domain", "hostname"]),
            (.parameter(.link), ["originalURL", "Long URL", "Destination URL"]), (.name, ["title", "Link title"]),
            (.tags, ["tags"]), (.isArchived, ["archived"]),
            (.createdAt, ["createdAt", "Creation date", "Date created"]),
            (.clicks, ["humanClicks", "clicks", "totalClicks"]), (.endsAt, ["expiresAt"]), (.afterEnd, ["expiredURL"]),
            (.maxClicks, ["clicksLimit"]), (.parameter(.androidFallbackLink), ["androidURL"]),
            (.parameter(.iosFallbackLink), ["iphoneURL"]), (.password, ["password", "hasPassword"]),
            (.notKept, ["splitURL", "splitPercent", "cloaking", "folderId", "folder"]),
            // The target has them already.
            (
                .ignored,
                [
                    "id", "idString", "DomainId", "OwnerId", "updatedAt", "utmSource", "utmMedium", "utmCampaign",
                    "utmTerm", "utmContent", "lcpath", "source", "user",
                ]
            ),
        ]),
        .branch: Form(
            names: [
                (.shortLink, ["url", "Link", "Short link", "Link URL"]), (.ending, ["alias", "Link alias"]),
                (.parameter(.link), ["$canonical_url"]), (.otherTarget, ["$fallback_url", "$web_only_url"]),
                (.parameter(.desktopFallbackLink), ["$desktop_url"]), (.parameter(.iosFallbackLink), ["$ios_url"]),
                (.parameter(.ipadFallbackLink), ["$ipad_url"]), (.parameter(.androidFallbackLink), ["$android_url"]),
                (.parameter(.socialTitle), ["$og_title"]), (.parameter(.socialDescription), ["$og_description"]),
                (.parameter(.socialImageLink), ["$og_image_url"]),
                (.parameter(.campaignSource), ["channel"]), (.parameter(.campaignMedium), ["feature"]),
                (.parameter(.campaignName), ["campaign"]), (.name, ["$marketing_title", "Link title", "Title"]),
                (.tags, ["tags"]), (.createdAt, ["Date created", "Created", "Created at", "creation_date"]),
                (.clicks, ["Clicks", "Total clicks", "click"]), (.endsAt, ["$link_expiration", "Expiration date"]),
                (.notKept, ["$deeplink_path", "$ios_deeplink_path", "$android_deeplink_path", "stage", "$keywords"]),
                (.ignored, ["type", "branch_key", "app_id", "+url", "$one_time_use", "creation_source"]),
            ], otherTargets: [.otherTarget, .parameter(.desktopFallbackLink)]),
        .yourls: Form(names: [
            (.ending, ["keyword"]), (.shortLink, ["shorturl"]), (.parameter(.link), ["url", "longurl"]),
            (.name, ["title"]), (.createdAt, ["timestamp", "date"]), (.clicks, ["clicks"]), (.notKept, ["ip"]),
        ]),
        .shlink: Form(
            names: [
                (.shortLink, ["shortUrl"]), (.ending, ["shortCode"]), (.domain, ["domain"]),
                (.parameter(.link), ["longUrl"]), (.name, ["title"]), (.tags, ["tags"]),
                (.createdAt, ["createdAt", "dateCreated"]), (.clicks, ["nonBots", "visits", "visitsCount"]),
                (.startsAt, ["validSince"]), (.endsAt, ["validUntil"]), (.maxClicks, ["maxVisits"]),
                (.parameter(.androidFallbackLink), ["android"]), (.parameter(.iosFallbackLink), ["ios"]),
                (.parameter(.desktopFallbackLink), ["desktop"]), (.notKept, ["hasRedirectRules"]),
                (.ignored, ["total", "bots", "crawlable", "forwardQuery"]),
            ], tagSeparator: UInt8(ascii: "|")),
        .dub: Form(names: [
            (.shortLink, ["Short link"]), (.ending, ["key"]), (.domain, ["domain"]),
            (.parameter(.link), ["Destination URL", "url"]), (.name, ["title"]), (.tags, ["tags", "tagNames"]),
            (.isArchived, ["archived"]), (.createdAt, ["Created at"]), (.clicks, ["clicks"]),
            (.endsAt, ["expiresAt"]), (.afterEnd, ["expiredUrl"]), (.parameter(.iosFallbackLink), ["ios"]),
            (.parameter(.androidFallbackLink), ["android"]), (.password, ["password"]), (.isOff, ["disabledAt"]),
            (
                .notKept,
                [
                    "geo", "description", "image", "video", "comments", "leads", "sales", "saleAmount", "folder",
                    "folderId",
                ]
            ),
            (
                .ignored,
                [
                    "id", "Link ID", "Updated at", "externalId", "tenantId", "programId", "partnerId", "projectId",
                    "workspaceId", "userId", "tagId", "qrCode", "lastClicked", "proxy", "publicStats", "rewrite",
                    "doIndex", "trackConversion", "conversions", "utm_source", "utm_medium", "utm_campaign",
                    "utm_term", "utm_content", "webhookIds", "testVariants", "testStartedAt", "testCompletedAt",
                ]
            ),
        ]),
        .kutt: Form(names: [
            (.shortLink, ["link"]), (.ending, ["address"]), (.domain, ["domain"]), (.parameter(.link), ["target"]),
            (.name, ["description"]), (.clicks, ["visit_count"]), (.createdAt, ["created_at"]),
            (.endsAt, ["expire_in"]), (.password, ["password"]), (.isOff, ["banned"]),
            (.ignored, ["id", "updated_at", "uuid"]),
        ]),
    ]

    /// Parameters by their names in long links and in Firebase's API.
    private static func parameters(_ parameters: [DynamicLinkParameter]) -> [(Field, [String])] {
        parameters.map { (.parameter($0), [$0.rawValue] + (apiNames[$0] ?? [])) }
    }

    /// Those that are not named as in long links.
    private static let apiNames: [DynamicLinkParameter: [String]] = [
        .androidPackageName: ["androidPackageName"], .androidFallbackLink: ["androidFallbackLink"],
        .androidMinimumVersion: ["androidMinPackageVersionCode"], .androidLink: ["androidLink"],
        .iosBundleID: ["iosBundleId"], .iosFallbackLink: ["iosFallbackLink"], .iosCustomScheme: ["iosCustomScheme"],
        .ipadFallbackLink: ["iosIpadFallbackLink"], .ipadBundleID: ["iosIpadBundleId"], .appStoreID: ["iosAppStoreId"],
        .iosMinimumVersion: ["iosMinimumVersion"], .forcesRedirect: ["enableForcedRedirect"],
        .desktopFallbackLink: ["desktopFallbackLink", "otherFallbackUrl"], .socialTitle: ["socialTitle"],
        .socialDescription: ["socialDescription"], .socialImageLink: ["socialImageLink"],
    ]
}
