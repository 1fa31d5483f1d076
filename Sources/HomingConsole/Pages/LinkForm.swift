// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingLinkRules
import HomingPages
import HomingServer
import HomingStore
import HomingTexts
import HomingWire
import Hummingbird

/// What the forms of a link hold.
struct LinkDraft {
    var content = LinkContent(DynamicLinkParameters(link: ""))
    /// The link domain in its one spelling.
    var domain = ""
    /// Nil for one that the server makes.
    var ending: String?
    /// Whether an ending that the server makes has 17 characters.
    var isUnguessable = false

    var parameters: DynamicLinkParameters { content.parameters }
}

/// The fields of a link, for one that is made and for one that is changed, and what each device would do. The fields
/// have the names of a long link's parameters.
enum LinkForm {
    /// The form on the list: a pasted target, and where there are several, the domain.
    static func short(in project: Project) -> ConsoleForm<LinkDraft> {
        let domains = project.linkDomains.count > 1 ? [domain(in: project)] : []
        return ConsoleForm(new(in: project), [target] + domains)
    }

    /// The form for a new link, with everything that it may have.
    static func making(in project: Project) -> ConsoleForm<LinkDraft> {
        ConsoleForm(
            new(in: project), [target] + creation(in: project) + [name(isRequired: false)] + more(project, LinkDraft()))
    }

    /// The form for a link that there is.
    static func editing(_ content: LinkContent, in project: Project) -> ConsoleForm<LinkDraft> {
        let draft = LinkDraft(content: content)
        let isOn = ConsoleField<LinkDraft>(
            "It leads on", "on", \.content.details.isOn, hint: "Switched off, it is a link that nobody finds.")
        return ConsoleForm(
            draft, remembersSeen: true,
            [target, name(isRequired: content.name != nil), isOn] + more(project, draft))
    }

    private static func new(in project: Project) -> LinkDraft {
        LinkDraft(domain: project.defaultLinkDomain?.text ?? "")
    }

    // MARK: Fields

    private static var target: ConsoleField<LinkDraft> {
        parameter(
            "Leads to", .link,
            hint: "The URL that the app gets, and the page everywhere else. It lies on an authorised domain.",
            isRequired: true)
    }

    private static func domain(in project: Project) -> ConsoleField<LinkDraft> {
        ConsoleField(
            "Link domain", "domain", \.domain,
            .choice(project.linkDomains.map { (value: $0.text, label: $0.baseURL) }))
    }

    private static func creation(in project: Project) -> [ConsoleField<LinkDraft>] {
        [
            domain(in: project),
            ConsoleField(
                "Ending", "suffix", \.ending, hint: "Such as <code>spring</code>; it stays. Empty for one that is made."
            ),
            ConsoleField(
                label: "An ending that is made has", name: "length",
                input: .choice([
                    ("7", "7 characters, to be read out and typed"), ("17", "17 characters, which nobody guesses"),
                ]), text: { $0.isUnguessable ? "17" : "7" },
                set: { draft, text in draft.isUnguessable = text.utf8.elementsEqual("17".utf8) }),
        ]
    }

