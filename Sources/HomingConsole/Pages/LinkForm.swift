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
        var pasted = target
        pasted.hint = "Paste a URL of an authorised domain; the link's ending is made, and has 7 characters."
        return ConsoleForm(new(in: project), [pasted] + domains)
    }

    /// What stands in the place of links in a project without a domain for them.
    static func needsDomain(_ context: ConsoleContext) -> HTML {
        EmptyState(
            .linkDomains, "Links need a domain", "A host of yours, on which they begin.",
            action: "<a class=\"button\" href=\"\(context.path(of: .linkDomains))\">Add a link domain</a>"
        ).html
    }

    /// The form for a new link, with everything that it may have.
    static func making(in project: Project) -> ConsoleForm<LinkDraft> {
        ConsoleForm(
            new(in: project),
            [target] + creation(in: project) + [name(isRequired: false)] + more(project, LinkDraft(), isNew: true))
    }

    /// The form for a link that there is.
    static func editing(_ content: LinkContent, in project: Project) -> ConsoleForm<LinkDraft> {
        let draft = LinkDraft(content: content)
        let isOn = ConsoleField<LinkDraft>(
            "Enabled", "on", \.content.details.isOn, hint: "Off: nobody finds the link.")
        return ConsoleForm(
            draft, remembersSeen: true,
            [target, name(isRequired: content.name != nil), isOn] + more(project, draft))
    }

    private static func new(in project: Project) -> LinkDraft {
        LinkDraft(domain: project.defaultLinkDomain?.text ?? "")
    }

    // MARK: The page

    /// The sections of a form with everything.
    ///
    /// - Parameter first: the fields that stand before those of the apps.
    private static func sections(_ form: ConsoleForm<LinkDraft>, first: [String], _ context: ConsoleContext) -> HTML {
        func section(_ title: String, _ fields: [ConsoleField<LinkDraft>]) -> HTML {
            // What is filled in, or wrong, is seen at once.
            let isOpen = fields.contains { says($0, form) }
            return """
                <section><details\(isOpen ? " open" as HTML : "")><summary>\(title)</summary>\
                \(form.html(of: fields.map(\.name)))</details></section>
                """
        }
        let stores = ofStores.filter { isShown($0, form, context.ofProject) }
        return """
            <section><h2>Link</h2>\(form.html(of: first + ["tags"]))</section>
            \(apps(form, context))
            \(section("Computers, languages, beginning and end", ofPlaces))
            \(section("Preview in messengers", ofPreviews))
            \(section("Campaign", ofCampaigns))
            \(stores.isEmpty ? "" : section("More for apps and stores", stores))
            """
    }

    /// The fields of apps, of each platform that the project has an app of.
    private static func apps(_ form: ConsoleForm<LinkDraft>, _ context: ConsoleContext) -> HTML {
        let path = context.path(of: .apps)
        let parts = [("iPhone and iPad", appleFields), ("Android", androidFields)].map { title, names in
            (title, shown: form.fields.filter { names.contains($0.name) && isShown($0, form, context.ofProject) })
        }
        guard parts.contains(where: { !$0.shown.isEmpty }) else {
            return """
                <section><h2>Apps</h2>
                <p>This project has no apps yet: the link opens its destination in the browser, on every device.</p>
                <p><a class="button quiet" href="\(path)">Register an app</a></p></section>
                """
        }
        let fields = parts.map { title, shown -> HTML in
            shown.isEmpty
                ? "<h3>\(title)</h3><p class=\"soft\">No app yet. <a href=\"\(path)\">Register one</a>.</p>"
                : "<h3>\(title)</h3>\(form.html(of: shown.map(\.name)))"
        }
        return "<section><h2>Apps</h2>\(fields)</section>"
    }

    /// Whether something stands in a field, or is wrong with it.
    private static func says(_ field: ConsoleField<LinkDraft>, _ form: ConsoleForm<LinkDraft>) -> Bool {
        let text = field.text(form.value)
        return !text.isEmpty && text != "false" || form.faults[field.name] != nil
    }

    /// Whether a field of apps is shown: where the project has an app of its platform, and where the link says something
    /// of that platform already, as imported ones do.
    private static func isShown(
        _ field: ConsoleField<LinkDraft>, _ form: ConsoleForm<LinkDraft>, _ project: Project?
    ) -> Bool {
        let isAndroid = isOfAndroid(field.name)
        return project?.apps.contains { ($0.platform == .android) == isAndroid } == true
            || form.fields.contains { isOfApps($0.name) && isOfAndroid($0.name) == isAndroid && says($0, form) }
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
        <div class="columns wide"><div>\(context.form(
            sections(form, first: first, context),
            buttons: """
                <div class="bar"><button type="submit" name="do" value="\(button.action)">\(button.label)</button>\
                <button type="submit" name="do" value="preview" class="quiet">Preview</button></div>
                """,
            attributes: " data-preview=\"preview\""))</div>
        <aside class="stays"><section id="preview" aria-live="polite"><h2>What each device does</h2>
        \(preview)</section></aside></div>
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
                ? "Type the destination, beginning with https://." : sentence(fault)
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
