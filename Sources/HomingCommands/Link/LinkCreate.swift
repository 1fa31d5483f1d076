// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import ArgumentParser
import HomingCore
import HomingLinkRules
import HomingOperations
import HomingStore
import HomingWire

/// `homing link create`: every parameter of a long link under its own name.
struct LinkCreate: DatabaseCommand {
    static let configuration = CommandConfiguration(
        commandName: "create", abstract: "Make a short link.",
        discussion: """
            The options after --short are the parameters of a long link, by their names.

            EXAMPLE
              homing link create shop --link https://www.shop.example/cart \\
                --suffix spring --apn com.example.shop --ibi com.example.shop
            """)

    @Argument var project: ProjectID
    @Option(help: "Where it leads: the URL that the app gets, and the web page elsewhere.") var link: String
    @Option(help: "On which link domain; the project's first one that is not Google's unless given.")
    var domain: String?
    @Option(help: "What it is called in lists.") var name: String?
    @Option(help: "An ending of your own: links.shop.example/SUFFIX.") var suffix: String?
    @Flag(help: "A short ending that can be guessed, instead of 17 characters.") var short = false
    @Option(help: "Android package name.") var apn: String?
    @Option(help: "Where Android goes without the app.") var afl: String?
    @Option(help: "Lowest Android version code.") var amv: String?
    @Option(help: "iOS bundle id.") var ibi: String?
    @Option(help: "Where an iPhone goes without the app.") var ifl: String?
    @Option(help: "The app's URL scheme.") var ius: String?
    @Option(help: "Where an iPad goes without the app.") var ipfl: String?
    @Option(help: "iPad bundle id.") var ipbi: String?
    @Option(help: "App Store id.") var isi: String?
    @Option(help: "Lowest iOS app version.") var imv: String?
    @Flag(help: "No page in between on iOS.") var efr = false
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
    @OptionGroup var format: OutputOptions

    func run(in homing: Homing, _ output: inout CommandOutput) async throws {
        let project = try homing.projects.existing(project)
        let domain = try linkDomain(of: project)
        LinkDomainCommand.warn(of: [domain], in: project.projectID, &output)
        let parameters = parameters
        let rules = homing.projects.linkRules(of: project)
        try await homing.links.check(parameters, by: rules, of: project)
        try Links.check(lengthOf: DynamicLinkURL(base: domain.baseURL, parameters: parameters).url)
        let ending: LinkEnding = suffix.map { .custom(LinkSuffix($0)) } ?? (short ? .short : .unguessable)
        let stored = try await homing.links.create(
            parameters, on: domain, of: project, ending: ending, name: name ?? suffix,
            beside: homing.projects.linkDomains(hostKey: domain.hostKey), by: .command)
        let warnings = rules.warnings(parameters)
        var record = try LinkCommand.record(stored, on: domain).objectValue ?? JSON.Object()
        record["warnings"] = .array(warnings.map { .string($0.code.rawValue) })
        output.answer(
            format, json: .object(record),
            lines: ["\(domain.baseURL)/\(stored.suffix)"]
                + warnings.map { "warning: \($0.code.rawValue): \($0.message)".with($0.remedy) })
    }

    private func linkDomain(of project: Project) throws -> LinkDomain {
        guard let domain else {
            guard let standard = project.defaultLinkDomain else { throw Refusal.dynamicLinkNotActivated }
            return standard
        }
        let wanted = try LinkDomain(parsing: domain)
        guard project.linkDomains.contains(wanted) else {
            throw Refusal.notFound("\(domain) is not a link domain of \(project.projectID): homing link-domain add")
        }
        return wanted
    }

    private var parameters: DynamicLinkParameters {
        var parameters = DynamicLinkParameters(link: link)
        parameters.android.packageName = apn
        parameters.android.fallbackLink = afl
        parameters.android.minimumVersion = amv
        parameters.ios.bundleID = ibi
        parameters.ios.fallbackLink = ifl
        parameters.ios.customScheme = ius
        parameters.ios.ipadFallbackLink = ipfl
        parameters.ios.ipadBundleID = ipbi
        parameters.ios.appStoreID = isi
        parameters.ios.minimumVersion = imv
        parameters.forcesRedirect = efr
        parameters.desktopFallbackLink = ofl
        parameters.social.title = st
        parameters.social.description = sd
        parameters.social.imageLink = si
        parameters.campaign.source = utmSource
        parameters.campaign.medium = utmMedium
        parameters.campaign.campaign = utmCampaign
        parameters.campaign.term = utmTerm
        parameters.campaign.content = utmContent
        parameters.appStore.affiliateToken = at
        parameters.appStore.campaignToken = ct
        parameters.appStore.mediaType = mt
        parameters.appStore.providerToken = pt
        return parameters
    }
}