    private static func name(isRequired: Bool) -> ConsoleField<LinkDraft> {
        ConsoleField(
            label: "Name", name: "name",
            hint: isRequired
                ? "What it is called in lists."
                : "What it is called in lists; the ending, or where it leads, unless you say otherwise.",
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
    private static func more(_ project: Project, _ draft: LinkDraft) -> [ConsoleField<LinkDraft>] {
        [tags] + ofApps(project, draft) + ofPreviews + ofCampaigns + ofTimes + ofStores
    }

    private static var tags: ConsoleField<LinkDraft> {
        ConsoleField(
            label: "Tags", name: "tags", hint: "With commas between them, such as <code>spring, print</code>.",
            text: { $0.content.details.tags.joined(separator: ", ") },
            set: { draft, text in try setTags(&draft.content.details, text) })
    }

    private static func ofApps(_ project: Project, _ draft: LinkDraft) -> [ConsoleField<LinkDraft>] {
        [
            app("Apple app", .iosBundleID, .apple, project, draft),
            parameter("App Store id", .appStoreID, hint: "Where an iPhone without the app goes."),
            parameter("iPhone without the app", .iosFallbackLink, hint: "A page instead of the App Store."),
            parameter("iPad without the app", .ipadFallbackLink, hint: "Where that is another page."),
            ConsoleField(
                "No page in between on iOS", "efr", \.content.parameters.forcesRedirect,
                hint: "People without the app are sent on at once."),
            app("Android app", .androidPackageName, .android, project, draft),
            parameter("Android without the app", .androidFallbackLink, hint: "A page instead of the Play Store."),
            parameter("On a computer", .desktopFallbackLink, hint: "A page instead of where the link leads."),
        ]
    }

    private static var ofPreviews: [ConsoleField<LinkDraft>] {
        [
            parameter("Title", .socialTitle), parameter("Description", .socialDescription),
            parameter("Image", .socialImageLink, hint: "The URL of a picture."),
        ]
    }

    private static var ofCampaigns: [ConsoleField<LinkDraft>] {
        [
            parameter("Campaign source", .campaignSource), parameter("Campaign medium", .campaignMedium),
            parameter("Campaign name", .campaignName), parameter("Campaign term", .campaignTerm),
            parameter("Campaign content", .campaignContent),
        ]
    }

    private static var ofStores: [ConsoleField<LinkDraft>] {
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

    private static var ofTimes: [ConsoleField<LinkDraft>] {
        [
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
            time("From", "starts", \.startsAt, hint: "In UTC. Nobody finds the link before."),
            time("Until", "ends", \.endsAt, hint: "In UTC. From then on the link has ended."),
            ConsoleField(
                label: "At most so many clicks", name: "clicks", hint: "Of people; then the link has ended.",
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
                label: "After its end", name: "after",
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
            label: label, name: name, hint: hint, input: .line("datetime-local"),
            // To the minute, as browsers ask for it.
            text: { draft in draft.content.details[keyPath: part].map { String($0.timestamp.prefix(16)) } ?? "" },
            set: { draft, text in
                draft.content.details[keyPath: part] = nil
                guard !text.isEmpty else { return }
                guard let moment = Moment(timestamp: text.utf8.count == 16 ? "\(text):00Z" : "\(text)Z") else {
                    throw ConsoleFault("A time is a day and an hour, such as 2027-06-30T18:00.")
                }
                draft.content.details[keyPath: part] = moment
            })
    }

    // MARK: The page

    /// The sections of a form with everything.
    ///
    /// - Parameter first: the fields that stand before those of the apps.
    private static func sections(_ form: ConsoleForm<LinkDraft>, first: [String]) -> HTML {
        func section(_ title: String, _ fields: [ConsoleField<LinkDraft>]) -> HTML {
            // What is filled in, or wrong, is seen at once.
            let isOpen = fields.contains { !$0.text(form.value).isEmpty || form.faults[$0.name] != nil }
            return """
                <section><details\(isOpen ? " open" as HTML : "")><summary>\(title)</summary>\
                \(form.html(of: fields.map(\.name)))</details></section>
                """
        }
        let apps = ["ibi", "isi", "ifl", "ipfl", "efr", "apn", "afl", "ofl"]
        return """
            <section>\(form.html(of: first + ["tags"]))</section>
            <section><h2>Apps</h2>\(form.html(of: apps))</section>
            \(section("Languages, beginning and end", ofTimes))
            \(section("Preview in messengers", ofPreviews))
            \(section("Campaign", ofCampaigns))
            \(section("More for apps and stores", ofStores))
            """
    }

    /// A page with a form of everything and what each device would do, which a script keeps fresh.
    ///
    /// - Parameters:
    ///   - first: the fields that stand before those of the apps.
    ///   - button: what the form does.
    ///   - preview: what each device would do.
    static func body(
        _ form: ConsoleForm<LinkDraft>, first: [String], button: (action: String, label: String), preview: HTML,
        _ context: ConsoleContext
    ) -> HTML {
        """
        \(context.form(
            sections(form, first: first),
            buttons: """
                <div class="row"><button type="submit" name="do" value="\(button.action)">\(button.label)</button>\
                <button type="submit" name="do" value="preview" class="quiet">Preview</button></div>
                """,
            attributes: " data-preview=\"preview\""))
        <section id="preview" aria-live="polite"><h2>What each device does</h2>
        \(preview)</section>
        """
    }

    /// What a link is, by the labels of the form; what it has not is empty.
    static func facts(of content: LinkContent, in project: Project) -> [(name: String, text: String)] {
        let draft = LinkDraft(content: content)
        return editing(content, in: project).fields.map { field in
            let text = field.text(draft)
            return (field.label, text.isEmpty ? "" : field.input.words(text))
        }
    }

    /// What stands against what was typed, or what each device would do.
    static func preview(_ form: ConsoleForm<LinkDraft>, at url: String, _ context: ConsoleContext) -> HTML {
        form.isRefused
            ? HTML(joining: form.faults.sorted { $0.key < $1.key }.map { "<p class=\"fault\">\($0.value)</p>" })
            : report(form.value.parameters, at: url, context)
    }

    /// What a link does, or why it does nothing now.
    static func report(_ parameters: DynamicLinkParameters, at url: String, _ context: ConsoleContext) -> HTML {
        guard let project = context.ofProject else { return "" }
        let rules = context.homing.projects.linkRules(of: project)
        do throws(LinkFault) {
            try rules.check(parameters)
        } catch {
            return "<p class=\"fault\">It does nothing now: \(error.refusal.consoleSentence)</p>"
        }
        let resolution = LinkResolution(parameters, at: url, rules: rules, hasPageHost: true)
        let report = LinkReport(resolution, warnings: rules.warnings(parameters))
        let frame = PageFrame(appName: project.name, language: .english)
        return "<div class=\"report\">\(LinkReportView(report, link: SecretMask.masked(url)).table(in: frame))</div>"
    }

    // MARK: Checking and making

    /// Notes what stands against a link, beside its fields.
    static func check(_ form: inout ConsoleForm<LinkDraft>, on domain: LinkDomain, _ context: ConsoleContext)
        async throws
    {
        let (project, content) = (try context.project, form.value.content)
        let rules = context.homing.projects.linkRules(of: project)
        do {
            try rules.check(content.parameters)
            try rules.check(content.details)
            try await context.homing.links.check(content.parameters.link, by: rules, of: project)
            try LinkRules.check(lengthOf: DynamicLinkURL(base: domain.baseURL, parameters: content.parameters).url)
        } catch let fault as LinkFault {
            form.faults[field(of: fault)] =
                content.parameters.link.isEmpty
                ? "Type where the link leads, beginning with https://." : sentence(fault)
        }
        let details = content.details
        if let start = details.startsAt, let end = details.endsAt, end <= start, form.faults["ends"] == nil {
            form.faults["ends"] = "The link would end before it begins."
        }
    }

    private static func field(of fault: LinkFault) -> String {
        let name = fault.parameter ?? DynamicLinkParameter.link.rawValue
        if name.hasPrefix("languageLinks") { return "languages" }
        return name.utf8.elementsEqual("afterEnd".utf8) ? "after" : name
    }

    private static func sentence(_ fault: LinkFault) -> String {
        switch fault.reason {
        case .unauthorizedDomain: "The URL's domain is not authorised for this project. Add it under Domains first."
        case .storePage: "A page of a store is that of an app of this project. Register the app under Apps first."
        case .tooLong(let maximum): "It is longer than \(maximum) bytes: shorten it."
        default: fault.advice.asSentence
        }
    }

    /// Notes what stands against a new link.
    ///
    /// - Returns: where it would be; nil where there is no such domain.
    @discardableResult
    static func check(_ form: inout ConsoleForm<LinkDraft>, _ context: ConsoleContext) async throws -> LinkDomain? {
        let typed = form.value
        let domain = try context.project.linkDomains.first { $0.text.utf8.elementsEqual(typed.domain.utf8) }
        guard let domain else {
            form.faults["domain"] = "Choose one of the project's link domains."
            return nil
        }
        try await check(&form, on: domain, context)
        if let ending = typed.ending, (try? LinkSuffix.custom(ending)) == nil {
            form.faults["suffix"] =
                "An ending is 1 to \(LinkSuffix.longestLength) letters, digits, - and _, and no path of the server's own."
        }
        return domain
    }

    /// Makes the link of a form.
    ///
    /// - Returns: the way to it; nil where something stands against it, which the form says.
    static func make(_ form: inout ConsoleForm<LinkDraft>, _ sent: SentForm) async throws -> Response? {
        let (context, project) = (sent.context, try sent.context.project)
        guard let domain = try await check(&form, context), !form.isRefused,
            let site = context.homing.projects.linkSite(on: domain, of: project)
        else { return nil }
        let typed = form.value
        var content = typed.content
        content.name = content.name ?? typed.ending ?? String(SecretMask.masked(content.parameters.link).prefix(80))
        let ending: LinkEnding =
            typed.ending.map { .custom(LinkSuffix($0)) } ?? (typed.isUnguessable ? .unguessable : .handy)
        do {
            let link = try await context.homing.makeLink(content, at: site, ending: ending, by: sent.author)
            // The same link may have been made before.
            return sent.saved(LinkPage.path(of: link, in: project), link.isArchived ? .known : .saved)
        } catch Refusal.Code.alreadyExists {
            form.faults["suffix"] = "This ending leads elsewhere already. Choose another one."
            return nil
        } catch let refusal as Refusal where refusal.databaseReason == nil {
            form.problem = "\(refusal.consoleSentence)"
            return nil
        }
    }
}
