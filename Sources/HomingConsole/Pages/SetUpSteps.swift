// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingLinkRules
import HomingProjects
import HomingStore
import HomingTexts

/// What is missing until an emailed link brings people back, step by step; folded once nothing is.
struct SetUpSteps {
    private struct Step {
        let title: String
        let explanation: HTML
        let section: ConsoleSection
        let isDone: Bool
        /// What does the step right here.
        var form: HTML = ""
    }

    private let context: ConsoleContext
    private let steps: [Step]

    init(_ project: Project, isMailed: Bool, _ context: ConsoleContext) {
        self.context = context
        let mails = context.homing.store.mails(project)
        steps =
            [Self.domains(project)] + Self.apps(project) + [Self.linkDomain(project), Self.page(project)]
            + [Self.words(project)] + (mails ? [Self.firstMail(isMailed: isMailed, context)] : [])
    }

    var areAllDone: Bool { steps.allSatisfy(\.isDone) }

    var html: HTML {
        let done = steps.count(where: \.isDone)
        let list: HTML = "<ul class=\"steps\" id=\"set-up\">\(HTML(joining: steps.map(item)))</ul>"
        return areAllDone
            ? "<section><details><summary>Set-up: all \(steps.count) steps are done</summary>\(list)</details></section>"
            : """
            <section><h2>Set-up</h2><p>\(done) of \(steps.count) steps are done.</p>\(list)</section>
            """
    }

    private func item(_ step: Step) -> HTML {
        """
        <li><span class="tag \(step.isDone ? "good" : "warn")">\(step.isDone ? "Done" : "To do")</span>\
        <div><a href="\(context.path(of: step.section))">\(step.title)</a><p class="soft">\(step.explanation)</p>\
        \(step.form)</div></li>
        """
    }

    // MARK: The steps

    private static func domains(_ project: Project) -> Step {
        let domains = project.authorizedDomains.map(\.text)
        return Step(
            title: "Authorise the domain of your continue URLs",
            explanation: domains.isEmpty
                ? "Without one every request with a continue URL is refused."
                : "\(domains.prefix(3).joined(separator: ", "))\(domains.count > 3 ? " and more" : "")",
            section: .domains, isDone: !domains.isEmpty)
    }

    private static func apps(_ project: Project) -> [Step] {
        func step(_ platform: RegisteredApp.Platform, _ title: String, without: HTML) -> Step {
            let apps = project.apps.filter { $0.platform == platform }
            let problem = apps.lazy.compactMap(\.problem).first
            return Step(
                title: title,
                explanation: problem.map { "\($0)." }
                    ?? (apps.isEmpty ? without : "\(apps.map(\.id).joined(separator: ", "))"),
                section: .apps, isDone: !apps.isEmpty && problem == nil)
        }
        return [
            step(
                .apple, "Register your Apple app",
                without: "Bundle id and team id let iOS open the app from a link."),
            step(
                .android, "Register your Android app",
                without: "Package and SHA-256 fingerprint let Android open the app from a link."),
        ]
    }

    private static func linkDomain(_ project: Project) -> Step {
        let own = project.linkDomains.filter { !$0.isGoogles }
        return Step(
            title: "Add a link domain",
            explanation: own.isEmpty
                ? project.linkDomains.isEmpty
                    ? "A host of yours whose links open the app, the store or a page."
                    : "Google has switched *.page.link off: no link on it ever arrives. Add a host of your own."
                : "\(own.map(\.text).joined(separator: ", "))",
            section: .linkDomains, isDone: !own.isEmpty)
    }

    private static func page(_ project: Project) -> Step {
        Step(
            title: "Choose the page that handles links on the web",
            explanation: project.settings.callbackURI.map { "\($0)" }
                ?? "Homing's own page does, in the reader's language. Yours can, too.",
            section: .signIn, isDone: true)
    }

    private static func words(_ project: Project) -> Step {
        let kinds = project.templates.inForce.map(\.kind)
        let titles = MailKind.allCases.filter(kinds.contains).map(\.title)
        return Step(
            title: "Choose the words of your emails",
            explanation: titles.isEmpty
                ? "Homing's own, in every language. A template of yours may replace them."
                : "Yours: \(titles.joined(separator: ", ")).",
            section: .templates, isDone: true)
    }

    private static func firstMail(isMailed: Bool, _ context: ConsoleContext) -> Step {
        Step(
            title: "Send a first email",
            explanation: isMailed
                ? "The relay has taken emails of this project."
                : "A test email shows that the relay takes your emails; what it answers is shown next.",
            section: .mail, isDone: isMailed, form: context.mayEdit ? MailPage.testForm(context) : "")
    }
}
