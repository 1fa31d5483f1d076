// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingTexts
import HomingWire
import Hummingbird

/// `…/links/new`: a form for a dynamic link, with what each device would do; a script keeps that fresh while one types.
enum LinkCreatePage {
    static func path(in project: Project) -> String { "\(ConsoleSection.links.path(in: project))/new" }

    static func show(_ context: ConsoleContext) async throws -> Response { try page(context, Draft()) }

    /// What was typed, by the names of a long link's parameters.
    private struct Draft {
        var values: [String: String] = [:]
        var fault: String?
        /// What each device would do with it.
        var preview: HTML?

        subscript(name: String) -> String { values[name] ?? "" }

        /// A value that was given.
        func given(_ name: String) -> String? { self[name].isEmpty ? nil : self[name] }

        var parameters: DynamicLinkParameters {
            var parameters = DynamicLinkParameters(link: self["link"])
            parameters.android.packageName = given("apn")
            parameters.android.fallbackLink = given("afl")
            parameters.ios.bundleID = given("ibi")
            parameters.ios.appStoreID = given("isi")
            parameters.ios.fallbackLink = given("ifl")
            parameters.desktopFallbackLink = given("ofl")
            parameters.forcesRedirect = self["efr"] == "true"
            parameters.social.title = given("st")
            parameters.social.description = given("sd")
            parameters.social.imageLink = given("si")
            parameters.campaign.source = given("utm_source")
            parameters.campaign.medium = given("utm_medium")
            parameters.campaign.campaign = given("utm_campaign")
            return parameters
        }
    }

    private static func page(_ context: ConsoleContext, _ draft: Draft) throws -> Response {
        let project = try context.project
        guard !project.linkDomains.isEmpty else {
            return ConsolePage(
                "New link", in: .links,
                "<p>Links need a domain: <a href=\"\(context.path(of: .linkDomains))\">add a link domain</a>.</p>"
            ).answer(in: context)
        }
        let problem: HTML = draft.fault.map { "<p class=\"problem\" role=\"alert\">\($0)</p>" } ?? ""
        // Not by `context.form`: it has a second button, and a script finds it by its mark.
        return ConsolePage(
            "New link", in: .links,
            """
            \(problem)
            <form method="post" action="\(context.path)" data-preview="preview">\
            <input type="hidden" name="token" value="\(context.token(for: context.path))">\
            \(fields(project, draft))\
            <div class="row"><button type="submit" name="do" value="create">Create the link</button>\
            <button type="submit" name="do" value="preview" class="quiet">Preview</button></div></form>
            <section id="preview" aria-live="polite"><h2>What each device does</h2>
            \(draft.preview ?? "<p>Type where the link leads, then press Preview.</p>")</section>
            """, status: draft.fault == nil ? .ok : .badRequest
        ).answer(in: context)
    }

    private static func fields(_ project: Project, _ draft: Draft) -> HTML {
        func line(_ label: String, _ name: String, _ hint: HTML? = nil, isRequired: Bool = false) -> HTML {
            ConsoleField(label, name, value: draft[name], hint: hint, isRequired: isRequired).html()
        }
        func apps(_ platform: RegisteredApp.Platform) -> [(value: String, label: String)] {
            [(value: "", label: "none")]
                + project.apps.filter { $0.platform == platform }.map { (value: $0.id, label: $0.id) }
        }
        let domains = project.linkDomains.map { (value: $0.text, label: $0.baseURL) }
        let target: [HTML] = [
            line(
                "Leads to", "link",
                "The URL that the app gets, and the page everywhere else. It lies on an authorised domain.",
                isRequired: true),
            ConsoleField(
                "Link domain", "domain", value: draft.given("domain") ?? project.defaultLinkDomain?.text ?? "",
                kind: .choice(domains)
            ).html(),
            line(
                "Ending", "suffix",
                "Such as <code>spring</code>. Empty for one of 17 characters that nobody guesses."),
            line(
                "Name", "name", "What it is called in lists; the ending, or where it leads, unless you say otherwise."),
        ]
        let devices: [HTML] = [
            ConsoleField("Apple app", "ibi", value: draft["ibi"], kind: .choice(apps(.apple))).html(),
            line("App Store id", "isi", "Where an iPhone without the app goes."),
            line("iPhone without the app", "ifl", "A page instead of the App Store."),
            ConsoleField.check(
                "No page in between on iOS", "efr", isOn: draft["efr"] == "true",
                hint: "People without the app are sent on at once."
            ).html(),
            ConsoleField("Android app", "apn", value: draft["apn"], kind: .choice(apps(.android))).html(),
            line("Android without the app", "afl", "A page instead of the Play Store."),
            line("On a computer", "ofl", "A page instead of where the link leads."),
        ]
        let more: [HTML] = [
            line("Title", "st"), line("Description", "sd"), line("Image", "si", "The URL of a picture."),
            line("Campaign source", "utm_source"), line("Campaign medium", "utm_medium"),
            line("Campaign name", "utm_campaign"),
        ]
        return """
            <section>\(target)</section>
            <section><h2>Apps</h2>\(devices)</section>
            <section><details><summary>Preview in messengers, campaign</summary>\(more)</details></section>
            """
    }

    static func change(_ form: ConsoleForm) async throws -> Response {
        let (context, project) = (form.context, try form.context.project)
        var draft = Draft()
        for parameter in form.fields.parameters where parameter.name != "token" {
            draft.values[parameter.name] = form.text(parameter.name)
        }
        do {
            guard let domain = project.linkDomains.first(where: { $0.text.utf8.elementsEqual(draft["domain"].utf8) })
            else { throw Refusal.invalidDynamicLinkDomain }
            let (parameters, rules) = (draft.parameters, context.homing.projects.linkRules(of: project))
            try await context.homing.links.check(parameters, by: rules)
            try Links.check(lengthOf: DynamicLinkURL(base: domain.baseURL, parameters: parameters).url)
            guard form.text("do") == "create" else {
                let url = "\(domain.baseURL)/\(draft.given("suffix") ?? "…")"
                draft.preview = report(parameters, at: url, on: domain, context)
                return try page(context, draft)
            }
            let link = try await context.homing.links.create(
                parameters, on: domain, of: project,
                ending: draft.given("suffix").map { .custom($0) } ?? .unguessable,
                name: draft.given("name") ?? draft.given("suffix") ?? String(draft["link"].prefix(80)),
                beside: context.homing.projects.linkDomains(hostKey: domain.hostKey), by: form.author)
            return form.saved(LinkPage.path(of: link, in: project))
        } catch let refusal as Refusal {
            draft.fault = refusal.consoleSentence
            draft.preview = "<p class=\"fault\">\(refusal.consoleSentence)</p>"
            return try page(context, draft)
        }
    }

    // MARK: What each device does

    /// What a link does, or why it does nothing now.
    static func report(
        _ parameters: DynamicLinkParameters, at url: String, on domain: LinkDomain, _ context: ConsoleContext
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
