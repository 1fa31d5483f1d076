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

/// `…/links/new`: a form for a dynamic link, with what each device would do; a script keeps that fresh while one types.
enum LinkCreatePage {
    static func path(in project: Project) -> String { "\(ConsoleSection.links.path(in: project))/new" }

    enum Action: String, ConsoleAction {
        case create, preview

        static let unnamed: Action? = .preview
    }

    private struct NewLink {
        var parameters = DynamicLinkParameters(link: "")
        var domain: String
        var ending: String?
        var name: String?
    }

    static func show(_ context: ConsoleContext) async throws -> Response {
        try page(context, creation(of: try context.project))
    }

    /// The fields have the names of a long link's parameters.
    private static func creation(of project: Project) -> ConsoleForm<NewLink> {
        func apps(_ platform: RegisteredApp.Platform) -> ConsoleInput {
            let apps = project.apps.filter { $0.platform == platform }.map { (value: $0.id, label: $0.id) }
            return .choice([(value: "", label: "none")] + apps)
        }
        return ConsoleForm(
            NewLink(domain: project.defaultLinkDomain?.text ?? ""),
            ConsoleField(
                "Leads to", "link", \.parameters.link,
                hint: "The URL that the app gets, and the page everywhere else. It lies on an authorised domain.",
                isRequired: true),
            ConsoleField(
                "Link domain", "domain", \.domain,
                .choice(project.linkDomains.map { (value: $0.text, label: $0.baseURL) })),
            ConsoleField(
                "Ending", "suffix", \.ending,
                hint: "Such as <code>spring</code>. Empty for one of 17 characters that nobody guesses."),
            ConsoleField(
                "Name", "name", \.name,
                hint: "What it is called in lists; the ending, or where it leads, unless you say otherwise."),
            ConsoleField("Apple app", "ibi", \.parameters.ios.bundleID, apps(.apple)),
            ConsoleField(
                "App Store id", "isi", \.parameters.ios.appStoreID, hint: "Where an iPhone without the app goes."),
            ConsoleField(
                "iPhone without the app", "ifl", \.parameters.ios.fallbackLink,
                hint: "A page instead of the App Store."),
            ConsoleField(
                "No page in between on iOS", "efr", \.parameters.forcesRedirect,
                hint: "People without the app are sent on at once."),
            ConsoleField("Android app", "apn", \.parameters.android.packageName, apps(.android)),
            ConsoleField(
                "Android without the app", "afl", \.parameters.android.fallbackLink,
                hint: "A page instead of the Play Store."),
            ConsoleField(
                "On a computer", "ofl", \.parameters.desktopFallbackLink,
                hint: "A page instead of where the link leads."),
            ConsoleField("Title", "st", \.parameters.social.title),
            ConsoleField("Description", "sd", \.parameters.social.description),
            ConsoleField("Image", "si", \.parameters.social.imageLink, hint: "The URL of a picture."),
            ConsoleField("Campaign source", "utm_source", \.parameters.campaign.source),
            ConsoleField("Campaign medium", "utm_medium", \.parameters.campaign.medium),
            ConsoleField("Campaign name", "utm_campaign", \.parameters.campaign.campaign))
    }

    /// - Parameter preview: what each device would do.
    private static func page(
        _ context: ConsoleContext, _ form: ConsoleForm<NewLink>, preview: HTML? = nil
    ) throws -> Response {
        guard try !context.project.linkDomains.isEmpty else {
            return ConsolePage(
                "New link", in: .links,
                "<p>Links need a domain: <a href=\"\(context.path(of: .linkDomains))\">add a link domain</a>.</p>"
            ).answer(in: context)
        }
        let parameters = form.value.parameters
        let isMoreUsed = parameters.social != .init() || parameters.campaign != .init()
        let content: HTML = """
            <section>\(form.html(of: ["link", "domain", "suffix", "name"]))</section>
            <section><h2>Apps</h2>\(form.html(of: ["ibi", "isi", "ifl", "efr", "apn", "afl", "ofl"]))</section>
            <section><details\(isMoreUsed ? " open" as HTML : "")><summary>Preview in messengers, campaign</summary>\
            \(form.html(of: ["st", "sd", "si", "utm_source", "utm_medium", "utm_campaign"]))</details></section>
            """
        return ConsolePage(
            "New link", in: .links,
            """
            \(context.form(
                content,
                buttons: """
                    <div class="row"><button type="submit" name="do" value="create">Create the link</button>\
                    <button type="submit" name="do" value="preview" class="quiet">Preview</button></div>
                    """,
                attributes: " data-preview=\"preview\""))
            <section id="preview" aria-live="polite"><h2>What each device does</h2>
            \(preview ?? "<p>Type where the link leads, then press Preview.</p>")</section>
            """, status: form.status
        ).answer(in: context)
    }

