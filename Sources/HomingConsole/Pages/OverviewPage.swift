// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingLinkRules
import HomingStore
import HomingTexts
import Hummingbird

/// `/console/projects/{project}/`: what is missing until a mailed link brings people back, step by step.
enum OverviewPage {
    static func show(_ context: ConsoleContext) async throws -> Response {
        let project = try context.project
        let isMailed = try await context.homing.outbox.mailCounts.hasSent(in: project)
        let steps = Self.steps(project, isMailed: isMailed, context)
        let items = steps.map { step -> HTML in
            """
            <li><span class="tag \(step.isDone ? "good" : "warn")">\(step.isDone ? "done" : "to do")</span>\
            <div><a href="\(step.path)">\(step.title)</a><p class="soft">\(step.explanation)</p></div></li>
            """
        }
        let done = steps.count { $0.isDone }
        return ConsolePage(
            .overview,
            """
            <section><h2>From a mailed link back into the app</h2>
            <p>\(done) of \(steps.count) steps are done.</p>
            <ul class="steps">\(items)</ul></section>
            \(context.homing.store.mails(project) ? MailStateLines.section(context) : MailPage.nothingLeaves)
            <section><h2>For your app</h2>
            <p>API key <code>\(project.linkKey)</code> at <code>\(context.homing.publicURL)</code></p>
            <h3>Swift</h3>
            \(ConsoleLines("Swift", swift(project, context)).html)
            <h3>A first mail from a terminal</h3>
            \(ConsoleLines("curl", curl(project, context)).html)</section>
            """
        ).answer(in: context)
    }

    private struct Step {
        let title: String
        let explanation: HTML
        let path: String
        let isDone: Bool
    }

    private static func steps(_ project: Project, isMailed: Bool, _ context: ConsoleContext) -> [Step] {
        let steps = allSteps(project, isMailed: isMailed, context)
        return context.homing.store.mails(project) ? steps : steps.filter { $0.path != context.path(of: .mail) }
    }

    private static func allSteps(_ project: Project, isMailed: Bool, _ context: ConsoleContext) -> [Step] {
        let domains = project.authorizedDomains.map(\.text)
        let apple = project.apps.filter { $0.platform == .apple }
        let android = project.apps.filter { $0.platform == .android }
        let isOurs = project.settings.callbackURI == nil
        let ownDomains = project.linkDomains.filter { !$0.isGoogles }
        let templates = Set(project.templates.inForce.map(\.kind.rawValue)).sorted()
        return [
            Step(
                title: "Authorise the domain of your continue URLs",
                explanation: domains.isEmpty
                    ? "Without one every request with a continue URL is refused."
                    : "\(domains.prefix(3).joined(separator: ", "))\(domains.count > 3 ? " and more" : "")",
                path: context.path(of: .domains), isDone: !domains.isEmpty),
            Step(
                title: "Register your Apple app",
                explanation: apple.isEmpty
                    ? "Bundle id and team id let iOS open the app from a link."
                    : "\(apple.map(\.id).joined(separator: ", "))",
                path: context.path(of: .apps), isDone: apple.contains { $0.teamID != nil }),
            Step(
                title: "Register your Android app",
                explanation: android.isEmpty
                    ? "Package and SHA-256 fingerprint let Android open the app from a link."
                    : "\(android.map(\.id).joined(separator: ", "))",
                path: context.path(of: .apps), isDone: !android.isEmpty),
            Step(
                title: "Add a link domain",
                explanation: ownDomains.isEmpty
                    ? project.linkDomains.isEmpty
                        ? "A host of yours whose links open the app, the store or a page."
                        : "Google has switched *.page.link off: no link on it ever arrives. Add a host of your own."
                    : "\(ownDomains.map(\.text).joined(separator: ", "))",
                path: context.path(of: .linkDomains), isDone: !ownDomains.isEmpty),
            Step(
                title: "Choose the page that handles links on the web",
                explanation: isOurs
                    ? "Homing's own page does, in the reader's language. Yours can, too."
                    : "\(project.settings.callbackURI ?? "")",
                path: context.path(of: .signIn), isDone: true),
            Step(
                title: "Choose the words of your mails",
                explanation: templates.isEmpty
                    ? "Homing's own, in every language. A template of yours may replace them."
                    : "Yours: \(templates.joined(separator: ", ")).",
                path: context.path(of: .templates), isDone: true),
            Step(
                title: "Send a first mail",
                explanation: isMailed
                    ? "The relay has taken mails of this project."
                    : "A test mail shows that the relay takes your mails.",
                path: context.path(of: .mail), isDone: isMailed),
        ]
    }

    private static func swift(_ project: Project, _ context: ConsoleContext) -> String {
        """
        HomingApp.configure(
            endpoint: URL(string: "\(context.homing.publicURL)")!, apiKey: "\(project.linkKey)")
        """
    }

    private static func curl(_ project: Project, _ context: ConsoleContext) -> String {
        """
        curl '\(context.homing.publicURL)/v1/accounts:sendOobCode?key=\(project.linkKey)' \\
          -H 'Content-Type: application/json' \\
          -d '{"requestType":"PASSWORD_RESET","email":"you@example.com"}'
        """
    }
}
