// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// The parameters of a long link, in the order in which we write them.
///
/// The raw value is the name in the URL. ``DynamicLinkParameters`` explains each parameter.
public enum DynamicLinkParameter: String, Sendable, Hashable, CaseIterable {
    case link
    case androidPackageName = "apn"
    case androidFallbackLink = "afl"
    case androidMinimumVersion = "amv"
    case androidLink = "al"
    case iosBundleID = "ibi"
    case iosFallbackLink = "ifl"
    case iosCustomScheme = "ius"
    case ipadFallbackLink = "ipfl"
    case ipadBundleID = "ipbi"
    case appStoreID = "isi"
    case iosMinimumVersion = "imv"
    case forcesRedirect = "efr"
    case desktopFallbackLink = "ofl"
    case socialTitle = "st"
    case socialDescription = "sd"
    case socialImageLink = "si"
    case campaignSource = "utm_source"
    case campaignMedium = "utm_medium"
    case campaignName = "utm_campaign"
    case campaignTerm = "utm_term"
    case campaignContent = "utm_content"
    case clickID = "gclid"
    case affiliateToken = "at"
    case campaignToken = "ct"
    case mediaType = "mt"
    case providerToken = "pt"

    /// The parameter of a name; names are compared byte by byte.
    package init?(named name: String) {
        guard let parameter = Self.allCases.first(where: { $0.rawValue.hasSameBytes(as: name) }) else { return nil }
        self = parameter
    }

    /// Whether Firebase kept it for old links only.
    package var isDeprecated: Bool {
        self == .androidLink || self == .clickID
    }
}

extension DynamicLinkParameters {
    /// A parameter of a long link, decoded; nil where the link has none.
    ///
    /// `efr` is `1` or nil. Setting an empty text removes a parameter, except that ``link`` becomes empty.
    public subscript(parameter: DynamicLinkParameter) -> String? {
        get {
            let value = Self.paths[parameter].map { self[keyPath: $0] } ?? special(parameter)
            return value.flatMap { $0.utf8.isEmpty ? nil : $0 }
        }
        set {
            let value = newValue.flatMap { $0.utf8.isEmpty ? nil : $0 }
            if let path = Self.paths[parameter] {
                self[keyPath: path] = value
            } else if parameter == .link {
                link = value ?? ""
            } else {
                forcesRedirect = value?.hasSameBytes(as: "1") ?? false
            }
        }
    }

    private func special(_ parameter: DynamicLinkParameter) -> String? {
        parameter == .link ? link : forcesRedirect ? "1" : nil
    }

    /// All parameters but `link`, which every link has, and `efr`, which is a flag.
    private static let paths: [DynamicLinkParameter: any WritableKeyPath<DynamicLinkParameters, String?> & Sendable] =
        [
            .androidPackageName: \.android.packageName,
            .androidFallbackLink: \.android.fallbackLink,
            .androidMinimumVersion: \.android.minimumVersion,
            .androidLink: \.android.link,
            .iosBundleID: \.ios.bundleID,
            .iosFallbackLink: \.ios.fallbackLink,
            .iosCustomScheme: \.ios.customScheme,
            .ipadFallbackLink: \.ios.ipadFallbackLink,
            .ipadBundleID: \.ios.ipadBundleID,
            .appStoreID: \.ios.appStoreID,
            .iosMinimumVersion: \.ios.minimumVersion,
            .desktopFallbackLink: \.desktopFallbackLink,
            .socialTitle: \.social.title,
            .socialDescription: \.social.description,
            .socialImageLink: \.social.imageLink,
            .campaignSource: \.campaign.source,
            .campaignMedium: \.campaign.medium,
            .campaignName: \.campaign.campaign,
            .campaignTerm: \.campaign.term,
            .campaignContent: \.campaign.content,
            .clickID: \.campaign.clickID,
            .affiliateToken: \.appStore.affiliateToken,
            .campaignToken: \.appStore.campaignToken,
            .mediaType: \.appStore.mediaType,
            .providerToken: \.appStore.providerToken,
        ]
}