    static func change(_ action: Action, _ sent: SentForm) async throws -> Response {
        let (context, project, links) = (sent.context, try sent.context.project, sent.homing.links)
        var form = creation(of: project)
        _ = try form.take(sent)
        let (typed, parameters) = (form.value, form.value.parameters)
        let name = typed.name ?? typed.ending ?? String(parameters.link.prefix(80))
        let domain = project.linkDomains.first { $0.text.utf8.elementsEqual(typed.domain.utf8) }
        guard let domain else {
            form.faults["domain"] = "Choose one of the project's link domains."
            return try page(context, form)
        }
        if let fault = try await fault(of: parameters, on: domain, context) {
            form.faults[fault.parameter ?? "link"] =
                parameters.link.isEmpty ? "Type where the link leads, beginning with https://." : sentence(fault)
        }
        if let ending = typed.ending, (try? LinkSuffix.custom(ending)) == nil {
            form.faults["suffix"] =
                "An ending is 1 to \(LinkSuffix.longestLength) letters, digits, - and _, and no path of the server's own."
        }
        if !parameters.link.isEmpty, !StoredLink.isName(name) {
            form.faults["name"] = "A name has 1 to 200 characters, and no control characters."
        }
        let preview: HTML =
            form.isRefused
            ? HTML(joining: form.faults.sorted { $0.key < $1.key }.map { "<p class=\"fault\">\($0.value)</p>" })
            : report(parameters, at: "\(domain.baseURL)/\(typed.ending ?? "…")", context)
        guard action == .create, !form.isRefused else { return try page(context, form, preview: preview) }
        do {
            let link = try await links.create(
                parameters, on: domain, of: project,
                ending: typed.ending.map { .custom(LinkSuffix($0)) } ?? .unguessable, name: name,
                beside: context.homing.projects.linkDomains(hostKey: domain.hostKey), by: sent.author)
            return sent.saved(LinkPage.path(of: link, in: project))
        } catch Refusal.Code.alreadyExists {
            form.faults["suffix"] = "This ending leads elsewhere already. Choose another one."
            return try page(context, form, preview: preview)
        }
    }

    /// What stands against a link, and in which field.
    private static func fault(
        of parameters: DynamicLinkParameters, on domain: LinkDomain, _ context: ConsoleContext
    ) async throws -> LinkFault? {
        let project = try context.project
        let rules = context.homing.projects.linkRules(of: project)
        do {
            try rules.check(parameters)
            try await context.homing.links.check(parameters.link, by: rules, of: project)
            try LinkRules.check(lengthOf: DynamicLinkURL(base: domain.baseURL, parameters: parameters).url)
            return nil
        } catch let fault as LinkFault {
            return fault
        }
    }

    private static func sentence(_ fault: LinkFault) -> String {
        switch fault.reason {
        case .unauthorizedDomain: "The URL's domain is not authorised for this project. Add it under Domains first."
        case .storePage: "A page of a store is that of an app of this project. Register the app under Apps first."
        case .tooLong(let maximum): "It is longer than \(maximum) bytes: shorten it."
        default: fault.advice.asSentence
        }
    }

    // MARK: What each device does

    /// What a link does, or why it does nothing now.
    static func report(
        _ parameters: DynamicLinkParameters, at url: String, _ context: ConsoleContext
    ) -> HTML {
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
}
