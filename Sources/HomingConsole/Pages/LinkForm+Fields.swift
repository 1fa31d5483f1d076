// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingLinkRules
import HomingPages
import HomingProjects
import HomingServer
import HomingShortLinks
import HomingStore
import HomingTexts
import HomingWire
import Hummingbird

/// The fields of a link, in the groups that its form shows.
extension LinkForm {
    static var target: ConsoleField<LinkDraft> {
        parameter(
            "Destination", .link,
            hint: "The URL for the app, and the page everywhere else, on an authorised domain.",
            isRequired: true)
    }

    static func domain(in project: Project) -> ConsoleField<LinkDraft> {
        ConsoleField(
            "Link domain", "domain", \.domain,
            .choice(project.linkDomains.map { (value: $0.text, label: $0.baseURL) }))
    }

    static func creation(in project: Project) -> [ConsoleField<LinkDraft>] {
        [
            domain(in: project),
            ConsoleField(
                "Ending", "suffix", \.ending,
                hint: "Such as <code>spring</code>. Empty: one is made. It does not change later."
            ),
            ConsoleField(
                label: "Generated ending", name: "length",
                input: .choice([
                    ("7", "7 characters, easy to type"), ("17", "17 characters, which nobody guesses"),
                ]), text: { $0.isUnguessable ? "17" : "7" },
                set: { draft, text in draft.isUnguessable = text.utf8.elementsEqual("17".utf8) }),
        ]
    }

    static func name(isRequired: Bool) -> ConsoleField<LinkDraft> {
        ConsoleField(
            label: "Name", name: "name",
            hint: isRequired
                ? "What it is called in lists."
                : "What it is called in lists; the ending, or the destination, unless you say otherwise.",
            text: { $0.content.name ?? "" },
            set: { draft, text in
                draft.content.name = text.isEmpty ? nil : text
                guard text.isEmpty ? !isRequired : StoredLink.isName(text) else {
                    throw ConsoleFault("A name has 1 to 200 characters, and no control characters.")
                }
            })
    }

    private static func parameter(
        _ label: String, _ parameter: DynamicLinkParameter, hint: HTML? = nil, _ input: ConsoleInput = .line("text"),
        isRequired: Bool = false
    ) -> ConsoleField<LinkDraft> {
        ConsoleField(
            label: label, name: parameter.rawValue, hint: hint, input: input, isRequired: isRequired,
            // A code in a target is shown to nobody; what is not typed anew stays as it is.
            text: { SecretMask.masked($0.content.parameters[parameter] ?? "") },
            set: { draft, text in draft.content.parameters[parameter] = text })
    }

    /// A choice among registered apps, and the one that the link names.
    private static func app(
        _ label: String, _ parameter: DynamicLinkParameter, _ platform: RegisteredApp.Platform, _ project: Project,
        _ draft: LinkDraft
    ) -> ConsoleField<LinkDraft> {
        var options = project.apps.filter { $0.platform == platform }.map { (value: $0.id, label: $0.id) }
        if let present = draft.parameters[parameter],
            !options.contains(where: { $0.value.utf8.elementsEqual(present.utf8) })
        {
            options.append((value: present, label: "\(present), which is not registered"))
        }
        return Self.parameter(label, parameter, .choice([(value: "", label: "none")] + options))
    }

    /// - Parameter draft: what the link is now.
    static func more(
        _ project: Project, _ draft: LinkDraft, isNew: Bool = false
    ) -> [ConsoleField<LinkDraft>] {
        [tags] + ofApps(project, draft, isNew: isNew) + ofPreviews + ofCampaigns + ofPlaces + ofStores
    }

    private static var tags: ConsoleField<LinkDraft> {
        ConsoleField(
            label: "Tags", name: "tags", hint: "With commas between them, such as <code>spring, print</code>.",
            text: { $0.content.details.tags.joined(separator: ", ") },
            set: { draft, text in try setTags(&draft.content.details, text) })
    }

