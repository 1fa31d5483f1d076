// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingTexts
import HomingWire
import Hummingbird

/// `…/links/new`: a form for a dynamic link, with what each device would do; a script keeps that fresh while one types.
enum LinkCreatePage {
    static func path(in project: Project) -> String { "\(ConsoleSection.links.path(in: project))/new" }

    static func show(_ context: ConsoleContext) async throws -> Response { try page(context, ConsoleDraft()) }

    /// What was typed: the fields have the names of a long link's parameters.
    private static func parameters(_ draft: ConsoleDraft) -> DynamicLinkParameters {
        var parameters = DynamicLinkParameters(link: draft["link"])
        parameters.android.packageName = draft.given("apn")
        parameters.android.fallbackLink = draft.given("afl")
        parameters.ios.bundleID = draft.given("ibi")
        parameters.ios.appStoreID = draft.given("isi")
        parameters.ios.fallbackLink = draft.given("ifl")
        parameters.desktopFallbackLink = draft.given("ofl")
        parameters.forcesRedirect = draft["efr"] == "true"
        parameters.social.title = draft.given("st")
        parameters.social.description = draft.given("sd")
        parameters.social.imageLink = draft.given("si")
        parameters.campaign.source = draft.given("utm_source")
        parameters.campaign.medium = draft.given("utm_medium")
        parameters.campaign.campaign = draft.given("utm_campaign")
        return parameters
    }

    /// - Parameter preview: what each device would do.
    private static func page(
        _ context: ConsoleContext, _ draft: ConsoleDraft, preview: HTML? = nil
    ) throws -> Response {
        let project = try context.project
        guard !project.linkDomains.isEmpty else {
            return ConsolePage(
                "New link", in: .links,
                "<p>Links need a domain: <a href=\"\(context.path(of: .linkDomains))\">add a link domain</a>.</p>"
            ).answer(in: context)
        }
        // Not by `context.form`: it has a second button, and a script finds it by its mark.
        return ConsolePage(
            "New link", in: .links,
            """
            <form method="post" action="\(context.path)" data-preview="preview">\
            <input type="hidden" name="token" value="\(context.token(for: context.path))">\
            \(fields(project, draft))\
            <div class="row"><button type="submit" name="do" value="create">Create the link</button>\
            <button type="submit" name="do" value="preview" class="quiet">Preview</button></div></form>
            <section id="preview" aria-live="polite"><h2>What each device does</h2>
            \(preview ?? "<p>Type where the link leads, then press Preview.</p>")</section>
            """, status: draft.status
        ).answer(in: context)
    }

    private static func fields(_ project: Project, _ draft: ConsoleDraft) -> HTML {
        func line(_ label: String, _ name: String, _ hint: HTML? = nil, isRequired: Bool = false) -> HTML {
            draft.field(label, name, hint: hint, isRequired: isRequired).html()
        }
        func apps(_ label: String, _ name: String, _ platform: RegisteredApp.Platform) -> HTML {
            let apps = project.apps.filter { $0.platform == platform }.map { (value: $0.id, label: $0.id) }
            return draft.field(label, name, kind: .choice([(value: "", label: "none")] + apps)).html()
        }
        let domains = project.linkDomains.map { (value: $0.text, label: $0.baseURL) }
        let target: [HTML] = [
            line(
                "Leads to", "link",
                "The URL that the app gets, and the page everywhere else. It lies on an authorised domain.",
                isRequired: true),
            draft.field(
                "Link domain", "domain", standard: project.defaultLinkDomain?.text ?? "", kind: .choice(domains)
            ).html(),
            line(
                "Ending", "suffix",
                "Such as <code>spring</code>. Empty for one of 17 characters that nobody guesses."),
            line(
                "Name", "name", "What it is called in lists; the ending, or where it leads, unless you say otherwise."),
        ]
        let devices: [HTML] = [
            apps("Apple app", "ibi", .apple),
            line("App Store id", "isi", "Where an iPhone without the app goes."),
            line("iPhone without the app", "ifl", "A page instead of the App Store."),
            ConsoleField.check(
                "No page in between on iOS", "efr", isOn: draft["efr"] == "true",
                hint: "People without the app are sent on at once."
            ).html(),
            apps("Android app", "apn", .android),
            line("Android without the app", "afl", "A page instead of the Play Store."),
            line("On a computer", "ofl", "A page instead of where the link leads."),
        ]
        let more: [HTML] = [
            line("Title", "st"), line("Description", "sd"), line("Image", "si", "The URL of a picture."),
            line("Campaign source", "utm_source"), line("Campaign medium", "utm_medium"),
            line("Campaign name", "utm_campaign"),
        ]
        let isMoreUsed = ["st", "sd", "si", "utm_source", "utm_medium", "utm_campaign"].contains { !draft[$0].isEmpty }
        return """
            <section>\(target)</section>
            <section><h2>Apps</h2>\(devices)</section>
            <section><details\(isMoreUsed ? " open" as HTML : "")><summary>Preview in messengers, campaign</summary>\
            \(more)</details></section>
            """
    }

    static func change(_ form: ConsoleForm) async throws -> Response {
        let (context, project, links) = (form.context, try form.context.project, form.homing.links)
        var draft = ConsoleDraft(form)
        let name = draft.given("name") ?? draft.given("suffix") ?? String(draft["link"].prefix(80))
        let domain = project.linkDomains.first { $0.text.utf8.elementsEqual(draft["domain"].utf8) }
        guard let domain else {
            draft.faults["domain"] = "Choose one of the project's link domains."
            return try page(context, draft)
        }
        let parameters = Self.parameters(draft)
        if let fault = try await fault(of: parameters, on: domain, context) {
            draft.faults[fault.parameter ?? "link"] =
                draft["link"].isEmpty ? "Type where the link leads, beginning with https://." : sentence(fault)
        }
        if let ending = draft.given("suffix"), (try? LinkSuffix.custom(ending)) == nil {
            draft.faults["suffix"] =
                "An ending is 1 to \(LinkSuffix.longestLength) letters, digits, - and _, and no path of the server's own."
        }
        if !draft["link"].isEmpty, !StoredLink.isName(name) {
            draft.faults["name"] = "A name has 1 to 200 characters, and no control characters."
        }
        let preview: HTML =
            draft.isRefused
            ? HTML(joining: draft.faults.sorted { $0.key < $1.key }.map { "<p class=\"fault\">\($0.value)</p>" })
            : report(parameters, at: "\(domain.baseURL)/\(draft.given("suffix") ?? "…")", context)
        guard form.text("do") == "create", !draft.isRefused else { return try page(context, draft, preview: preview) }
        do {
            let link = try await links.create(
                parameters, on: domain, of: project,
                ending: draft.given("suffix").map { .custom($0) } ?? .unguessable, name: name,
                beside: context.homing.projects.linkDomains(hostKey: domain.hostKey), by: form.author)
            return form.saved(LinkPage.path(of: link, in: project))
        } catch Refusal.Code.alreadyExists {
            draft.faults["suffix"] = "This ending leads elsewhere already. Choose another one."
            return try page(context, draft, preview: preview)
        }
    }

    /// What stands against a link, and in which field.
    private static func fault(
        of parameters: DynamicLinkParameters, on domain: LinkDomain, _ context: ConsoleContext
    ) async throws -> LinkFault? {
        let rules = context.homing.projects.linkRules(of: try context.project)
        do {
            try rules.check(parameters)
            try await context.homing.links.check(parameters.link, by: rules)
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
