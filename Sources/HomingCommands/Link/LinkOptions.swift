// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import ArgumentParser
import HomingCore
import HomingLinkRules
import HomingShortLinks
import HomingStore
import HomingTexts
import HomingWire

/// The parameters of a long link besides `link`, by their names.
struct LinkParameterOptions: ParsableArguments, Encodable {
    @Option(help: "Android package name.") var apn: String?
    @Option(help: "Where Android goes without the app.") var afl: String?
    @Option(help: "Lowest Android version code.") var amv: String?
    @Option(help: "iOS bundle id.") var ibi: String?
    @Option(help: "Where an iPhone goes without the app.") var ifl: String?
    @Option(help: "The app's URL scheme.") var ius: String?
    @Option(help: "Where an iPad goes without the app.") var ipfl: String?
    @Option(help: "iPad bundle id.") var ipbi: String?
    @Option(help: "App Store id; the registered app's own unless given.") var isi: String?
    @Option(help: "Lowest iOS app version.") var imv: String?
    @Flag(inversion: .prefixedNo, help: "No page in between on iOS.") var efr: Bool?
    @Option(help: "Where a desktop goes.") var ofl: String?
    @Option(help: "Title of previews.") var st: String?
    @Option(help: "Description of previews.") var sd: String?
    @Option(help: "Image of previews.") var si: String?
    @Option(help: "Campaign source.") var utmSource: String?
    @Option(help: "Campaign medium.") var utmMedium: String?
    @Option(help: "Campaign name.") var utmCampaign: String?
    @Option(help: "Campaign term.") var utmTerm: String?
    @Option(help: "Campaign content.") var utmContent: String?
    @Option(help: "App Store affiliate token.") var at: String?
    @Option(help: "App Store campaign token.") var ct: String?
    @Option(help: "App Store media type.") var mt: String?
    @Option(help: "App Store provider token.") var pt: String?

    private var given: [(DynamicLinkParameter, String?)] {
        [
            (.androidPackageName, apn), (.androidFallbackLink, afl), (.androidMinimumVersion, amv),
            (.iosBundleID, ibi), (.iosFallbackLink, ifl), (.iosCustomScheme, ius), (.ipadFallbackLink, ipfl),
            (.ipadBundleID, ipbi), (.appStoreID, isi), (.iosMinimumVersion, imv), (.desktopFallbackLink, ofl),
            (.socialTitle, st), (.socialDescription, sd), (.socialImageLink, si), (.campaignSource, utmSource),
            (.campaignMedium, utmMedium), (.campaignName, utmCampaign), (.campaignTerm, utmTerm),
            (.campaignContent, utmContent), (.affiliateToken, at), (.campaignToken, ct), (.mediaType, mt),
            (.providerToken, pt),
        ]
    }

    /// What is given changes; an empty text takes a parameter away.
    func apply(to parameters: inout DynamicLinkParameters) {
        for case (let parameter, let value?) in given { parameters[parameter] = value }
        if let efr { parameters.forcesRedirect = efr }
    }
}

/// What a short link has besides its long link.
struct LinkDetailOptions: ParsableArguments, Encodable {
    @Option(
        name: .customLong("tag"),
        help: "A tag; several times for several. They take the place of those it has, and an empty one of all.")
    var tags: [String] = []
    @Option(help: "From when on it leads: 2027-01-31, or 2027-01-31T18:00:00Z.") var starts: String?
    @Option(help: "Until when it leads: 2027-01-31 (that day, too), 2027-01-31T18:00:00Z, or after 90d or 12h.")
    var ends: String?
    @Option(help: "It ends after so many clicks of people.") var maxClicks: String?
    @Option(help: "Where it leads when it has ended, instead of to a page that says so.") var afterEnd: String?
    @Option(
        name: .customLong("language-link"),
        help: ArgumentHelp(
            "Another target for visitors of a language, or none with nothing behind the =; several times for several.",
            valueName: "de=URL"))
    var languageLinks: [String] = []

    /// What is given changes; an empty text takes a value away.
    ///
    /// - Throws: a refusal that names the option.
    func apply(to details: inout LinkDetails, at now: Moment) throws(Refusal) {
        if !tags.isEmpty { details.tags = tags.filter { !$0.utf8.isEmpty } }
        if let starts { details.startsAt = try Self.moment(starts, "--starts", at: now) }
        if let ends { details.endsAt = try Self.moment(ends, "--ends", at: now, isEnd: true) }
        if let maxClicks {
            guard maxClicks.utf8.isEmpty || (Int64(maxClicks) ?? 0) > 0 else {
                throw .invalidArgument("--max-clicks is a whole number from 1 on, or empty for no end")
            }
            details.maxClicks = Int64(maxClicks)
        }
        if let afterEnd { details.afterEnd = afterEnd.utf8.isEmpty ? nil : afterEnd }
        for text in languageLinks {
            guard let equals = text.utf8.firstIndex(of: UInt8(ascii: "=")),
                let tag = LanguageTag(parsing: String(text[..<equals]))
            else {
                throw .invalidArgument("--language-link is LANGUAGE=URL, such as de=https://www.shop.example/de")
            }
            let link = String(text[equals...].dropFirst())
            details.languageLinks.removeAll { ASCII.areEqual($0.tag, tag.text) }
            if !link.utf8.isEmpty { details.languageLinks.append(.init(tag: tag.text, link: link)) }
        }
    }

    static func moment(
        _ text: String, _ option: String, at now: Moment, isEnd: Bool = false
    ) throws(Refusal) -> Moment? {
        guard !text.utf8.isEmpty else { return nil }
        if isEnd, let end = KeyEnd(parsing: text) { return end.moment(at: now) }
        guard let time = TakeoutTimestamp.milliseconds(text) else {
            throw .invalidArgument(
                "\(option) is a day or a time in UTC, such as 2027-01-31 or 2027-01-31T18:00:00Z, which "
                    + "\(Printable.given(text)) is not")
        }
        return Moment(milliseconds: time)
    }
}