    /// The Apple app of a link, and its App Store id: a choice of another app brings that one's.
    private static func ofAppleApp(
        _ project: Project, _ draft: LinkDraft, isNew: Bool
    ) -> [ConsoleField<LinkDraft>] {
        var app = app("Apple app", .iosBundleID, .apple, project, draft)
        let setApp = app.set
        app.set = { draft, text in
            let before = draft.parameters
            try setApp(&draft, text)
            draft.content.parameters.takeStoreID(of: project.apps, changing: isNew ? nil : before)
        }
        let known = project.apps.filter { $0.platform == .apple }.compactMap(\.appStoreID)
        let own: HTML =
            known.count == 1
            ? " Empty for the app's own, <code>\(known[0])</code>." : " Empty for the app's own."
        var store = parameter(
            "App Store id", .appStoreID,
            hint: "Where an iPhone without the app goes.\(isNew && !known.isEmpty ? own : "")")
        let setStore = store.set
        store.set = { draft, text in
            // The app's own, which the field before has brought, stays.
            if !isNew || !text.isEmpty { try setStore(&draft, text) }
        }
        return [app, store]
    }

    private static func ofApps(
        _ project: Project, _ draft: LinkDraft, isNew: Bool
    ) -> [ConsoleField<LinkDraft>] {
        ofAppleApp(project, draft, isNew: isNew) + [
            parameter("iPhone without the app", .iosFallbackLink, hint: "A page instead of the App Store."),
            parameter("iPad without the app", .ipadFallbackLink, hint: "Where that is another page."),
            ConsoleField(
                "Skip the page in between on iOS", "efr", \.content.parameters.forcesRedirect,
                hint: "People without the app are sent on at once."),
            app("Android app", .androidPackageName, .android, project, draft),
            parameter("Android without the app", .androidFallbackLink, hint: "A page instead of the Play Store."),
        ]
    }

    /// The names of the fields about Apple's apps that are shown at once.
    static let appleFields = names([.iosBundleID, .appStoreID, .iosFallbackLink, .ipadFallbackLink, .forcesRedirect])
    /// The names of those about Android's apps.
    static let androidFields = names([.androidPackageName, .androidFallbackLink])

    private static func names(_ parameters: [DynamicLinkParameter]) -> [String] { parameters.map(\.rawValue) }

    /// Whether a field is about an app.
    static func isOfApps(_ name: String) -> Bool {
        (appleFields + androidFields + ofStores.map(\.name)).contains(name)
    }

    /// Whether a field about an app is about one of Android.
    static func isOfAndroid(_ name: String) -> Bool {
        (androidFields + names([.androidMinimumVersion])).contains(name)
    }

    static var ofPreviews: [ConsoleField<LinkDraft>] {
        [
            parameter("Title", .socialTitle), parameter("Description", .socialDescription),
            parameter("Image", .socialImageLink, hint: "The URL of a picture."),
        ]
    }

    static var ofCampaigns: [ConsoleField<LinkDraft>] {
        [
            parameter("Campaign source", .campaignSource), parameter("Campaign medium", .campaignMedium),
            parameter("Campaign name", .campaignName), parameter("Campaign term", .campaignTerm),
            parameter("Campaign content", .campaignContent),
        ]
    }

    static var ofStores: [ConsoleField<LinkDraft>] {
        [
            parameter("Apple app on an iPad", .ipadBundleID, hint: "The bundle id of another app."),
            parameter("Custom URL scheme", .iosCustomScheme, hint: "For very old systems; the bundle id otherwise."),
            parameter("Lowest version on iOS", .iosMinimumVersion),
            parameter("Lowest version code on Android", .androidMinimumVersion),
            parameter("App Store affiliate token", .affiliateToken),
            parameter("App Store campaign token", .campaignToken),
            parameter("App Store media type", .mediaType), parameter("App Store provider token", .providerToken),
        ]
    }

    static var ofPlaces: [ConsoleField<LinkDraft>] {
        [
            parameter("On a computer", .desktopFallbackLink, hint: "A page instead of the destination."),
            ConsoleField(
                label: "By language", name: "languages",
                hint: """
                    A line for each language of visitors who are led elsewhere: \
                    <code>de https://www.shop.example/de/</code>.
                    """, input: .area(rows: 3),
                text: { draft in
                    draft.content.details.languageLinks.map { "\($0.tag) \(SecretMask.masked($0.link))" }
                        .joined(separator: "\n")
                },
                set: { draft, text in try setLanguages(&draft.content.details, text) }),
            time("Begins", "starts", \.startsAt, hint: "Before, nobody finds the link. Empty: at once."),
            time("Ends", "ends", \.endsAt, hint: "Empty: never."),
            ConsoleField(
                label: "Maximum clicks", name: "clicks", hint: "By people. Then the link ends.",
                input: .line("number"),
                text: { $0.content.details.maxClicks.map { String($0) } ?? "" },
                set: { draft, text in
                    draft.content.details.maxClicks = nil
                    guard !text.isEmpty else { return }
                    guard let number = Int64(text), number > 0 else {
                        throw ConsoleFault("A number of clicks is a whole number from 1 on.")
                    }
                    draft.content.details.maxClicks = number
                }),
            ConsoleField(
                label: "Destination after its end", name: "after",
                hint: "A URL; without one a page says that the link has ended.",
                text: { SecretMask.masked($0.content.details.afterEnd ?? "") },
                set: { draft, text in draft.content.details.afterEnd = text.isEmpty ? nil : text }),
        ]
    }

    private static func setTags(_ details: inout LinkDetails, _ text: String) throws(ConsoleFault) {
        let tags = text.split(separator: ",").map { String(ASCII.trimmed(String($0))) }.filter { !$0.isEmpty }
        if let wrong = tags.first(where: { !LinkDetails.isTag($0) }) {
            throw ConsoleFault(
                "A tag has 1 to \(LinkDetails.longestTag) characters, and no control characters: shorten “\(wrong.prefix(60))”."
            )
        }
        details.setTags(tags)
        guard details.tags.count <= LinkDetails.mostTags else {
            throw ConsoleFault("A link has at most \(LinkDetails.mostTags) tags.")
        }
    }

    private static func setLanguages(_ details: inout LinkDetails, _ text: String) throws(ConsoleFault) {
        var links: [LinkDetails.LanguageLink] = []
        for line in text.split(whereSeparator: \.isNewline) {
            let parts = line.split(separator: " ", maxSplits: 1).map { String(ASCII.trimmed(String($0))) }
            guard !parts.isEmpty else { continue }
            guard parts.count == 2, let tag = LanguageTag(parsing: parts[0]) else {
                throw ConsoleFault(
                    "A line is a language and a URL, such as “de https://www.shop.example/de/”, and “\(line.prefix(80))” "
                        + "is not.")
            }
            // A code that was masked stays.
            let kept = details.languageLinks.first { SecretMask.masked($0.link).utf8.elementsEqual(parts[1].utf8) }
            links.append(LinkDetails.LanguageLink(tag: tag.text, link: kept?.link ?? parts[1]))
        }
        guard links.count <= LinkDetails.mostLanguageLinks else {
            throw ConsoleFault("A link has at most \(LinkDetails.mostLanguageLinks) targets by language.")
        }
        details.setLanguageLinks(links)
    }

    private static func time(
        _ label: String, _ name: String, _ part: WritableKeyPath<LinkDetails, Moment?>, hint: HTML
    ) -> ConsoleField<LinkDraft> {
        ConsoleField(
            label: label, name: name, hint: hint, input: .time,
            text: { draft in draft.content.details[keyPath: part]?.timestamp ?? "" },
            set: { draft, text in
                draft.content.details[keyPath: part] = nil
                guard !text.isEmpty else { return }
                guard let moment = Moment(timestamp: text) else {
                    throw ConsoleFault("A time is a day and an hour, such as 2027-06-30T18:00.")
                }
                draft.content.details[keyPath: part] = moment
            })
    }
}
